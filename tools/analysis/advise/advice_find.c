/*
 * tools/analysis/advise/advice_find.c - see advice_find.h: runs the rules, weighs and sorts what they say.
 */
#include "analysis/advise/advice_find.h"

#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"
#include "base/diag.h"
#include "base/order.h"

#define HIGH_SPEEDUP 1.25 /* from here on; the middle of the interval */
#define MEDIUM_SPEEDUP 1.08

/* The speed-up grows with the share and with the factor: both ends of the intervals give its own. */
static void weigh(struct prof_advice *advice) {
  advice->speedup_low = prof_advice_speedup(advice->share.low, advice->factor_low);
  advice->speedup_high = prof_advice_speedup(fmin(advice->share.high, 0.995), advice->factor_high);
  double middle = sqrt(advice->speedup_low * advice->speedup_high);
  advice->priority = middle >= HIGH_SPEEDUP     ? PROF_ADVICE_HIGH
                     : middle >= MEDIUM_SPEEDUP ? PROF_ADVICE_MEDIUM
                                                : PROF_ADVICE_LOW;
}

/* By what is sure to be gained, then by what may be. */
static int compare(const void *a, const void *b) {
  const struct prof_advice *left = a, *right = b;
  double left_middle = left->speedup_low * left->speedup_high, right_middle = right->speedup_low * right->speedup_high;
  return prof_order(right_middle, left_middle) ?: strcmp(left->rule->kind, right->rule->kind) ?:
         prof_order(left->function, right->function) ?: prof_order(left->line, right->line);
}

static int by_share(const void *a, const void *b) {
  const struct prof_hot_remark *left = a, *right = b;
  return prof_order(right->share, left->share) ?: prof_order(left->line, right->line);
}

static void keep_worthwhile(struct prof_advice_list *list, double least) {
  size_t kept = 0;
  for (size_t i = 0; i < list->items.count; i++) {
    weigh(&list->items.items[i]);
    if (sqrt(list->items.items[i].speedup_low * list->items.items[i].speedup_high) > least)
      list->items.items[kept++] = list->items.items[i];
  }
  list->items.count = kept;
  prof_vec_sort(&list->items, compare);
  prof_vec_sort(&list->loops, by_share);
}

prof_status prof_advice_find(const struct prof_recording *recording, struct prof_symbols *symbols,
                             const struct prof_advice_options *options, uint64_t max_bytes, struct prof_diag *diag,
                             struct prof_advice_list *out) {
  *out = (struct prof_advice_list){0};
  struct prof_evidence evidence = {.recording = recording, .symbols = symbols, .options = options, .out = out};
  prof_status status = prof_evidence_make(&evidence, max_bytes, diag);
  out->samples = evidence.all.count;
  for (size_t i = 0; prof_advice_rules[i] && status == PROF_OK; i++)
    if (!prof_advice_rules[i]->find(&evidence))
      status = prof_diag_memory(diag);
  if (status == PROF_OK && !prof_measured_evidence_waits(&evidence))
    status = prof_diag_memory(diag);
  prof_evidence_free(&evidence);
  if (status == PROF_OK)
    keep_worthwhile(out, options->min_speedup);
  else
    prof_advice_free(out);
  return status;
}

void prof_advice_free(struct prof_advice_list *list) {
  prof_vec_fini(&list->items);
  prof_vec_fini(&list->loops);
  prof_vec_fini(&list->waits);
  prof_arena_fini(&list->texts);
  *list = (struct prof_advice_list){0};
}
