/*
 * tools/analysis/gaps.h - is a recording whole, and what is missing?
 *
 * In: an open trace, and what study/kept_files.h found.  Out: a list of gaps, the most important first.  Reads every
 * chunk, as damage is found only there.  A gap is a loss (the recording is not whole) or a note (it is as it was meant,
 * but readers know less).
 */
#ifndef PROF_ANALYSIS_GAPS_H
#define PROF_ANALYSIS_GAPS_H

#include "proftrace.h"
#include "study/kept_files.h"

enum prof_gap_kind { /* order of the list */
                     PROF_GAP_CUT_SHORT,
                     PROF_GAP_IN_PROGRESS,
                     PROF_GAP_SIZE_LIMIT,
                     PROF_GAP_NOT_WRITTEN,
                     PROF_GAP_LOST_EVENTS,
                     PROF_GAP_UNREADABLE_BYTES,
                     PROF_GAP_DAMAGED_CHUNKS,
                     PROF_GAP_MISSING_CHUNKS,
                     PROF_GAP_TORN_EVENTS,
                     PROF_GAP_UNMATCHED_EXITS,
                     PROF_GAP_TOO_DEEP_CALLS,
                     PROF_GAP_SKIPPED_SITES,
                     PROF_GAP_LOST_GPU_RECORDS,
                     PROF_GAP_NO_EVENTS, /* notes from here on */
                     PROF_GAP_INTERRUPTED,
                     PROF_GAP_PART,
                     PROF_GAP_SNAPSHOT,
                     PROF_GAP_SLICES,
                     PROF_GAP_BURSTS,
                     PROF_GAP_INVERSIONS,
                     PROF_GAP_NO_SAMPLES,
                     PROF_GAP_NO_SWITCHES,
                     PROF_GAP_LOST_SAMPLES,
                     PROF_GAP_UNSAMPLED_THREADS,
                     PROF_GAP_MODULES_GONE,
                     PROF_GAP_MODULES_BARE,
                     PROF_GAP_SOURCES_GONE,
                     PROF_GAP_SOURCES_CHANGED,
                     PROF_GAP_KINDS
};

struct prof_gap {
  enum prof_gap_kind kind;
  uint64_t count;    /* at least 1: of events, bytes, chunks, files ...; 1 where there is nothing to count */
  const char *which; /* the first of them; NULL: they have no names */
};

struct prof_gaps {
  struct prof_gap list[PROF_GAP_KINDS];
  uint32_t count, losses; /* losses: of count, the first ones */
};

static inline bool prof_gap_is_loss(enum prof_gap_kind kind) {
  return kind < PROF_GAP_NO_EVENTS;
}

/* kept may be NULL: files are not looked at.  PROF_NO_MEMORY. */
prof_status prof_gaps_find(const prof_trace *, const struct prof_kept_files *kept, struct prof_diag *,
                           struct prof_gaps *out) PROF_MUST_CHECK;

#endif
