/*
 * tools/analysis/advise/rule_tiny_calls.c - millions of calls of a function that does less than a call costs.
 *
 * Evidence: the recording counted the calls; the function's own time per call, without probes, is a
 * fraction of what an event costs where the clock is fast; its caller's code calls it directly.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_CALLS 1000000u
#define MOST_EVENTS 0.5 /* own time per call, in costs of an event among other work; */
#define MOST_NS 5.0     /* where the clock is slow, an event's cost says nothing of a call's */

extern const struct prof_advice_rule prof_rule_tiny_calls;

/* The caller with most calls; PROF_NONE: none. */
static uint32_t caller_of(const struct prof_evidence *evidence, uint32_t function) {
  const struct prof_profile *profile = evidence->profile;
  uint32_t found = PROF_NONE;
  uint64_t most = 0;
  for (uint32_t i = 1; i < profile->node_count; i++)
    if (profile->nodes[i].function == function && profile->nodes[i].calls > most) {
      most = profile->nodes[i].calls;
      found = prof_evidence_owner(evidence, profile->nodes[i].parent);
    }
  return found;
}

/* Not through a pointer or a library: these can't be inlined. */
static bool calls_directly(struct prof_evidence *evidence, uint32_t caller, const char *name) {
  const struct prof_code *code = prof_evidence_code(evidence, caller);
  for (size_t i = 0; code && i < code->lines.count; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if (facts->is_call && facts->symbol && facts->symbol_bytes >= strlen(name) &&
        !strncmp(facts->symbol, name, strlen(name)))
      return true;
  }
  return false;
}

static bool find(struct prof_evidence *evidence) {
  double most = fmin(MOST_EVENTS * evidence->event_taken_ticks,
                     MOST_NS * (double)prof_trace_info(evidence->profile->trace)->frequency_hz / 1e9);
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    const struct prof_function_evidence *function = &evidence->functions[i];
    double share = evidence->running_ticks > 0 ? (double)function->running_ticks / (double)evidence->running_ticks : 0;
    if (function->calls < LEAST_CALLS || evidence->event_taken_ticks <= 0 || share < 2 * evidence->options->min_share)
      continue;
    double each = (double)function->running_ticks / (double)function->calls;
    uint32_t caller = caller_of(evidence, i);
    if (each > most || caller == PROF_NONE || caller == i ||
        !calls_directly(evidence, caller, prof_names_function(evidence->recording->names, i)))
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_tiny_calls, i);
    if (!advice)
      return false;
    prof_advice_weigh(advice, (struct prof_interval){share * 0.7, fmin(share * 1.3, 0.95)}, 1.1, 2);
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)function->calls, "calls");
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of CPU time in it");
    prof_advice_figure_add(
        advice, PROF_ADVICE_WORDS, 0,
        prof_advice_text(evidence, "most from %s", prof_names_function(evidence->recording->names, caller)));
  }
  return true;
}

const struct prof_advice_rule prof_rule_tiny_calls = {
    .kind = "tiny-calls",
    .title = "Millions of calls that do next to nothing",
    .of = "CPU time",
    .why = "A call and return cost about as much as the function's work, and hide it from the optimiser. Let it be "
           "inlined: define it in the header, or link with -flto.",
    .before = "/* vector.c */\ndouble vector_at(const struct vector *v, size_t i) { return v->items[i]; }",
    .after = "/* vector.h */\nstatic inline double vector_at(const struct vector *v, size_t i) { return v->items[i]; }",
    .check = "report -F @",
    .find = find,
};
