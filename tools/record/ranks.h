/*
 * tools/record/ranks.h - is this one of many processes of a launcher (MPI), which one, and of which job?
 *
 * In: the environment.  A new launcher is a row of the table.
 */
#ifndef PROF_RECORD_RANKS_H
#define PROF_RECORD_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_RANK_JOB_BYTES 256

struct prof_rank {
  bool there; /* false: no launcher */
  uint32_t number;
  /* If certain, the same in all ranks of a job and in no other job.  Else from our session and parent, which several
   * jobs may share. */
  char job[PROF_RANK_JOB_BYTES];
  bool certain;
};

void prof_rank_find(struct prof_rank *);

#endif
