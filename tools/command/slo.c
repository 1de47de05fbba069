/*
 * tools/command/slo.c - see slo.h.
 */
#include "slo.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command.h"
#include "fold/filter.h"
#include "view/units.h"

#define EXAMPLE "for example --slo='handle_request p99 < 5ms'"

/* ---- one limit ---- */

struct limit {
  char *pattern; /* the begin of a copy of the text */
  int statistic;
  bool or_equal;
  uint64_t ns;
};

static const char *const statistics[] = {"p50", "p95", "p99", "min", "avg", "max", NULL};

/* Cuts the last word off; NULL: there is none. */
static char *cut_word(char *text) {
  size_t end = strlen(text);
  while (end > 0 && text[end - 1] == ' ')
    end--;
  text[end] = 0;
  while (end > 0 && text[end - 1] != ' ')
    end--;
  if (end == 0)
    return NULL;
  text[end - 1] = 0;
  return text + end;
}

static prof_status parse(const char *text, struct prof_diag *diag, struct limit *out) {
  *out = (struct limit){.pattern = strdup(text)};
  if (!out->pattern)
    return prof_diag_memory(diag);
  char *sign = strrchr(out->pattern, '<');
  if (!sign)
    return prof_command_usage(diag, EXAMPLE, "--slo=%s: no < in it", text);
  *sign++ = 0;
  out->or_equal = *sign == '=';
  sign += out->or_equal;
  sign += strspn(sign, " ");
  prof_status status = prof_value_duration("--slo", sign, &out->ns, diag);
  char *statistic = status == PROF_OK ? cut_word(out->pattern) : NULL;
  if (status == PROF_OK && !statistic)
    return prof_command_usage(diag, EXAMPLE, "--slo=%s: a name or a statistic is missing", text);
  if (status == PROF_OK)
    status = prof_value_word("--slo", statistic, statistics, &out->statistic, diag);
  for (size_t end = strlen(out->pattern); end > 0 && out->pattern[end - 1] == ' ';)
    out->pattern[--end] = 0;
  return status;
}

/* values: in the order of the statistics. */
static bool add(struct prof_slo_results *out, const struct limit *limit, const char *name, bool known,
                const uint64_t values[]) {
  const uint64_t value = values[limit->statistic];
  const struct prof_slo_result result = {.name = name,
                                         .statistic = statistics[limit->statistic],
                                         .or_equal = limit->or_equal,
                                         .known = known,
                                         .kept =
                                             known && (value < limit->ns || (limit->or_equal && value == limit->ns)),
                                         .limit_ns = limit->ns,
                                         .value_ns = known ? value : 0};
  return prof_vec_push(out, result);
}

/* ---- functions and zones ---- */

static prof_status compare_functions(const struct limit *limit, const prof_trace *trace,
                                     const struct prof_function_rows *rows, struct prof_diag *diag,
                                     struct prof_slo_results *out) {
  uint8_t *matched = NULL;
  size_t function_count;
  const size_t before = out->count;
  const char *const patterns[] = {limit->pattern};
  prof_trace_functions(trace, &function_count);
  prof_status status = prof_filter_match(trace, "--slo", patterns, 1, diag, &matched);
  for (size_t i = 0; status == PROF_OK && i < rows->count; i++) {
    const struct prof_function_row *row = &rows->rows[i];
    const uint64_t values[] = {row->p50_ns, row->p95_ns, row->p99_ns, row->min_ns, row->avg_ns, row->max_ns};
    const bool known = strcmp(statistics[limit->statistic], "avg") == 0 ? row->has_durations : row->has_extremes;
    if (row->index < function_count && matched[row->index] &&
        !add(out, limit, row->name, row->has_durations && known, values))
      status = prof_diag_memory(diag);
  }
  free(matched);
  if (status == PROF_OK && out->count == before)
    status = prof_command_usage(diag, "widen the filters", "--slo: '%s' has no calls in what is shown", limit->pattern);
  return status;
}

prof_status prof_slo_functions(const struct prof_texts *limits, const prof_trace *trace,
                               const struct prof_function_rows *rows, struct prof_diag *diag,
                               struct prof_slo_results *out) {
  prof_status status = PROF_OK;
  for (size_t i = 0; i < limits->count && status == PROF_OK; i++) {
    struct limit limit;
    status = parse(limits->items[i], diag, &limit);
    if (status == PROF_OK)
      status = compare_functions(&limit, trace, rows, diag, out);
    free(limit.pattern);
  }
  return status;
}

/* ---- frames ---- */

prof_status prof_slo_frames(const struct prof_texts *limits, const struct prof_frames *frames, struct prof_diag *diag,
                            struct prof_slo_results *out) {
  prof_status status = PROF_OK;
  for (size_t i = 0; i < limits->count && status == PROF_OK; i++) {
    struct limit limit;
    const size_t before = out->count;
    status = parse(limits->items[i], diag, &limit);
    for (size_t at = 0; status == PROF_OK && at < frames->count; at++) {
      const struct prof_duration_figures *from = &frames->rows[at].figures;
      const uint64_t values[] = {from->p50_ns, from->p95_ns, from->p99_ns, from->min_ns, from->avg_ns, from->max_ns};
      const char *name = frames->rows[at].name;
      if ((strcmp(limit.pattern, name) == 0 || fnmatch(limit.pattern, name, 0) == 0) &&
          !add(out, &limit, name, true, values))
        status = prof_diag_memory(diag);
    }
    if (status == PROF_OK && out->count == before)
      status = prof_command_usage(diag, "without --slo the rows show their names", "--slo: no row is called '%s'",
                                  limit.pattern);
    free(limit.pattern);
  }
  return status;
}

/* ---- results ---- */

bool prof_slo_kept(const struct prof_slo_results *results) {
  for (size_t i = 0; i < results->count; i++)
    if (!results->items[i].kept)
      return false;
  return true;
}

void prof_slo_show(const struct prof_slo_results *results, const struct prof_output *output) {
  for (size_t i = 0; i < results->count; i++) {
    const struct prof_slo_result *result = &results->items[i];
    char value[PROF_UNITS_BYTES], limit[PROF_UNITS_BYTES], line[600], name[400];
    prof_text_escape(name, sizeof name, result->name, strlen(result->name));
    snprintf(line, sizeof line, "%s: %s of %s is %s, limit %s %s", result->kept ? "kept" : "broken", result->statistic,
             name, result->known ? prof_units_duration(value, result->value_ns) : "not known",
             result->or_equal ? "<=" : "<", prof_units_duration(limit, result->limit_ns));
    prof_output_line(output, line);
  }
}

void prof_slo_json(const struct prof_slo_results *results, struct prof_json *json) {
  if (results->count == 0)
    return;
  prof_json_array(json, "slo");
  for (size_t i = 0; i < results->count; i++) {
    const struct prof_slo_result *result = &results->items[i];
    prof_json_object(json, NULL);
    prof_json_text(json, "name", result->name);
    prof_json_text(json, "statistic", result->statistic);
    prof_json_count(json, "limit_ns", result->limit_ns);
    if (result->known)
      prof_json_count(json, "value_ns", result->value_ns);
    else
      prof_json_text(json, "value_ns", NULL);
    prof_json_bool(json, "kept", result->kept);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}
