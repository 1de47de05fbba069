/*
 * tools/analysis/tracks.h - what a program reports of itself, in time: frames, requests, spans, marks, counters,
 * values; and its memory (--memory); and what was read of the machine and processes (--machine).
 *
 * Job: for pictures of time.  In: a trace and a filter.  Out: tracks, one per name and process (frames and values: and
 * thread), each with its items in the order of time; requests of a process are one track, marks too.  A track with too
 * many items keeps some, and each of these says for how many it stands.
 */
#ifndef PROF_ANALYSIS_TRACKS_H
#define PROF_ANALYSIS_TRACKS_H

#include "analysis/durations.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "tally/track_tally.h"

enum prof_track_kind {
  PROF_TRACK_FRAMES,
  PROF_TRACK_REQUESTS,
  PROF_TRACK_SPANS,
  PROF_TRACK_MARKS,
  PROF_TRACK_COUNTER, /* a value from then on */
  PROF_TRACK_VALUE,   /* of the call that is open */
  PROF_TRACK_KINDS,
};

struct prof_track_item {
  uint64_t begin_ns, end_ns; /* since the start of the recording; a moment: both are equal */
  uint64_t id;               /* of a request or span */
  double value;              /* of a counter or value; may be no number */
  const char *name;          /* of a mark; else the track's */
  uint32_t thread;           /* index; PROF_NONE: several */
  uint32_t count;            /* items that it stands for, itself with them */
};

struct prof_track_values { /* of a counter, without what is no number */
  uint64_t count;          /* of values; 0: the following mean nothing */
  double last, min, mean, max;
  bool has_mean; /* false: of memory, whose curve has some of its values alone */
};

struct prof_track {
  enum prof_track_kind kind;
  const char *name, *unit;  /* of the trace; "" where it has none */
  uint32_t process, thread; /* indices; thread PROF_NONE: any of the process; process PROF_NONE: any */
  PROF_VEC(struct prof_track_item) items;
  uint64_t all;                         /* items before some were left out */
  struct prof_duration_figures figures; /* of all durations */
  struct prof_track_values values;      /* of all items of a counter */
  struct prof_durations durations;      /* while it is made, as the following */
  uint64_t open_ns;                     /* begin of the frame that is open */
  bool is_open;
  double amount, weight; /* of the values' mean so far */
  uint64_t last_ns;
};

struct prof_tracks {                /* zeroed: none */
  PROF_VEC(struct prof_track) list; /* by kind, then by the number of items */
  struct prof_track_tally kept;     /* of a summary: what names and units point to */
  bool hides;                       /* of a summary: counters of the program can't be chosen by this filter */
};

/* A recording without points, memory and readings has none, at no cost.  A summary has counters of the program and
 * readings, a track's items are those that its parts keep.  To be freed in any case. */
prof_status prof_tracks_find(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                             struct prof_tracks *) PROF_MUST_CHECK;
/* Leaves out items, of the largest tracks first, until there are at most `most`: of neighbours the longest one stays,
 * of a counter the least and the largest value. */
void prof_tracks_thin(struct prof_tracks *, uint64_t most);
void prof_tracks_fini(struct prof_tracks *);

#endif
