/*
 * tools/fold/filter.h - which calls a view shows; the same meaning in every command.
 *
 * Job: one immutable filter, prepared once per trace.  In: patterns and limits from the command line.  Used by fold and
 * walk.
 *
 *   only     (-F)  calls of these functions and all beneath them; what lies above and beside is not shown
 *   without  (-N)  not these functions nor anything beneath them; their time is their caller's own
 *   under    (--under)  calls of these zones and all beneath them; with `only`, what both show
 *   files    (--file) only functions of these source files; what they call is shown if it is in such a file too.  Time
 *                  of the others is their caller's own
 *   modules  (--module) the same of programs and libraries
 *   callers  (--caller) only calls of these functions, and calls in which one of them was made within `range`; time of
 *            the others is their caller's own.  Where single calls aren't known: all calls of a path that led to one
 *   depth    (-D)  at most this many levels, counted from the root, or from the `only` function
 *   min_ns   (-t)  not calls shorter than this; their time is their caller's own
 *   tids     (--tid)  only these threads (system thread ids)
 *   pids     (--pid)  only threads of these processes (system process ids)
 *   commands (--command)  only threads of processes whose program has such a name, or such a path (globs)
 *   loops    (--loops)  loops too, as if they were called by their functions; else they are part of these
 *   range    (--range A~B) only time in [begin, end) since the start of the recording; calls are cut at its ends
 *
 * Patterns of names: names/name_patterns.h; those of files and modules are globs on the path or its last part.  A
 * function that both `only` and `without` match is not shown.  Each of the others decides for itself: a call is shown
 * that all of them show.  Durations that `min_ns` judges are those within `range`.
 */
#ifndef PROF_FOLD_FILTER_H
#define PROF_FOLD_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/filter_state.h"
#include "proftrace.h"

struct prof_filter_spec { /* as the user gave it; arrays belong to the caller and must outlive the filter */
  const char *const *only;
  size_t only_count;
  const char *const *without;
  size_t without_count;
  const char *const *under;
  size_t under_count;
  const char *const *files;
  size_t file_count;
  const char *const *modules;
  size_t module_count;
  const char *const *callers;
  size_t caller_count;
  const uint32_t *tids;
  size_t tid_count;
  const uint32_t *pids;
  size_t pid_count;
  const char *const *commands;
  size_t command_count;
  uint32_t depth;            /* 0: no limit */
  uint64_t min_ns;           /* 0: no limit */
  uint64_t begin_ns, end_ns; /* end UINT64_MAX: to the end */
  bool loops;
};

struct prof_filter {
  bool active;            /* false: everything is shown, the flags need not be looked at */
  bool asked;             /* the user asked for some of it; else the recording is a part of a longer one */
  bool loops;             /* `active` or not */
  uint8_t *flags;         /* one byte per function of the trace: PROF_FILTER_; and one more for unknown ones */
  uint8_t *threads;       /* one byte per thread: 1 shown */
  bool has_only;          /* some function is flagged ONLY or UNDER */
  uint8_t wants;          /* these flags, each on some frame, make a call shown */
  bool hides;             /* some is flagged WITHOUT or ELSEWHERE, or: */
  bool by_name, by_place; /* by -N; by --file or --module */
  bool by_caller;         /* by --caller: functions are flagged CALLER (caller_scan.h) */
  uint32_t depth;
  uint64_t min_ticks;
  uint64_t begin_ticks, end_ticks;
};

/* PROF_USAGE when a pattern matches no function, a tid no thread, a pid or command no process of the trace (the
 * diagnostic names near misses). */
prof_status prof_filter_init(struct prof_filter *, const prof_trace *, const struct prof_filter_spec *,
                             struct prof_diag *) PROF_MUST_CHECK;
void prof_filter_fini(struct prof_filter *);

/*
 * The same filter for [begin, end) ns since the start of the recording, but for what lies outside of its own range; end
 * UINT64_MAX: to the end.  It borrows from `filter`, and is not to be freed.
 */
struct prof_filter prof_filter_within(const struct prof_filter *filter, const prof_trace *, uint64_t begin_ns,
                                      uint64_t end_ns);

/* What to do where nothing was called while a running program was recorded. */
#define PROF_FILTER_OPEN_CALLS                                                                                         \
  "calls open all the time are not recorded: record while it has work, start it with prof record, or mark its loop's " \
  "body with PROF_ZONE"

/* Fills the diagnostic for a trace of which the filter (NULL: none) left nothing; PROF_EMPTY. */
prof_status prof_filter_empty(const prof_trace *, const struct prof_filter *, struct prof_diag *);

/*
 * One byte per function of the trace, and one more: 1 where one of the patterns matches.  For commands that ask for
 * functions by name (--callers); the caller frees.  PROF_USAGE as above; `flag` is the option's name in the diagnostic.
 */
prof_status prof_filter_match(const prof_trace *, const char *flag, const char *const *patterns, size_t count,
                              struct prof_diag *, uint8_t **out) PROF_MUST_CHECK;

/*
 * As that, of linkage names that needn't be the trace's: fits[i] is 1 where the pattern matches names[i].
 * PROF_NO_MEMORY.
 */
prof_status prof_filter_match_names(const char *const *names, size_t count, const char *pattern,
                                    uint8_t *fits) PROF_MUST_CHECK;

/* The state of a frame whose function has these `flags`, called from a frame with state `outer`. */
static inline struct prof_filter_state prof_filter_enter(const struct prof_filter *filter,
                                                         struct prof_filter_state outer, uint8_t flags) {
  return prof_filter_state_enter((struct prof_filter_rule){filter->wants, filter->depth}, outer, flags);
}

/*
 * The same by what the frame is of.  `function`: its index, or how many there are where it isn't known; of a loop
 * anything.  A loop is a level only where loops are asked for: else it is shown if its function is, or, if it is quiet,
 * not at all.  leads: by_caller, whether a call of these functions is made within it; else true.
 */
static inline struct prof_filter_state prof_filter_frame(const struct prof_filter *filter,
                                                         struct prof_filter_state outer, uint32_t function, bool loop,
                                                         bool quiet, bool leads) {
  if (loop && (quiet || !filter->loops)) {
    outer.shown &= !quiet;
    return outer;
  }
  uint8_t flags = loop || !filter->flags ? 0 : filter->flags[function];
  return prof_filter_enter(filter, outer, flags | (leads ? 0 : PROF_FILTER_ELSEWHERE));
}

#endif
