/*
 * flow.h - blocks and arcs of a function whose lines are counted; chooses the arcs that get counters.
 *
 * In: nodes, arcs and places from a backend.  Out: which arcs get counters, and the flow's bytes (wire/counts.h).  One
 * function at a time; the owner calls prof_flow_fini.  Out of memory: `failed` is set, later calls do nothing.
 */
#ifndef PROF_PLUGIN_FLOW_H
#define PROF_PLUGIN_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PROF_FLOW_ENTRY = 0, PROF_FLOW_EXIT = 1 };
#define PROF_FLOW_NO_COUNTER UINT32_MAX

/* Cost of a counter on an arc; FAKE arcs can have none. */
enum prof_arc_cost { PROF_ARC_CHEAP = 0, PROF_ARC_OFTEN = 1, PROF_ARC_SPLIT = 2, PROF_ARC_IMPOSSIBLE = 3 };

struct prof_flow_arc {
  uint32_t from, to;
  uint32_t flags; /* PROF_ARC_ */
  uint32_t cost;  /* enum prof_arc_cost */
  uint32_t counter;
};

struct prof_flow_place {
  uint32_t node, file, line;
};

struct prof_flow { /* prof_flow_init */
  struct prof_flow_arc *arcs;
  struct prof_flow_place *places; /* rising by node */
  char **files;
  uint32_t node_count, arc_count, kept_arc_count, place_count, file_count, counter_count;
  uint32_t arc_room, place_room, file_room;
  uint32_t last_node; /* the node that returns; set by the backend */
  uint32_t lines_by;  /* PROF_FLOW_; set by the backend */
  bool failed;
};

void prof_flow_init(struct prof_flow *flow); /* has nodes 0 and 1 */
uint32_t prof_flow_node(struct prof_flow *flow);
/* Returns the arc's index. */
uint32_t prof_flow_arc(struct prof_flow *flow, uint32_t from, uint32_t to, enum prof_arc_cost cost);
/* Marks arc `index` as one within a basic block. */
void prof_flow_within(struct prof_flow *flow, uint32_t index);
/* Adds a place to the newest node, once per node. */
void prof_flow_place(struct prof_flow *flow, const char *file, uint32_t line);
/* Chooses the arcs with counters.  An arc that can have none and is on no tree (a call that returns twice) is dropped,
 * and its count is lost. */
void prof_flow_solve(struct prof_flow *flow);

/*
 * The object of a solved flow as 64-bit words, counters zero; *word_count.  The caller frees it.  NULL: out of memory.
 * Counter n is word PROF_FLOW_FIRST_COUNTER + n.
 */
#define PROF_FLOW_FIRST_COUNTER 2
uint64_t *prof_flow_object(const struct prof_flow *flow, const char *name, uint32_t line, size_t *word_count);

void prof_flow_fini(struct prof_flow *flow);

#ifdef __cplusplus
}
#endif

#endif
