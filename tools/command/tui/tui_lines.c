/*
 * tools/command/tui/tui_lines.c - the panel of source lines: rows and fields of `prof lines`.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "command/gpu/gpu_time.h"
#include "command/line_fields.h"
#include "panels.h"
#include "row_table.h"

#define NAME_BYTES 8192

struct line_list {
  const struct prof_reader *reader;
  struct prof_line_rows rows;
  struct prof_line_fields fields;
  struct prof_tui_columns shown;
  char name[NAME_BYTES]; /* of the row that was asked for last */
};

static void lines_free(void *rows) {
  prof_lines_free(&((struct line_list *)rows)->rows);
  free(rows);
}

static uint32_t first_row(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE && ((const struct line_list *)rows)->rows.count ? 0 : PROF_TUI_NONE;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return item + 1 < ((const struct line_list *)rows)->rows.count ? item + 1 : PROF_TUI_NONE;
}

/* "src/app.c:12  main" */
static const char *name_of(void *rows, uint32_t item) {
  struct line_list *list = rows;
  const struct prof_line_row *row = &list->rows.rows[item];
  snprintf(list->name, sizeof list->name, "%.4000s:%u  %.4000s",
           prof_shown_path(list->reader->recording.paths, row->file), row->line, row->function);
  return list->name;
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct prof_line_row *row = &((const struct line_list *)rows)->rows.rows[item];
  return (struct prof_tui_place){.function = PROF_TUI_NONE, .file = row->line ? row->file : NULL, .line = row->line};
}

static double weight_of(void *rows, uint32_t item) {
  return ((const struct line_list *)rows)->rows.rows[item].self_share;
}

static void add_cells(void *rows, const struct prof_tui_row *shown, struct prof_table *table) {
  const struct line_list *list = rows;
  prof_line_cells(table, &list->fields, list->reader, &list->rows.rows[shown->item]);
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  return prof_tui_table_print(&((struct line_list *)rows)->shown, rows, add_cells, shown, count, look, file);
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = lines_free};

static prof_status find(struct line_list *list, struct prof_tui_figures *figures, enum prof_line_sort sort,
                        struct prof_diag *diag) {
  const struct prof_tui_fold *fold = NULL;
  struct prof_symbols *symbols = NULL;
  prof_status status = prof_tui_figures_symbols(figures, diag, &symbols);
  if (status == PROF_OK)
    status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_PLACES, diag, &fold);
  if (status != PROF_OK)
    return status;
  list->reader = &figures->now->reader;
  const struct prof_recording *recording = &list->reader->recording;
  struct prof_line_source source = prof_symbols_source(symbols);
  const struct prof_line_options options = {
      .within = recording->filter.has_only, .time = recording->time, .raw = figures->now->common.raw, .sort = sort};
  status = prof_lines_rank(fold->profile, fold->samples, recording->names, &source, &options, diag, &list->rows);
  if (status == PROF_OK)
    status = prof_gpu_time_lines(list->reader, &source, &options, &list->rows, diag);
  if (status == PROF_OK && list->rows.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "compile with -g, and record samples",
                            "no source line is known");
  if (status != PROF_OK)
    return status;
  prof_line_fields_choose(list->reader, &list->rows, NULL, true, &list->fields);
  list->shown.items = list->fields.columns;
  list->shown.count = list->fields.column_count;
  return PROF_OK;
}

prof_status prof_tui_lines_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                 struct prof_tui_rows *out) {
  struct line_list *list = calloc(1, sizeof *list);
  if (!list)
    return prof_diag_memory(diag);
  prof_status status = find(list, figures, (enum prof_line_sort)request->sort, diag);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = list};
  else
    lines_free(list);
  return status;
}
