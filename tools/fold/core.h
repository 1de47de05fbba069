/*
 * tools/fold/core.h - calls folded into a calling context tree, as they happen.
 *
 * Job: entries and exits with times -> per node (parent, function) how often it was called and how long that took,
 * inclusive; per function histograms of durations.  Knows neither traces nor threads nor clocks: a caller that has a
 * stream of entries and exits (chunks of a trace, a ring) drives one core per stream of its own and merges cores in the
 * end. Times are in the caller's unit, waits already removed.  Depends on base and the histogram only. Ownership: one
 * core belongs to one thread.  Nodes only grow; a parent's index is below its children's.
 *
 *   stack   [0] the root that was begun with   [1] outermost frame ... [depth] innermost
 *
 * A frame may be a loop's; a quiet one has no node of its own, its time is its outer frame's.  The outermost frames may
 * have been open when the stream began, in another process: their time counts, but they are no calls of this stream.
 *
 * Histograms count durations less the known probe overhead.  Between the two readings of the clock that bound a call
 * lies the cost of one probe for each event after its entry, up to its exit, that reads the clock (correct.h has the
 * reason).  So the serial numbers of both events give the overhead of a call.  Self time is that less the same of the
 * calls made.  Sums in nodes are as measured.
 */
#ifndef PROF_FOLD_CORE_H
#define PROF_FOLD_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "fold/histogram.h"

#define PROF_FOLD_DEPTH 65536u  /* frames held; deeper ones are counted, their time is the deepest one's own */
#define PROF_FOLD_COST_SHIFT 20 /* fine enough for the sum of 2^32 events */
#define PROF_FOLD_COST_PARTS (1u << PROF_FOLD_COST_SHIFT)
#define PROF_FOLD_COST_MOST (1ull << 48)
#define PROF_FOLD_TOP UINT32_MAX
#define PROF_FOLD_OTHER (UINT32_MAX - 1) /* in place of a function: subtrees that were too cold to be kept */
#define PROF_FOLD_FORKER 0x80000000u     /* with a function: see prof_fold_is_forker */

struct prof_fold_node { /* 32 bytes, so that none lies across two cache lines */
  uint64_t calls, total;
  uint32_t parent;    /* node 0: PROF_FOLD_TOP */
  uint32_t function;  /* node 0's children: any number that the caller chooses for a root */
  uint64_t uncounted; /* calls and loop entries that have no node: their time, and their probes, are this one's own */
};

struct prof_fold_frame {
  uint64_t entry;
  int64_t inner;   /* duration of the calls that it made, less their probe overhead; PROF_FOLD_INNER_UNKNOWN */
  uint32_t node;   /* with the bits below added; a quiet loop's is its outer frame's */
  uint32_t serial; /* number of the event that entered it, modulo 2^32, among those that read the clock */
};
#define PROF_FOLD_INNER_UNKNOWN (INT64_MIN / 2) /* and below: not known, it was entered in an earlier chunk */
#define PROF_FOLD_QUIET 0x80000000u
#define PROF_FOLD_LOOP 0x40000000u
#define PROF_FOLD_LOOSE 0x20000000u /* entered or left in a sparse-clock interval: its duration is not known */
#define PROF_FOLD_NODE 0x1fffffffu  /* there are no more nodes */

/*
 * Whether a node's function (less that bit) is open in another thread, which forked the calls below: no call of this
 * stream.  Its total is what it has itself: calls that a filter hides.
 */
static inline bool prof_fold_is_forker(uint32_t function) {
  return function >= PROF_FOLD_FORKER && function < PROF_FOLD_OTHER;
}

struct prof_fold_open { /* time of a frame that is no call of its stream; part of the node's total */
  uint64_t ticks;
  uint32_t node;
};

struct prof_fold_calling { /* of a function's calls that made calls; the others' self time is all of theirs */
  struct prof_histogram total, self;
};

struct prof_fold_core {
  struct prof_fold_node *nodes;
  uint32_t node_count, node_capacity;
  uint32_t *table; /* open addressing: node indices, 0 empty; at most half full */
  uint32_t table_shift;
  struct prof_histogram *functions; /* in `functions_memory`, at the begin of a cache line */
  void *functions_memory;
  uint32_t function_count;
  uint32_t *calling_of; /* by function: index into callings; 0: none of its calls made any, as far as is known */
  struct prof_fold_calling *callings;
  uint32_t calling_count, calling_capacity;
  struct prof_histogram_pool histograms;
  uint32_t serial; /* of the present event */
  uint64_t cost;   /* known overhead of an event's probe, in PROF_FOLD_COST_PARTS of a tick */
  struct prof_fold_frame *stack;
  uint32_t depth;
  uint32_t left_loop; /* node of the loop whose inherited frame was left last; 0: none */
  uint32_t inherited; /* so many outermost frames are no calls of this stream */
  PROF_VEC(struct prof_fold_open) opens;
  uint64_t beyond;   /* open frames deeper than PROF_FOLD_DEPTH */
  uint64_t too_deep; /* calls that were */
  bool failed;       /* no memory: figures are incomplete; checked by the caller when it likes */
};

/* Functions are numbered from 0.  false: no memory. */
bool prof_fold_init(struct prof_fold_core *, uint32_t function_count);
/* From now on there are that many functions, if there were fewer.  false: no memory, nothing changed. */
bool prof_fold_widen(struct prof_fold_core *, uint32_t function_count);
void prof_fold_fini(struct prof_fold_core *); /* a zeroed one is fine */

/* Adds all calls of `from` to `into`.  Open frames are not taken over. */
void prof_fold_merge(struct prof_fold_core *into, const struct prof_fold_core *from);
/* The same; moved[i] (as many as `from` has nodes) becomes the node that has what node i had.  false: no memory. */
bool prof_fold_merge_moved(struct prof_fold_core *into, const struct prof_fold_core *from, uint32_t *moved);

/* What is kept of a function's calls that made calls, made if need be.  NULL: no memory. */
struct prof_fold_calling *prof_fold_calling_of(struct prof_fold_core *, uint32_t function);
/* Of one function alone, its histograms: those of `from`'s function number `of` become part of `function`'s.  false: no
 * memory. */
bool prof_fold_merge_function(struct prof_fold_core *into, uint32_t function, const struct prof_fold_core *from,
                              uint32_t of);
/* Of the nodes alone, without histograms; and of frames that are no calls. */
bool prof_fold_merge_nodes(struct prof_fold_core *into, const struct prof_fold_core *from, uint32_t *moved);
/* `from`'s nodes become those of `into`, whose own are forgotten; `from` may only be freed then. */
void prof_fold_take_nodes(struct prof_fold_core *into, struct prof_fold_core *from);
void prof_fold_free_nodes(struct prof_fold_core *); /* for a core that is only freed then */
/* There are none any more; for a core without open frames. */
void prof_fold_forget_nodes(struct prof_fold_core *);

/* An empty stack under root number `root`. */
void prof_fold_begin(struct prof_fold_core *, uint32_t root);

static inline uint32_t prof_fold_slot(uint32_t shift, uint32_t parent, uint32_t function) {
  return (uint32_t)((parent * 0x9e3779b97f4a7c15ull + function * 0xd1b54a32d192ed03ull) >> shift);
}

/* For prof_fold_child: makes the node; 0 (and `failed`) without memory. */
uint32_t prof_fold_child_new(struct prof_fold_core *, uint32_t parent, uint32_t function);

/* The child of `parent` for `function`.  May move nodes and table. */
static inline uint32_t prof_fold_child(struct prof_fold_core *core, uint32_t parent, uint32_t function) {
  uint32_t mask = (1u << (64 - core->table_shift)) - 1;
  for (uint32_t slot = prof_fold_slot(core->table_shift, parent, function);; slot = (slot + 1) & mask) {
    uint32_t node = core->table[slot];
    if (__builtin_expect(core->nodes[node].function == function && core->nodes[node].parent == parent, 1))
      return node;
    if (node == 0)
      return prof_fold_child_new(core, parent, function);
  }
}

/* A duration less the known probe overhead of so many events; below 0 where probes overlapped with the work. */
static inline int64_t prof_fold_net(const struct prof_fold_core *core, uint64_t duration, uint32_t events) {
  unsigned __int128 cost = (unsigned __int128)core->cost * events + PROF_FOLD_COST_PARTS / 2;
  return (int64_t)duration - (int64_t)(cost >> PROF_FOLD_COST_SHIFT);
}

/* For prof_fold_count: a call that made calls. */
void prof_fold_count_calling(struct prof_fold_core *, uint32_t function, uint64_t net, int64_t self);

/* One call of `node` that took so long; inner: see prof_fold_frame. */
static inline void prof_fold_count(struct prof_fold_core *core, uint32_t node, uint64_t duration, int64_t net,
                                   int64_t inner) {
  struct prof_fold_node *to = &core->nodes[node];
  to->calls++;
  to->total += duration;
  uint64_t shown = net > 0 ? (uint64_t)net : 0;
  if (inner == 0)
    prof_histogram_add(&core->histograms, &core->functions[to->function], shown);
  else
    prof_fold_count_calling(core, to->function, shown, inner > PROF_FOLD_INNER_UNKNOWN / 2 ? net - inner : INT64_MIN);
}

/* What an inner frame that was left had, into its outer one's; net: what its call took. */
static inline void prof_fold_pass_on(struct prof_fold_frame *outer, const struct prof_fold_frame *inner, int64_t net) {
  if (!(inner->node & PROF_FOLD_LOOP)) /* what is done in a loop is done by its function */
    outer->inner += net;
  else if (inner->inner > PROF_FOLD_INNER_UNKNOWN / 2)
    outer->inner += inner->inner;
}

/* The same of a call whose duration is part of sums only. */
static inline void prof_fold_count_loose(struct prof_fold_core *core, uint32_t node, uint64_t duration) {
  core->nodes[node].calls++;
  core->nodes[node].total += duration;
}

/* bits: PROF_FOLD_LOOSE; PROF_FOLD_LOOP, and with it PROF_FOLD_QUIET: then `function` doesn't matter. */
static inline void prof_fold_enter_as(struct prof_fold_core *core, uint32_t function, uint64_t time, uint32_t bits) {
  if (__builtin_expect(core->depth == PROF_FOLD_DEPTH, 0)) {
    core->beyond++;
    core->too_deep += !(bits & PROF_FOLD_LOOP);
    return;
  }
  uint32_t node = core->stack[core->depth].node & PROF_FOLD_NODE;
  if (!(bits & PROF_FOLD_QUIET))
    node = prof_fold_child(core, node, function);
  core->stack[++core->depth] = (struct prof_fold_frame){.entry = time, .node = node | bits, .serial = core->serial};
}

static inline void prof_fold_enter(struct prof_fold_core *core, uint32_t function, uint64_t time) {
  prof_fold_enter_as(core, function, time, 0);
}

/* Time of a frame of `node` that is no call of the stream. */
void prof_fold_add_open(struct prof_fold_core *, uint32_t node, uint64_t ticks);

/* For prof_fold_leave: the innermost frame is left, and is no call. */
void prof_fold_leave_inherited(struct prof_fold_core *, uint64_t time);

/*
 * The frame `at` is left, and those inside of it stay open: their calls count where they are left.  Until now their
 * time is that of the nodes that they had.  at: in [1, depth].
 */
void prof_fold_leave_around(struct prof_fold_core *, uint32_t at, uint64_t time);
/* The same without times and calls: the stack alone. */
void prof_fold_close_up(struct prof_fold_core *, uint32_t at);

/* The innermost frame is left; nothing when there is none. */
static inline void prof_fold_leave(struct prof_fold_core *core, uint64_t time) {
  if (__builtin_expect(core->beyond > 0, 0)) {
    core->beyond--;
  } else if (__builtin_expect(core->depth <= core->inherited, 0)) {
    prof_fold_leave_inherited(core, time);
  } else {
    struct prof_fold_frame *frame = &core->stack[core->depth--];
    uint64_t duration = time - frame->entry;
    int64_t net = prof_fold_net(core, duration, core->serial - frame->serial);
    prof_fold_pass_on(frame - 1, frame, net);
    if (frame->node & PROF_FOLD_QUIET)
      core->nodes[frame->node & PROF_FOLD_NODE].uncounted++;
    else if (frame->node & PROF_FOLD_LOOSE)
      prof_fold_count_loose(core, frame->node & PROF_FOLD_NODE, duration);
    else
      prof_fold_count(core, frame->node & PROF_FOLD_NODE, duration, net,
                      frame->node & PROF_FOLD_LOOP ? 0 : frame->inner);
  }
}

#endif
