/*
 * wire/event.h - 16 bytes in a segment, written by a trampoline and read by the recorder.
 *
 *    0               8          12         16
 *    +---------------+----------+----------+
 *    | time          | what     | aux      |      what = site << 6 | kind
 *    +---------------+----------+----------+
 *
 * `time` is stored last and commits the event; a slot with time 0 is empty (or was never finished).  Ring order is the
 * order of a thread's events.  Times are ticks of the recording's clock.  They may step back (a signal handler ran
 * between clock read and reservation): readers clamp and count.  In a sparse-clock interval (wire/control.h) several
 * events share one time.
 */
#ifndef PROF_WIRE_EVENT_H
#define PROF_WIRE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum prof_event_kind {
  PROF_EVENT_NONE = 0,        /* with a time: a dropped slot; skip it */
  PROF_EVENT_ENTRY = 1,       /* aux: low 32 bits of the return address; 0 unknown */
  PROF_EVENT_EXIT = 2,        /* aux: 0; of a function with hooks, as STACK; of a zone maybe its line (wire/row.h) */
  PROF_EVENT_LANDED = 3,      /* aux: low 32 bits of the frame address (CFA); 0 unknown */
  PROF_EVENT_FRAME = 4,       /* right after its ENTRY; aux: low 32 bits of its frame address */
  PROF_EVENT_STALL_BEGIN = 5, /* the thread waits for space from here ... */
  PROF_EVENT_STALL_END = 6,   /* ... to here; site 0 */
  PROF_EVENT_GAP = 7,         /* events were dropped before this; aux: how many (saturates); time: when events resume */
  PROF_EVENT_STOP = 8,        /* recording was off from this time to the next event; site 0; aux: PROF_EVENT_STOP_ */
  PROF_EVENT_FORK = 9,        /* the thread is about to fork; aux: number of the fork (wire/control.h); site 0 */
  PROF_EVENT_BOTTOM = 10,     /* the thread has no open frame: it is ending, destructors of its keys run; site 0 */
  PROF_EVENT_STACK = 11,      /* right before its ENTRY; aux: low 32 bits of an address in the frame */
  PROF_EVENT_LOOP_ENTRY = 12, /* a loop begins; aux: 0 */
  PROF_EVENT_LOOP_EXIT = 13,  /* and ends; aux: 0 */
  PROF_EVENT_VALUE = 14,      /* of its site (wire/row.h); no time: see PROF_EVENT_VALUE_BIT; aux: 0 */
  PROF_EVENT_SAMPLE = 15,     /* the thread was at an address: its bits 32-56 as the site, its low ones as aux */
  PROF_EVENT_MEASURE = 16,    /* a wrapped function was called (wire/measure.h) */
  PROF_EVENT_OPERAND = 17,    /* right after its MEASURE; no time: see PROF_EVENT_VALUE_BIT */
  PROF_EVENT_POINT = 18,      /* the program reports something (wire/point.h); aux: 0 */
  PROF_EVENT_POINT_TIME = 19, /* the same with a value: a POINT_VALUE follows in the same reservation */
  PROF_EVENT_POINT_VALUE = 20, /* a value of 64 bits; no time: see PROF_EVENT_VALUE_BIT; aux: its highest bit */
};

/*
 * VALUE: `time` holds PROF_EVENT_VALUE_BIT + the value (less than 2^63; readers take a negative one as 0).  If its site
 * is a LOOP_ENTRY or LOOP_EXIT, the value is the loop's iterations.  It then follows that event in the same
 * reservation, and is written before the event is committed (as FRAME).
 *
 * POINT_VALUE: `time` holds PROF_EVENT_VALUE_BIT + the lower 63 bits, aux the highest one.  Alone it belongs to the
 * call that is open; if its site is the ENTRY of a zone, to that zone; if it is a VALUE, to the innermost call, which
 * must be of its function: else it is left out.  point.h has texts.
 */
#define PROF_EVENT_VALUE_BIT (1ull << 63)

/*
 * STACK and the aux of EXIT come from functions that call __cyg_profile_func_enter and _exit (wire/instrument.h), which
 * have no LANDED probes.  They hold the frame's address (CFA) or, if that is unknown, an address in the frame that is
 * no multiple of 16.  STACK has PROF_EVENT_STACK_INLINED if the function was inlined into the frame's function.  So a
 * new frame ends open frames of the same stack below its address, and those at its address unless it is inlined.
 */
#define PROF_EVENT_STACK_INLINED 1u
#define PROF_EVENT_STACK_REACH (8u << 20) /* addresses further apart are of two stacks */

/* LANDED of site 0, made by the recorder: control landed in a function whose other events aren't recorded
 * (wire/control.h, states of sites).  Frames below its address are gone. */

/* SAMPLE, in the site: the thread was in a trampoline, and the address is that of its sled. */
#define PROF_EVENT_SAMPLE_PROBE (PROF_SITE_LIMIT >> 1)

/* STOP: the program wanted it (prof_stop), and frames that were open may be open still when it goes on. */
#define PROF_EVENT_STOP_PAUSE 1u

/* `time` of the others is a value, or that of the event before or after it. */
static inline bool prof_event_has_time(uint32_t kind) {
  return kind != PROF_EVENT_NONE && kind != PROF_EVENT_VALUE && kind != PROF_EVENT_FRAME && kind != PROF_EVENT_STACK &&
         kind != PROF_EVENT_OPERAND && kind != PROF_EVENT_POINT_VALUE;
}

#define PROF_EVENT_KIND_BITS 6
#define PROF_EVENT_KINDS (1u << PROF_EVENT_KIND_BITS) /* a reader counts one that it doesn't know as dropped */
#define PROF_SITE_LIMIT (1u << (32 - PROF_EVENT_KIND_BITS))

struct prof_event {
  uint64_t time;
  uint32_t what;
  uint32_t aux;
};
_Static_assert(sizeof(struct prof_event) == 16, "prof_event is 16 bytes");

static inline uint32_t prof_event_site(uint32_t what) {
  return what >> PROF_EVENT_KIND_BITS;
}
static inline uint32_t prof_event_kind(uint32_t what) {
  return what & (PROF_EVENT_KINDS - 1);
}
static inline uint32_t prof_event_what(uint32_t site, uint32_t kind) {
  return site << PROF_EVENT_KIND_BITS | kind;
}

#endif
