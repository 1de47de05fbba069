/*
 * tools/trace/part/merge_inputs.h - what is merged: in which order, and with which numbers and times.
 */
#ifndef PROF_TRACE_MERGE_INPUTS_H
#define PROF_TRACE_MERGE_INPUTS_H

#include "renumber.h"

struct prof_merge_input {
  prof_trace *trace;
  uint32_t group; /* recordings with the same id are one; from 0, in the order of time */
};

struct prof_merge_group {
  const prof_trace *first;          /* its earliest input */
  uint64_t begin_ticks, last_ticks; /* of all its inputs, as recorded */
  uint32_t most_process, most_thread, most_module, most_site, most_path;
  struct prof_renumber numbers;
};

struct prof_merge_inputs {
  struct prof_merge_input *items; /* in the order of writing */
  size_t count;
  struct prof_merge_group *groups;
  uint32_t group_count;
};

/* PROF_UNSUPPORTED, PROF_NO_MEMORY, or an error of reading. */
prof_status prof_merge_inputs_find(prof_trace *const *traces, size_t count, bool in_turn, struct prof_diag *,
                                   struct prof_merge_inputs *) PROF_MUST_CHECK;
void prof_merge_inputs_fini(struct prof_merge_inputs *); /* may be zeroed */

#endif
