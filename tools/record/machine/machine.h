/*
 * tools/record/machine/machine.h - reads the machine and the live processes at intervals, and writes READINGS chunks.
 *
 * Used by the pump only.  A process whose figures can't be read any more is left out from then on.
 */
#ifndef PROF_RECORD_MACHINE_H
#define PROF_RECORD_MACHINE_H

#include "base/vec.h"
#include "record/clock/ticks.h"
#include "record/machine/sources.h"
#include "record/tables/process_table.h"

#define PROF_MACHINE_PROCESSES 256 /* of more live ones, the first are read */

struct prof_machine_log { /* of one process, or of the machine: readings that are not written yet */
  uint32_t process;       /* number; 0: the machine */
  pid_t pid;
  bool is_over;
  const struct prof_machine_source *sources[PROF_MACHINE_FIGURES]; /* those that could be read at first */
  uint32_t source_count;
  uint64_t begin_ns;         /* when the oldest of them was read */
  PROF_VEC(uint64_t) values; /* of each reading: ticks, then a value per source */
  bool is_carried;           /* the first of them is written in the file before */
};

struct prof_machine_watch {
  uint64_t interval_ns;         /* 0: nothing is read */
  const char *root;             /* of /proc and /sys; "" */
  const enum prof_ticks_of *of; /* when a figure was read; NULL: at the ticks of prof_machine_turn */
  uint64_t next_ns;
  PROF_VEC(struct prof_machine_log) logs; /* the machine's is the first */
};

/* Reads if it is time for it.  now_ns: of a steady clock; ticks: of the recording's, the same moment. */
void prof_machine_turn(struct prof_machine_watch *, const struct prof_processes *, prof_writer *, uint64_t now_ns,
                       uint64_t ticks);
/* Writes what was read. */
void prof_machine_flush(struct prof_machine_watch *, prof_writer *);
/* The same before the recording goes on in another file, which begins with the last readings of this one: so each step
 * of a sum is in one of both. */
void prof_machine_cut(struct prof_machine_watch *, prof_writer *);
void prof_machine_fini(struct prof_machine_watch *);

#endif
