/*
 * tools/fold/fork_paths.h - from which call paths threads forked parallel regions (OpenMP).
 *
 * Job: a region's function is called in the thread that forks it, and is the outermost call of each worker thread.
 * Here the calls in forking threads become intervals of time, so that a worker's call finds the path that it was
 * forked from: that of another thread of its process that was in such a region then.  In: all chunks of a trace,
 * whatever a filter shows.  Out: paths of functions and loops.  Immutable once made; any thread may ask.
 *
 *   forking thread   main ---- solve ---[region]------------ next     open as in fork_scan.h
 *   worker                          [region..........]
 *
 * Where threads forked one region from different paths at one time, a worker's call has none.
 */
#ifndef PROF_FOLD_FORK_PATHS_H
#define PROF_FOLD_FORK_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/fork_scan.h"
#include "proftrace.h"

struct prof_fork_paths;

/* damaged: one byte per chunk, 1: it can't be read.  workers: threads that look.  *out is NULL where no thread can have
 * forked another one's. */
prof_status prof_fork_paths_find(const prof_trace *, const uint8_t *damaged, unsigned workers, struct prof_diag *,
                                 struct prof_fork_paths **out) PROF_MUST_CHECK;
void prof_fork_paths_free(struct prof_fork_paths *); /* NULL: nothing */

/* Is that function (index) a parallel region? */
bool prof_fork_paths_is_region(const struct prof_fork_paths *, uint32_t function);

/*
 * The path of a region that a thread (index) entered as its outermost call: frames (loop_frames.h) from the outermost
 * to the one that forked it, at most PROF_FORK_DEPTH.  Returns how many; 0: it is not known.
 */
uint32_t prof_fork_paths_of(const struct prof_fork_paths *, uint32_t thread, uint32_t function, uint64_t time,
                            uint32_t *frames);

#endif
