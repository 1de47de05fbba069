/*
 * tools/command/measures/memory_gpu.h - `prof memory`: allocations on GPUs, below the host's or alone.
 */
#ifndef PROF_COMMAND_MEMORY_GPU_H
#define PROF_COMMAND_MEMORY_GPU_H

#include "analysis/gpu/gpu_memory.h"
#include "memory_settings.h"

struct prof_memory_gpu { /* all zero: the recording has no GPU allocations */
  const struct prof_memory_settings *settings;
  bool with_moments; /* rows show what lived at the first and the last moment */
  struct prof_gpu_study study;
  struct prof_gpu_memory memory;
  void *rows; /* as shown */
};

/* Asks the analysis, where the recording has such records.  Free it in any case. */
prof_status prof_memory_gpu_find(struct prof_memory_gpu *, const struct prof_memory_settings *,
                                 const struct prof_reader *, const struct prof_memory_options *,
                                 struct prof_diag *) PROF_MUST_CHECK;
void prof_memory_gpu_free(struct prof_memory_gpu *);

/* Tables of the pools and of the places, with titles; members gpu_memory and gpu_sites.  Nothing where no allocation
 * was recorded.  False: no memory. */
bool prof_memory_gpu_print(const struct prof_memory_gpu *, const struct prof_output *);
bool prof_memory_gpu_json(const struct prof_memory_gpu *, struct prof_json *);
/* The places in the three forms, as with --gpu. */
prof_status prof_memory_gpu_places(const struct prof_memory_gpu *, const struct prof_reader *, int *result,
                                   struct prof_diag *) PROF_MUST_CHECK;

/* `prof memory --gpu` */
prof_status prof_memory_gpu_show(const struct prof_memory_settings *, const struct prof_reader *, int *result,
                                 struct prof_diag *) PROF_MUST_CHECK;

#endif
