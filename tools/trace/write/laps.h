/*
 * tools/trace/write/laps.h - chunks in memory: a lap is a stretch of a recording, shared by a writer and snapshots.
 */
#ifndef PROF_TRACE_LAPS_H
#define PROF_TRACE_LAPS_H

#include <sys/uio.h>

#include "base/vec.h"
#include "trace/format.h"

struct prof_lap {
  uint32_t users;            /* atomic */
  uint64_t begin_ns, end_ns; /* end_ns: 0: it goes on */
  uint32_t serial;           /* counts laps, from 1 */
  PROF_VEC(uint8_t) bytes;   /* chunks as in a file; unchanged once the lap has ended */
};

struct prof_laps { /* oldest first; the last one goes on */
  PROF_VEC(struct prof_lap *) items;
  uint64_t bytes; /* of all */
};

/* Begins a lap; false: no memory. */
bool prof_laps_begin(struct prof_laps *, uint64_t now_ns);
bool prof_laps_put(struct prof_laps *, const struct iovec *parts, int count);
/* Drops laps that have ended: while more than keep_bytes are held, and those that ended before `old_ns`. */
void prof_laps_drop(struct prof_laps *, uint64_t keep_bytes, uint64_t old_ns);
void prof_laps_fini(struct prof_laps *);

void prof_lap_let_go(struct prof_lap *);

#endif
