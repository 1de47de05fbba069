/*
 * tools/match/keep_rules.h - what a filter while recording keeps; see keep.h.
 */
#ifndef PROF_MATCH_KEEP_RULES_H
#define PROF_MATCH_KEEP_RULES_H

#include "base/filter_state.h"

/* For all threads; the recorder owns it.  A trigger in a thread's calls changes `off` too. */
struct prof_keep_rules {
  const uint16_t *flags; /* by function of prof_site_map: PROF_FILTER_, PROF_KEEP_ */
  uint32_t flag_count;
  uint8_t unknown; /* flags of functions beyond */
  struct prof_filter_rule rule;
  bool by_caller;       /* only calls with FILTER_CALLER, and those in which one is made */
  uint64_t least_ticks; /* shorter calls are left out; 0: none is */
  uint64_t slow_ticks;  /* 0: no such limit */
  bool off;
  uint32_t switches; /* how often a trigger changed it; the others' keeps aren't switched yet */
  uint64_t switched; /* ticks of the last time */
};
#define PROF_KEEP_START 0x100u /* a call of the function clears `off`, and is the first */
#define PROF_KEEP_WATCH 0x400u /* for the recorder: its exits are watched */
#define PROF_KEEP_QUIET 0x800u /* never kept, and it may be off in the program: its events may be missing */
#define PROF_KEEP_STOP 0x200u  /* one sets it, and isn't written any more */
#define PROF_KEEP_ARGS 0x1000u /* for the recorder: its arguments are wanted, */
#define PROF_KEEP_RET 0x2000u  /* and what it returns */

#endif
