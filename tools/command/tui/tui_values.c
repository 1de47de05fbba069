/*
 * tools/command/tui/tui_values.c - the panel of arguments: rows and fields of `prof report --by=arg -n 0`.
 */
#include <stdlib.h>

#include "analysis/arguments.h"
#include "base/diag.h"
#include "command/frame_rows.h"
#include "panels.h"

struct value_list {
  struct prof_argument_rows calls;
  uint64_t total_ns; /* of all rows */
};

static const struct prof_frame_name *row_of(void *rows, uint32_t item) {
  return &((const struct value_list *)rows)->calls.rows.rows[item];
}

static void values_free(void *rows) {
  prof_arguments_free(&((struct value_list *)rows)->calls);
  free(rows);
}

static uint32_t next_row(void *rows, uint32_t item) {
  uint32_t next = item == PROF_TUI_NONE ? 0 : item + 1;
  return next < ((const struct value_list *)rows)->calls.rows.count ? next : PROF_TUI_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  return row_of(rows, item)->name;
}

static double weight_of(void *rows, uint32_t item) {
  uint64_t total_ns = ((const struct value_list *)rows)->total_ns;
  return total_ns ? (double)row_of(rows, item)->figures.total_ns / (double)total_ns : 0;
}

/* Items are indices, so visible rows follow one another. */
static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  const struct prof_frames *all = &((const struct value_list *)rows)->calls.rows;
  const struct prof_frames visible = {.rows = count ? &all->rows[shown[0].item] : all->rows, .count = count};
  const struct prof_table_style style = {.utf8 = look->utf8, .width = look->width};
  struct prof_table *table = prof_call_table(&visible, count);
  if (table)
    prof_table_print(table, file, &style);
  prof_table_free(table);
  return table != NULL;
}

static const struct prof_tui_rows_type type = {
    .first = next_row, .next = next_row, .name = name_of, .weight = weight_of, .print = print, .free = values_free};

prof_status prof_tui_values_build(void *context, const struct prof_tui_request *request, struct prof_diag *diag,
                                  struct prof_tui_rows *out) {
  const struct prof_recording *recording = &((struct prof_tui_figures *)context)->now->reader.recording;
  struct value_list *list = calloc(1, sizeof *list);
  (void)request; /* one order, and of no function alone */
  if (!list)
    return prof_diag_memory(diag);
  prof_status status =
      prof_arguments_find(recording->trace, recording->names, &recording->filter, false, diag, &list->calls);
  if (status != PROF_OK) {
    free(list);
    return status;
  }
  for (size_t i = 0; i < list->calls.rows.count; i++)
    list->total_ns += list->calls.rows.rows[i].figures.total_ns;
  *out = (struct prof_tui_rows){.type = &type, .rows = list};
  return PROF_OK;
}
