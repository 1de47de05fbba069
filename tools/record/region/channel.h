/*
 * tools/record/region/channel.h - reads the events of one thread from its chain of segments.
 *
 * In: a thread record of the region and its segments.  Out: events for the thread's matcher; emptied segments, given
 * back; THREAD chunks.  Used by the pump only.
 *
 * A segment with a hole (a slot that was reserved and not yet written, wire/control.h) is passed after a while.  It is
 * kept until its thread has ended, because the slot may still be written.
 */
#ifndef PROF_RECORD_CHANNEL_H
#define PROF_RECORD_CHANNEL_H

#include "record/region/channel_state.h"

/* Most bytes of a THREAD chunk in the trace; a thread has one at its beginning and one at its end. */
#define PROF_CHANNEL_THREAD_BYTES (180u + PROF_CHANNEL_NAME_BYTES)

/* Opens the live record `index`, with the frames of its fork if known; false: no memory. */
bool prof_channel_open(struct prof_channel *, const struct prof_channel_source *, uint32_t index, uint32_t number,
                       prof_packer *);

/* Returns the number of slots passed; stops when the room is exhausted. */
uint64_t prof_channel_drain(struct prof_channel *, const struct prof_channel_source *, uint32_t index,
                            enum prof_channel_depth);

/* Writes a chunk of the waiting events. */
void prof_channel_flush(struct prof_channel *, const struct prof_channel_source *, uint32_t index);
/* Writes a chunk if events have waited since before `before_ns`. */
void prof_channel_flush_old(struct prof_channel *, const struct prof_channel_source *, uint32_t index,
                            uint64_t before_ns);

/* The thread is gone: reads the rest, gives all segments back, writes the last chunk and figures, frees the matcher.
 * Adds the thread's counts to the sums. */
struct prof_channel_sums {
  uint64_t events, untimed, calls, lost, stalled_ticks, torn, unmatched, skipped, inversions, line_readings,
      loop_entries, left_out;
  uint64_t operations; /* of measures that were recorded, as a set of bits (match/matcher.h) */
};
/* end: of the thread or its recording; open frames last until then. */
void prof_channel_close(struct prof_channel *, const struct prof_channel_source *, uint32_t index, bool ended,
                        struct prof_sampling_end end, struct prof_channel_sums *);

/* Has the thread frames that are open after what was read of its ring? */
bool prof_channel_has_frames(const struct prof_channel *);

#endif
