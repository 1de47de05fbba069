/*
 * proftrace_bursts.h - libproftrace: recordings with a budget.  Which functions were recorded when, what short windows
 * counted, and the callers of samples.  Format: docs/trace-format.md, "STATES", "WINDOWS", "PATHS".
 *
 * Part of proftrace.h, which includes it.  The same rules: immutable after opening, pointers live until
 * prof_trace_close.  Memory grows with states, paths and chunk headers, not with windows.
 */
#ifndef PROFTRACE_BURSTS_H
#define PROFTRACE_BURSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_trace;

enum prof_record_state {
  PROF_RECORD_ALWAYS = 0, /* every call is an event */
  PROF_RECORD_BURST = 1,  /* only in windows, and only counted */
  PROF_RECORD_OFF = 2,    /* never */
};

/* From `time` on, the function or loop of `site` has this state, in every process.  Before its first one: ALWAYS. */
struct prof_state_change {
  uint64_t time; /* ticks */
  uint32_t site; /* of a LOAD; the same one in all changes of a function */
  uint32_t state;
};
/* By time.  NULL: every call of the recording is an event. */
const struct prof_state_change *prof_trace_states(const struct prof_trace *, size_t *count);

/* A caller chain: an address that a call returns to, and the chain of the function that it lies in. */
struct prof_path {
  uint64_t address; /* run-time, of the sample's process */
  uint32_t parent;  /* number of another path, less than its own; 0: none, or not known */
};
/* Path number n is item n; item 0 is unused.  Numbers that are missing in the file have address 0. */
const struct prof_path *prof_trace_paths(const struct prof_trace *, size_t *count);

struct prof_window_chunk_ref { /* in file order */
  uint64_t offset;
  uint64_t first_time, last_time; /* ticks: begin of the first window, end of the last */
  uint32_t count;                 /* of windows */
};
const struct prof_window_chunk_ref *prof_trace_window_chunks(const struct prof_trace *, size_t *count);

struct prof_window_row { /* calls of a burst function from one place, in one window and thread */
  uint32_t site;         /* of the function's or loop's entry, of any process */
  uint32_t caller;       /* low 32 bits of the return address; 0: not known, or a loop */
  uint64_t calls;
  uint64_t iterations; /* of a loop: sum of the VALUEs; else 0 */
};
struct prof_window_thread { /* a thread without an event in the window has none */
  uint32_t thread;          /* index */
  uint32_t first_row, row_count;
  uint64_t events; /* of this thread in the window that read the clock, those of ALWAYS functions too */
};
/* Calls were counted without an event: callers aren't known, and loops were not on. */
#define PROF_WINDOW_COUNTED 0x1u
struct prof_window {
  uint64_t begin, end; /* ticks, begin < end */
  uint64_t seed;
  uint32_t part; /* of the burst functions that were on, times 2^32; UINT32_MAX: all */
  uint32_t first_thread, thread_count;
  uint32_t flags; /* PROF_WINDOW_ */
};

/* Was the function, if its state was BURST, on in the window?  site: as in prof_state_change.  The mix: G. Steele, D.
 * Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline bool prof_window_has(uint64_t seed, uint32_t part, uint32_t site) {
  uint64_t x = seed + site * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return part == UINT32_MAX || (uint32_t)((x ^ x >> 31) >> 32) < part;
}

/* One unpacked chunk; the arrays are reused by the next load into the same object.  One object per reading thread. */
struct prof_window_chunk {
  const struct prof_window *windows; /* by begin */
  const struct prof_window_thread *threads;
  const struct prof_window_row *rows;
  uint32_t count;
  void *storage;
};
prof_status prof_window_chunk_load(const struct prof_trace *, size_t chunk, struct prof_diag *,
                                   struct prof_window_chunk *) PROF_MUST_CHECK;
void prof_window_chunk_free(struct prof_window_chunk *); /* a zeroed object is fine */

#ifdef __cplusplus
}
#endif
#endif
