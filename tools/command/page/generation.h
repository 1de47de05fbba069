/*
 * tools/command/page/generation.h - what a server knows of a recording: one reading of it, which never changes.
 *
 * Job: a recording in progress is read again when it has grown; answers that are being made keep the older reading. In:
 * the options of the command.  Out: readings with numbers from 1 on.  The first one of a long recording is there in
 * stages, so that a page need not wait for all of it.  Threads: any number; a reading's frames and sources change with
 * each answer, so they have a lock.
 */
#ifndef PROF_COMMAND_PAGE_GENERATION_H
#define PROF_COMMAND_PAGE_GENERATION_H

#include <pthread.h>
#include <stdatomic.h>

#include "command/page/recording.h"
#include "viewer/view_data.h"
#include "viewer/view_span.h"

/* How much of a recording is known: enough for a first picture, the timeline, all. */
enum prof_reading_stage { PROF_READING_SKETCH, PROF_READING_TIMELINE, PROF_READING_WHOLE };

struct prof_generation {
  uint64_t number;
  uint64_t users;   /* behind the lock of all */
  uint64_t read_ns; /* when, by CLOCK_MONOTONIC */
  bool empty;       /* no calls yet: only `recording.reader` is open */
  struct prof_page_recording recording;
  struct prof_span_index sketch;
  pthread_mutex_t naming; /* guards names, symbols and the following */
  struct prof_view_frames frames;
  struct prof_lanes extra;
  _Atomic enum prof_reading_stage stage; /* may be read without the lock */
  struct prof_view_data overview;        /* of the stage */
};

struct prof_generations {
  struct prof_common *common;
  const struct prof_page_against *against;
  bool live;
  char title[PROF_PAGE_TITLE_BYTES];
  struct prof_generation *first; /* open, but not read yet */
  pthread_mutex_t lock;          /* guards the following, and the users of each */
  pthread_cond_t read;           /* the first reading has ended */
  struct prof_generation *now;   /* NULL: not read yet, */
  bool failed;                   /* or it could not be read */
  pthread_mutex_t reading;       /* held while the recording is read again; guards the following */
  uint64_t read_ns, cost_ns;     /* when the last reading ended, by CLOCK_MONOTONIC, and how long it took */
  bool open;
};

/* Opens the recording.  PROF_EMPTY: it has no events; not with `live` while it is in progress. */
prof_status prof_generations_open(struct prof_generations *, struct prof_common *, const struct prof_page_against *,
                                  bool live, struct prof_diag *) PROF_MUST_CHECK;

/* Reads it; those who take a reading wait for its first stage.  PROF_EMPTY: a filter hides all. */
prof_status prof_generations_read(struct prof_generations *, struct prof_diag *) PROF_MUST_CHECK;
void prof_generations_close(struct prof_generations *); /* nobody uses one any more */

/* The latest reading, to be given back; waits for the first one.  NULL: it could not be read. */
struct prof_generation *prof_generation_take(struct prof_generations *);
void prof_generation_give(struct prof_generations *, struct prof_generation *);

/* The timeline at the present stage.  Lives as long as the reading. */
struct prof_view_span_source prof_generation_timeline(struct prof_generation *);

/* How old the newest data of a recording in progress is; 0: it has ended. */
uint64_t prof_generation_age_ns(const struct prof_generation *);

/* Reads a live recording again if it may have grown, but not too often.  What can't be read leaves the older reading.
 */
void prof_generations_refresh(struct prof_generations *);

#endif
