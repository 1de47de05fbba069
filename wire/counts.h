/*
 * wire/counts.h - counters of a module that was compiled with lines=count, and what they count.
 *
 * PROF_COUNTS_SECTION (allocated, writable) holds objects one after another, each 8-aligned; readers skip zero words
 * between them, and objects of another magic (wire/work.h).  The code of a counted function adds 1 to a counter with
 * one locked instruction, at the counter's own address plus `shift` of the module's switch:
 *
 *     lock incq counter + PROF_COUNTS_SWITCH.shift
 *
 * shift is 0 until the runtime has copied the section into the shared region (PROF_LOG_COUNTS, wire/control.h) and
 * stores the distance in it.  Then counts outlive the process, and those of forked processes add up.  A row of kind
 * PROF_PROBE_COUNTS points to the switch.
 *
 * A flow: the function's blocks and the arcs between them.  Arcs outside of a spanning tree have counters; all other
 * counts follow from them (D. E. Knuth, F. R. Stevenson, "Optimal measurement points for program frequency counts", BIT
 * 13, 1973).  Node 0 is where the function is entered, node 1 where it is left; in every other node the incoming counts
 * equal the outgoing ones.  As bytes, all numbers unsigned LEB128:
 *
 *     function's assembler name NUL, line of its declaration
 *     number of files, then their paths, each with NUL
 *     number of nodes, number of arcs, the node where the function returns (0: it doesn't), PROF_FLOW_: how lines count
 *     arcs: from, to, flags (PROF_ARC_); the counters belong to the arcs with PROF_ARC_COUNTED, in this order
 *     nodes: number of places, then places: file (index), line
 */
#ifndef PROF_WIRE_COUNTS_H
#define PROF_WIRE_COUNTS_H

#include <stdint.h>

#include "version.h"

#define PROF_COUNTS_SECTION "prof_counts_v1" /* a C identifier: linkers define its begin and end */
#define PROF_COUNTS_START "__start_prof_counts_v1"
#define PROF_COUNTS_STOP "__stop_prof_counts_v1"
#define PROF_COUNTS_SWITCH "__prof_counts_switch_v1" /* hidden, one per module */

struct prof_counts_switch {
  uint64_t shift;
  char *begin, *end; /* of the section */
};

#define PROF_COUNTS_MAGIC 0x324e554f43465250ull /* "PRFCOUN2" */

struct prof_counts_object { /* then: counters (u64 each), flow_bytes of the flow, zeros up to a multiple of 8 */
  uint64_t magic;
  uint32_t counter_count;
  uint32_t flow_bytes;
};

#define PROF_ARC_COUNTED 0x1u
#define PROF_ARC_FAKE 0x2u   /* no ordinary control flow: a call that never returned, a landing */
#define PROF_ARC_WITHIN 0x4u /* within a basic block, as behind a call that may not return */

/* How lines are counted, to match the compiler's own gcov: */
#define PROF_FLOW_BY_NODE 0u  /* GCC: a node counts for the furthest of its lines; a line without: what passes it */
#define PROF_FLOW_BY_BLOCK 1u /* Clang: a basic block, nodes joined by WITHIN, belongs to each of its lines */

#endif
