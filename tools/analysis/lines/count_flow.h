/*
 * tools/analysis/lines/count_flow.h - one counted function: its blocks, arcs and places, and how often each arc was
 * taken.
 *
 * In: an object of a COUNTS chunk (wire/counts.h), any bytes.  Out: the flow with the counts of all arcs, computed from
 * the counted ones.  Single-threaded; the caller owns the struct, which may be used for many objects.
 */
#ifndef PROF_ANALYSIS_COUNT_FLOW_H
#define PROF_ANALYSIS_COUNT_FLOW_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_count_arc {
  uint32_t from, to; /* nodes */
  uint32_t flags;    /* PROF_ARC_ */
  int64_t count;
};

struct prof_count_place {
  uint32_t node;
  uint32_t line;
  const char *file; /* in the object */
  bool owner;       /* the node's count belongs to this place; one per node with places */
};

struct prof_count_flow { /* all zero: empty */
  const char *name;      /* of the function, in the object */
  uint32_t line;
  uint32_t node_count;
  uint32_t last_node; /* where the function returns; 0: it doesn't */
  uint32_t lines_by;  /* PROF_FLOW_ */
  PROF_VEC(const char *) files;
  PROF_VEC(struct prof_count_arc) arcs;
  PROF_VEC(struct prof_count_place) places; /* ascending by node */
  PROF_VEC(int64_t) nodes;                  /* how often each was executed; 0 and 1: entered, left */
};

/* Reads the object at `at` of a block; *next: the begin of the following one.  PROF_OK; PROF_NOT_FOUND: no more
 * objects; PROF_CORRUPT: damaged, *next is the block's end; PROF_NO_MEMORY. */
prof_status prof_count_flow_read(struct prof_count_flow *, const struct prof_count_block *, size_t at, size_t *next);
void prof_count_flow_fini(struct prof_count_flow *);

#endif
