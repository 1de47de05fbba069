/*
 * tools/command/tui/row_table.c - see row_table.h.
 */
#include "row_table.h"

#include <stdlib.h>
#include <string.h>

#define INDENTED 12 /* levels; deeper rows show their level as a number */
#define LEAD_BYTES 64

bool prof_tui_table_print(struct prof_tui_columns *columns, void *rows, prof_tui_add_cells *add,
                          const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                          FILE *file) {
  struct prof_table *table = prof_table_new(columns->items, columns->count);
  for (size_t i = 0; table && i < count; i++)
    add(rows, &shown[i], table);
  bool good = table && !prof_table_failed(table);
  if (good) {
    const struct prof_table_style style = {.utf8 = look->utf8, .width = look->width, .widest = columns->widest};
    prof_table_print(table, file, &style);
  }
  prof_table_free(table);
  return good;
}

void prof_tui_branch_cell(struct prof_table *table, const struct prof_tui_row *row, bool has_children,
                          const char *name) {
  char lead[LEAD_BYTES], number[16];
  const char *mark = !has_children ? "  " : row->open ? "- " : "+ ";
  if (row->depth <= INDENTED) {
    snprintf(lead, sizeof lead, "%*s%s", 2 * (int)row->depth, "", mark);
  } else {
    snprintf(number, sizeof number, "%u>", row->depth);
    snprintf(lead, sizeof lead, "%*s%s", 2 * INDENTED, number, mark);
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
