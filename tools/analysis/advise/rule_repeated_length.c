/*
 * tools/analysis/advise/rule_repeated_length.c - strlen of the same string in every iteration of a loop.
 *
 * Evidence: samples in strlen; in the code a call of it within a loop, whose argument is a register that the loop does
 * not change.
 */
#include "analysis/advise/evidence.h"

#define ARGUMENT 7u   /* rdi */
#define LOOK_BACK 12u /* instructions in front of the call */

extern const struct prof_advice_rule prof_rule_repeated_length;

static bool is_changed(const struct prof_code *code, const struct prof_code_loop *loop, uint8_t general) {
  for (uint32_t i = loop->first; i <= loop->last; i++)
    if (prof_code_writes(&code->lines.items[i].facts, general))
      return true;
  return false;
}

/* The register that the argument is copied from, or rdi itself; PROF_NO_REGISTER: it is computed. */
static uint8_t argument_of(const struct prof_code *code, const struct prof_code_loop *loop, uint32_t call) {
  uint32_t stop = call > loop->first + LOOK_BACK ? call - LOOK_BACK : loop->first;
  for (uint32_t i = call; i > stop; i--) {
    const struct prof_code_facts *facts = &code->lines.items[i - 1].facts;
    if (prof_code_writes(facts, ARGUMENT))
      return facts->moves && !facts->reads_memory ? facts->from : PROF_NO_REGISTER;
  }
  return ARGUMENT;
}

/* The call whose argument stays the same in the innermost loop around it; UINT32_MAX: none. */
static uint32_t find_call(struct prof_evidence *evidence, uint32_t function) {
  const struct prof_code *code = prof_evidence_code(evidence, function);
  for (size_t i = 0; code && i < code->loops.count; i++) {
    const struct prof_code_loop *loop = &code->loops.items[i];
    for (uint32_t j = loop->first; loop->is_innermost && j <= loop->last; j++) {
      const struct prof_code_facts *facts = &code->lines.items[j].facts;
      if (!facts->is_call || !facts->symbol ||
          prof_call_class_of(facts->symbol, facts->symbol_bytes) != PROF_CALL_LENGTH)
        continue;
      uint8_t argument = argument_of(code, loop, j);
      if (argument != PROF_NO_REGISTER && argument < 16 && !is_changed(code, loop, argument))
        return j;
    }
  }
  return UINT32_MAX;
}

static bool find(struct prof_evidence *evidence) {
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    const struct prof_weighted *met = &evidence->functions[i].calls_of[PROF_CALL_LENGTH];
    double share = prof_evidence_share(evidence, met);
    if (met->count < 3 || share < evidence->options->min_share)
      continue;
    uint32_t at = find_call(evidence, i);
    if (at == UINT32_MAX)
      continue;
    uint64_t times = prof_evidence_executions(evidence, i, at);
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_repeated_length, i);
    if (!advice)
      return false;
    prof_advice_place(evidence, advice, evidence->codes[i]->lines.items[at].instruction.address);
    prof_advice_weigh(advice, prof_evidence_interval(evidence, met), 10, 1e4);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of CPU time in strlen, called from it");
    if (times > 0)
      prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)times, "iterations of the loop around the call");
    prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, "the string is the same in each iteration");
  }
  return true;
}

const struct prof_advice_rule prof_rule_repeated_length = {
    .kind = "repeated-strlen",
    .title = "The length of one string is counted in every iteration",
    .of = "CPU time",
    .why = "strlen reads the whole string each time, so the loop takes the square of its length. The loop writes to "
           "memory, so the compiler can't count once.",
    .before = "for (i = 0; i < strlen(text); i++)\n  text[i] = toupper(text[i]);",
    .after = "size_t length = strlen(text);\nfor (i = 0; i < length; i++)\n  text[i] = toupper(text[i]);",
    .check = "lines -F @",
    .find = find,
};
