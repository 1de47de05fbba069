/*
 * tools/analysis/advise/rule_quadratic.c - work that grows with the square of the input.
 *
 * A loop whose iterations grow from few to many, entered from another loop about as often as its own maximum: each new
 * item is compared with all before it.  Loops with the same number of iterations each time (matrices) don't match.
 */
#include <math.h>

#include "analysis/advise/evidence.h"
#include "names/loop_frames.h"

#define LEAST_ITERATIONS 500u /* at most; smaller ones are harmless */
#define LEAST_ENTRIES 200u
#define FLAT 0.02  /* the fewest iterations, as a part of the most, at most */
#define STEEP 0.2  /* the mean, as a part of the most, at least */
#define AS_OFTEN 2 /* the outer loop's iterations and the inner's most differ by at most this factor */

extern const struct prof_advice_rule prof_rule_quadratic;

static const struct prof_loop_row *row_of(const struct prof_evidence *evidence, uint32_t loop) {
  for (size_t i = 0; i < evidence->loops.count; i++)
    if (evidence->loops.rows[i].loop == loop)
      return &evidence->loops.rows[i];
  return NULL;
}

/* The loop around this one's nodes: in the same function, or the innermost one of a caller.  NULL: none, or several. */
static const struct prof_loop_row *outer_of(const struct prof_evidence *evidence, const struct prof_loop_row *row) {
  const prof_trace *trace = evidence->recording->trace;
  const struct prof_profile *profile = evidence->profile;
  uint32_t found = PROF_NONE, parent = prof_trace_loops(trace, NULL)[row->loop].parent;
  if (parent != PROF_NONE)
    return row_of(evidence, parent);
  for (uint32_t i = 1; i < profile->node_count; i++) {
    if (prof_frame_loop(trace, profile->nodes[i].function) != row->loop)
      continue;
    uint32_t at = profile->nodes[i].parent; /* its function */
    uint32_t around = at != PROF_NONE ? profile->nodes[at].parent : PROF_NONE;
    uint32_t loop = around != PROF_NONE ? prof_frame_loop(trace, profile->nodes[around].function) : PROF_NONE;
    if (loop == PROF_NONE || (found != PROF_NONE && loop != found))
      return NULL;
    found = loop;
  }
  return found != PROF_NONE ? row_of(evidence, found) : NULL;
}

static bool grows(const struct prof_loop_row *row) {
  double most = (double)row->max_iterations;
  return row->has_range && row->has_mean && row->has_entries && row->has_times && !row->estimated &&
         row->entries >= LEAST_ENTRIES && row->max_iterations >= LEAST_ITERATIONS &&
         (double)row->min_iterations <= FLAT * most && row->avg_iterations >= STEEP * most;
}

static bool is_as_often(const struct prof_loop_row *outer, const struct prof_loop_row *row) {
  double times = outer->avg_iterations / (double)row->max_iterations;
  return outer->has_mean && times >= 1.0 / AS_OFTEN && times <= AS_OFTEN;
}

static bool find(struct prof_evidence *evidence) {
  const struct prof_loop *loops = prof_trace_loops(evidence->recording->trace, NULL);
  for (size_t i = 0; i < evidence->loops.count; i++) {
    const struct prof_loop_row *row = &evidence->loops.rows[i];
    if (!grows(row) || row->self_share < evidence->options->min_share)
      continue;
    const struct prof_loop_row *outer = outer_of(evidence, row);
    if (!outer || !is_as_often(outer, row))
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_quadratic, loops[row->loop].function);
    if (!advice)
      return false;
    advice->file = prof_shown_path(evidence->recording->paths, row->file);
    advice->line = row->line;
    double sorted = log2((double)row->max_iterations);
    prof_advice_weigh(advice, prof_evidence_spread(evidence, row->self_share), 2, row->avg_iterations / sorted);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, row->self_share, "of CPU time in this loop");
    prof_advice_figure_add(advice, PROF_ADVICE_MEAN, row->avg_iterations, "iterations on average");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->max_iterations, "at most");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->entries,
                           prof_advice_text(evidence, "entries, from the loop at line %u", outer->line));
  }
  return true;
}

const struct prof_advice_rule prof_rule_quadratic = {
    .kind = "quadratic",
    .title = "The work grows with the square of the input",
    .of = "CPU time",
    .why = "Each new item is compared with the items before it. Twice the input takes four times as long. "
           "A hash table or sorting needs about one step for each item.",
    .before = "for (i = 0; i < n; i++)\n  if (!contains(kept, count, item[i]))\n    kept[count++] = item[i];",
    .after = "for (i = 0; i < n; i++)\n  if (set_add(&seen, item[i])) /* a hash set */\n    kept[count++] = item[i];",
    .check = "annotate @",
    .find = find,
};
