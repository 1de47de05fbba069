/*
 * tools/names/loop_frames.h - numbers for functions and loops together: of a node, a frame of a walk, or a name.
 *
 * Loops are numbered behind the functions of a trace, so that code for a function's index takes a loop too:
 *
 *    0 ... functions - 1     functions, by index
 *    functions               any function that isn't known (PROF_NONE where nodes are shown)
 *    functions + 1 ...       loops, by index
 */
#ifndef PROF_NAMES_LOOP_FRAMES_H
#define PROF_NAMES_LOOP_FRAMES_H

#include "proftrace.h"

static inline uint32_t prof_frame_of_loop(const prof_trace *trace, uint32_t loop) {
  size_t functions;
  prof_trace_functions(trace, &functions);
  return (uint32_t)functions + 1 + loop;
}

/* Index of the loop; PROF_NONE: not a loop. */
static inline uint32_t prof_frame_loop(const prof_trace *trace, uint32_t frame) {
  size_t functions, loops;
  prof_trace_functions(trace, &functions);
  prof_trace_loops(trace, &loops);
  return frame > functions && frame - functions - 1 < loops ? (uint32_t)(frame - functions - 1) : PROF_NONE;
}

/* How many numbers there are. */
static inline uint32_t prof_frame_count(const prof_trace *trace) {
  size_t loops;
  prof_trace_loops(trace, &loops);
  return prof_frame_of_loop(trace, (uint32_t)loops);
}

/* Is the site a loop's entry?  Its frames are part of the outer frame for callers that don't ask for loops. */
static inline bool prof_site_is_loop(const struct prof_site_info *site) {
  return (site->kind & PROF_SITE_KIND_MASK) == PROF_SITE_LOOP_ENTRY;
}

struct prof_site_frame {  /* that a call of the site opens */
  uint32_t number;        /* PROF_NONE: unknown function; if quiet: its function's */
  bool is_loop, is_quiet; /* quiet: a loop that is not asked for, or not known */
};

static inline struct prof_site_frame prof_frame_of_site(const prof_trace *trace, uint32_t site, bool loops) {
  const struct prof_site_info info = prof_trace_site(trace, site);
  const bool loop = prof_site_is_loop(&info), quiet = loop && (!loops || info.loop == PROF_NONE);
  return (struct prof_site_frame){loop && !quiet ? prof_frame_of_loop(trace, info.loop) : info.function, loop, quiet};
}

#endif
