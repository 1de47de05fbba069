/*
 * tools/analysis/gpu/gpu_memory.h - what did each host path allocate on GPUs, what lived at the peak, what was left?
 *
 * Job: the host's question of measures/memory.h, of memory that a GPU's library allocates.  In: a study.  Out: a row
 * per function (or path), API function, kind of memory and device; and a pool per sort of memory, device and process.
 * Each pool has a peak of its own.  Bytes are those asked for.
 *
 * A block belongs to the place of its allocation, wherever it is given back.  One whose address is allocated again was
 * given back unseen.  The filter chooses allocations: functions, depth and threads by the host path, the range by time.
 */
#ifndef PROF_ANALYSIS_GPU_MEMORY_H
#define PROF_ANALYSIS_GPU_MEMORY_H

#include "analysis/gpu/gpu_study.h"
#include "analysis/measures/memory.h"

struct prof_gpu_memory_pool {
  const char *name;               /* of the device; "": not known */
  const char *sort;               /* "device", "managed", "host" (pinned memory of the host), "" not known */
  uint32_t device, pid;           /* device: the library's number */
  uint32_t source;                /* index */
  bool has_device;                /* false: the record names none */
  struct prof_memory_figures sum; /* peak_bytes: of the pool */
  uint64_t peak_ns;               /* when, since the start of the recording */
  uint64_t frees, unknown_frees;  /* in the whole recording; unknown: the allocation isn't in it */
};

struct prof_gpu_memory_row {
  const char *function; /* innermost frame of the host path; "": outside of instrumented functions */
  const char *file;     /* "": not known */
  const char *path;     /* "main > step"; of one of them, if not by path */
  const char *call;     /* API function; "": not known */
  const char *kind;     /* "device", "array", "pinned", ...; "": not known */
  uint32_t device;
  bool has_device;
  struct prof_memory_figures sum; /* peak_bytes: its parts of its pools' peaks */
  struct prof_memory_moment before, after;
};

struct prof_gpu_memory {
  struct prof_gpu_memory_row *rows;
  size_t count;
  struct prof_gpu_memory_pool *pools; /* by device, process and sort */
  size_t pool_count;
  uint64_t *at;     /* per moment: bytes that lived in all pools but the host's */
  uint64_t missing; /* records and calls of GPUs that were dropped or lost */
  uint64_t damaged; /* chunks of GPU records that could not be read */
  bool recorded;    /* there was such a record */
};

/* Of the options of places: by_path, sort and moments (any number; rows have the first and the last).  Texts live as
 * long as the study.  PROF_NO_MEMORY.  Free it in any case. */
prof_status prof_gpu_memory_rank(struct prof_gpu_study *, const struct prof_memory_options *,
                                 struct prof_gpu_memory *out) PROF_MUST_CHECK;
void prof_gpu_memory_free(struct prof_gpu_memory *);

#endif
