/*
 * tools/viewer/view_counters.c - figures of hardware counters beside the rows of functions; see view_rows.h.
 */
#include "viewer/columns.h"
#include "viewer/view_rows.h"

static void begin(struct prof_json *json, const char *key, const char *title, const char *kind, bool estimated) {
  prof_json_object(json, NULL);
  prof_json_text(json, "key", key);
  prof_json_text(json, "title", title);
  prof_json_text(json, "kind", kind);
  prof_json_bool(json, "estimated", estimated);
  prof_json_array(json, "values");
}

static void end(struct prof_json *json) {
  prof_json_array_end(json);
  prof_json_object_end(json);
}

static const double *figures_of(const struct prof_counter_sums *sums, const struct prof_function_row *row) {
  return prof_counter_self(sums, prof_counter_row_key(sums, row->index));
}

void prof_view_counters_write(const struct prof_counter_sums *sums, const struct prof_function_rows *rows, size_t most,
                              struct prof_json *json) {
  const struct prof_pmu *counters = sums->counters;
  const struct prof_counter_ratio *ratio;
  size_t count = rows->count < most ? rows->count : most;
  if (sums->counter_count == 0)
    return;
  prof_json_array(json, "counters");
  for (uint32_t i = 0; i < sums->counter_count; i++) {
    if (counters[i].flags & PROF_PMU_REFUSED)
      continue;
    begin(json, counters[i].name, counters[i].name, counters[i].flags & PROF_PMU_NS ? "ns" : "count",
          prof_counter_takes_turns(&counters[i]));
    for (size_t row = 0; row < count; row++) {
      const double *figures = figures_of(sums, &rows->rows[row]);
      prof_json_number(json, NULL, figures ? figures[i] : 0);
    }
    end(json);
  }
  for (uint32_t i = 0; (ratio = prof_counter_ratio(i)) != NULL; i++) {
    if (!prof_counter_has_ratio(counters, sums->counter_count, ratio))
      continue;
    begin(json, ratio->key, ratio->title, ratio->is_share ? "share" : "mean",
          prof_counter_ratio_is_estimated(counters, sums->counter_count, ratio));
    for (size_t row = 0; row < count; row++) {
      const double *figures = figures_of(sums, &rows->rows[row]);
      double value;
      if (figures && prof_counter_ratio_of(counters, sums->counter_count, ratio, figures, &value))
        prof_json_number(json, NULL, value);
      else
        prof_columns_minus(json);
    }
    end(json);
  }
  prof_json_array_end(json);
}
