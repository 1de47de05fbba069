/* test/unit/tui_rows.h - rows made by hand, and a world of panels with them, for tests of tools/tui. */
#ifndef PROF_TEST_TUI_ROWS_H
#define PROF_TEST_TUI_ROWS_H

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tui/app.h"

struct made_row {
  const char *name;
  uint32_t depth; /* depth first */
};

struct made {
  const struct made_row *rows; /* NULL: a chain of `count` rows, or with `flat` a list */
  uint32_t count;
  bool flat;
  size_t *printed; /* counts rows that were printed */
};

static uint32_t made_depth(const struct made *made, uint32_t item) {
  return made->rows ? made->rows[item].depth : made->flat ? 0 : item;
}

static uint32_t made_first(void *rows, uint32_t item) {
  const struct made *made = rows;
  if (item == PROF_TUI_NONE)
    return made->count ? 0 : PROF_TUI_NONE;
  return item + 1 < made->count && made_depth(made, item + 1) > made_depth(made, item) ? item + 1 : PROF_TUI_NONE;
}

static uint32_t made_next(void *rows, uint32_t item) {
  const struct made *made = rows;
  if (!made->rows)
    return made->flat && item + 1 < made->count ? item + 1 : PROF_TUI_NONE;
  for (uint32_t i = item + 1; i < made->count && made_depth(made, i) >= made_depth(made, item); i++)
    if (made_depth(made, i) == made_depth(made, item))
      return i;
  return PROF_TUI_NONE;
}

static uint32_t made_parent(void *rows, uint32_t item) {
  const struct made *made = rows;
  if (!made->rows)
    return made->flat || !item ? PROF_TUI_NONE : item - 1;
  for (uint32_t i = item; i > 0; i--)
    if (made_depth(made, i - 1) < made_depth(made, item))
      return i - 1;
  return PROF_TUI_NONE;
}

static bool made_has_children(void *rows, uint32_t item) {
  return made_first(rows, item) != PROF_TUI_NONE;
}

static const char *made_name(void *rows, uint32_t item) {
  const struct made *made = rows;
  static char name[24];
  if (made->rows)
    return made->rows[item].name;
  snprintf(name, sizeof name, "row%u", item);
  return name;
}

/* A row's function is its item. */
static struct prof_tui_place made_place(void *rows, uint32_t item) {
  (void)rows;
  return (struct prof_tui_place){.function = item, .tid = 100 + item};
}

static double made_weight(void *rows, uint32_t item) {
  (void)rows;
  return item == 0 ? 0.5 : item == 1 ? 0.05 : 0;
}

static bool made_print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                       FILE *file) {
  const struct made *made = rows;
  (void)look;
  fputs("SELF  NAME\n", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%*s%s\n", (int)(2 * shown[i].depth % 40), "", made_name(rows, shown[i].item));
  if (made->printed)
    *made->printed += count;
  return true;
}

static const struct prof_tui_rows_type made_type = {.first = made_first,
                                                    .next = made_next,
                                                    .parent = made_parent,
                                                    .has_children = made_has_children,
                                                    .deep = true,
                                                    .name = made_name,
                                                    .place = made_place,
                                                    .weight = made_weight,
                                                    .print = made_print,
                                                    .free = free};

static inline struct prof_tui_rows made_rows(struct made made) {
  struct made *copy = malloc(sizeof *copy);
  *copy = made;
  return (struct prof_tui_rows){.type = &made_type, .rows = copy};
}

#endif
