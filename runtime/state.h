/*
 * state.h - the runtime's global state: of the process, of its image (which a fork clears), of each thread.
 */
#ifndef PROF_RUNTIME_STATE_H
#define PROF_RUNTIME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "pieces.h"

/*
 * A thread's cursor.  Trampolines use its first two words.  It lies in the image's mapping, which reads as zeros after
 * a fork: then cursor >= end, and the child's first event takes the slow path.
 */
struct prof_cell {
  char *cursor;               /* next free slot; trampolines add to it */
  char *end;                  /* a reservation at or behind it takes the slow path; set to 0 by prof_thread_kick */
  char *limit;                /* `end` when there is no kick: end of the segment or of the discard area */
  uint64_t last;              /* time of the latest event */
  const uint64_t *light;      /* of the record (wire/control.h); NULL: none */
  uint64_t mark;              /* in a sparse-clock interval: the cursor when the clock was last read; else 0 */
  uint64_t line;              /* the slot being timed (wire/times.h), or PROF_LINE_NONE; 0: nothing is */
  uint64_t line_time;         /* when that began */
  uint64_t line_readings;     /* of the clock, for lines; trampolines add to it */
  uint64_t *counts;           /* the thread's counters (wire/control.h); NULL: the next counted call finds them */
  uint64_t stop;              /* time of a stop that the thread has not written yet; else 0 */
  struct prof_thread *record; /* NULL: no record was free */
  char *discard;              /* gets events while there is no space; NULL until needed */
  uint64_t dropped;           /* events dropped since the last GAP */
  uint64_t held_stop;         /* time of a STOP that waits for space, else 0 */
  uint32_t number;            /* of the record */
  uint32_t segment;           /* last one taken; 0: none yet */
  uint32_t discarding;        /* 1: cursor is in the discard area */
  uint32_t next_free;         /* index + 1 of the cell beneath it in the free list */
  uint32_t rounds;            /* of the key destructor */
  uint32_t in_use;
  uint32_t impatient; /* 1: waited in vain although the recorder lives: drops until there is space again */
  uint32_t core;      /* last known core + 1; 0: not known */
  uint32_t timer;     /* of sample.c: its number + 1; 0: none yet, UINT32_MAX: there will be none */
  uint32_t promised;  /* events counted as lost in advance */
  uint32_t recording; /* prof_runtime.recording when it was last prepared */
  uint8_t pad[192 - 164];
};
#define PROF_LINE_NONE 1ull
_Static_assert(sizeof(struct prof_cell) == 192, "a cell has its cache lines for itself");

enum prof_image_state { PROF_IMAGE_WIPED = 0, PROF_IMAGE_SETUP = 1, PROF_IMAGE_READY = 2, PROF_IMAGE_FAILED = 3 };

#define PROF_CELL_COUNT 32767u

/* State that a fork clears, in MADV_WIPEONFORK memory. */
struct prof_image {
  uint32_t state; /* enum prof_image_state */
  uint32_t process;
  uint64_t free_cells; /* Treiber's stack: tag << 32 | index + 1 */
  uint32_t fresh_cells;
  uint32_t lock;     /* attach, detach, start, stop: one at a time */
  uint64_t given_up; /* heartbeat << 1 | 1 when the recorder seemed gone; else 0 */
  uint32_t in_vain;  /* 1: a thread has waited for space until PATIENCE_NS was over */
  uint32_t inside;   /* threads in code that uses the region; see prof_gate_enter */
  uint32_t counted;  /* 1: in prof_control.attached */
  uint8_t pad[128 - 52];
  struct prof_cell cells[PROF_CELL_COUNT];
};

enum prof_runtime_state {
  PROF_RUNTIME_NEW = 0,
  PROF_RUNTIME_ON = 1,
  PROF_RUNTIME_OFF = 2,     /* stopped by prof_stop, or out of bounds */
  PROF_RUNTIME_FAILED = 3,  /* nothing will be recorded */
  PROF_RUNTIME_STANDBY = 4, /* nothing is recorded until a recorder comes (standby.c) */
};

/* Why recording is off although the program wants it on: `held`. */
#define PROF_HELD_TIME 1u    /* before --delay, after --duration */
#define PROF_HELD_CAPTURE 2u /* outside what --capture-range names */
#define PROF_HELD_PAUSE 4u   /* prof ctl stop, until start */

struct prof_calibrated_cost { /* of one event or LINE, thousandths of a tick; 0: not known */
  uint32_t alone;             /* one right after another */
  uint32_t among;             /* among work that keeps the processor's units busy */
};

struct prof_runtime {
  uint32_t state; /* enum prof_runtime_state */
  uint32_t process;
  struct prof_control *control;
  struct prof_thread *threads;
  struct prof_read_slot *reads; /* NULL: the recorder answers no requests */
  char *log;
  char region_path[64];       /* "": too long; text stays private */
  struct prof_pieces windows; /* of segments (windows.c) */
  uint32_t window_segments;
  bool narrow;                 /* a window could not be mapped */
  struct prof_pieces counters; /* of threads' counters (counters.c); none: no site counts */
  uint64_t counters_bytes;     /* of a thread */
  uint32_t next_counter;       /* handed out under the image's lock */
  uint32_t segment_bytes;
  uint32_t slot_bytes;    /* of a segment's slots */
  uint32_t segment_count; /* as checked: the program could change the header */
  uint32_t thread_count;  /* likewise */
  struct prof_calibrated_cost event_cost, count_cost;
  bool os_clock;         /* trampolines read CLOCK_MONOTONIC, not the TSC */
  bool recorder_visible; /* its pid is valid in this pid namespace */
  struct prof_image *image;
  struct prof_attached_module *modules;
  uint64_t stop_time;    /* of the last stop */
  bool switching_on;     /* not all sleds are patched yet: events may be missing */
  bool stopped;          /* by prof_stop; this and `held` change under the image's lock */
  uint32_t held;         /* PROF_HELD_ */
  bool bounded;          /* SLICE records mark when it was recorded */
  uint32_t sample_hz;    /* threads sample themselves; 0: they don't */
  bool sampling_refused; /* the program handles its signal */
  int tls_offset;        /* of prof_self from the thread pointer */
  bool standby;          /* recorders come and go */
  uint32_t recording;    /* how many have come */
};

extern struct prof_runtime prof_runtime;

/* The thread's cell.  Before its first event: prof_nobody, whose end is 0. */
extern __thread struct prof_cell *prof_self __attribute__((tls_model("initial-exec")));
extern struct prof_cell prof_nobody;
/* The thread has ended for the recorder: what libc still frees for it is not written. */
extern __thread bool prof_thread_over __attribute__((tls_model("initial-exec")));

#endif
