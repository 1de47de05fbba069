/*
 * tools/record/sampling/sampling_write.h - writes strands and images as chunks.
 *
 * A strand's samples wait until their owner is known: until its thread has written an event, or has ended and all of
 * its records were read.  Then samples of a thread without events are written as such; those of a process that never
 * had a runtime are counted and dropped.
 */
#ifndef PROF_RECORD_SAMPLING_WRITE_H
#define PROF_RECORD_SAMPLING_WRITE_H

#include "record/sampling/sampling_state.h"

/* Writes what is due, or all.  Call it after prof_sampling_drain, and after reading the log up to then. */
void prof_sampling_write(struct prof_sampling *, uint64_t now_ns, bool last);
/* Maximum size of what it would write now. */
uint64_t prof_sampling_waiting_bytes(const struct prof_sampling *);

struct prof_sampling_cut { /* where a thread's events go on in the next file */
  uint32_t thread;         /* number */
  uint64_t ticks;
};

/*
 * The recording goes on in another file: of each thread from its cut on (by number), of others from `ticks` on.  End:
 * writes what lies before, of processes that are known.  Each file gets a switch at that time for a thread that is off
 * its processor, so that both know that it waits.
 */
void prof_sampling_cut_end(struct prof_sampling *, uint64_t now_ns, uint64_t ticks, const struct prof_sampling_cut *,
                           size_t cut_count);
void prof_sampling_cut_begin(struct prof_sampling *);

/* After a cut: if very many callers are known, numbers of paths begin anew; samples that wait lose theirs.  true: it is
 * so, and the writer has to forget its paths. */
bool prof_sampling_cut_paths(struct prof_sampling *);

/* At the end: finds processes that were never recorded. */
void prof_sampling_look_unrecorded(struct prof_sampling *);
void prof_sampling_free(struct prof_sampling *);

#endif
