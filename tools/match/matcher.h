/*
 * tools/match/matcher.h - turns the raw events of one thread into the steps of its stack.
 *
 * This is the recorder's hot path.  In: ring slots (wire/event.h) in ring order, and the function of each site.  Out:
 * steps, in the matcher's own encoder (trace/write/encode.h).  A matcher keeps its thread's stack, so that a step need
 * not name the function that is left, and each chunk begins with the open frames.
 *
 * Ownership: a matcher belongs to one thread of the recorder at a time.
 * Rules (docs/trace-format.md, "EVENTS"):
 *   exit of the innermost frame's function          exit
 *   exit of a function further out                  EXIT_OUTER n; the n frames inside count as skipped
 *   exit of a function that isn't open              UNMATCHED
 *   exit of a function with hooks                   the frame that has its address; else as above
 *   entry of such a function                        frames that are gone are left before it, and count as skipped
 *   landing                                         LANDED n in the frame with that address, or, if addresses aren't
 *                                                   known, in the innermost frame of that function; else UNMATCHED
 *   landing of site 0                               LANDED n in the innermost frame that isn't below its address
 *   a loop's entry                                  a frame too, whose function is the loop; if it is open in the
 *                                                   innermost function already, that frame is left before
 *   a loop's exit                                   as of a function; with PROF_MATCHER_MAYBE only if the loop is open
 *                                                   in the innermost function, else dropped with its VALUE
 *   entries and exits of an unknown loop            dropped, with their VALUEs: exits couldn't be recognised
 *   loops inside a frame that is left               are left with it, and don't count as skipped
 *   loops right inside a frame that is landed in    stay open
 *   STALL_BEGIN while stalled, STALL_END while not  dropped
 *   a step back of the clock                        clamped to the time before, counted
 *   exit of a zone by its line                      the innermost zone that began there; else as of a function
 *   zones right inside a frame that is landed in    stay open
 *   exit of a function or loop while such a zone    EXIT_AROUND n; the zone stays open, if it may end in another
 * function is open right inside it                         (PROF_MATCHER_APART); it ends if 64 of it have piled up end
 * of a zone while others are open inside it   EXIT_AROUND n: all stay open, if it may end in another function, else
 *                                                   zones right inside it that have ends by name
 *   an iteration's begin                            as a zone's; if one of that loop is open in the innermost function
 *                                                   already, that frame is left before
 *   a zone's begin right before the exit of its     belongs to the caller: the exit comes first, with the exit's time.
 *   function; its end in a function open inside       So it waits for the next event; with any other one it is as
 *   of it, right before that function's exit          above, at its own time
 *   exit of a loop while zones are open inside it   waits until these end: the compiler moves the rest of a block that
 *                                                   is left for good out of its loop
 *   POINT                                           NOTHING, then VALUE of its site; the stack doesn't change
 *   POINT_VALUE with PROF_MATCHER_OF_CALL           dropped, unless the innermost call is one of that function
 *   BOTTOM while frames are open                    LANDED with all of them
 *   exit or landing without an open call, of a      dropped
 *       function that was off (prof_matcher_excuse)
 *   MEASURE and its OPERAND                         MEASURE; the stack doesn't change
 *   FORK                                            no step; the stack is kept for the child's thread
 */
#ifndef PROF_MATCH_MATCHER_H
#define PROF_MATCH_MATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "fork_stacks.h"
#include "keep.h"
#include "trace/write/encode.h"

/* Site id -> function or loop.  The recorder owns the arrays; they may differ from call to call. */
struct prof_site_map {
  const uint32_t *functions; /* id unique in the recording, without PROF_MATCHER_BITS; NO_FUNCTION: unknown */
  uint32_t count;            /* sites at or beyond it are functions of their own */
  const uint32_t *addresses; /* low 32 bits of their sleds' addresses; NULL: not known */
  const uint32_t *zones;     /* PROF_MATCHER_ZONE + line: a zone's entry; PROF_MATCHER_ZONE: the exit of the zone whose
                                line is the event's aux; PROF_MATCHER_ITERATION: an iteration's entry; 0: none of
                                them.  NULL: there are no zones */
};
#define PROF_MATCHER_ZONE 0x80000000u
#define PROF_MATCHER_ITERATION 0xbfffffffu /* a line that no zone has */
#define PROF_MATCHER_APART 0x10000000u     /* added where an end may lie in another function than the begin, and */
#define PROF_MATCHER_BY_NAME 0x8000000u    /* where one is by name: the zone need not end before zones around it */
#define PROF_MATCHER_NAMED 0x40000000u     /* the line is PROF_NAMED_LINE + a group of prof.h: ends lie anywhere, but */
#define PROF_MATCHER_BLOCKS 0x30000000u    /* those of these groups */
#define PROF_MATCHER_NO_FUNCTION 0x80000000u
#define PROF_MATCHER_NO_VALUE 0xffffffffu /* of an argument or returned value that isn't wanted */
#define PROF_MATCHER_MAYBE 0x40000000u    /* added to a loop's id where its exit has PROF_ROW_MAYBE */
#define PROF_MATCHER_WATCHED 0x20000000u  /* added to a function's id at its exits: prof_matcher_watch */
#define PROF_MATCHER_OF_CALL 0x10000000u  /* added to a function's id at its arguments and returned values */
#define PROF_MATCHER_BITS (PROF_MATCHER_MAYBE | PROF_MATCHER_WATCHED | PROF_MATCHER_OF_CALL)

struct prof_matcher_figures {
  uint64_t events;                  /* written, or waiting for it */
  uint64_t untimed;                 /* of them, those that read no clock: VALUEs and TIMEs */
  uint64_t calls;                   /* entries of functions among those that are in chunks */
  uint64_t loop_entries;            /* of loops, likewise */
  uint64_t stalled_ticks;           /* between STALL_BEGIN and STALL_END */
  uint64_t inversions;              /* clock steps back, clamped */
  uint64_t torn;                    /* slots never finished, before finished ones */
  uint64_t unmatched;               /* exits and landings in functions not on the stack, but for calls of a pause */
  uint64_t skipped;                 /* orphan calls */
  uint64_t gap_lost;                /* sum of the GAP events' numbers */
  uint64_t too_deep;                /* calls beyond PROF_FORMAT_FRAME_LIMIT levels */
  uint64_t left_out;                /* events that the filter left out */
  uint64_t operations;              /* of measures: bit N stands for operation N (wire/measure.h) */
  uint64_t dropped;                 /* without memory here, or not written */
  uint64_t first_ticks, last_ticks; /* 0: no event yet */
  uint32_t depth;                   /* open frames */
  uint32_t chunks;                  /* written */
};

typedef struct prof_matcher prof_matcher;

/* thread: its number in the trace, from 1.  NULL: no memory. */
prof_matcher *prof_matcher_new(prof_packer *, uint32_t thread);
void prof_matcher_free(prof_matcher *); /* does not flush; NULL: nothing */

/* Calls of watched functions that last so long by the clock, until their exit, are counted.  It may be shared. */
struct prof_matcher_watch {
  uint64_t ticks;
  uint64_t met; /* atomic */
};
void prof_matcher_watch(prof_matcher *, struct prof_matcher_watch *);

/* From now on only the calls that the rules keep are written (keep.h); before the first event.  False: no memory. */
bool prof_matcher_keep(prof_matcher *, struct prof_keep_rules *);
/* The rules' `off` may have changed at `time`. */
void prof_matcher_switch(prof_matcher *, uint64_t time);
/* Other rules hold from `time` on (NULL: everything is written): open frames are left (STOP), and those that are kept
 * now are entered again. */
void prof_matcher_judge(prof_matcher *, struct prof_keep_rules *, uint64_t time);

/* The matcher's own encoder, to flush and to query. */
prof_encoder *prof_matcher_encoder(prof_matcher *);

/* Keeps the stacks at later FORK events there (it outlives the matcher); NULL, the default: nowhere. */
void prof_matcher_keep_forks(prof_matcher *, prof_fork_stacks *);

/* Passes later SAMPLE events (wire/event.h) to `take`; they don't count as events.  Without it they are dropped. */
void prof_matcher_take_samples(prof_matcher *, void (*take)(void *context, uint64_t time, uint32_t site, uint32_t aux),
                               void *context);

/* Of functions for which `was_off` is true, an exit whose call isn't open is no fault: it was entered while they
 * weren't recorded.  Such an exit, or landing, is dropped.  site: the exit's; function: PROF_MATCHER_NO_FUNCTION if it
 * is a zone's end by line. */
void prof_matcher_excuse(prof_matcher *, bool (*was_off)(void *context, uint32_t site, uint32_t function),
                         void *context);

/*
 * Call it before the first event of a fork's child: the thread begins with these open frames, as entered at the time of
 * the fork.  False: no memory, the thread begins with no frame.
 */
bool prof_matcher_inherit(prof_matcher *, const struct prof_fork_stack *);

/*
 * Takes finished slots from slots[0] on and zeroes them.  Stops at the first empty one (time 0) or after `count`.
 * skip_empty: passes empty ones too (for segments that their thread has left).  Returns how many slots it passed.
 * Writes full chunks.
 */
size_t prof_matcher_drain(prof_matcher *, struct prof_event *slots, size_t count, const struct prof_site_map *,
                          bool skip_empty);

/*
 * Some functions are recorded no longer, from `time` on: if one of their frames is open, all frames are left (STOP),
 * and the others are entered again at that time, in a chunk of their own (flag 2 of docs/trace-format.md).  `is_gone`
 * gets the functions of prof_site_map.
 */
void prof_matcher_leave(prof_matcher *, uint64_t time, bool (*is_gone)(void *context, uint32_t function),
                        void *context);

/*
 * Ends the chunk at `time`, or at the last step if that is later, and begins the next one there with the open frames,
 * for a recording that goes on in another file: each of both has the frames' time up to then, and from then on.  Later
 * events with an earlier time get that one.  wait_begin: since then the thread waits for the recorder, which its events
 * tell when it has ended; 0: it doesn't.  A wait that goes on begins anew in the next chunk.
 */
void prof_matcher_cut(prof_matcher *, uint64_t time, uint64_t wait_begin);

/*
 * From now on frames with unknown addresses, of loops too, don't hide gone frames before an entry with a STACK: for
 * threads in which LANDED events may be missing.
 */
void prof_matcher_heal(prof_matcher *);

/* No event comes next: what waits for one is applied. */
void prof_matcher_settle(prof_matcher *);

/* Most bytes of the file that a chunk's first slot takes: it begins the chunk with the open frames. */
uint64_t prof_matcher_begin_bytes(const prof_matcher *);
/* The same, exact: packs the open frames now.  Far less for deep stacks.  Only while no event waits. */
uint64_t prof_matcher_begin_packed_bytes(prof_matcher *);

uint64_t prof_matcher_memory_bytes(const prof_matcher *); /* with its encoder's */
void prof_matcher_figures(const prof_matcher *, struct prof_matcher_figures *out);

#endif
