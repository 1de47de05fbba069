/*
 * tools/record/region/channel_state.h - a channel (channel.h), and what it needs for reading.
 */
#ifndef PROF_RECORD_CHANNEL_STATE_H
#define PROF_RECORD_CHANNEL_STATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"
#include "match/matcher.h"
#include "record/governor/sieve.h"
#include "record/region/region.h"
#include "record/sampling/sampling.h"

#define PROF_CHANNEL_NAME_BYTES 128 /* with NUL; more than names that the kernel or the program gives */

struct prof_channel_cpu {
  uint64_t ns, ticks; /* CPU time since the thread began to be recorded, at that time; ticks 0: not known */
};

struct prof_channel {
  uint32_t number; /* in the trace, from 1; 0: closed */
  uint32_t process;
  pid_t pid, tid;
  uint64_t start_ticks;
  prof_matcher *matcher;
  prof_encoder *encoder;     /* the matcher's */
  uint32_t segment, slot;    /* next to read */
  bool has_hole;             /* `segment` has one */
  bool broken;               /* the chain is invalid */
  uint64_t hole_since_ns;    /* 0: no wait */
  uint64_t hole_patience_ns; /* limit of this wait */
  bool is_read;              /* in this turn, by a crew */
  bool replaced;             /* its process executes another program */
  uint64_t gone_ns;          /* since when the thread was found to be gone; 0: it wasn't */
  uint64_t flushed_ns;       /* when a chunk was last written because of its age */
  uint32_t flushed_chunks;
  uint64_t written_lost; /* in the last THREAD chunk, as the next one */
  uint64_t written_events;
  struct prof_thread_record written; /* the last THREAD chunk, but for the name */
  struct prof_sampling_end end;      /* if it ended within frames */
  struct prof_channel_cpu cpu;       /* as the recorder saw it last */
  uint64_t cpu_look_ns;              /* when it last looked */
  PROF_VEC(uint32_t) kept;           /* segments with holes */
  char name[PROF_CHANNEL_NAME_BYTES];
  char title[PROF_CHANNEL_NAME_BYTES];         /* of its process, if it is the main thread; "": none was seen */
  PROF_VEC(struct prof_sample_record) samples; /* its own samples, not written yet */
  uint64_t sample_count, sampled;              /* sampled: ticks of the last one */
  uint64_t passed;                             /* slots */
  uint64_t forgotten;                          /* of these at the last prof_clear; UINT64_MAX: it had an event since */
  uint64_t wait_begin;             /* since then it waited for the recorder, when a cut began; 0: it didn't */
  uint64_t part_left_out;          /* events left out before the present part */
  uint64_t encoder_bytes;          /* in memory; for the budget */
  struct prof_sieve_thread sieved; /* in a recording with a budget */
};

/* What may be taken before the next check of the size limit (record/pump/size_limit.h), in bytes of the trace, worst
 * case. */
struct prof_room {
  uint64_t bytes;
  bool exhausted; /* a channel stopped for lack of room */
};

/* What a channel needs for reading. */
struct prof_channel_source {
  struct prof_region *region;
  prof_writer *writer;
  prof_fork_stacks *forks;
  struct prof_sampling *sampling;
  struct prof_room *room;           /* NULL: unlimited */
  struct prof_sieve *sieve;         /* NULL: every event is the matcher's */
  struct prof_keep_rules *keep;     /* NULL: every call is written */
  bool heals;                       /* control may land in functions that are off */
  struct prof_matcher_watch *watch; /* NULL: no call is watched */
  uint64_t now_ns;                  /* of this turn, a steady clock */
  bool reading_ended;               /* drop the rest of the rings */
  uint64_t until_ticks;             /* later events stay in the rings; 0: none does */
  /* Called before events are read: takes the log's records written before them.  Returns the map. */
  struct prof_site_map (*catch_up)(void *context);
  /* A process's executable, by its number; NULL: unknown.  The pointer may be NULL. */
  const char *(*executable)(void *context, uint32_t process);
  void *context;
};

static inline struct prof_thread *prof_channel_record(const struct prof_channel_source *source, uint32_t index) {
  return &source->region->threads[index];
}

enum prof_channel_depth {
  PROF_CHANNEL_LEFT,  /* segments that the thread has left */
  PROF_CHANNEL_WHOLE, /* and the finished slots of its current one */
  PROF_CHANNEL_LAST,  /* everything; waits for nothing */
};

/* Is there room for `bytes`?  If not, nothing more is taken until there is. */
static inline bool prof_room_has(struct prof_room *room, uint64_t bytes) {
  if (room == NULL)
    return true;
  room->exhausted |= room->bytes < bytes;
  return !room->exhausted;
}

/* Uses `bytes` of it. */
static inline void prof_room_use(struct prof_room *room, uint64_t bytes) {
  if (room != NULL)
    room->bytes -= bytes < room->bytes ? bytes : room->bytes;
}

#endif
