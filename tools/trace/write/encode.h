/*
 * tools/trace/write/encode.h - from the raw events of one thread to EVENTS chunks.
 *
 * Job: the recorder's hot path.  In: ring slots (wire/event.h) in ring order, and a table that says which function a
 * site belongs to.  Out: chunks of an open writer.  An encoder keeps its thread's stack, so that exits need not name
 * their function, and every chunk begins with the open frames.
 *
 * Ownership: an encoder belongs to one thread of the recorder at a time; so does a packer, which many encoders share.
 * Matching rules (docs/trace-format.md, "EVENTS"):
 *   exit of the innermost frame's function          exit
 *   exit of a function further out                  EXIT_OUTER n; the n frames inside count as skipped
 *   exit of a function that isn't open              UNMATCHED
 *   exit of a function that calls us                the frame that has its address; else as above
 *   entry of such a function                        frames that are gone are left before it, and count as skipped
 *   landing                                         LANDED n in the frame with that address, or, where addresses aren't
 *                                                   known, in the innermost frame of that function; else UNMATCHED
 *   a loop's entry                                  a frame too, whose function is the loop; if it is open in the
 *                                                   innermost function already, that frame is left before
 *   a loop's exit                                   as of a function; with PROF_ENCODER_MAYBE only if the loop is open
 *                                                   in the innermost function, else left out with its VALUE
 *   entries and exits of a loop that isn't known    left out, with their VALUEs: exits couldn't be told from others'
 *   loops inside a frame that is left               are left with it, and don't count as skipped
 *   loops right inside a frame that is landed in    stay open
 *   STALL_BEGIN while stalled, STALL_END while not  left out
 *   a step back of the clock                        clamped to the time before, counted
 *   BOTTOM while frames are open                    LANDED with all of them
 *   FORK                                            no event; the stack is kept for the child's thread
 */
#ifndef PROF_TRACE_ENCODE_H
#define PROF_TRACE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "fork_stacks.h"
#include "write.h"

/* Compression and its buffers; one per thread of the recorder.  NULL: no memory.  The writer must outlive it. */
typedef struct prof_packer prof_packer;
prof_packer *prof_packer_new(prof_writer *);
void prof_packer_free(prof_packer *); /* NULL: nothing */

/* Site id -> function or loop.  The arrays belong to the recorder and may be other ones at each call. */
struct prof_site_map {
  const uint32_t *functions; /* id unique in the recording, < PROF_ENCODER_MAYBE; or NO_FUNCTION, when unknown */
  uint32_t count;            /* sites at or beyond it are functions of their own */
  const uint32_t *addresses; /* low bits of where their sleds are; NULL: not known */
};
#define PROF_ENCODER_NO_FUNCTION 0x80000000u
#define PROF_ENCODER_MAYBE 0x40000000u /* added to a loop's id where its exit has PROF_ROW_MAYBE */

struct prof_encoder_figures {
  uint64_t events;                  /* written or waiting to be */
  uint64_t untimed;                 /* of them, those that read no clock: VALUEs and TIMEs */
  uint64_t calls;                   /* entries of functions among those that are in chunks */
  uint64_t loop_entries;            /* of loops, likewise */
  uint64_t stalled_ticks;           /* between STALL_BEGIN and STALL_END */
  uint64_t inversions;              /* clock steps back, clamped */
  uint64_t torn;                    /* slots passed over that were never finished though later ones were */
  uint64_t unmatched;               /* exits and landings in functions not on the stack */
  uint64_t skipped;                 /* frames left without an exit of their own */
  uint64_t gap_lost;                /* sum of what GAP events say */
  uint64_t too_deep;                /* calls beyond PROF_FORMAT_FRAME_LIMIT levels */
  uint64_t dropped;                 /* events that found no memory here, or that the writer could not write */
  uint64_t first_ticks, last_ticks; /* 0: no event yet */
  uint32_t depth;                   /* open frames */
  uint32_t chunks;                  /* written */
};

typedef struct prof_encoder prof_encoder;

/* thread: its number in the trace, from 1.  NULL: no memory. */
prof_encoder *prof_encoder_new(prof_packer *, uint32_t thread);
void prof_encoder_free(prof_encoder *); /* does not flush; NULL: nothing */

/* From now on the stacks at FORK events are kept there (it outlives the encoder); NULL: nowhere, as at first. */
void prof_encoder_keep_forks(prof_encoder *, prof_fork_stacks *);

/* From now on SAMPLE events (wire/event.h) are handed there, and are no events; otherwise they are dropped. */
void prof_encoder_take_samples(prof_encoder *, void (*take)(void *context, uint64_t time, uint32_t site, uint32_t aux),
                               void *context);

/*
 * Before the first event: the thread is a fork's child and begins with these open frames, as entered at the time of the
 * fork.  False: no memory, the thread begins with no frame.
 */
bool prof_encoder_inherit(prof_encoder *, const struct prof_fork_stack *);

/*
 * Takes finished slots from slots[0] on, zeroes them, and stops at the first empty one (time 0) or after `count`; with
 * skip_empty it passes over empty ones too (for segments that their thread has left).  Returns how many slots it went
 * past.  Full chunks are written on the way.
 */
size_t prof_encoder_drain(prof_encoder *, struct prof_event *slots, size_t count, const struct prof_site_map *,
                          bool skip_empty);

/*
 * Writes what is waiting as a chunk of its own; nothing waiting: nothing is written.  last: the thread has ended.
 * Returns the writer's first error, if any.
 */
prof_status prof_encoder_flush(prof_encoder *, bool last);

/* The same, and gives up the memory that it took. */
prof_status prof_encoder_release(prof_encoder *);
uint64_t prof_encoder_memory_bytes(const prof_encoder *);

uint32_t prof_encoder_waiting(const prof_encoder *); /* events not yet in a chunk */
/* What their chunk takes of the file at most, however badly it packs; 0: none wait. */
uint64_t prof_encoder_waiting_bytes(const prof_encoder *);
/* What one more slot may add to that; and the first one, which begins a chunk with the open frames. */
#define PROF_ENCODER_SLOT_BYTES 80u
uint64_t prof_encoder_begin_bytes(const prof_encoder *);
/* The same, known by packing the open frames now: of deep stacks a small part.  While no event waits. */
uint64_t prof_encoder_begin_packed_bytes(prof_encoder *);
void prof_encoder_figures(const prof_encoder *, struct prof_encoder_figures *out);

#endif
