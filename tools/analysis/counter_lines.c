/*
 * tools/analysis/counter_lines.c - see counter_lines.h.
 */
#include "analysis/counter_lines.h"

#include <stdlib.h>

#include "base/diag.h"

static bool has_events(const struct prof_counter_sums *sums, uint32_t key) {
  const double *self = prof_counter_self(sums, key);
  bool any = false;
  for (uint32_t i = 0; self && i < sums->counter_count && !any; i++)
    any = self[i] > 0;
  return any;
}

prof_status prof_counter_lines_add(const struct prof_counter_sums *sums, enum prof_line_sort sort,
                                   struct prof_diag *diag, struct prof_line_rows *rows) {
  size_t count = sums->lines.lines.count;
  uint8_t *known = calloc(count + 1, 1);
  struct prof_line_row *all = realloc(rows->rows, (rows->count + count + 1) * sizeof *all);
  rows->rows = all ? all : rows->rows;
  if (!known || !all) {
    free(known);
    return prof_diag_memory(diag);
  }
  for (size_t i = 0; i < rows->count; i++) {
    uint32_t key = prof_counter_line_key(sums, all[i].file, all[i].line, all[i].function);
    if (key != PROF_NONE)
      known[key] = 1;
  }
  for (uint32_t key = 0; key < count; key++) {
    const struct prof_line *line = &sums->lines.lines.items[key];
    if (!known[key] && has_events(sums, key))
      all[rows->count++] = (struct prof_line_row){.file = line->file,
                                                  .function = sums->lines.parts.items[line->first_part].function,
                                                  .line = line->line,
                                                  .share_interval = prof_interval_share(0, rows->samples)};
  }
  free(known);
  prof_line_rows_sort(rows, sort);
  return PROF_OK;
}
