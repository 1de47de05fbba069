/*
 * tools/analysis/advise/rule_cold_stride.c - a hot loop that steps through memory so far that each access is in another
 * cache line.
 *
 * Evidence: samples in an innermost loop, whose code adds a constant to the register that it reads memory by.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/advise/evidence.h"

#define LEAST_STRIDE 1024 /* bytes: beyond what a row of a struct has, and what prefetchers follow well */

extern const struct prof_advice_rule prof_rule_cold_stride;

/* Bytes that the register grows by in each iteration; 0: not a constant. */
static int64_t step_of(const struct prof_code *code, const struct prof_code_loop *loop, uint8_t general) {
  int64_t step = 0;
  for (uint32_t i = loop->first; i <= loop->last; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if (!prof_code_writes(facts, general))
      continue;
    if (!facts->adds_constant)
      return 0;
    step += facts->constant;
  }
  return step;
}

static bool is_same_place(const struct prof_code_facts *a, const struct prof_code_facts *b) {
  return (b->reads_memory || b->writes_memory) && a->base == b->base && a->index == b->index && a->scale == b->scale;
}

/* Bytes from one access to the next: an unrolled loop makes several per iteration. */
static int64_t stride_of(const struct prof_code *code, const struct prof_code_loop *loop,
                         const struct prof_code_facts *access) {
  int64_t step = step_of(code, loop, access->base), accesses = 0;
  if (access->index != PROF_NO_REGISTER)
    step += access->scale * step_of(code, loop, access->index);
  for (uint32_t i = loop->first; i <= loop->last; i++)
    accesses += is_same_place(access, &code->lines.items[i].facts);
  return accesses > 0 ? llabs(step) / accesses : 0;
}

/* The instruction with the widest stride; UINT32_MAX: none is wide, or the loop calls functions. */
static uint32_t find_step(const struct prof_code *code, const struct prof_code_loop *loop, int64_t *widest) {
  uint32_t found = UINT32_MAX;
  *widest = 0;
  for (uint32_t i = loop->first; i <= loop->last; i++) {
    const struct prof_code_facts *facts = &code->lines.items[i].facts;
    if (facts->is_call)
      return UINT32_MAX;
    if ((!facts->reads_memory && !facts->writes_memory) || facts->base >= 16)
      continue;
    int64_t stride = stride_of(code, loop, facts);
    if (stride < LEAST_STRIDE || stride <= *widest)
      continue;
    *widest = stride;
    found = i;
  }
  return found;
}

static bool take_function(struct prof_evidence *evidence, uint32_t function) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++) {
    const struct prof_code_loop *loop = &code->loops.items[i];
    double share = prof_evidence_share(evidence, &loop->met);
    int64_t stride;
    if (!loop->is_innermost || share < evidence->options->min_share)
      continue;
    uint32_t at = find_step(code, loop, &stride);
    if (at == UINT32_MAX)
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_cold_stride, function);
    if (!advice)
      return false;
    uint64_t times = prof_evidence_executions(evidence, function, at);
    prof_advice_place(evidence, advice, code->lines.items[at].instruction.address);
    prof_advice_weigh(advice, prof_evidence_interval(evidence, &loop->met), 1.3, 8);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of CPU time in this loop");
    prof_advice_figure_add(advice, PROF_ADVICE_BYTES, (double)stride, "from one access to the next");
    if (times > 0)
      prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)times, "iterations");
  }
  return true;
}

static bool find(struct prof_evidence *evidence) {
  bool done = true;
  for (uint32_t i = 0; i < evidence->function_count && done; i++)
    if (evidence->functions[i].samples.count >= 3 &&
        prof_evidence_share(evidence, &evidence->functions[i].samples) >= evidence->options->min_share)
      done = take_function(evidence, i);
  return done;
}

const struct prof_advice_rule prof_rule_cold_stride = {
    .kind = "cold-stride",
    .title = "A loop jumps from cache line to cache line",
    .of = "CPU time",
    .why = "Of each 64-byte line that is fetched, one element is used, and the line is gone before the next is needed. "
           "Let the inner loop run over neighbours, or work in blocks.",
    .before =
        "for (column = 0; column < n; column++)\n  for (row = 0; row < n; row++)\n    sum += matrix[row][column];",
    .after = "for (row = 0; row < n; row++)\n  for (column = 0; column < n; column++)\n    sum += matrix[row][column];",
    .check = "annotate @ --asm",
    .find = find,
};
