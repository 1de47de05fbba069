/*
 * tools/command/tui/tui_loops.c - the panel of loops: rows and fields of `prof loops -n 0`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/loops/loop_table.h"
#include "command/loops/loop_text.h"
#include "panels.h"
#include "row_table.h"

struct loop_list {
  const struct prof_reader *reader;
  struct prof_loop_rows rows;
  size_t widest[PROF_LOOP_COLUMNS];
  char name[2 * PROF_LOOP_TEXT_BYTES]; /* of the row that was asked for last */
};

static void loops_free(void *rows) {
  prof_loops_free(&((struct loop_list *)rows)->rows);
  free(rows);
}

static uint32_t first_row(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE && ((const struct loop_list *)rows)->rows.count ? 0 : PROF_TUI_NONE;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return item + 1 < ((const struct loop_list *)rows)->rows.count ? item + 1 : PROF_TUI_NONE;
}

/* "src/app.c:12-18 main" */
static const char *name_of(void *rows, uint32_t item) {
  struct loop_list *list = rows;
  char place[PROF_LOOP_TEXT_BYTES], function[PROF_LOOP_TEXT_BYTES];
  prof_loop_place(&list->rows.rows[item], list->reader, place, sizeof place);
  prof_loop_function(&list->rows.rows[item], function, sizeof function);
  snprintf(list->name, sizeof list->name, "%s %s", place, function);
  return list->name;
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct loop_list *list = rows;
  size_t count;
  const struct prof_loop *loops = prof_trace_loops(list->reader->recording.trace, &count);
  uint32_t loop = list->rows.rows[item].loop;
  return (struct prof_tui_place){.function = loop < count ? loops[loop].function : PROF_TUI_NONE,
                                 .line = list->rows.rows[item].line};
}

static double weight_of(void *rows, uint32_t item) {
  const struct prof_loop_row *row = &((const struct loop_list *)rows)->rows.rows[item];
  return row->has_self ? row->self_share : 0;
}

/* Items are indices, so visible rows follow one another. */
static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  struct loop_list *list = rows;
  struct prof_column columns[PROF_LOOP_COLUMNS] = {0};
  const struct prof_loop_row *first = count ? &list->rows.rows[shown[0].item] : list->rows.rows;
  struct prof_table *table = prof_loop_table(list->reader, first, NULL, NULL, count, true, columns);
  for (size_t i = 0; table && i < PROF_LOOP_COLUMNS; i++) /* where it lies matters more */
    if (columns[i].title && !strcmp(columns[i].title, "WAIT"))
      columns[i].spare = 1;
  bool good = table && !prof_table_failed(table);
  if (good) {
    const struct prof_table_style style = {.utf8 = look->utf8, .width = look->width, .widest = list->widest};
    prof_table_print(table, file, &style);
  }
  prof_table_free(table);
  return good;
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = loops_free};

prof_status prof_tui_loops_build(void *context, const struct prof_tui_request *request, struct prof_diag *diag,
                                 struct prof_tui_rows *out) {
  struct prof_tui_figures *figures = context;
  const struct prof_tui_fold *fold = NULL;
  struct loop_list *list = calloc(1, sizeof *list);
  if (!list)
    return prof_diag_memory(diag);
  list->reader = &figures->now->reader;
  prof_status status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_LOOPS, diag, &fold);
  if (status == PROF_OK)
    status = prof_loops_rank(fold->profile, list->reader->recording.names, list->reader->recording.time,
                             (enum prof_loop_sort)request->sort, diag, &list->rows);
  if (status == PROF_OK && list->rows.count == 0)
    status = prof_loop_none(list->reader, &list->rows, diag);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = list};
  else
    loops_free(list);
  return status;
}
