/*
 * tools/trace/write/encode.h - writes the steps of one thread's stack as EVENTS chunks.
 *
 * Job: writes steps into columns and packs these.  In: steps in time order; a reader's cursor returns the same steps
 * (include/proftrace.h).  Out: chunks of an open writer.  tools/match makes the steps.
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
void prof_packer_free(prof_packer *); /* NULL: no effect */

struct prof_open_frame { /* of a function or a loop */
  uint64_t entry;        /* ticks */
  uint64_t key;          /* of its edge */
  uint64_t stalled;      /* ticks that the thread had waited for the recorder before */
  uint32_t function;     /* of the edge's site; for the caller's use, as `address` */
  uint32_t address;      /* low bits of its frame address; 0: unknown */
};

/* The open frames when a chunk begins. */
struct prof_open_stack {
  const struct prof_open_frame *frames; /* [1, depth], outermost first */
  uint32_t depth, omitted;              /* omitted: inner frames that don't fit */
  uint64_t stalled_ticks;               /* so far */
};

typedef struct prof_encoder prof_encoder;

/* thread: its number in the trace, from 1.  NULL: no memory. */
prof_encoder *prof_encoder_new(prof_packer *, uint32_t thread);
void prof_encoder_free(prof_encoder *); /* does not flush; NULL: no effect */
/* Another one of the same writer, from now on. */
void prof_encoder_use(prof_encoder *, prof_packer *);

/* Reserves memory for `more` steps.  False: no memory. */
bool prof_encoder_reserve(prof_encoder *, uint32_t more);

/* Begins a chunk at `time`, not before the last step: writes the open frames.  False: no memory. */
bool prof_encoder_begin(prof_encoder *, uint64_t time, const struct prof_open_stack *);

/* The slot of a call edge in this chunk, made if needed.  NULL: no memory. */
struct prof_edge_slot *prof_encoder_edge(prof_encoder *, uint64_t key, uint32_t function);

/* Adds a step, not before the last one's time.  A chunk was begun and memory reserved. */
void prof_encoder_put(prof_encoder *, const struct prof_step *);

/* Writes the waiting steps as a chunk, if there are any.  last: the thread has ended.  Returns the writer's first
 * error, if any. */
prof_status prof_encoder_flush(prof_encoder *, bool last);

/* The same, and frees the memory. */
prof_status prof_encoder_release(prof_encoder *);
void prof_encoder_free_columns(prof_encoder *); /* frees memory only: no steps wait */
uint64_t prof_encoder_memory_bytes(const prof_encoder *);

uint32_t prof_encoder_waiting(const prof_encoder *); /* steps not yet in a chunk */
/* Maximum size of their chunk in the file; 0: no steps wait. */
uint64_t prof_encoder_waiting_bytes(const prof_encoder *);
/* Maximum that another slot of a ring adds to it; the first slot begins a chunk with `depth` open frames. */
#define PROF_ENCODER_SLOT_BYTES 80u
uint64_t prof_encoder_begin_bytes(const prof_encoder *, uint32_t depth);
/* Packs the frames of a begun chunk, so that prof_encoder_begin_bytes knows their size. */
void prof_encoder_pack_frames(prof_encoder *);

#endif
