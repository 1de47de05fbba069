/*
 * tools/record/reads/read_slots.h - the recorder's side of wire/reads.h: takes requests, and gives answers.
 *
 * The pump takes, in batches; the thread of answers.h gives.  A batch is over before the next one is taken.
 */
#ifndef PROF_RECORD_READ_SLOTS_H
#define PROF_RECORD_READ_SLOTS_H

#include "record/region/region.h"
#include "record/tables/process_table.h"

struct prof_read_request {
  uint32_t slot;
  uint64_t state; /* TAKEN, as the slot had it */
  pid_t pid;      /* of the process that asks, as the recording has it; 0: not known */
  char name[PROF_READ_NAME_BYTES];
};

struct prof_read_slots {
  uint32_t seen; /* `reads` of the header */
  struct {
    uint64_t state, since_ns;
  } known[PROF_READ_SLOTS]; /* since when a slot has been in this state */
  struct prof_read_request batch[PROF_READ_SLOTS];
  size_t count;
};

/* Did a program ask since the last look?  Costs one load. */
bool prof_read_slots_asked(const struct prof_read_slots *, const struct prof_region *);

/* Takes all requests as the next batch, and frees slots whose owners are gone.  Returns how many it has. */
size_t prof_read_slots_take(struct prof_read_slots *, struct prof_region *, const struct prof_processes *,
                            uint64_t now_ns);

/* Finds `pid` of each.  The log of programs was read since they were taken. */
void prof_read_slots_find_pids(struct prof_read_slots *, const struct prof_processes *);

/* Does its thread wait still? */
bool prof_read_slots_waits(const struct prof_region *, const struct prof_read_request *);

/* Gives one request of the batch its answer, and wakes its thread. */
void prof_read_slots_give(struct prof_region *, const struct prof_read_request *, const struct prof_read_answer *);

#endif
