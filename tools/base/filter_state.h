/*
 * tools/base/filter_state.h - where a frame stands in the eyes of a filter by functions: the one rule of `fold`, which
 * filters what was recorded, and of `match`, which filters while recording.
 *
 *   only       calls of these functions, and all beneath them
 *   without    not these, nor anything beneath them
 *   elsewhere  not these, but what lies beneath them
 *   depth      at most so many levels
 *   caller     for those who find out whether a call leads to one of these: elsewhere, if it doesn't
 */
#ifndef PROF_BASE_FILTER_STATE_H
#define PROF_BASE_FILTER_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a function. */
#define PROF_FILTER_ONLY 1u
#define PROF_FILTER_WITHOUT 2u
#define PROF_FILTER_UNDER 4u
#define PROF_FILTER_ELSEWHERE 8u
#define PROF_FILTER_CALLER 16u

struct prof_filter_rule {
  uint8_t wants;  /* ONLY, UNDER: each on some frame makes a call shown; 0: every call */
  uint32_t depth; /* 0: no limit */
};

struct prof_filter_state {                 /* all zero: outside of everything */
  uint32_t depth;                          /* levels counted so far */
  uint8_t within;                          /* flags of the frames so far, of those that the filter wants */
  bool within_only, within_without, shown; /* within_only: it has all of them */
};

/* The state of a frame whose function has these `flags`, called from a frame with state `outer`. */
static inline struct prof_filter_state prof_filter_state_enter(struct prof_filter_rule rule,
                                                               struct prof_filter_state outer, uint8_t flags) {
  struct prof_filter_state inner = outer;
  inner.within_without |= (flags & PROF_FILTER_WITHOUT) != 0;
  inner.within |= flags & rule.wants;
  inner.within_only = inner.within == rule.wants;
  bool counts = !inner.within_without && (inner.within_only || !rule.wants) && !(flags & PROF_FILTER_ELSEWHERE);
  inner.depth += counts;
  inner.shown = counts && (rule.depth == 0 || inner.depth <= rule.depth);
  return inner;
}

/* Is nothing shown beneath the frame? */
static inline bool prof_filter_state_ends(struct prof_filter_rule rule, struct prof_filter_state state) {
  return state.within_without || (rule.depth != 0 && state.depth >= rule.depth);
}

#endif
