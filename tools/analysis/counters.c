/*
 * tools/analysis/counters.c - see counters.h.
 */
#include "analysis/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "names/loop_frames.h"

struct ranking {
  const prof_trace *trace;
  struct prof_names *names;
  enum prof_counters_by by;
  struct prof_counter_sums sums;
};

/* ---- rows ---- */

static void name_row(const struct ranking *ranking, uint32_t key, struct prof_counter_row *row) {
  switch (ranking->by) {
  case PROF_COUNTERS_BY_LINE: {
    const struct prof_line *line = &ranking->sums.lines.lines.items[key];
    *row = (struct prof_counter_row){.name = ranking->sums.lines.parts.items[line->first_part].function,
                                     .file = line->file,
                                     .line = line->line,
                                     .index = PROF_NONE};
    break;
  }
  case PROF_COUNTERS_BY_MODULE: {
    size_t count;
    const struct prof_module *modules = prof_trace_modules(ranking->trace, &count);
    *row = (struct prof_counter_row){.name =
                                         key < count ? prof_names_path(ranking->names, modules[key].path) : "[unknown]",
                                     .file = "",
                                     .index = PROF_NONE};
    break;
  }
  default: {
    bool loops = ranking->by == PROF_COUNTERS_BY_LOOP;
    uint32_t frame = loops ? prof_frame_of_loop(ranking->trace, key) : key;
    *row = (struct prof_counter_row){.name = loops ? prof_names_loop_function(ranking->names, key)
                                                   : prof_names_function(ranking->names, frame),
                                     .file = prof_names_file(ranking->names, frame),
                                     .line = prof_names_line(ranking->names, frame),
                                     .index = key};
  }
  }
}

static int compare(const void *left, const void *right, void *context) {
  const struct prof_counter_row *a = left, *b = right;
  uint32_t by = *(const uint32_t *)context;
  int order = prof_order(b->self[by], a->self[by]);
  if (order == 0 && a->total)
    order = prof_order(b->total[by], a->total[by]);
  return order ?: strcmp(a->name, b->name) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
}

static bool has_figures(const struct prof_counter_sums *sums, uint32_t key) {
  const double *self = prof_counter_self(sums, key), *total = prof_counter_total(sums, key);
  bool any = false;
  for (uint32_t i = 0; i < sums->counter_count && !any; i++)
    any = (self && self[i] > 0) || (total && total[i] > 0);
  return any;
}

static prof_status make_rows(struct ranking *ranking, uint32_t by_counter, struct prof_diag *diag,
                             struct prof_counter_rows *out) {
  out->rows = calloc(ranking->sums.keys + 1, sizeof *out->rows);
  if (!out->rows)
    return prof_diag_memory(diag);
  for (uint32_t key = 0; key < ranking->sums.keys; key++) {
    if (!has_figures(&ranking->sums, key))
      continue;
    struct prof_counter_row *row = &out->rows[out->count++];
    name_row(ranking, key, row);
    row->self = prof_counter_self(&ranking->sums, key);
    row->total = prof_counter_total(&ranking->sums, key);
  }
  qsort_r(out->rows, out->count, sizeof *out->rows, compare, &by_counter);
  return PROF_OK;
}

prof_status prof_counters_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                               const struct prof_line_source *source, enum prof_counters_by by, uint32_t by_counter,
                               struct prof_diag *diag, struct prof_counter_rows *out) {
  const struct prof_counter_keys keys = {.by = by, .source = source};
  struct ranking ranking = {.trace = trace, .names = names, .by = by};
  *out = (struct prof_counter_rows){0};
  prof_status status = prof_counter_sums_make(trace, filter, names, &keys, diag, &ranking.sums);
  if (status == PROF_OK)
    status = make_rows(&ranking, by_counter, diag, out);
  out->sums = ranking.sums;
  return status;
}

void prof_counters_free(struct prof_counter_rows *rows) {
  free(rows->rows);
  prof_counter_sums_free(&rows->sums);
  *rows = (struct prof_counter_rows){0};
}
