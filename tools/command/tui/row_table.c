/*
 * tools/command/tui/row_table.c - see row_table.h.
 */
#include "row_table.h"

#include <stdlib.h>
#include <string.h>

#include "names/loop_frames.h"
#include "names/process_groups.h"

#define MOST_LEVELS 20
#define LEAST_LEVELS 2
#define NARROW 80 /* columns of a screen that has no room for spare columns */
#define LEAD_BYTES 64

/* How many levels an indent may have: it takes at most half of the last column (fit.h). */
static uint32_t levels_of(const struct prof_tui_columns *columns, const struct prof_tui_look *look) {
  size_t used = 0;
  for (size_t i = 0; i + 1 < columns->count; i++)
    used += columns->items[i].spare && look->width < NARROW ? 0 : columns->widest[i] + 2;
  size_t room = look->width > used ? (look->width - used) / 2 : 0, levels = room > 4 ? (room - 4) / 2 : 0;
  return levels < LEAST_LEVELS ? LEAST_LEVELS : levels > MOST_LEVELS ? MOST_LEVELS : (uint32_t)levels;
}

static struct prof_table *fill(void *rows, prof_tui_add_cells *add, const struct prof_tui_columns *columns,
                               const struct prof_tui_row *shown, size_t count) {
  struct prof_table *table = prof_table_new(columns->items, columns->count);
  for (size_t i = 0; table && i < count; i++)
    add(rows, &shown[i], table);
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    table = NULL;
  }
  return table;
}

bool prof_tui_table_print(struct prof_tui_columns *columns, void *rows, prof_tui_add_cells *add,
                          const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                          FILE *file) {
  const struct prof_table_style style = {.utf8 = look->utf8, .width = look->width, .widest = columns->widest};
  struct prof_table *table = fill(rows, add, columns, shown, count);
  if (!table)
    return false;
  prof_table_measure(table, columns->widest);
  uint32_t levels = levels_of(columns, look);
  if (levels != columns->levels) { /* other indents, if it is a tree */
    columns->levels = levels;
    prof_table_free(table);
    table = fill(rows, add, columns, shown, count);
  }
  if (table)
    prof_table_print(table, file, &style);
  prof_table_free(table);
  return table != NULL;
}

void prof_tui_branch_columns(struct prof_column *columns, size_t count) {
  for (size_t i = 2; i < count; i++)
    columns[i].spare = !strcmp(columns[i].title, "SELF") ? 1 : !strcmp(columns[i].title, "CALLS") ? 2 : 3;
}

struct prof_tui_place prof_tui_branch_place(const prof_trace *trace, uint32_t frame) {
  size_t count;
  const struct prof_loop *loops = prof_trace_loops(trace, &count);
  uint32_t loop = prof_frame_loop(trace, frame);
  if (prof_frame_is_group(frame))
    return (struct prof_tui_place){.function = PROF_TUI_NONE};
  if (loop != PROF_NONE)
    return (struct prof_tui_place){.function = loops[loop].function, .line = loops[loop].line};
  return (struct prof_tui_place){.function = frame};
}

void prof_tui_branch_cell(struct prof_table *table, const struct prof_tui_row *row, bool has_children, const char *name,
                          uint32_t levels) {
  char lead[LEAD_BYTES], number[16];
  const char *mark = !has_children ? "  " : row->open ? "- " : "+ ";
  if (row->depth <= levels) {
    snprintf(lead, sizeof lead, "%*s%s", 2 * (int)row->depth, "", mark);
  } else {
    snprintf(number, sizeof number, "%u>", row->depth);
    snprintf(lead, sizeof lead, "%*s%s", 2 * (int)levels, number, mark);
  }
  size_t lead_bytes = strlen(lead), name_bytes = strlen(name) + 1;
  char *text = malloc(lead_bytes + name_bytes);
  if (text) {
    memcpy(text, lead, lead_bytes);
    memcpy(text + lead_bytes, name, name_bytes);
  }
  prof_table_text_after(table, text ? text : lead, lead_bytes);
  free(text);
}
