/*
 * tools/command/hot_rows.c - see hot_rows.h.
 */
#include "hot_rows.h"

#include <string.h>

#include "analysis/lines/hot_lines.h"
#include "base/diag.h"
#include "base/text.h"
#include "hint.h"
#include "row.h"
#include "study/symbols.h"
#include "view/width.h"

#define LINE_WIDTH 60 /* columns of a file and line */

static const char *text_of(const struct prof_reader *reader, const struct prof_hot_line *hot,
                           struct prof_arena *arena) {
  char line[16];
  if (!hot->file)
    return "";
  const char *path = prof_shown_path(reader->recording.paths, hot->file);
  size_t bytes = strlen(path);
  int digits = snprintf(line, sizeof line, ":%u", hot->line);
  char *text = prof_arena_alloc(arena, bytes + (size_t)digits + 1);
  if (!text)
    return NULL;
  memcpy(text, path, bytes);
  memcpy(text + bytes, line, (size_t)digits + 1);
  return text;
}

prof_status prof_hot_rows_fill(const struct prof_reader *reader, const struct prof_profile *profile,
                               const struct prof_samples *samples, enum prof_group by, struct prof_function_rows *rows,
                               struct prof_arena *arena, struct prof_diag *diag) {
  for (size_t i = 0; i < rows->count; i++)
    rows->rows[i].hot_line = "";
  if (by != PROF_BY_FUNCTION || !profile->places)
    return PROF_OK;
  struct prof_symbols *symbols = NULL;
  struct prof_hot_lines lines = {0};
  prof_status status = prof_symbols_new(&reader->recording, diag, &symbols);
  if (status == PROF_OK) {
    struct prof_line_source source = prof_symbols_source(symbols);
    status = prof_hot_lines_of(profile, samples, &source, diag, &lines);
  }
  for (size_t i = 0; i < rows->count && status == PROF_OK; i++) {
    uint32_t index = rows->rows[i].index;
    rows->rows[i].hot_line = index == PROF_NONE ? "" : text_of(reader, &lines.items[index], arena);
    if (!rows->rows[i].hot_line)
      status = prof_diag_memory(diag);
  }
  prof_hot_lines_free(&lines);
  prof_symbols_free(symbols);
  return status;
}

bool prof_hot_rows_any(const struct prof_function_rows *rows) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->rows[i].hot_line[0])
      return true;
  return false;
}

static bool is_zone(const struct prof_reader *reader, const struct prof_function_row *row) {
  size_t count;
  const struct prof_function *functions = prof_trace_functions(reader->recording.trace, &count);
  return row->index < count && functions[row->index].flags & PROF_FUNCTION_ZONE;
}

void prof_hot_rows_next(const struct prof_reader *reader, const struct prof_function_rows *rows,
                        const struct prof_output *output) {
  const struct prof_function_row *most = NULL;
  for (size_t i = 0; i < rows->count; i++) /* by running time: lines of waits are unknown */
    if (!most || rows->rows[i].self.running > most->self.running)
      most = &rows->rows[i];
  if (!most || !prof_hot_rows_any(rows))
    return;
  char name[PROF_HINT_BYTES], input[PROF_HINT_BYTES], line[512], more[600] = "";
  prof_hint_input(input, reader->common->input);
  prof_hint_function(name, reader, most->name);
  prof_text_escape(line, sizeof line, most->hot_line, strlen(most->hot_line));
  prof_text_cut_left(line, LINE_WIDTH, output->style.utf8);
  const char *what = "annotate", *option = " ";
  if (is_zone(reader, most)) { /* its lines are its function's */
    what = "tree";
    option = " --under=";
  } else if (line[0]) {
    snprintf(more, sizeof more, " (its hottest line: %s)", line);
  }
  size_t width = strlen("next: prof , prof lines") + strlen(what) + strlen(option) + 2 * strlen(input) + strlen(name);
  if (output->style.width && width + prof_text_width(more) > output->style.width)
    more[0] = 0; /* keeps the command whole */
  fprintf(output->file, "next: prof %s%s%s%s%s", what, input, option, name, more);
  if (!output->style.width || width <= output->style.width)
    fprintf(output->file, ", prof lines%s", input);
  putc('\n', output->file);
}
