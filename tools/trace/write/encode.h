/*
 * tools/trace/write/encode.h - from the steps of one thread's stack to EVENTS chunks.
 *
 * Job: puts steps into columns and packs these.  In: the steps that a reader's cursor returns again
 * (include/proftrace.h), in order of time.  Out: chunks of an open writer.  Knows no rules: tools/match makes the
 * steps.
 *
 * Ownership: an encoder belongs to one thread at a time; so does a packer, which many encoders share.
 */
#ifndef PROF_TRACE_ENCODE_H
#define PROF_TRACE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proftrace.h"
#include "write.h"

/* Compression and its buffers; one per thread of the recorder.  NULL: no memory.  The writer must outlive it. */
typedef struct prof_packer prof_packer;
prof_packer *prof_packer_new(prof_writer *);
void prof_packer_free(prof_packer *); /* NULL: nothing */

struct prof_open_frame { /* of a function or a loop */
  uint64_t entry;        /* ticks */
  uint64_t key;          /* of its edge */
  uint64_t stalled;      /* ticks the thread had waited before */
  uint32_t function;     /* of the edge's site; the caller's, as `address` */
  uint32_t address;      /* low bits of its frame address; 0 unknown */
};

/* What is open where a chunk begins. */
struct prof_open_stack {
  const struct prof_open_frame *frames; /* [1, depth], the outermost first */
  uint32_t depth, omitted;              /* omitted: frames inside those that are too many to be held */
  uint64_t stalled_ticks;               /* so far */
};

typedef struct prof_encoder prof_encoder;

/* thread: its number in the trace, from 1.  NULL: no memory. */
prof_encoder *prof_encoder_new(prof_packer *, uint32_t thread);
void prof_encoder_free(prof_encoder *); /* does not flush; NULL: nothing */

/* Room for `more` steps.  False: no memory. */
bool prof_encoder_reserve(prof_encoder *, uint32_t more);

/* Begins a chunk at `time`, not before the last step's: writes down the open frames.  False: no memory. */
bool prof_encoder_begin(prof_encoder *, uint64_t time, const struct prof_open_stack *);

/* The slot of a call edge in this chunk, made if it is new.  NULL: no memory. */
struct prof_edge_slot *prof_encoder_edge(prof_encoder *, uint64_t key, uint32_t function);

/* One step, not before the last one's time.  There is room, and a chunk has begun. */
void prof_encoder_put(prof_encoder *, const struct prof_step *);

/*
 * Writes what is waiting as a chunk of its own; nothing waiting: nothing is written.  last: the thread has ended.
 * Returns the writer's first error, if any.
 */
prof_status prof_encoder_flush(prof_encoder *, bool last);

/* The same, and gives up the memory that it took. */
prof_status prof_encoder_release(prof_encoder *);
void prof_encoder_free_columns(prof_encoder *); /* only that: none wait */
uint64_t prof_encoder_memory_bytes(const prof_encoder *);

uint32_t prof_encoder_waiting(const prof_encoder *); /* steps not yet in a chunk */
/* What their chunk takes of the file at most, however badly it packs; 0: none wait. */
uint64_t prof_encoder_waiting_bytes(const prof_encoder *);
/* What one more slot of a ring may add to that; and the first one, which begins a chunk with `depth` open frames. */
#define PROF_ENCODER_SLOT_BYTES 80u
uint64_t prof_encoder_begin_bytes(const prof_encoder *, uint32_t depth);
/* Packs the frames of a chunk that has begun, so that prof_encoder_begin_bytes knows what they take. */
void prof_encoder_pack_frames(prof_encoder *);

#endif
