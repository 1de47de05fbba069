/*
 * tools/analysis/advise/rule_growing_calls.c - the same fault as rule_quadratic.c where the recording did not count the
 * inner loop: a search in a function of its own, which takes longer with each call.
 *
 * Evidence: one call makes many calls of the function, whose last tenth takes much longer than the first (medians, so
 * that preempted calls don't matter); the time per item is plausible for one step of a search.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/advise/evidence.h"
#include "base/order.h"
#include "fold/walk.h"

#define LEAST_CALLS 500u /* of one caller's call */
#define MOST_CALLS 1000000u
#define LEAST_GROWTH 5.0 /* a search in a growing array: about 19 */
#define LEAST_LOOP 0.6   /* of the function's samples in one loop */
#define LEAST_STEP 0.001 /* last calls' time by their number, in costs of an event */
#define MOST_STEP 20.0
#define MOST_FUNCTIONS 3u
#define MOST_DEPTH 65536u

extern const struct prof_advice_rule prof_rule_quadratic, prof_rule_growing_calls;

struct growth {
  uint32_t function;
  PROF_VEC(uint64_t) durations; /* of the calls of one caller's call */
  PROF_VEC(uint64_t) serials;   /* by depth: number of the call that is open there */
  uint64_t serial, caller;      /* the last number; of the caller */
  double sum_growth, sum_last_ns;
  uint64_t runs, calls, most_calls; /* callers' calls with enough calls; all of theirs; the most of one */
  bool failed;
};

static int by_duration(const void *a, const void *b) {
  return prof_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static double median(uint64_t *durations, size_t count) {
  qsort(durations, count, sizeof *durations, by_duration);
  return (double)durations[count / 2];
}

/* The caller's call is over. */
static void end_run(struct growth *growth) {
  size_t count = growth->durations.count, tenth = count / 10;
  if (count >= LEAST_CALLS) {
    double first = median(growth->durations.items, tenth);
    double last = median(growth->durations.items + count - tenth, tenth);
    growth->sum_growth += last / fmax(first, 1);
    growth->sum_last_ns += last;
    growth->runs++;
    growth->calls += count;
    growth->most_calls = count > growth->most_calls ? count : growth->most_calls;
  }
  growth->durations.count = 0;
}

static bool visit(void *context, const struct prof_walk_event *event) {
  struct growth *growth = context;
  if (event->depth >= MOST_DEPTH)
    return true;
  if (event->kind == PROF_WALK_ENTER) {
    while (growth->serials.count <= event->depth && !growth->failed)
      growth->failed = !prof_vec_push(&growth->serials, 0);
    if (!growth->failed)
      growth->serials.items[event->depth] = ++growth->serial;
    return !growth->failed;
  }
  if (event->kind != PROF_WALK_LEAVE || event->goes_on || event->function != growth->function || event->depth == 0 ||
      event->depth >= growth->serials.count)
    return true;
  uint64_t caller = growth->serials.items[event->depth - 1];
  if (caller != growth->caller)
    end_run(growth);
  growth->caller = caller;
  if (growth->durations.count < MOST_CALLS)
    growth->failed = !prof_vec_push(&growth->durations, event->duration_ns);
  return !growth->failed;
}

/* The loop that most of the function's samples lie in; NULL: none, or the recording counted loops of the function. */
static const struct prof_code_loop *search_loop(struct prof_evidence *evidence, uint32_t function) {
  const struct prof_loop *loops = prof_trace_loops(evidence->recording->trace, NULL);
  for (size_t i = 0; i < evidence->loops.count; i++)
    if (loops[evidence->loops.rows[i].loop].function == function)
      return NULL;
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++)
    if (code->loops.items[i].is_innermost &&
        (double)code->loops.items[i].met.count >= LEAST_LOOP * (double)evidence->functions[function].samples.count)
      return &code->loops.items[i];
  return NULL;
}

static bool is_plausible(const struct prof_evidence *evidence, const struct growth *growth) {
  if (growth->runs == 0 || growth->sum_growth < LEAST_GROWTH * (double)growth->runs)
    return false;
  double step_ns = growth->sum_last_ns / (double)growth->calls;
  double event_ns =
      evidence->event_ticks > 0
          ? (double)prof_trace_ns(evidence->recording->trace, (uint64_t)(1000 * evidence->event_ticks)) / 1000
          : 20;
  return step_ns >= LEAST_STEP * event_ns && step_ns <= MOST_STEP * event_ns;
}

static bool take_function(struct prof_evidence *evidence, uint32_t function, const struct prof_code_loop *loop) {
  struct growth growth = {.function = function};
  struct prof_diag diag;
  prof_status status =
      prof_walk(evidence->recording->trace, &evidence->recording->filter, PROF_WALK_BY_THREAD, visit, &growth, &diag);
  end_run(&growth);
  prof_vec_fini(&growth.durations);
  prof_vec_fini(&growth.serials);
  if (growth.failed || status == PROF_NO_MEMORY)
    return false;
  if (!is_plausible(evidence, &growth))
    return true;
  struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_quadratic, function);
  if (!advice)
    return false;
  const struct prof_weighted *met = &evidence->functions[function].samples;
  prof_advice_place(evidence, advice, evidence->codes[function]->lines.items[loop->first].instruction.address);
  prof_advice_weigh(advice, prof_evidence_interval(evidence, met), 2,
                    fmax(2, (double)growth.most_calls / (2 * log2((double)growth.most_calls))));
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, prof_evidence_share(evidence, met), "of CPU time in it");
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)growth.most_calls, "calls by one call of its caller");
  prof_advice_figure_add(advice, PROF_ADVICE_MEAN, growth.sum_growth / (double)growth.runs,
                         "times as long in the last tenth of them as in the first");
  return true;
}

static bool find(struct prof_evidence *evidence) {
  uint32_t looked_at = 0;
  bool done = true;
  for (uint32_t i = 0; i < evidence->function_count && done && looked_at < MOST_FUNCTIONS; i++) {
    const struct prof_function_evidence *function = &evidence->functions[i];
    if (evidence->recording->has_budget || function->calls < LEAST_CALLS || function->samples.count < 3 ||
        prof_evidence_share(evidence, &function->samples) < 2 * evidence->options->min_share)
      continue;
    const struct prof_code_loop *loop = search_loop(evidence, i);
    looked_at += loop != NULL;
    done = !loop || take_function(evidence, i, loop);
  }
  return done;
}

const struct prof_advice_rule prof_rule_growing_calls = {.kind = "quadratic", .find = find};
