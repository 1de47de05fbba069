/*
 * tools/view/tree_text.c - the branches before the lines of a tree.
 */
#include "tree_text.h"

#include <string.h>

void prof_tree_text_init(struct prof_tree_text *text, bool utf8) {
  *text = (struct prof_tree_text){.utf8 = utf8};
}

static void put(char *out, size_t size, size_t *used, const char *piece) {
  size_t bytes = strlen(piece);
  if (*used + bytes >= size)
    return;
  memcpy(out + *used, piece, bytes + 1);
  *used += bytes;
}

size_t prof_tree_text_branch(struct prof_tree_text *text, uint32_t depth, bool last, char *out, size_t size) {
  static const char *const forms[2][4] = {
      {"   ", "|  ", "+- ", "`- "},
      {"   ", "│  ", "├─ ", "└─ "},
  };
  const char *const *form = forms[text->utf8];
  size_t used = 0, columns = 0;
  out[0] = 0;
  if (!depth)
    return 0;
  uint32_t shown = depth < PROF_TREE_TEXT_LEVELS ? depth : PROF_TREE_TEXT_LEVELS - 1;
  text->open[shown] = !last;
  for (uint32_t level = 1; level < shown; level++, columns += 3)
    put(out, size, &used, form[text->open[level]]);
  put(out, size, &used, form[last ? 3 : 2]);
  columns += 3;
  if (depth != shown) {
    char number[24];
    int bytes = snprintf(number, sizeof number, "[%u] ", depth);
    put(out, size, &used, number);
    columns += (size_t)bytes;
  }
  return columns;
}
