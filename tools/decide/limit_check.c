/*
 * tools/decide/limit_check.c - see limit.h: whether runs keep a limit.
 *
 * The interval is Student's, of the logarithms of the runs' values; by a baseline, of the difference of their means.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "decide/limit.h"
#include "statistics/distributions.h"
#include "statistics/moderated.h"

#define FEWEST_RUNS 3u
#define MISSED 0.05

struct values {
  double *items;
  size_t count;
  bool complete, constant;
};

static bool name_matches(const char *pattern, const char *name) {
  if (!strcmp(pattern, name))
    return true;
  const size_t bytes = strcspn(name, "("); /* C++: without its parameters */
  if (name[bytes] && strlen(pattern) == bytes && !strncmp(pattern, name, bytes))
    return true;
  return strpbrk(pattern, "*?[") && !fnmatch(pattern, name, 0);
}

/* Values of a row (NULL: the program) in each run.  False: no memory. */
static bool take_values(const struct prof_limit *limit, const struct prof_run_group *group,
                        const struct prof_run_row *row, struct values *out) {
  *out = (struct values){calloc(group->count ? group->count : 1, sizeof *out->items), group->count, true, true};
  for (size_t i = 0; out->items && i < group->count; i++) {
    const struct prof_run *run = &group->runs[i];
    const uint32_t at = row ? prof_run_find(run, row) : 0;
    const bool there = !row || at != UINT32_MAX;
    out->items[i] = there ? limit->measure->of(run, row ? &run->rows.items[at] : NULL)
                    : limit->measure->of_memory && (run->measures & PROF_RUN_HAS_MEMORY) ? 0
                                                                                         : (double)NAN;
    out->complete &= isfinite(out->items[i]);
    out->constant &= out->items[i] == out->items[0];
  }
  return out->items != NULL;
}

static double mean_of(const struct values *values) {
  double sum = 0;
  for (size_t i = 0; i < values->count; i++)
    sum += values->items[i];
  return sum / (double)values->count;
}

static void take_logarithms(struct values *values) {
  for (size_t i = 0; i < values->count; i++)
    values->items[i] = log(values->items[i]);
}

/* The interval of one group. */
static void bound_alone(struct values *values, struct prof_limit_checked *out) {
  bool positive = true;
  for (size_t i = 0; i < values->count; i++)
    positive &= values->items[i] > 0;
  if (positive)
    take_logarithms(values);
  const double mean = mean_of(values), count = (double)values->count;
  double squares = 0;
  for (size_t i = 0; i < values->count; i++)
    squares += (values->items[i] - mean) * (values->items[i] - mean);
  const double half = prof_t_value(MISSED / 2, count - 1) * sqrt(squares / (count - 1) / count);
  out->value = positive ? exp(mean) : mean;
  out->low = positive ? exp(mean - half) : fmax(0, mean - half);
  out->high = positive ? exp(mean + half) : mean + half;
}

/* The interval of the ratio of two groups.  False: no memory. */
static bool bound_ratio(struct values *baseline, struct values *values, struct prof_limit_checked *out) {
  struct prof_difference difference;
  take_logarithms(baseline);
  take_logarithms(values);
  const struct prof_two_groups two = {
      .rows = 1, .runs = {baseline->count, values->count}, .values = {baseline->items, values->items}};
  if (!prof_moderated(&two, &difference))
    return false;
  const struct prof_bounds_of_effect bounds = prof_effect_bounds(&difference, MISSED);
  out->value = exp(difference.estimate);
  out->low = exp(bounds.low);
  out->high = exp(bounds.high);
  return true;
}

static bool keeps(enum prof_limit_sign sign, double value, double limit) {
  switch (sign) {
  case PROF_LIMIT_BELOW:
    return value < limit;
  case PROF_LIMIT_AT_MOST:
    return value <= limit;
  case PROF_LIMIT_ABOVE:
    return value > limit;
  case PROF_LIMIT_AT_LEAST:
    return value >= limit;
  }
  return false;
}

static void judge(const struct prof_limit *limit, struct prof_limit_checked *out) {
  const bool low = keeps(limit->sign, out->low, limit->value), high = keeps(limit->sign, out->high, limit->value);
  out->has_value = true;
  out->result = low && high ? PROF_GATE_KEPT : !low && !high ? PROF_GATE_BROKEN : PROF_GATE_UNKNOWN;
  out->why = PROF_LIMIT_NOISE;
}

static bool same_way(const struct prof_run_group *runs, const struct prof_run_group *baseline) {
  const struct prof_run *first = &baseline->runs[0];
  for (size_t i = 0; i < runs->count; i++)
    if (!prof_run_same_way(&runs->runs[i], first) || strcmp(runs->runs[i].machine, first->machine) != 0)
      return false;
  return true;
}

static bool all_positive(const struct values *values) {
  for (size_t i = 0; i < values->count; i++)
    if (!(values->items[i] > 0))
      return false;
  return values->count > 0;
}

/* Against an absolute value, or by the baseline's values.  False: no memory. */
static bool compare(const struct prof_limit *limit, const struct prof_run_group *runs,
                    const struct prof_run_group *baseline, struct values *values, struct values *base,
                    struct prof_limit_checked *out) {
  const bool relative = limit->of_baseline,
             few = values->count < FEWEST_RUNS || (relative && base->count < FEWEST_RUNS);
  const bool count = limit->measure->unit == PROF_LIMIT_COUNT || (limit->measure->of_memory && !few);
  out->exact = count && values->constant && (!relative || base->constant);
  if (!values->complete) {
    out->why = PROF_LIMIT_NOT_RECORDED;
  } else if (relative && (!base->count || !base->complete || !all_positive(base))) {
    out->why = PROF_LIMIT_NO_BASELINE;
  } else if (out->exact) {
    out->value = values->items[0] / (relative ? base->items[0] : 1);
    out->low = out->high = out->value;
    judge(limit, out);
  } else if (relative && !same_way(runs, baseline)) {
    out->why = PROF_LIMIT_OTHER_MODE;
  } else if (few) {
    out->why = PROF_LIMIT_FEW_RUNS;
  } else if (!relative) {
    bound_alone(values, out);
    judge(limit, out);
  } else if (!all_positive(values)) {
    out->why = PROF_LIMIT_NOT_RECORDED;
  } else {
    if (!bound_ratio(base, values, out))
      return false;
    judge(limit, out);
  }
  return true;
}

static prof_status check_row(const struct prof_limit *limit, const struct prof_run_group *runs,
                             const struct prof_run_group *baseline, const struct prof_run_row *row,
                             struct prof_diag *diag, struct prof_limit_checked *out) {
  static const struct prof_run_group none = {0};
  struct values values = {0}, base = {0};
  *out = (struct prof_limit_checked){.result = PROF_GATE_UNKNOWN,
                                     .unit = limit->measure->unit,
                                     .limit = limit->value,
                                     .file = row ? row->file : "",
                                     .line = row ? row->line : 0};
  snprintf(out->name, sizeof out->name, "%s", row ? row->name : "");
  const bool done = take_values(limit, runs, row, &values) &&
                    take_values(limit, baseline ? baseline : &none, row, &base) &&
                    compare(limit, runs, baseline, &values, &base, out);
  free(values.items);
  free(base.items);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* Broken before unknown before kept: the row that is shown for a pattern. */
static int weight(enum prof_gate_result result) {
  return result == PROF_GATE_BROKEN ? 2 : result == PROF_GATE_UNKNOWN ? 1 : 0;
}

/* The allocator has no probes; what it was called for is known from --memory. */
static bool stands_for_all(const struct prof_limit *limit) {
  return !strcmp(limit->measure->name, "calls") && !strcmp(limit->name, "malloc");
}

/* No row of memory has the name: a function that has it allocates nothing. */
static prof_status check_without(const struct prof_limit *limit, const struct prof_run_group *runs,
                                 const struct prof_run_group *baseline, struct prof_diag *diag,
                                 struct prof_limit_checked *out) {
  const struct prof_run *first = &runs->runs[0];
  for (size_t i = 0; i < first->rows.count; i++) {
    struct prof_run_row row = first->rows.items[i];
    if (row.kind != PROF_RUN_FUNCTION || !name_matches(limit->name, row.name))
      continue;
    row.kind = PROF_RUN_MEMORY;
    return check_row(limit, runs, baseline, &row, diag, out);
  }
  return PROF_OK;
}

prof_status prof_limit_check(const struct prof_limit *limit, const struct prof_run_group *runs,
                             const struct prof_run_group *baseline, struct prof_diag *diag,
                             struct prof_limit_checked *out) {
  struct prof_limit_checked checked;
  bool found = false;
  prof_status status = PROF_OK;
  if (!limit->measure->of_row)
    return check_row(limit, runs, baseline, NULL, diag, out);
  *out = (struct prof_limit_checked){.result = PROF_GATE_UNKNOWN,
                                     .why = PROF_LIMIT_NO_MATCH,
                                     .unit = limit->measure->unit,
                                     .limit = limit->value,
                                     .file = ""};
  for (size_t i = 0; status == PROF_OK && i < runs->runs[0].rows.count; i++) {
    const struct prof_run_row *row = &runs->runs[0].rows.items[i];
    if (prof_run_is_memory(row->kind) != limit->measure->of_memory || !name_matches(limit->name, row->name))
      continue;
    status = check_row(limit, runs, baseline, row, diag, &checked);
    if (!found || weight(checked.result) > weight(out->result))
      *out = checked;
    found = true;
  }
  if (status == PROF_OK && !found && stands_for_all(limit)) {
    struct prof_limit all = *limit;
    all.measure = prof_limit_measure_find("allocations", false);
    return check_row(&all, runs, baseline, NULL, diag, out);
  }
  return status == PROF_OK && !found && limit->measure->of_memory ? check_without(limit, runs, baseline, diag, out)
                                                                  : status;
}
