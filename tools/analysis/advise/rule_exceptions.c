/*
 * tools/analysis/advise/rule_exceptions.c - exceptions that are thrown in the usual course of things.
 *
 * Evidence: samples in the unwinder, directly under an instrumented function.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

extern const struct prof_advice_rule prof_rule_exceptions;

static bool find(struct prof_evidence *evidence) {
  for (uint32_t i = 0; i < evidence->function_count; i++) {
    const struct prof_weighted *met = &evidence->functions[i].calls_of[PROF_CALL_UNWIND];
    double share = prof_evidence_share(evidence, met);
    if (met->count < 3 || share < evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add(evidence, &prof_rule_exceptions, i);
    if (!advice)
      return false;
    prof_advice_weigh(advice, prof_evidence_interval(evidence, met), 3, HUGE_VAL);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of CPU time in the unwinder of exceptions");
    if (evidence->functions[i].calls > 0)
      prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)evidence->functions[i].calls, "calls of the function");
  }
  return true;
}

const struct prof_advice_rule prof_rule_exceptions = {
    .kind = "exceptions",
    .title = "Exceptions are thrown in the usual course of things",
    .of = "CPU time",
    .why =
        "Throwing and catching takes microseconds. Return a status or std::optional where failure is usual, and keep "
        "exceptions for what is rare.",
    .before = "int number(const std::string &text) { return std::stoi(text); } /* throws */",
    .after = "bool number(const std::string &text, int &out) {\n"
             "  return std::from_chars(text.data(), text.data() + text.size(), out).ec == std::errc();\n}",
    .check = "lines -F @",
    .find = find,
};
