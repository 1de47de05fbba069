/*
 * tools/trace/write/write_stretch.h - a recording that keeps no events: its chunks, stretch by stretch, for who folds
 * them.
 *
 * Job: chunks are held in memory until they are taken, as the bytes of a trace that has all facts so far.  Facts, and
 * the latest of figures that replace each other (CLOCK, THREAD, SAMPLER, COUNTS, PMU), stay.
 */
#ifndef PROF_TRACE_WRITE_STRETCH_H
#define PROF_TRACE_WRITE_STRETCH_H

#include "write.h"

/* A writer without a file, as prof_writer_open_ring. */
prof_status prof_writer_open_stretches(const struct prof_writer_options *, struct prof_diag *,
                                       prof_writer **out) PROF_MUST_CHECK;

struct prof_held_stretch { /* the bytes of a file: header, facts, then what is no fact */
  uint8_t *bytes;
  size_t count, facts_end;
  size_t capacity; /* PADDING at least behind `count` */
};
#define PROF_STRETCH_PADDING 64u

/*
 * Ends the present stretch and begins the next, with the states and the rate of samples that hold at `ticks`.  *out:
 * zeroed, or an older one, whose memory is used again.  PROF_NO_MEMORY; the writer keeps the error.
 */
prof_status prof_writer_take_stretch(prof_writer *, uint64_t ticks, struct prof_held_stretch *out) PROF_MUST_CHECK;
void prof_stretch_free(struct prof_held_stretch *); /* a zeroed one is fine */

/* Later stretches have no paths of samples from before: their numbers begin anew. */
void prof_writer_forget_paths(prof_writer *);

/* Writes `folder`/trace with all that the stretch holds, as a part of the recording from `begin` on (ticks). */
prof_status prof_stretch_show(const struct prof_held_stretch *, const char *folder, uint64_t begin,
                              struct prof_end_record *, struct prof_diag *) PROF_MUST_CHECK;

struct prof_payload;
struct prof_stretch_sums { /* payloads; NULL: there is no such chunk */
  struct prof_payload *summary, *measures, *tracks, *pmu_sums;
};
/*
 * Writes `folder`/trace with the facts of a stretch, its states and rates, and these chunks of sums,
 * which replaces a file of that name at once. `end`: NULL: the recording goes on.  *out: the writer, which holds the
 * file's lock; close it. *bytes: its size.
 */
prof_status prof_stretch_write(const struct prof_held_stretch *, const char *folder, const struct prof_stretch_sums *,
                               struct prof_end_record *end, struct prof_diag *, prof_writer **out,
                               uint64_t *bytes) PROF_MUST_CHECK;

#endif
