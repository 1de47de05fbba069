/*
 * tools/tui/rows.c - see rows.h.
 */
#include "rows.h"

#include <stdlib.h>

void prof_tui_rows_free(struct prof_tui_rows *rows) {
  if (rows->type)
    rows->type->free(rows->rows);
  free(rows->title);
  free(rows->note);
  *rows = (struct prof_tui_rows){0};
}
