/*
 * tools/command/tui/tui_counters.c - the panel of counters in time: rows and fields of `prof report --by=counter -n 0`.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "command/counter_rows.h"
#include "panels.h"

struct counter_list {
  struct prof_counter_tracks counters;
  size_t widest[PROF_COUNTER_ROWS_COLUMNS]; /* only grow, so that columns don't jump while rows scroll */
};

static void counters_free(void *rows) {
  prof_counter_tracks_free(&((struct counter_list *)rows)->counters);
  free(rows);
}

static uint32_t next_row(void *rows, uint32_t item) {
  const uint32_t next = item == PROF_TUI_NONE ? 0 : item + 1;
  return next < ((const struct counter_list *)rows)->counters.list.count ? next : PROF_TUI_NONE;
}

static uint32_t first_row(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE ? next_row(rows, item) : PROF_TUI_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  return ((const struct counter_list *)rows)->counters.list.items[item].name;
}

/* Items are indices, so visible rows follow one another. */
static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  struct counter_list *list = rows;
  const struct prof_counter_track *first = &list->counters.list.items[count ? shown[0].item : 0];
  const struct prof_table_style style = {.utf8 = look->utf8, .width = look->width, .widest = list->widest};
  return prof_counter_rows_print(&list->counters, first, count, &style, file);
}

static const struct prof_tui_rows_type type = {
    .first = first_row, .next = next_row, .name = name_of, .print = print, .free = counters_free};

prof_status prof_tui_counters_build(void *context, const struct prof_tui_request *request, struct prof_diag *diag,
                                    struct prof_tui_rows *out) {
  const struct prof_recording *recording = &((struct prof_tui_figures *)context)->now->reader.recording;
  struct counter_list *list = calloc(1, sizeof *list);
  (void)request; /* one order, and of no function alone */
  if (!list)
    return prof_diag_memory(diag);
  prof_status status = prof_counter_tracks_find(recording->trace, &recording->filter, diag, &list->counters);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = list};
  else
    counters_free(list);
  return status;
}
