/*
 * tools/fold/piece.h - one chunk as a piece of work for the fold, with what it needs from other chunks.
 *
 * Job of the plan (plan.c): which chunks are to be folded, where the readable stretches of each thread begin and end,
 * and where a range cuts them; after that pieces fold independently, in any order.  Job of chunk.c and shown.c: one
 * piece into a core.
 *
 *   chunks of a thread   [0][1][2] x [4][5]     a stretch ends where a chunk is missing or damaged
 *                         ^first  ^close ^cut_in
 */
#ifndef PROF_FOLD_PIECE_H
#define PROF_FOLD_PIECE_H

#include "base/vec.h"
#include "fold/call_places.h"
#include "fold/caller_scan.h"
#include "fold/core.h"
#include "fold/filter.h"
#include "fold/fork_paths.h"
#include "fold/loops.h"
#include "fold/marks.h"
#include "names/loop_frames.h"
#include "proftrace.h"

struct prof_fold_piece {
  uint32_t chunk, thread;
  /* Listed frames entered before floor_time count from there; net_floor: the same, waits removed. */
  uint64_t floor_time, floor_net;
  /* Those entered up to here were counted as calls where the stretch before a hole ended; 0: none were. */
  uint64_t counted_until;
  uint64_t fork_time;              /* listed frames entered up to here are no calls: the parent's, or taken up again */
  uint64_t begin, end;             /* of the range, ticks; 0 and UINT64_MAX where the chunk doesn't reach them */
  uint64_t marks_begin, marks_end; /* marks at such times are this piece's */
  bool open;                       /* the first chunk of a stretch */
  bool cut_in;                     /* ... after a hole: its listed frames begin here */
  bool resumed;                    /* recording was off before it: its listed frames are entered where it begins */
  bool close;                      /* the last chunk of a stretch: open frames are left at its last_time */
  bool goes_on;                    /* the last chunk of a thread that goes on in another trace: they stay open */
  bool ends;                       /* the last chunk of a thread: nothing follows, in another trace either */
};

struct prof_fold_plan {
  struct prof_fold_piece *pieces; /* in file order */
  size_t count;
  uint64_t *events_before; /* by chunk: of its thread, those that read the clock */
};

struct prof_fold_plan_of { /* as of a task (fold.h) */
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: there is none */
  bool is_stretch;
  const uint64_t *open_times;
};

/* damaged: one byte per chunk, 1: it can't be read; may be NULL. */
prof_status prof_fold_plan_make(const struct prof_fold_plan_of *, const uint8_t *damaged, struct prof_diag *,
                                struct prof_fold_plan *out) PROF_MUST_CHECK;
void prof_fold_plan_free(struct prof_fold_plan *);

struct prof_fold_sums { /* what a worker counts besides calls */
  uint64_t events, lost, unmatched, skipped, inversions;
  uint64_t stalled_ticks, frames_cut;
  uint64_t hidden; /* calls within shown ones that the filter hides */
};

void prof_fold_sums_add(struct prof_fold_sums *into, const struct prof_fold_sums *from);

/* A call edge, and where it last led: mostly the same node again, which needs no look-up then. */
struct prof_fold_edge {
  uint32_t function; /* or loop: loop_frames.h; with PROF_FOLD_LOOP, PROF_FOLD_QUIET */
  uint32_t key;      /* what the core folds by: the function, or the place it was called from */
  uint32_t from, to; /* nodes; from is PROF_FOLD_TOP at first */
};

/* 16 bytes: the fold indexes them by ops. */
static inline uint32_t prof_fold_edge_bits(const struct prof_fold_edge *edge) {
  return edge->function & (PROF_FOLD_LOOP | PROF_FOLD_QUIET);
}

struct prof_fold_cold { /* of a function: calls in subtrees that were too cold to be kept; ticks as measured */
  uint64_t calls;
  uint64_t total; /* where it is outermost */
  uint64_t sum;   /* recursion counted each time */
  int64_t self;
};

struct prof_fold_begun { /* frames that were open where the stretch before ended, outermost first */
  uint32_t *first;       /* by thread: its first one; one more */
  uint64_t *events;      /* of each, those inside up to then that read the clock */
};
struct prof_fold_inside { /* the same where this one ends, one after another */
  uint32_t thread;
  uint64_t events;
};

struct prof_fold_going { /* a frame that is open where the trace ends, and goes on in another one */
  uint32_t node, thread; /* thread: index */
  uint64_t ticks;        /* so long, so far */
  bool inherited;        /* entered before a fork, or before recording resumed: no call */
};

#define PROF_FOLD_SITES 64 /* a power of two */

struct prof_fold_worker_site { /* of a VALUE */
  uint32_t site, loop, kind;
};

struct prof_fold_worker {
  const prof_trace *trace;
  const struct prof_filter *filter;    /* NULL: everything is shown */
  struct prof_call_places *places;     /* NULL: calls are not distinguished by place; shared by all workers */
  struct prof_fold_marks *marks;       /* NULL: none; shared by all workers */
  const struct prof_fork_paths *forks; /* NULL: no thread has calls that another one forked */
  uint32_t thread;                     /* of the present piece */
  uint16_t hand;                       /* the worker's number */
  uint32_t unknown;                    /* index of functions that aren't known */
  bool loops;                          /* are shown: else their frames are quiet */
  bool has_loops;                      /* edges of the present chunk are loops' */
  struct prof_fold_core core;
  const uint64_t *events_before;          /* by chunk: of its thread, those that read the clock */
  const struct prof_caller_ends *callers; /* by chunk; NULL: no filter by callers */
  struct prof_caller_scan caller_scan;    /* of the present chunk, with such a filter */
  const uint64_t *costs; /* by thread: of an event, in PROF_FOLD_COST_PARTS of a tick; NULL: not known */
  struct prof_fold_sums sums;
  struct prof_chunk chunk;
  PROF_VEC(struct prof_fold_edge) edges;           /* of the present chunk, and so many more that one byte finds one */
  PROF_VEC(uint32_t) numbers;                      /* of the places of the present chunk's edges */
  prof_mark_options options;                       /* of marks */
  PROF_VEC(const struct prof_fold_piece *) pieces; /* whose marks have nodes of this core: see whole.h */
  struct prof_fold_cold *cold;                     /* by frame number; NULL: all paths were kept */
  struct prof_fold_cold *cold_places; /* the same by place, where calls are distinguished by it; self unused */
  uint32_t cold_place_count;
  uint64_t cold_paths, cold_ticks;          /* those that were not, and their time */
  PROF_VEC(struct prof_fold_going) going;   /* of pieces that go on */
  PROF_VEC(struct prof_fold_inside) inside; /* likewise, all frames */
  const struct prof_fold_begun *begun;      /* NULL: none */
  struct prof_loop_values *values;          /* by loop; NULL: not wanted */
  struct prof_fold_worker_site sites[PROF_FOLD_SITES];
};

/* There are more edges than a checked chunk can name. */
static inline const struct prof_fold_edge *prof_fold_edge_of(const struct prof_fold_worker *worker, uint32_t edge) {
  return &worker->edges.items[edge < worker->edges.count ? edge : worker->edges.count - 1];
}

/*
 * Calls are folded by their function's index in the trace, unknown ones by the index after the last, loops by the
 * numbers after that (loop_frames.h); with `places` by the number of the place that they came from.
 */
prof_status prof_fold_worker_init(struct prof_fold_worker *, const prof_trace *, const struct prof_filter *,
                                  struct prof_call_places *places, bool loops) PROF_MUST_CHECK;
void prof_fold_worker_fini(struct prof_fold_worker *);

/* Loads and folds a piece.  PROF_OK, PROF_NO_MEMORY, or the status of a chunk that can't be read. */
prof_status prof_fold_piece_run(struct prof_fold_worker *, const struct prof_fold_piece *,
                                struct prof_diag *) PROF_MUST_CHECK;

/* The two ways to fold the loaded chunk: everything, fast; and what a filter or range lets pass.  false: malformed. */
bool prof_fold_chunk(struct prof_fold_worker *, const struct prof_fold_piece *) PROF_MUST_CHECK;
bool prof_fold_shown(struct prof_fold_worker *, const struct prof_fold_piece *) PROF_MUST_CHECK;

/*
 * The node beneath which a thread's outermost call of a function, entered at a time, is counted: the thread's, or that
 * of the frame that forked it.  For the fast way; of `forks`.
 */
uint32_t prof_fold_outer_node(struct prof_fold_worker *, uint32_t function, uint64_t time);

/* The function that a node's code belongs to, its loops' too; PROF_NONE: none, or not known. */
uint32_t prof_fold_function_of(const struct prof_fold_worker *, uint32_t node);

/* The loop of a VALUE's site, and its kind; PROF_NONE: none. */
uint32_t prof_fold_value_loop(struct prof_fold_worker *, uint32_t site, uint32_t *kind);
/* Is it of a loop that was entered before the fork?  That is the parent's entry. */
bool prof_fold_is_of_inherited(struct prof_fold_worker *, uint32_t loop, uint32_t kind);
/* A VALUE of that loop counts. */
void prof_fold_value_add(struct prof_fold_worker *, uint32_t loop, uint32_t kind, uint64_t value);
/* How many of the `count` innermost frames that are held are loops'. */
uint64_t prof_fold_loops_among(const struct prof_fold_core *, uint64_t count);

/* Notes the open frames of a thread that goes on, with how long they have been so at `net`. */
void prof_fold_note_going(struct prof_fold_worker *, uint32_t thread, uint64_t net);

struct prof_mark_run prof_mark_run_begin(struct prof_fold_worker *, const struct prof_fold_piece *);

/*
 * Up to this time those frames were entered that a thread began with, because they were open at the fork that made it:
 * the parent's calls.  0: it has none.
 */
uint64_t prof_fold_fork_time(const prof_trace *, uint32_t thread);

/*
 * Whether a thread goes on after a STOP at that time.  Then the calls that it left went on too: how long they took
 * isn't known, as recording was off, or their functions were no longer always recorded.
 */
static inline bool prof_fold_goes_on(const struct prof_fold_worker *worker, const struct prof_fold_piece *piece,
                                     uint64_t time) {
  return !piece->ends || time < prof_trace_chunks(worker->trace, &(size_t){0})[piece->chunk].last_time;
}

/* Net entry time of a listed frame, between the floor and the begin of its chunk.  Sets the serial of the core. */
uint64_t prof_fold_frame_begin(struct prof_fold_worker *, const struct prof_fold_piece *, const struct prof_frame *);

#endif
