/*
 * tools/tally/track_tally.h - counters in time of a recording that keeps no events (TRACKS of
 * docs/trace-format-summary.md): PROF_COUNTER of the program, and readings of the machine and of processes.
 *
 * Job: values of a few parts of the time.  In: stretches of a recording, one after another.  Out: the payload of
 * TRACKS, and what readers show of it.  A part keeps its least, greatest and last value.  When there are too many
 * parts, two neighbours become one, in all tracks.  Processes have their numbers.  It belongs to one thread.
 */
#ifndef PROF_TALLY_TRACK_TALLY_H
#define PROF_TALLY_TRACK_TALLY_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/filter.h"
#include "proftrace_readings.h"

#define PROF_TRACK_PARTS 256u       /* of one track, at most, */
#define PROF_TRACK_ALL_PARTS 16384u /* ... and of all: about a megabyte */
#define PROF_TRACK_ROWS 1024u       /* tracks at most; values of further ones are counted only */

struct prof_track_moment {
  uint64_t time_ns; /* since the start of the recording */
  double value;
};

struct prof_track_part {
  uint64_t number; /* time_ns >> shift */
  uint64_t count;  /* values; at least 1 */
  struct prof_track_moment least, most, last;
};

struct prof_track_sum {
  uint32_t process;                       /* number; 0: the machine */
  uint32_t what;                          /* enum prof_reads; 0: PROF_COUNTER */
  bool is_sum;                            /* its values are rates */
  uint64_t divisor;                       /* as in prof_reading_series; else 1 */
  char *name, *unit;                      /* owned */
  uint64_t count, others;                 /* values; those that are no numbers, which are nowhere else */
  double amount, weight;                  /* amount / weight is the mean; of a sum, amount is its unit times seconds */
  PROF_VEC(struct prof_track_part) parts; /* by number */
  /* Of a sum, the last readings: values of those from `next` on are not known yet. */
  PROF_VEC(struct prof_reading) readings;
  size_t next;
};

struct prof_track_tally { /* zeroed: there are none */
  PROF_VEC(struct prof_track_sum) tracks;
  struct prof_index_map known;
  size_t part_count; /* of all */
  uint32_t shift;    /* parts have 2^shift ns; 0: there was no value yet */
  uint64_t left_out; /* values of tracks for which there was no room */
};

void prof_track_tally_fini(struct prof_track_tally *);
/* Begins anew; the last readings of sums stay. */
void prof_track_tally_clear(struct prof_track_tally *);

/* Adds counters and readings of a trace, which is the next stretch, or a whole recording.  PROF_NO_MEMORY: unusable. */
prof_status prof_track_tally_add(struct prof_track_tally *, const prof_trace *, struct prof_diag *) PROF_MUST_CHECK;

/* The track of this description, which is added if need be; its texts are copied.  UINT32_MAX: no memory, or no room.
 */
uint32_t prof_track_tally_meet(struct prof_track_tally *, const struct prof_track_sum *like);
/* A value of a track; part: what it counts for in the mean.  false: no memory. */
bool prof_track_tally_value(struct prof_track_tally *, uint32_t track, struct prof_track_moment, double amount,
                            double weight) PROF_MUST_CHECK;

/* ---- track_bytes.c: the payload of TRACKS ---- */

struct prof_payload;
/* payload.failed: no memory. */
void prof_track_tally_write(const struct prof_track_tally *, struct prof_payload *);
/* PROF_CORRUPT, PROF_NO_MEMORY.  To be freed in any case. */
prof_status prof_track_tally_read(const uint8_t *bytes, size_t count, struct prof_track_tally *out) PROF_MUST_CHECK;

/*
 * That of a trace: values of all readings are in it, as the recording has no later ones.  PROF_EMPTY: it has none;
 * PROF_CORRUPT (a process that isn't in the file, too), PROF_NO_MEMORY, with a diagnostic.  To be freed in any case.
 */
prof_status prof_track_tally_of(const prof_trace *, struct prof_diag *, struct prof_track_tally *) PROF_MUST_CHECK;

/* The index of a track's process; PROF_NONE: the machine. */
uint32_t prof_track_process(const prof_trace *, const struct prof_track_sum *);

/* Gives values to readings of a sum as far as they are known; all: no later ones come.  false: no memory. */
bool prof_track_tally_settle(struct prof_track_tally *, const prof_trace *, uint32_t track, bool all) PROF_MUST_CHECK;

#endif
