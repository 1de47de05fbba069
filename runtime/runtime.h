/*
 * runtime.h - the runtime's own structs and its one global state.
 *
 * Rooms: attach (the way in), control (the shared region), windows (its segments), fork (the image: what dies with a
 * fork), thread (cells and records), ring (segments; the slow path of a body), wait (no space), log (rare records),
 * modules (rows to bodies), counts, line_times, frames (what static programs lack), cyg_profile (functions that call
 * us), loaded, sites (sleds on and off), calibrate, helper, api, bounds.
 *
 * Rules for all code that a body may reach (ring, wait, thread, fork, log): signals are blocked, no libc call, no lock,
 * no allocation but mmap, general registers only.
 */
#ifndef PROF_RUNTIME_H
#define PROF_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "control.h"
#include "instrument.h"
#include "module.h"
#include "times.h"

/*
 * A thread's cursor.  Its first two words are what bodies use.  Lies in the image's mapping, which reads as zeros after
 * fork: then cursor >= end, and the child's first event takes the slow path.
 */
struct prof_cell {
  char *cursor;               /* next free slot; bodies add to it */
  char *end;                  /* a reservation at or behind it takes the slow path; set to 0 by prof_thread_kick */
  char *limit;                /* what `end` is in quiet times: end of the segment or of the discard area */
  uint64_t last;              /* time of the latest event */
  const uint64_t *light;      /* of the record (wire/control.h); NULL: none */
  uint64_t mark;              /* in a light slice: where the cursor was when the clock was last read; else 0 */
  uint64_t line;              /* the slot that LINEs are timing (wire/times.h), or PROF_LINE_NONE; 0: nothing is */
  uint64_t line_time;         /* when that began */
  uint64_t line_readings;     /* of the clock, for lines; bodies add to it */
  uint64_t stop;              /* a stop that the thread has not yet heard of: its time; else 0 */
  struct prof_thread *record; /* NULL: no record was free */
  char *discard;              /* where events go while there is no space; NULL until needed */
  uint64_t dropped;           /* events dropped since the last GAP */
  uint64_t held_stop;         /* time of a STOP that waits for space, else 0 */
  uint32_t number;            /* of the record */
  uint32_t segment;           /* last one taken; 0: none yet */
  uint32_t discarding;        /* cursor runs through the discard area */
  uint32_t next_free;         /* index + 1 of the cell beneath it in the free list */
  uint32_t rounds;            /* of the key destructor */
  uint32_t in_use;
  uint32_t impatient; /* waited in vain although the recorder lives: drops until there is space again */
  uint32_t core;      /* where it ran when last looked at, + 1; 0: not known */
  uint32_t timer;     /* of sample.c: its number + 1; 0: none yet, UINT32_MAX: there will be none */
  uint32_t promised;  /* events counted as lost before they are */
  uint8_t pad[192 - 152];
};
#define PROF_LINE_NONE 1ull
_Static_assert(sizeof(struct prof_cell) == 192, "a cell has its cache lines for itself");

enum prof_image_state { PROF_IMAGE_WIPED = 0, PROF_IMAGE_SETUP = 1, PROF_IMAGE_READY = 2, PROF_IMAGE_FAILED = 3 };

#define PROF_CELL_COUNT 32767u

/* All that must not survive a fork, in MADV_WIPEONFORK memory. */
struct prof_image {
  uint32_t state; /* enum prof_image_state */
  uint32_t process;
  uint64_t free_cells; /* Treiber's stack: tag << 32 | index + 1 */
  uint32_t fresh_cells;
  uint32_t lock;     /* attach, detach, start, stop: one at a time */
  uint64_t given_up; /* heartbeat << 1 | 1 when the recorder seemed gone; else 0 */
  uint32_t in_vain;  /* 1: a thread has waited for space until its patience was lost */
  uint8_t pad[128 - 44];
  struct prof_cell cells[PROF_CELL_COUNT];
};

enum prof_module_state { PROF_MODULE_DETACHED = 0, PROF_MODULE_ATTACHED = 1 };

#define PROF_BODY_SKIPPED 0x80000000u

/* One attached program or library.  Never freed, but used again after dlclose: a sampler may look at any time. */
struct prof_module {
  struct prof_module *next;
  const struct prof_row *rows;
  size_t row_count, row_room;
  uint32_t first_site;
  uint32_t state;             /* enum prof_module_state */
  const uint8_t *begin, *end; /* its loaded segments */
  int text_protection;        /* of its code, for mprotect */
  uint8_t *area;              /* bodies */
  size_t area_bytes;
  uint32_t *body_offsets; /* row -> body in area, rising; with PROF_BODY_SKIPPED where the sled has none */
};

enum prof_runtime_state {
  PROF_RUNTIME_NEW = 0,
  PROF_RUNTIME_ON = 1,
  PROF_RUNTIME_OFF = 2,    /* stopped by prof_stop, or out of bounds */
  PROF_RUNTIME_FAILED = 3, /* nothing will be recorded */
};

/* Why recording is off although the program wants it on: `held`. */
#define PROF_HELD_TIME 1u    /* before --delay, after --duration */
#define PROF_HELD_CAPTURE 2u /* outside what --capture-range names */

struct prof_event_cost { /* of one event or LINE, thousandths of a tick; 0: not known */
  uint32_t alone;        /* one right after another */
  uint32_t among;        /* among work that keeps the processor's units busy */
};

struct prof_runtime {
  uint32_t state; /* enum prof_runtime_state */
  uint32_t process;
  struct prof_control *control;
  struct prof_thread *threads;
  char *log;
  char **windows; /* mappings of segments (windows.c); NULL: not mapped yet */
  uint32_t window_count, window_segments;
  bool narrow; /* one could not be mapped */
  uint32_t segment_bytes;
  uint32_t slot_bytes;    /* of a segment's slots */
  uint32_t segment_count; /* as checked: the header lies open to the program */
  uint32_t thread_count;  /* likewise */
  struct prof_event_cost event_cost;
  bool os_clock;         /* bodies read CLOCK_MONOTONIC, not the TSC */
  bool recorder_visible; /* its pid means something here */
  struct prof_image *image;
  struct prof_module *modules;
  uint64_t stop_time;    /* of the last stop */
  bool switching_on;     /* not all probes are on yet: an event between isn't promised */
  bool stopped;          /* by prof_stop; this and the next change under the image's lock */
  uint32_t held;         /* PROF_HELD_ */
  bool bounded;          /* SLICE records tell when it was recorded */
  uint32_t sample_hz;    /* threads sample themselves; 0: they don't */
  bool sampling_refused; /* the program handles the signal that it takes */
  int tls_offset;        /* of prof_self from the thread pointer */
};

extern struct prof_runtime prof_runtime;

/* ---- clock.c ---- */
/* Takes the clock that the recorder asks for. */
void prof_clock_init(void);
/* Nanoseconds of CLOCK_MONOTONIC.  No libc, no vector registers, any context. */
uint64_t prof_clock_os(void);
/* The recording's clock. */
static inline uint64_t prof_clock_ticks(void) {
  return prof_runtime.os_clock ? prof_clock_os() : prof_tsc_read();
}

/* The thread's cell.  Before its first event: a cell that nobody owns and whose end is 0. */
extern __thread struct prof_cell *prof_self __attribute__((tls_model("initial-exec")));
extern struct prof_cell prof_nobody;

/* ---- control.c ---- */
/* Maps the region that `path` names.  false: said why on stderr. */
bool prof_control_open(const char *path);
/* A segment that is mapped. */
static inline struct prof_segment *prof_segment_at(uint32_t number) {
  char *window = __atomic_load_n(&prof_runtime.windows[(number - 1) / prof_runtime.window_segments], __ATOMIC_ACQUIRE);
  return (struct prof_segment *)(window +
                                 (size_t)((number - 1) % prof_runtime.window_segments) * prof_runtime.segment_bytes);
}

/* ---- windows.c ---- */
/* Maps the region up to its first segments; `head`: a checked copy of its header.  NULL: no address space. */
char *prof_windows_open(int fd, const struct prof_control *head);
/* Before prof_segment_at: maps it if it isn't.  false: no address space; that is told once. */
bool prof_segment_map(uint32_t number);
/* Does `slot` lie in a segment?  *at: where in it. */
bool prof_segment_has(const char *slot, size_t *at);

/* ---- fork.c ---- */
/* The fork that this thread is in, or was made by and has not told of; number 0: none.  A fork copies it. */
struct prof_fork {
  uint32_t number;
  uint32_t record; /* of the thread that forked */
};
extern __thread struct prof_fork prof_fork_self __attribute__((tls_model("initial-exec")));
void prof_fork_init(void);
/* Makes a new image and its process record; `parent`: process number or 0.  NULL: no memory. */
struct prof_image *prof_image_new(uint32_t parent);
/* The image of this process, made anew after a fork.  NULL: none. */
struct prof_image *prof_image_current(void);

/* ---- thread.c ---- */
void prof_thread_init(void);
/* The calling thread's cell in this process, attached if need be.  Signals are blocked.  NULL: none. */
struct prof_cell *prof_thread_cell(void);
/* Notes the processor time that the calling thread has used, and whether it has moved to another core. */
void prof_thread_usage_note(struct prof_cell *);
/* The process ends: notes the processor time of its other threads, which may never tell it. */
void prof_thread_usage_note_others(const struct prof_image *, const struct prof_cell *own);
/* Recording was switched off at `time`, is about to be switched on: processor time between the two doesn't count. */
void prof_thread_stopped(uint64_t time);
void prof_thread_going_on(void);
/* Tells all threads of a stop at `time`: their next event takes the slow path. */
void prof_thread_kick(uint64_t time);

/* ---- fork.c ---- */
/* The calling thread's cell; NULL: it has made no event in this process. */
struct prof_cell *prof_attached_cell(void);

/* ---- sample.c ---- */
void prof_sample_init(void);
/* Begins or goes on sampling the calling thread, or gives it up; mask: the signals that it blocks.  They all are now.
 */
void prof_sample_check(struct prof_cell *, uint64_t mask);
void prof_sample_end(struct prof_cell *);

/* ---- ring.c ---- */
/* Writes an event from a signal handler.  The thread is attached. */
void prof_ring_sample(struct prof_cell *, uint32_t what, uint32_t aux);
/* Where a body goes when its reservation of `bytes` at `slot` failed.  0: give the event up; else try again. */
int prof_ring_slow(char *slot, uint32_t bytes);
/* Gets a cell ready for events: hears of stops, takes a segment if there is no room.  Signals are blocked. */
void prof_ring_settle(struct prof_cell *);
/* Writes a FORK event.  Its number; 0: no room.  Signals are blocked. */
uint32_t prof_ring_fork(struct prof_cell *);
/* Writes a BOTTOM event, if there is room.  Signals are blocked. */
void prof_ring_bottom(struct prof_cell *);
/* The thread is about to end: counts what it dropped. */
void prof_ring_leave(struct prof_cell *);
/* The process is: the same, for the calling thread. */
void prof_ring_count(struct prof_cell *);
uint32_t prof_segment_take(const struct prof_thread *);
bool prof_segment_is_capped(const struct prof_thread *); /* it may hold no more than it does */
void prof_bell_ring(void);

/* ---- wait.c ---- */
/* Waits for a segment.  0: dropping is better (recorder closed or gone). */
uint32_t prof_wait_segment(struct prof_cell *);
bool prof_wait_is_hopeless(const struct prof_cell *);

/* ---- log.c ---- */
/* Notes the executable's path, for process records. */
void prof_log_init(void);
/* Appends a record: `fixed` (fixed_bytes, begins with a prof_log_head) and then `text` with its NUL. */
void prof_log_write(uint32_t kind, void *fixed, size_t fixed_bytes, const char *text);
void prof_log_process(uint32_t process, uint32_t parent);
void prof_log_error(const char *text);

/* ---- loaded.c ---- */
struct prof_loaded { /* a program or library */
  uintptr_t address; /* in it */
  bool is_found;
  uintptr_t bias, begin, end; /* of its segments */
  int text_protection;
  const uint8_t *eh_frame_hdr;
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  char path[4096];
};
/* false: nothing is loaded there.  Too big for a small stack. */
bool prof_loaded_find(struct prof_loaded *, uintptr_t address);

/* ---- cyg_profile.c ---- */
void prof_instrument_attach(struct prof_instrument *);

/* ---- modules.c ---- */
/* Site ids for `count` rows; 0: the recording has used all up. */
uint32_t prof_sites_take(size_t count);
/* module: the record whose bodies are for it; NULL: it has none. */
void prof_module_log(uint32_t kind, const struct prof_loaded *, const struct prof_module *, uint32_t first_site,
                     size_t count, uint32_t skipped);
void prof_module_attach(const struct prof_module_start *);
void prof_module_detach(const struct prof_module_start *);
/* The sled whose body `pc` lies in; NULL: not in a body. */
const uint8_t *prof_runtime_body_to_sled(const void *pc);
static inline const uint8_t *prof_row_sled(const struct prof_row *row) {
  return (const uint8_t *)&row->sled + row->sled;
}

/* Memory that every byte of [begin, end) reaches with a 32-bit displacement.  NULL: none. */
uint8_t *prof_area_map(uintptr_t begin, uintptr_t end, size_t bytes);

/* ---- counts.c ---- */
/* Room in the log for a COUNTS record with so many bytes behind it, filled in but for its kind; NULL: there is none. */
struct prof_log_counts *prof_counts_record_new(const struct prof_module *, uint64_t bytes);
/* Makes it known to the recorder. */
void prof_counts_record_publish(struct prof_log_counts *);
/* Moves the module's counters of lines into the shared region, if it has any.  After its MODULE record. */
void prof_counts_attach(const struct prof_module *);

/* ---- line_times.c ---- */
/* Slots for the module's LINEs, in row order; NULL: it has none, or there is no room. */
struct prof_times_slot *prof_times_attach(const struct prof_module *);
/* Has the row a LINE that can be timed?  Then a slot belongs to it. */
bool prof_times_is_line(const struct prof_module *, size_t row);

/* ---- frames.c ---- */
struct prof_frame_table {
  uint8_t *header; /* as an .eh_frame_hdr; NULL: none */
  size_t bytes;
};
/* For a module without one, from its file; [begin, end): its loaded segments. */
struct prof_frame_table prof_frame_table_make(const char *path, uintptr_t bias, uintptr_t begin, uintptr_t end);
void prof_frame_table_free(struct prof_frame_table *);

/* ---- sites.c ---- */
enum prof_switch { PROF_SWITCH_OFF = 0, PROF_SWITCH_ON = 1 };
/* Patches all sleds of a module.  `fresh`: no thread runs in it yet.  false: the system forbids it. */
bool prof_sites_switch(const struct prof_module *, enum prof_switch, bool fresh);

/* ---- calibrate.c ---- */
/* Taken from the region if a process has measured it; else measured, some milliseconds. */
struct prof_event_cost prof_calibrate(void);
struct prof_event_cost prof_calibrate_line(void); /* of one LINE */

/* ---- helper.c ---- */
/* Starts a recorder for a program that has none, and sets PROF_RING.  NULL: said why on stderr. */
const char *prof_helper_start(void);

/* ---- injection.c ---- */
/* Sets the variables by which the GPU collector is loaded; options: those of `prof record`, may be NULL. */
void prof_injection_set(const char *options);

/* ---- api.c ---- */
int prof_api_control(int operation);
/* The recorder wants no more events: switches all sites off, unless somebody else is about to.  Signals are blocked. */
void prof_api_closed(struct prof_image *);
void prof_api_lock(struct prof_image *);
void prof_api_unlock(struct prof_image *);

/* Switches on or off, as the program and the bounds want it.  The lock is held. */
void prof_api_settle(void);
/* The same, and every sled once more, in whatever state it is. */
void prof_api_switch_again(void);

/* ---- bounds.c ---- */
/* Before the first image: whether recording begins switched off. */
void prof_bounds_init(void);
/* Once the state is set: says so, and begins to wait for the moments. */
void prof_bounds_begin(void);
/* An image was made: of a forked child that records. */
void prof_bounds_image(void);

/* ---- say.c ---- */
/* One line on stderr, once per process: "prof: " text, then detail if not NULL. */
void prof_say(const char *text, const char *detail);

#endif
