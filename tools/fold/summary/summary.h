/*
 * tools/fold/summary/summary.h - what was folded, kept apart from the trace that it came from.
 *
 * Job: a recording that keeps no events (SUMMARY of docs/trace-format.md).  In: folds of stretches of a recording, one
 * after another, or of whole recordings.  Out: their sum, which a fold takes in place of chunks.  It grows with the
 * call tree.  Functions, loops and places of calls have *keys*, which mean the same in every trace with the same facts;
 * threads, processes and modules have their numbers in the file.
 *
 * The tree is a core (core.h): a node's function is a key, with PROF_FOLD_FORKER as in a fold; of a node below the root
 * it is the thread's number.  Histograms are by key.  A summary belongs to one thread.
 */
#ifndef PROF_FOLD_SUMMARY_H
#define PROF_FOLD_SUMMARY_H

#include "base/index_map.h"
#include "fold/piece.h"
#include "fold/summary/bursts.h"

enum prof_summary_kind { /* as in the file */
                         PROF_SUMMARY_UNKNOWN = 0,
                         PROF_SUMMARY_FUNCTION = 1, /* `index`: among those of its module */
                         PROF_SUMMARY_CALLED = 2, /* of SITES; `index`: among all of these, in the order of the file */
                         PROF_SUMMARY_LOOP = 3,   /* `index`: among those of its module */
};

struct prof_summary_key {
  uint32_t kind;   /* enum prof_summary_kind */
  uint32_t module; /* number of its module; 0: none */
  uint32_t index;
  uint32_t caller;  /* number of the module that the call stands in; 0: none, or not known */
  uint64_t address; /* of the call there (call_places.h) */
};

struct prof_summary_thread {
  uint32_t number;
  uint64_t events, untimed;
  /* Not in the file: */
  uint64_t open_time;         /* frames that were entered up to then are no calls */
  uint64_t in_probes, placed; /* samples, but for those at a faster rate: in probes; all */
};

struct prof_summary_ticks { /* of a node */
  uint32_t node, thread;    /* thread: number; only of frames that are open still */
  uint64_t ticks;
  bool inherited; /* of open frames: entered before a fork, or before recording resumed */
};

struct prof_summary_inside { /* of a frame that is open at the end; not in the file */
  uint32_t thread;           /* number */
  uint64_t events;           /* so far that read the clock */
};

struct prof_summary_values { /* of a loop */
  uint32_t key;
  struct prof_loop_values values;
};

#define PROF_SUMMARY_CALIBRATING 128u /* with `flags` of a sample: taken before the process began to record */

struct prof_summary_sample {             /* alike samples */
  uint32_t node;                         /* 0: in no frame that is known */
  uint32_t process, thread, tid, module; /* numbers; thread 0: without events; module 0: not known */
  uint8_t where, flags;                  /* as of a prof_sample (estimate/samples.h) */
  uint32_t chain;                        /* with a budget: number; 0: not known */
  uint64_t address, count;
  double times; /* usual ones that all of them stand for: `count`, but at a faster rate */
};

struct prof_summary_counted {       /* alike samples of a hardware counter */
  uint32_t node;                    /* 0: in no frame that is known */
  uint32_t thread, module, counter; /* numbers; thread 0: without events; module 0: not known */
  uint8_t where;                    /* as of a sample */
  uint64_t address, count, weight;  /* weight: events that all of them stand for, as counted */
};

#define PROF_SUMMARY_WAITS 1u
#define PROF_SUMMARY_STALLED 2u
#define PROF_SUMMARY_UNPLACED 4u
#define PROF_SUMMARY_SPARSE 8u /* switches were recorded in stretches: its ticks are what their pauses stand for */
#define PROF_SUMMARY_PAUSE_FLAGS 16u

struct prof_summary_wait { /* that was measured, and goes on at the end; not in the file */
  uint32_t thread;         /* number */
  uint64_t what;           /* its second operand (wire/measure.h) */
};

struct prof_summary_pause { /* all of a kind in a node */
  uint32_t node, flags;     /* PROF_SUMMARY_ above */
  uint64_t count, ticks;    /* ticks: up to the next event of the thread */
};

struct prof_summary {
  struct prof_fold_core core;
  PROF_VEC(struct prof_summary_key) keys;
  struct prof_index_map known_keys;
  PROF_VEC(struct prof_summary_thread) threads;
  struct prof_index_map known_threads;
  PROF_VEC(struct prof_summary_values) values;
  struct prof_index_map known_values;
  PROF_VEC(struct prof_summary_sample) samples;
  struct prof_index_map known_samples;
  PROF_VEC(struct prof_summary_pause) pauses;
  struct prof_index_map known_pauses;
  PROF_VEC(struct prof_summary_counted) counted;
  struct prof_index_map known_counted;
  struct prof_index_map known_opens;           /* of the core, one per node */
  PROF_VEC(struct prof_summary_ticks) going;   /* frames that are open at the end, and how long they have been */
  PROF_VEC(struct prof_summary_inside) inside; /* all frames of a thread, outermost first; one thread after another */
  PROF_VEC(struct prof_summary_wait) waits;
  PROF_VEC(struct prof_fold_cold) cold; /* by key; empty: every path is kept */
  struct prof_summary_bursts bursts;
  struct prof_fold_sums sums;
  uint64_t first_time, last_time; /* ticks, of events; 0, 0: there are none */
  uint64_t cold_paths;
  uint32_t added_nodes; /* of the tree that was added last; not in the file */
};

prof_status prof_summary_init(struct prof_summary *) PROF_MUST_CHECK; /* PROF_NO_MEMORY */
void prof_summary_fini(struct prof_summary *);                        /* a zeroed one is fine */

/*
 * Adds how many events the threads of a trace have, from `begin` on (ticks; 0: all).  To be called before the trace is
 * folded and added: the cost of its events is estimated from the threads' figures so far.  false: no memory.
 */
bool prof_summary_add_events(struct prof_summary *, const prof_trace *, uint64_t begin) PROF_MUST_CHECK;

/*
 * Adds what was folded, with loops and places and without a filter.  moved: as many as the core has nodes; the node of
 * the summary for each.  Frames in `going` of threads that have events here are no longer open, but for those of the
 * fold.  PROF_NO_MEMORY: the summary is unusable.
 */
prof_status prof_summary_add(struct prof_summary *, const prof_trace *, struct prof_fold_worker *,
                             uint32_t *moved) PROF_MUST_CHECK;

/* By thread of a trace, the open_time of those before; NULL: no memory. */
uint64_t *prof_summary_open_times(const struct prof_summary *, const prof_trace *);

/* The frames that are open at the end, for a fold of the next stretch; free both arrays.  false: no memory. */
bool prof_summary_begun(const struct prof_summary *, const prof_trace *, struct prof_fold_begun *out) PROF_MUST_CHECK;

/* The rows of these are added to those alike.  false: no memory. */
bool prof_summary_add_sample(struct prof_summary *, struct prof_summary_sample) PROF_MUST_CHECK;
bool prof_summary_add_pause(struct prof_summary *, struct prof_summary_pause) PROF_MUST_CHECK;
bool prof_summary_add_counted(struct prof_summary *, struct prof_summary_counted) PROF_MUST_CHECK;
/* Part of a node's total, in frames from before a fork.  false: no memory. */
bool prof_summary_add_inherited(struct prof_summary *, uint32_t node, uint64_t ticks) PROF_MUST_CHECK;
/* Samples, pauses, counted events and inherited time become those of `rows`, which is empty then. */
void prof_summary_take_rows(struct prof_summary *, struct prof_summary *rows);

/* ---- prune.c ---- */

/* What paths and samples take in memory. */
uint64_t prof_summary_bytes(const struct prof_summary *);
/* If that is more than `bytes` (0: no limit), the coldest paths become rows [other], until it is about half of it.
 * PROF_NO_MEMORY: the summary is unusable. */
prof_status prof_summary_prune(struct prof_summary *, uint64_t bytes) PROF_MUST_CHECK;

/* ---- counted.c: samples of hardware counters, and the payload of PMU_SUMS ---- */

uint64_t prof_summary_counted_bytes(const struct prof_summary *);
/* If they take too large a part of `bytes`, the coldest rows lose their addresses.  false: no memory. */
bool prof_summary_prune_counted(struct prof_summary *, uint64_t bytes) PROF_MUST_CHECK;
struct prof_payload;
/* payload.failed: no memory. */
void prof_summary_write_counted(const struct prof_summary *, struct prof_payload *);
/* Into a summary that has all else.  PROF_CORRUPT, PROF_NO_MEMORY. */
prof_status prof_summary_read_counted(const uint8_t *bytes, size_t count, struct prof_summary *) PROF_MUST_CHECK;

/* ---- burst_prune.c: if rows of functions in bursts and samples take too large a part of `bytes`.  false: no memory
 * ---- */

bool prof_summary_prune_bursts(struct prof_summary *, uint64_t bytes) PROF_MUST_CHECK;
bool prof_summary_renumber_chains(struct prof_summary *) PROF_MUST_CHECK;

/* The index of a key, which is added if need be.  UINT32_MAX: no memory. */
uint32_t prof_summary_key(struct prof_summary *, struct prof_summary_key);
bool prof_summary_add_thread(struct prof_summary *, struct prof_summary_thread) PROF_MUST_CHECK;
/* Of a function or loop, without a caller, by its number (names/loop_frames.h). */
struct prof_summary_key prof_summary_key_of_frame(const prof_trace *, uint32_t frame);
/* That number; that of functions which aren't known, if there is none. */
uint32_t prof_summary_frame_of_key(const prof_trace *, const struct prof_summary_key *);
/* Index of a module by its number; PROF_NONE: none. */
uint32_t prof_summary_module_at(const prof_trace *, uint32_t number);

/*
 * The worker gets all that its filter shows, as if it had folded it: its own core is replaced.  moved: as many as the
 * summary has nodes; PROF_NONE: its thread is hidden.  Durations are not known where threads are hidden.
 * PROF_NO_MEMORY.
 */
prof_status prof_summary_give(const struct prof_summary *, struct prof_fold_worker *, uint32_t *moved) PROF_MUST_CHECK;

/* ---- bytes.c: the payload of SUMMARY ---- */

/* payload.failed: no memory. */
void prof_summary_write(const struct prof_summary *, struct prof_payload *);
/* PROF_CORRUPT, PROF_NO_MEMORY: *out is empty. */
prof_status prof_summary_read(const uint8_t *bytes, size_t count, struct prof_summary *out) PROF_MUST_CHECK;

/* That of a trace, with PMU_SUMS; PROF_EMPTY: it has none. */
prof_status prof_summary_of(const prof_trace *, struct prof_diag *, struct prof_summary *out) PROF_MUST_CHECK;

/* PROF_EMPTY, with the reason, for what needs single calls in time, if the trace has a summary instead; else PROF_OK.
 */
prof_status prof_summary_refuse(const prof_trace *, struct prof_diag *) PROF_MUST_CHECK;

#endif
