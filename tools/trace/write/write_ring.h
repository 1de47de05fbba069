/*
 * tools/trace/write/write_ring.h - a recording whose latest part stays in memory, and is written when somebody asks.
 *
 * Job: chunks are held in *laps*, of which the oldest are dropped.  A snapshot takes the laps as they are, without
 * copying them; another thread may write it while the recording goes on.
 */
#ifndef PROF_TRACE_WRITE_RING_H
#define PROF_TRACE_WRITE_RING_H

#include "write.h"

/* A writer without a file: everything else as prof_writer_open. */
prof_status prof_writer_open_ring(const struct prof_writer_options *, struct prof_diag *,
                                  prof_writer **out) PROF_MUST_CHECK;

uint64_t prof_writer_lap_bytes(const prof_writer *); /* of the present lap */

/* Ends the present lap and begins the next one, with the states of functions; `now_ns`: any steady clock.  Drops laps
 * while more than keep_bytes are held, and those that ended more than keep_ns ago; 0: no limit. */
prof_status prof_writer_next_lap(prof_writer *, uint64_t now_ns, uint64_t keep_bytes, uint64_t keep_ns);

struct prof_snapshot; /* of the laps that have ended; it outlives the writer */
/* since_ns: without laps that ended before; 0: all. */
prof_status prof_snapshot_take(prof_writer *, uint64_t since_ns, struct prof_diag *,
                               struct prof_snapshot **out) PROF_MUST_CHECK;
uint64_t prof_snapshot_begin_ns(const struct prof_snapshot *); /* of its oldest lap */
void prof_snapshot_free(struct prof_snapshot *);               /* NULL: nothing */
/* Writes `folder`/trace with this END; counts of chunks and events are set here.  *bytes: its size. */
prof_status prof_snapshot_write(const struct prof_snapshot *, const char *folder, struct prof_end_record *,
                                struct prof_diag *, uint64_t *bytes) PROF_MUST_CHECK;

#endif
