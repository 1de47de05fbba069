/*
 * tools/tui/texts.c - see texts.h.
 */
#include "texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "view/width.h"

struct texts {
  char *bytes;                  /* each line ends in NUL */
  PROF_VEC(const char *) lines; /* [0]: the titles */
  double *weights;
};

static void texts_free(void *rows) {
  struct texts *texts = rows;
  free(texts->bytes);
  free(texts->weights);
  prof_vec_fini(&texts->lines);
  free(texts);
}

static uint32_t count_of(const struct texts *texts) {
  return texts->lines.count ? (uint32_t)texts->lines.count - 1 : 0;
}

static uint32_t first_text(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE && count_of(rows) ? 0 : PROF_TUI_NONE;
}

static uint32_t next_text(void *rows, uint32_t item) {
  return item + 1 < count_of(rows) ? item + 1 : PROF_TUI_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  const struct texts *texts = rows;
  return texts->lines.items[item + 1];
}

static double weight_of(void *rows, uint32_t item) {
  const struct texts *texts = rows;
  return texts->weights ? texts->weights[item] : 0;
}

static void put(const char *line, const struct prof_tui_look *look, FILE *file) {
  char *copy = strdup(line);
  if (copy)
    prof_text_cut(copy, look->width, look->utf8);
  fprintf(file, "%s\n", copy ? copy : "");
  free(copy);
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  const struct texts *texts = rows;
  put(texts->lines.count ? texts->lines.items[0] : "", look, file);
  for (size_t i = 0; i < count; i++)
    put(texts->lines.items[shown[i].item + 1], look, file);
  return true;
}

static const struct prof_tui_rows_type type = {
    .first = first_text, .next = next_text, .name = name_of, .weight = weight_of, .print = print, .free = texts_free};

static bool split(struct texts *texts) {
  for (char *line = texts->bytes; line && *line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = 0;
    if (!prof_vec_push(&texts->lines, (const char *)line))
      return false;
    line = end ? end + 1 : NULL;
  }
  return true;
}

bool prof_tui_texts_make(const char *text, const double *weights, struct prof_tui_rows *out) {
  struct texts *texts = calloc(1, sizeof *texts);
  *out = (struct prof_tui_rows){0};
  if (!texts)
    return false;
  texts->bytes = strdup(text);
  bool good = texts->bytes && split(texts);
  if (good && weights && count_of(texts)) {
    texts->weights = malloc(count_of(texts) * sizeof *weights);
    good = texts->weights != NULL;
    if (good)
      memcpy(texts->weights, weights, count_of(texts) * sizeof *weights);
  }
  if (!good) {
    texts_free(texts);
    return false;
  }
  *out = (struct prof_tui_rows){.type = &type, .rows = texts};
  return true;
}
