/*
 * tools/decide/gate.c - see gate.h.
 */
#include "decide/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define DEFAULT_LEAST_CHANGE 0.02
#define DEFAULT_MUST_SHOW 0.1
#define MOST_CHANGE 10.0 /* 1000% */
#define ANY_CHANGE 1e9   /* of a row that may vary as it likes */
#define LEAST_SHARE 0.01
#define MOST_STRANGE 0.5
#define FEWEST_RUNS 3u

/* ---- rules ---- */

static prof_status wrong_key(const char *path, const struct prof_toml_entry *entry, const char *remedy,
                             struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_USAGE, path, PROF_NO_OFFSET, remedy, "line %u: the rule '%s' can't be used",
                        entry->line, entry->key);
}

/* "2%" -> 0.02 */
static bool take_percent(const struct prof_toml_value *value, double most, double *out) {
  char *end;
  *out = strtod(value->text, &end) / 100;
  return value->kind == PROF_TOML_TEXT && end != value->text && !strcmp(end, "%") && *out > 0 && *out < most;
}

static bool take_must_show(const struct prof_toml_value *value, double *out) {
  if (value->kind != PROF_TOML_TEXT || strcmp(value->text, "off"))
    return take_percent(value, MOST_CHANGE, out);
  *out = ANY_CHANGE;
  return true;
}

static prof_status take_limits(const char *path, const struct prof_toml_entry *entry, struct prof_diag *diag,
                               struct prof_gate_rules *rules) {
  prof_status status = entry->value.kind == PROF_TOML_ARRAY
                           ? PROF_OK
                           : wrong_key(path, entry, "give a list, as in limits = [\"overhead < 5%\"]", diag);
  for (uint32_t i = 0; status == PROF_OK && i < entry->value.count; i++) {
    const struct prof_toml_value *part = &rules->file.parts.items[entry->value.first + i];
    struct prof_limit limit;
    if (part->kind != PROF_TOML_TEXT)
      return wrong_key(path, entry, "each limit is a text in quotes", diag);
    status = prof_limit_parse(part->text, diag, &limit);
    if (status == PROF_OK && !prof_vec_push(&rules->limits, limit))
      status = prof_diag_memory(diag);
  }
  return status;
}

static prof_status take_rule(const char *path, const struct prof_toml_entry *entry, struct prof_diag *diag,
                             struct prof_gate_rules *rules) {
  const struct prof_toml_value *value = &entry->value;
  const char *key = entry->table[0] ? "" : entry->key;
  if (!strcmp(key, "limits"))
    return take_limits(path, entry, diag, rules);
  if (!strcmp(key, "baseline") && value->kind == PROF_TOML_TEXT && value->text[0]) {
    rules->baseline = value->text;
    return PROF_OK;
  }
  if (!strcmp(key, "regressions") && value->kind == PROF_TOML_BOOL) {
    rules->regressions = value->truth;
    return PROF_OK;
  }
  if (!strcmp(key, "least_change"))
    return take_percent(value, 1, &rules->least_change)
               ? PROF_OK
               : wrong_key(path, entry, "give a share, as in least_change = \"2%\"", diag);
  if (!strcmp(key, "must_show"))
    return take_must_show(value, &rules->must_show)
               ? PROF_OK
               : wrong_key(path, entry, "give a share, as in must_show = \"10%\", or \"off\"", diag);
  return wrong_key(path, entry, "rules are: baseline, regressions, least_change, must_show, limits", diag);
}

prof_status prof_gate_rules_read(const char *path, struct prof_diag *diag, struct prof_gate_rules *rules) {
  *rules = (struct prof_gate_rules){
      .regressions = true, .least_change = DEFAULT_LEAST_CHANGE, .must_show = DEFAULT_MUST_SHOW};
  prof_status status = prof_toml_read(path, diag, &rules->file);
  if (status != PROF_OK)
    return status;
  for (size_t i = 0; status == PROF_OK && i < rules->file.entries.count; i++)
    status = take_rule(path, &rules->file.entries.items[i], diag, rules);
  if (status == PROF_OK && !rules->limits.count && !rules->baseline)
    status = prof_diag_fill(diag, PROF_USAGE, path, PROF_NO_OFFSET,
                            "add limits = [\"self share of f < 10%\"], or a baseline", "there are no rules in it");
  if (status != PROF_OK)
    prof_gate_rules_fini(rules);
  return status;
}

void prof_gate_rules_fini(struct prof_gate_rules *rules) {
  prof_vec_fini(&rules->limits);
  prof_toml_free(&rules->file);
}

/* ---- checks ---- */

static bool is_regression(const struct prof_diff_row *row, double least_change) {
  return row->verdict == PROF_VERDICT_SLOWER ||
         (row->other_work && row->calls[PROF_NEW] > row->calls[PROF_OLD] * (1 + least_change));
}

/* It isn't called slower, and may be as much as `must_show`.  Waits vary with what is waited for, whatever the build.
 */
static bool is_hidden(const struct prof_diff_row *row, double must_show) {
  return row->verdict == PROF_VERDICT_UNKNOWN && row->metric == PROF_DIFF_RUNNING && row->has_ratio &&
         row->high > 1 + must_show;
}

static bool sort_row(const struct prof_gate_rules *rules, double must_show, bool times, const struct prof_diff_row *row,
                     struct prof_gate *gate) {
  if (is_regression(row, rules->least_change) && (times || row->other_work))
    return prof_vec_push(&gate->regressions, row);
  return !times || !is_hidden(row, must_show) || prof_vec_push(&gate->unjudged, row);
}

static enum prof_gate_doubt doubt_of(const struct prof_diff *diff, const struct prof_run_group groups[2]) {
  return diff->strange[PROF_OLD] > MOST_STRANGE                           ? PROF_DOUBT_STRANGER
         : diff->machines_differ                                          ? PROF_DOUBT_MACHINE
         : diff->modes_differ                                             ? PROF_DOUBT_MODE
         : groups[0].count < FEWEST_RUNS || groups[1].count < FEWEST_RUNS ? PROF_DOUBT_FEW_RUNS
                                                                          : PROF_DOUBT_NONE;
}

static prof_status look_for_regressions(const struct prof_gate_rules *rules, const struct prof_run_group groups[2],
                                        struct prof_diag *diag, struct prof_gate *gate) {
  const double must_show = fmax(rules->must_show, rules->least_change);
  const struct prof_diff_options options = {.same = must_show, .margin = rules->least_change, .min_share = LEAST_SHARE};
  prof_status status = prof_diff_make(groups, &options, diag, &gate->diff);
  if (status != PROF_OK)
    return status;
  gate->has_diff = true;
  gate->doubt = doubt_of(&gate->diff, groups);
  const bool times = gate->doubt == PROF_DOUBT_NONE;
  bool sorted = sort_row(rules, must_show, times, &gate->diff.program, gate);
  for (size_t i = 0; sorted && i < gate->diff.rows.count; i++)
    sorted = sort_row(rules, must_show, times, &gate->diff.rows.items[i], gate);
  for (size_t i = 0; sorted && i < gate->diff.memory.count; i++)
    sorted = sort_row(rules, must_show, gate->doubt != PROF_DOUBT_STRANGER, &gate->diff.memory.items[i], gate);
  return sorted ? PROF_OK : prof_diag_memory(diag);
}

static void note(struct prof_gate *gate, enum prof_gate_result result) {
  if (result == PROF_GATE_BROKEN || (result == PROF_GATE_UNKNOWN && gate->result == PROF_GATE_KEPT))
    gate->result = result;
}

prof_status prof_gate_check(const struct prof_gate_rules *rules, const struct prof_run_group groups[2],
                            struct prof_diag *diag, struct prof_gate *gate) {
  *gate = (struct prof_gate){.result = PROF_GATE_KEPT};
  prof_status status = PROF_OK;
  for (size_t i = 0; status == PROF_OK && i < rules->limits.count; i++) {
    struct prof_limit_checked checked;
    status = prof_limit_check(&rules->limits.items[i], &groups[PROF_NEW], &groups[PROF_OLD], diag, &checked);
    if (status == PROF_OK && !prof_vec_push(&gate->limits, checked))
      status = prof_diag_memory(diag);
    if (status == PROF_OK)
      note(gate, checked.result);
  }
  if (status == PROF_OK && rules->regressions && groups[PROF_OLD].count)
    status = look_for_regressions(rules, groups, diag, gate);
  if (status == PROF_OK && gate->has_diff)
    note(gate, gate->regressions.count               ? PROF_GATE_BROKEN
               : gate->doubt || gate->unjudged.count ? PROF_GATE_UNKNOWN
                                                     : PROF_GATE_KEPT);
  return status;
}

void prof_gate_fini(struct prof_gate *gate) {
  prof_vec_fini(&gate->limits);
  prof_vec_fini(&gate->regressions);
  prof_vec_fini(&gate->unjudged);
  prof_diff_fini(&gate->diff);
}
