/*
 * tools/record/reads/answers.h - has a batch of requests answered, in a thread, while the recording goes on.
 *
 * The thread runs this program again, as `prof answer`: a process for each process that asks, one after another.  So
 * the reader's memory and faults are not the recorder's, and figures are those of prof report.
 */
#ifndef PROF_RECORD_ANSWERS_H
#define PROF_RECORD_ANSWERS_H

#include <limits.h>
#include <pthread.h>

#include "record/reads/read_slots.h"

struct prof_answers {
  struct prof_read_slots slots; /* the batch is the thread's while it is busy */
  uint32_t busy, ends;          /* atomic */
  bool started;                 /* `thread` is to be joined */
  pthread_t thread;
  struct prof_region *region;
  char folder[PATH_MAX];
  uint64_t time_ns;   /* of the figures */
  uint64_t cpu_ns;    /* of all processes that it ran */
  bool waits;         /* the pump's: the batch waits for a summary, */
  uint32_t waits_for; /* of this number */
};

/* Is a batch being answered? */
bool prof_answers_busy(const struct prof_answers *);

/* Takes what programs ask now.  Not while it is busy.  Returns how many requests there are; each gets an answer by
 * prof_answers_begin or prof_answers_refuse. */
size_t prof_answers_take(struct prof_answers *, struct prof_region *, const struct prof_processes *, uint64_t now_ns);

/* `folder` has all up to the batch, and `processes` those who ask. */
void prof_answers_begin(struct prof_answers *, const struct prof_processes *, const char *folder);
void prof_answers_refuse(struct prof_answers *);

/* Ends the thread, and the process that it runs; requests that wait get no figures.  Zeroed: no effect. */
void prof_answers_end(struct prof_answers *);

#endif
