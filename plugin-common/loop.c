/* loop.c - see loop.h.  A new rule is a reason, its test, and one row of `reason_rows`. */
#include "loop.h"

/*
 * Bounds of `loops=outer`; docs/decisions/loops-by-default.md has the measurements.  An entry and an exit cost about
 * 2 x 0.45 cycles while off, and some 55 ns while recording.
 */
#define TRIVIAL_STATEMENTS 64 /* iterations x statements */
#define SHORT_STATEMENTS 20   /* without calls, iterations not countable */
#define LEFT_EXITS 4          /* exits of a loop that searches, */
#define LEFT_STATEMENTS 12    /* and statements for each of them */

struct reason_row {
  const char *text;
  bool (*holds)(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop);
  bool yields_to_annotation; /* `#pragma prof loop` and the attribute prof_loops outweigh it */
};

static bool has_no_edge(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  (void)arguments;
  return loop->has_no_edge;
}

static bool is_swap(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  (void)arguments;
  return loop->is_swap;
}

static bool is_not_asked_for(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  (void)loop;
  return arguments->loops == PROF_LOOPS_NONE;
}

static bool has_few_statements(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return loop->statements < arguments->loop_min_statements;
}

static bool is_inner(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return arguments->loops == PROF_LOOPS_OUTER && loop->in_probed;
}

static bool is_retry(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return arguments->loops == PROF_LOOPS_OUTER && loop->made_by_goto;
}

static bool is_left_soon(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return arguments->loops == PROF_LOOPS_OUTER && !(loop->flags & PROF_LOOP_COUNTABLE) && loop->exits >= LEFT_EXITS &&
         loop->statements < LEFT_STATEMENTS * loop->exits;
}

static bool is_trivial(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return arguments->loops == PROF_LOOPS_OUTER && (loop->flags & PROF_LOOP_CONSTANT) && !loop->has_calls &&
         loop->iterations < TRIVIAL_STATEMENTS && loop->iterations * loop->statements < TRIVIAL_STATEMENTS;
}

static bool is_short(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  return arguments->loops == PROF_LOOPS_OUTER && !(loop->flags & PROF_LOOP_COUNTABLE) && !loop->has_calls &&
         !loop->has_inner && loop->statements < SHORT_STATEMENTS;
}

static const struct reason_row reason_rows[PROF_LOOP_REASON_COUNT] = {
    [PROF_LOOP_REASON_PROBED] = {"selected", NULL, false},
    [PROF_LOOP_REASON_NO_EDGE] = {"entered by jumps that can't hold a probe", has_no_edge, false},
    [PROF_LOOP_REASON_SWAP] = {"retries a compare-and-swap, in no loop statement", is_swap, false},
    [PROF_LOOP_REASON_NONE] = {"loops=none", is_not_asked_for, true},
    [PROF_LOOP_REASON_FEW_STATEMENTS] = {"fewer statements than loop-min-statements", has_few_statements, true},
    [PROF_LOOP_REASON_INNER] = {"inside an instrumented loop", is_inner, true},
    [PROF_LOOP_REASON_GOTO] = {"made by goto", is_retry, true},
    [PROF_LOOP_REASON_LEFT] = {"few statements between many exits", is_left_soon, true},
    [PROF_LOOP_REASON_TRIVIAL] = {"few iterations of few statements", is_trivial, true},
    [PROF_LOOP_REASON_SHORT] = {"few statements, no call, and not countable", is_short, true},
};

enum prof_loop_reason prof_loop_select(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop) {
  for (int reason = PROF_LOOP_REASON_PROBED + 1; reason < PROF_LOOP_REASON_COUNT; reason++) {
    const struct reason_row *row = &reason_rows[reason];
    if (!(row->yields_to_annotation && loop->annotated) && row->holds(arguments, loop))
      return (enum prof_loop_reason)reason;
  }
  return PROF_LOOP_REASON_PROBED;
}

bool prof_loop_is_counted(const struct prof_arguments *arguments, enum prof_loop_reason reason,
                          const struct prof_candidate_loop *loop) {
  if (reason == PROF_LOOP_REASON_PROBED || !loop->in_probed || loop->is_swap)
    return false;
  return arguments->loop_counts == PROF_LOOP_COUNTS_ALL || loop->annotated || loop->nest_is_asked_for ||
         (!loop->nest_has_calls && (loop->flags & PROF_LOOP_COUNTABLE));
}

const char *prof_loop_reason_text(enum prof_loop_reason reason) {
  return reason_rows[reason].text;
}
