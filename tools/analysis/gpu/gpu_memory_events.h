/*
 * tools/analysis/gpu/gpu_memory_events.h - GPU allocations and what gives them back, in the order of time.
 *
 * Job: records GPU_MEMORY of all sources -> one array, each joined to its call.  In: a study, which must outlive it.
 * A record without a time happened when its call began, else when the record before it in the file did.
 */
#ifndef PROF_ANALYSIS_GPU_MEMORY_EVENTS_H
#define PROF_ANALYSIS_GPU_MEMORY_EVENTS_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_memory_event {
  uint64_t time; /* ticks */
  uint64_t address, bytes;
  const struct prof_gpu_api_call *call; /* NULL: not known */
  uint32_t source;                      /* index */
  uint32_t device;                      /* the library's number; UINT32_MAX: none */
  uint32_t kind;                        /* of memory, of column TO */
  uint32_t order;                       /* of the file: of equal times the first one goes first */
  bool is_release;
};

struct prof_gpu_memory_events { /* all zero: none */
  PROF_VEC(struct prof_gpu_memory_event) list;
  uint64_t damaged; /* chunks that could not be read */
};

/* Does the trace have such records?  Cheap. */
bool prof_gpu_memory_is_there(const prof_trace *);
/* PROF_NO_MEMORY.  Free it in any case. */
prof_status prof_gpu_memory_events_load(const struct prof_gpu_study *, struct prof_gpu_memory_events *) PROF_MUST_CHECK;
void prof_gpu_memory_events_fini(struct prof_gpu_memory_events *);

#endif
