/*
 * tools/analysis/advise/rule_busy_wait.c - a thread reads a flag over and over instead of sleeping.
 *
 * Evidence: samples in a loop of few instructions that reads memory and changes nothing but what it reads into; or CPU
 * time in sched_yield.
 */
#include "analysis/advise/evidence.h"

#define MOST_INSTRUCTIONS 8u

extern const struct prof_advice_rule prof_rule_busy_wait;

/* Reads memory at a place that stays the same, compares, jumps; no more. */
static bool only_looks(const struct prof_code *code, const struct prof_code_loop *loop) {
  bool reads = false;
  if (loop->last - loop->first >= MOST_INSTRUCTIONS)
    return false;
  for (uint32_t i = loop->first; i <= loop->last; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if (facts->is_jump || facts->is_idle || (facts->compares && !facts->reads_memory))
      continue;
    bool looks = facts->reads_memory && !facts->writes_memory && (facts->moves || facts->compares);
    if (!looks || facts->index != PROF_NO_REGISTER)
      return false;
    for (uint32_t j = loop->first; j <= loop->last; j++)
      if (facts->base < 16 && prof_code_writes(&code->lines.items[j].facts, facts->base))
        return false;
    reads = true;
  }
  return reads;
}

static bool add(struct prof_evidence *evidence, uint32_t function, const struct prof_weighted *met, uint64_t address,
                const char *text) {
  double share = prof_evidence_share(evidence, met);
  struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_busy_wait, function);
  if (!advice)
    return false;
  prof_advice_place(evidence, advice, address);
  prof_advice_weigh(advice, prof_evidence_interval(evidence, met), 10, 1e4);
  prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, text);
  prof_advice_figure_add(
      advice, PROF_ADVICE_NS,
      (double)prof_trace_ns(evidence->recording->trace, (uint64_t)(share * (double)evidence->running_ticks)),
      "of CPU time");
  return true;
}

static bool take_function(struct prof_evidence *evidence, uint32_t function) {
  double least = evidence->options->min_share;
  const struct prof_function_evidence *figures = &evidence->functions[function];
  uint32_t at;
  if (prof_evidence_share(evidence, &figures->calls_of[PROF_CALL_YIELD]) >= least &&
      prof_evidence_calls(evidence, function, PROF_CALL_YIELD, &at))
    return add(evidence, function, &figures->samples, evidence->codes[function]->lines.items[at].instruction.address,
               "of CPU time in a loop around sched_yield");
  if (prof_evidence_share(evidence, &figures->samples) < least)
    return true;
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++) {
    const struct prof_code_loop *loop = &code->loops.items[i];
    if (prof_evidence_share(evidence, &loop->met) >= least && only_looks(code, loop))
      return add(evidence, function, &loop->met, code->lines.items[loop->first].instruction.address,
                 "of CPU time in a loop that only reads a flag");
  }
  return true;
}

static bool find(struct prof_evidence *evidence) {
  bool done = true;
  for (uint32_t i = 0; i < evidence->function_count && done; i++)
    done = evidence->functions[i].samples.count < 3 || take_function(evidence, i);
  return done;
}

const struct prof_advice_rule prof_rule_busy_wait = {
    .kind = "busy-wait",
    .title = "A thread waits by reading a flag over and over",
    .of = "CPU time",
    .why =
        "It keeps a processor busy that others could use, and slows its neighbour on the core. A condition variable, "
        "semaphore or futex lets it sleep.",
    .before = "while (!ready)\n  ;",
    .after = "lock(&mutex);\nwhile (!ready)\n  pthread_cond_wait(&changed, &mutex);\nunlock(&mutex);",
    .check = "annotate @ --asm",
    .find = find,
};
