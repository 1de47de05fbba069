/*
 * tools/analysis/gpu/gpu_study.h - what all questions about GPUs need: opened once.
 *
 * Job: the joined calls, the timeline, texts to show, the filter.  In: an opened trace, a filter and names, which must
 * outlive it.  Out: texts that live as long as the study.
 *
 * The filter's functions, depth and threads apply to the host path; the range cuts times.
 */
#ifndef PROF_ANALYSIS_GPU_STUDY_H
#define PROF_ANALYSIS_GPU_STUDY_H

#include "base/arena.h"
#include "fold/filter.h"
#include "fold/gpu_nodes.h"
#include "fold/gpu_timeline.h"
#include "names/names.h"

struct prof_gpu_named {
  uint32_t source, kind;
  uint64_t thing;
  const char *name;
};

struct prof_gpu_study {
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_names *names;
  enum prof_demangle demangle;
  struct prof_gpu_join *join;
  struct prof_gpu_timeline timeline;
  struct prof_gpu_nodes nodes;
  const struct prof_gpu_api_call *calls;
  size_t call_count;
  struct prof_arena texts;
  const char **kernels, **short_kernels; /* by index of timeline.kernel_names */
  const char **frames;                   /* names of functions from `first_frame` on: of uninstrumented programs */
  uint32_t first_frame;
  PROF_VEC(struct prof_gpu_named) named; /* names by the program (NVTX) */
  bool all_threads;                      /* the filter hides no thread */
};

/* PROF_EMPTY: the trace has no GPU records; PROF_NO_MEMORY. */
prof_status prof_gpu_study_open(struct prof_gpu_study *, const prof_trace *, const struct prof_filter *,
                                struct prof_names *, enum prof_demangle, struct prof_diag *) PROF_MUST_CHECK;
void prof_gpu_study_close(struct prof_gpu_study *);

/* NULL: no call. */
const struct prof_gpu_api_call *prof_gpu_study_call(const struct prof_gpu_study *, uint32_t call);

/* The program's name of a thread (its number in the system), device or stream (PROF_GPU_NAMED_); "": none. */
const char *prof_gpu_study_name(const struct prof_gpu_study *, uint32_t kind, uint32_t source, uint64_t thing);

/* Does the filter show what this path of this thread (PROF_NONE: none) launched? */
bool prof_gpu_study_shows(const struct prof_gpu_study *, uint32_t path, uint32_t thread);

/* Cuts [*begin, *end) to the filter's range; false: nothing is left. */
bool prof_gpu_study_clip(const struct prof_gpu_study *, uint64_t *begin, uint64_t *end);

/* "main > step", outermost first, with -D N only the first N; "" for path 0. */
const char *prof_gpu_study_path(struct prof_gpu_study *, uint32_t path);

/* The path without the frames that -D hides; the name of its innermost frame, and the file of that, "": not known. */
uint32_t prof_gpu_study_shown_path(const struct prof_gpu_study *, uint32_t path);
const char *prof_gpu_study_function(struct prof_gpu_study *, uint32_t path);
const char *prof_gpu_study_file(struct prof_gpu_study *, uint32_t path);

struct prof_gpu_group;
struct prof_gpu_sum {      /* the common columns of rows of waits and of idle time */
  const char *path, *call; /* call: the API function, "": none */
  uint64_t count, total_ns, max_ns;
  double share; /* of `whole` */
};
struct prof_gpu_sum prof_gpu_study_sum(struct prof_gpu_study *, const struct prof_gpu_group *, uint32_t path,
                                       uint32_t source, uint32_t call, uint64_t whole);
/* The longest first, then by path and call. */
int prof_gpu_sum_compare(const struct prof_gpu_sum *, const struct prof_gpu_sum *);

/* What a span did: the kernel's name, short or by --demangle; "graph 3"; "host to device". */
const char *prof_gpu_study_what(struct prof_gpu_study *, const struct prof_gpu_span *, bool is_short);

#endif
