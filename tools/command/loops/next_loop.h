/*
 * tools/command/loops/next_loop.h - the end of `prof report`: the hottest loop, and what to look at next.
 */
#ifndef PROF_COMMAND_NEXT_LOOP_H
#define PROF_COMMAND_NEXT_LOOP_H

#include "analysis/loops.h"
#include "base/json.h"
#include "command/output.h"
#include "command/reader.h"

struct prof_next_loop {
  const struct prof_reader *reader; /* borrowed */
  struct prof_loop_rows rows;
  bool ran; /* shares are of running time: threads ran for less than all time */
};

/* The profile must be folded with loops. */
prof_status prof_next_loop_find(const struct prof_profile *, const struct prof_reader *, struct prof_diag *,
                                struct prof_next_loop *out) PROF_MUST_CHECK;
void prof_next_loop_free(struct prof_next_loop *);

/* Prints two lines below a table; nothing if no instrumented loop ran. */
void prof_next_loop_show(const struct prof_next_loop *, const struct prof_output *);

/* Writes a member "hottest_loop" with the keys of `prof loops`; nothing likewise.  false: no memory. */
bool prof_next_loop_json(const struct prof_next_loop *, struct prof_json *);

#endif
