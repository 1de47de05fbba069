/*
 * tools/analysis/advise/rule_allocation.c - memory is allocated and freed again and again.
 *
 * Evidence: samples in malloc, free, operator new and their helpers, directly under an instrumented function.  Events
 * of --memory say how many blocks there were, how many are kept: if most,
 * they are needed.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_CALLS 1000u /* of the function or iterations of its loop, where they are known */
#define MOST_KEPT 0.5     /* of the blocks, at the end of the recording */

extern const struct prof_advice_rule prof_rule_allocation;

/* Of the function's places together; calls 0: not recorded. */
static struct prof_memory_figures measured_of(const struct prof_evidence *evidence, uint32_t function) {
  const struct prof_memory *memory = &evidence->measured.memory;
  const char *name = prof_names_function(evidence->recording->names, function);
  struct prof_memory_figures sum = {0};
  for (size_t i = 0; memory->recorded && i < memory->count; i++)
    if (!memory->rows[i].mapped && strcmp(memory->rows[i].place.function, name) == 0) {
      sum.calls += memory->rows[i].sum.calls;
      sum.bytes += memory->rows[i].sum.bytes;
      sum.live_calls += memory->rows[i].sum.live_calls;
      sum.temporary += memory->rows[i].sum.temporary;
    }
  return sum;
}

static void add_measured(struct prof_advice *advice, const struct prof_memory_figures *measured) {
  if (measured->calls == 0)
    return;
  prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)measured->calls, "blocks allocated");
  prof_advice_figure_add(advice, PROF_ADVICE_BYTES, (double)measured->bytes / (double)measured->calls, "on average");
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, (double)measured->temporary / (double)measured->calls,
                         "of them given back before the next one");
}

static bool find(struct prof_evidence *evidence) {
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    const struct prof_weighted *met = &evidence->functions[i].calls_of[PROF_CALL_ALLOCATION];
    double share = prof_evidence_share(evidence, met);
    uint32_t at = 0;
    if (met->count < 3 || share < evidence->options->min_share)
      continue;
    bool calls = prof_evidence_calls(evidence, i, PROF_CALL_ALLOCATION, &at);
    uint64_t times = calls ? prof_evidence_executions(evidence, i, at) : evidence->functions[i].calls;
    if (times > 0 && times < LEAST_CALLS)
      continue;
    const struct prof_memory_figures measured = measured_of(evidence, i);
    if ((double)measured.live_calls > MOST_KEPT * (double)measured.calls)
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_allocation, i);
    if (!advice)
      return false;
    if (calls)
      prof_advice_place(evidence, advice, evidence->codes[i]->lines.items[at].instruction.address);
    prof_advice_weigh(advice, prof_evidence_interval(evidence, met), 2, HUGE_VAL);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share,
                           "of CPU time in malloc, free and the like, called from it");
    if (times > 0)
      prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)times,
                             calls ? "times it comes to the first of these calls" : "calls of the function");
    add_measured(advice, &measured);
  }
  return true;
}

const struct prof_advice_rule prof_rule_allocation = {
    .kind = "allocation-churn",
    .title = "Memory is allocated and freed again and again",
    .of = "CPU time",
    .why =
        "Blocks are needed for a short time only. A buffer that is kept between calls, an array on the stack or a pool "
        "costs nothing per use.",
    .before = "for (i = 0; i < n; i++) {\n  char *copy = malloc(size);\n  ...\n  free(copy);\n}",
    .after = "char *copy = malloc(largest);\nfor (i = 0; i < n; i++) {\n  ...\n}\nfree(copy);",
    .check = "lines -F @",
    .find = find,
};
