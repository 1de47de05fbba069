/*
 * tools/record/region/channel.h - reads the events of one thread out of its chain of segments.
 *
 * In: a thread record of the region and the segments that it leads to.  Out: events, handed to the thread's matcher;
 * emptied segments, given back; THREAD chunks.  Used by the pump only.
 *
 * A segment with a hole (a slot that was reserved and not yet written, wire/control.h) is read past after a while, and
 * is kept until its thread has ended, because the slot may still be written then.
 */
#ifndef PROF_RECORD_CHANNEL_H
#define PROF_RECORD_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"
#include "match/matcher.h"
#include "record/region/region.h"
#include "record/sampling/sampling.h"

struct prof_channel {
  uint32_t number; /* in the trace, from 1; 0: closed */
  uint32_t process;
  pid_t pid, tid;
  uint64_t start_ticks;
  prof_matcher *matcher;
  prof_encoder *encoder;     /* the matcher's */
  uint32_t segment, slot;    /* next to be read */
  bool has_hole;             /* `segment` has one */
  bool broken;               /* the chain leads nowhere */
  uint64_t hole_since_ns;    /* 0: nothing is waited for */
  uint64_t hole_patience_ns; /* how long it is waited for now */
  uint64_t flushed_ns;       /* when a chunk was last cut by time */
  uint32_t flushed_chunks;
  uint64_t written_lost; /* as in the last THREAD chunk, as the next */
  uint64_t written_events;
  PROF_VEC(uint32_t) kept; /* segments with holes */
  char name[PROF_THREAD_NAME_BYTES + 1];
  PROF_VEC(struct prof_sample_record) samples; /* its own, not written yet */
  uint64_t sample_count;
  uint64_t passed;        /* slots */
  uint64_t encoder_bytes; /* in memory; the budget's */
};

/*
 * What may still be taken before the next question whether the recording has to end (record/pump/size_limit.h), as
 * bytes of the trace that it may become.
 */
struct prof_room {
  uint64_t bytes;
  bool exhausted; /* a channel stopped because there was too little */
};

/* What reading needs besides the channel. */
struct prof_channel_source {
  struct prof_region *region;
  prof_writer *writer;
  prof_fork_stacks *forks;
  struct prof_sampling *sampling;
  struct prof_room *room; /* NULL: unlimited */
  uint64_t now_ns;        /* of this turn, any steady clock */
  bool reading_ended;     /* what is still in the rings is not wanted */
  /* Called when events are about to be read: takes from the log what was written before them.  Returns the map. */
  struct prof_site_map (*catch_up)(void *context);
  /* What a process executes, by its number; NULL: it can't be asked about.  The pointer may be NULL. */
  const char *(*executable)(void *context, uint32_t process);
  void *context;
};

enum prof_channel_depth {
  PROF_CHANNEL_LEFT,  /* segments that the thread has left */
  PROF_CHANNEL_WHOLE, /* and what is finished in its current one */
  PROF_CHANNEL_LAST,  /* all there will ever be: nothing is waited for */
};

/* Whether there is room for so much; if not, nothing more is taken until there is some. */
static inline bool prof_room_has(struct prof_room *room, uint64_t bytes) {
  if (room == NULL)
    return true;
  room->exhausted |= room->bytes < bytes;
  return !room->exhausted;
}

/* So much of it is used up. */
static inline void prof_room_use(struct prof_room *room, uint64_t bytes) {
  if (room != NULL)
    room->bytes -= bytes < room->bytes ? bytes : room->bytes;
}

/* What a thread's records take in the trace: of THREAD chunks one at its beginning and one at its end. */
#define PROF_CHANNEL_THREAD_BYTES 224u

/* Begins with the live record `index`, and the frames of its fork if they are known; false: no memory. */
bool prof_channel_open(struct prof_channel *, const struct prof_channel_source *, uint32_t index, uint32_t number,
                       prof_packer *);

/* Returns how many slots it went past; it stops when the room is exhausted. */
uint64_t prof_channel_drain(struct prof_channel *, const struct prof_channel_source *, uint32_t index,
                            enum prof_channel_depth);

/* Cuts a chunk of what waits. */
void prof_channel_flush(struct prof_channel *, const struct prof_channel_source *, uint32_t index);
/* Cuts a chunk if events have waited since before `before_ns`. */
void prof_channel_flush_old(struct prof_channel *, const struct prof_channel_source *, uint32_t index,
                            uint64_t before_ns);

/*
 * The thread is gone: reads what is left, gives all segments back, writes the last chunk and figures, frees the
 * matcher.  Adds what the thread counted to the sums.
 */
struct prof_channel_sums {
  uint64_t events, untimed, calls, lost, stalled_ticks, torn, unmatched, skipped, inversions, line_readings,
      loop_entries;
};
void prof_channel_close(struct prof_channel *, const struct prof_channel_source *, uint32_t index, bool ended,
                        struct prof_channel_sums *);

#endif
