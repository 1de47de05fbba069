/*
 * tools/analysis/counter_tracks.h - counters in time, as a row each: figures, and a value for each part of the time.
 *
 * In: a trace and a filter.  Out: the counters of tracks.h: PROF_COUNTER of the program, memory (--memory), and
 * readings of the machine and processes (--machine).
 */
#ifndef PROF_ANALYSIS_COUNTER_TRACKS_H
#define PROF_ANALYSIS_COUNTER_TRACKS_H

#include "analysis/tracks.h"

struct prof_counter_track {
  const char *name, *unit; /* of the trace; unit "": none */
  uint32_t pid;            /* 0: of the machine */
  bool has_values;         /* false: none was a number */
  struct prof_track_values values;
  const struct prof_track *track;
};

struct prof_counter_tracks {
  struct prof_tracks tracks;
  PROF_VEC(struct prof_counter_track) list; /* most values first; of equally many by name and process */
  uint64_t begin_ns, end_ns;                /* of what is shown: --range, else the recording; begin < end */
};

/* To be freed in any case.  PROF_EMPTY: there is no counter in what is shown. */
prof_status prof_counter_tracks_find(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                                     struct prof_counter_tracks *) PROF_MUST_CHECK;
void prof_counter_tracks_free(struct prof_counter_tracks *);

/* The greatest value in each of `parts` equal parts of the time; a value holds until the next one.  Not a number: there
 * is none yet. */
void prof_counter_track_parts(const struct prof_counter_tracks *, const struct prof_counter_track *, size_t parts,
                              double *out);

#endif
