/*
 * tools/analysis/lines/annotate.c - see annotate.h.
 */
#include "analysis/lines/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/whole.h"

static struct prof_annotated_line of_row(const struct prof_line_row *row, uint64_t all_ns) {
  return (struct prof_annotated_line){
      .line = row->line,
      .costs = true,
      .samples = row->samples,
      .self_ns = row->self.running,
      .self_low_ns = prof_whole(row->share_interval.low * (double)all_ns),
      .self_high_ns = prof_whole(row->share_interval.high * (double)all_ns),
      .self_share = row->self_share,
      .outside_ns = row->outside_ns,
      .calls = row->calls,
      .calls_ns = row->calls_ns,
      .calls_estimated = row->calls_estimated,
      .in_calls = row->in_calls,
      .count = row->count,
      .readings = row->readings,
      .visits = row->visits,
      .measured_self_ns = row->measured_self_ns,
      .measured_low_ns = row->measured_low_ns,
      .measured_high_ns = row->measured_high_ns,
      .measured_calls_ns = row->measured_calls_ns,
  };
}

prof_status prof_annotate_select(const struct prof_line_rows *rows, const char *file, uint32_t first, uint32_t last,
                                 struct prof_diag *diag, struct prof_annotated *out) {
  *out = (struct prof_annotated){
      .file = file, .count = last - first + 1, .has_samples = rows->samples > 0 && rows->time != PROF_TIME_WAITING};
  out->lines = calloc(out->count, sizeof *out->lines);
  if (!out->lines)
    return prof_diag_memory(diag);
  for (uint32_t i = 0; i < out->count; i++)
    out->lines[i].line = first + i;
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_line_row *row = &rows->rows[i];
    out->has_counts |= row->count > 0;
    out->has_times |= row->readings > 0;
    out->has_outside |= row->outside_ns > 0;
    if (row->line >= first && row->line <= last && strcmp(row->file, file) == 0)
      out->lines[row->line - first] = of_row(row, rows->self.running);
  }
  return PROF_OK;
}

/* If several files match, the loop is in the one that has lines of its function. */
static bool stands_in(const struct prof_loop_row *loop, const char *file, const struct prof_line_rows *rows) {
  bool elsewhere = false;
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_line_row *row = &rows->rows[i];
    if (strcmp(row->function, loop->inlined[0] ? loop->inlined : loop->function) != 0)
      continue;
    if (strcmp(row->file, file) == 0)
      return true;
    elsewhere |= row->line > 0 && prof_loop_may_be_in(loop, row->file);
  }
  return !elsewhere;
}

void prof_annotate_loops(struct prof_annotated *annotated, const struct prof_loop_rows *loops,
                         const struct prof_line_rows *rows) {
  uint32_t first = annotated->count > 0 ? annotated->lines[0].line : 0;
  for (size_t i = 0; i < loops->count; i++) {
    const struct prof_loop_row *loop = &loops->rows[i];
    if (loop->line < first || loop->line - first >= annotated->count ||
        (loop->has_iterations && loop->iterations == 0) || !prof_loop_may_be_in(loop, annotated->file) ||
        !stands_in(loop, annotated->file, rows))
      continue;
    struct prof_annotated_line *line = &annotated->lines[loop->line - first];
    line->iterations += loop->iterations;
    line->iterations_unknown |= !loop->has_iterations;
    line->iterations_estimated |= loop->estimated;
    line->costs = annotated->has_loops = true;
  }
}

void prof_annotated_free(struct prof_annotated *annotated) {
  free(annotated->lines);
  memset(annotated, 0, sizeof *annotated);
}

uint32_t prof_annotate_extent(const struct prof_line_rows *rows, const char *file, uint32_t *first) {
  uint32_t last = 0;
  *first = 0;
  for (size_t i = 0; i < rows->count; i++) {
    uint32_t line = rows->rows[i].line;
    if (line == 0 || strcmp(rows->rows[i].file, file) != 0)
      continue;
    *first = *first == 0 || line < *first ? line : *first;
    last = line > last ? line : last;
  }
  return last;
}

static bool ends_in(const char *path, const char *end) {
  size_t bytes = strlen(path), end_bytes = strlen(end);
  if (end_bytes > bytes || strcmp(path + bytes - end_bytes, end) != 0)
    return false;
  return bytes == end_bytes || path[bytes - end_bytes - 1] == '/';
}

const char *prof_annotate_file(const struct prof_line_rows *rows, const char *text, bool *ambiguous) {
  const char *found = NULL;
  *ambiguous = false;
  for (size_t i = 0; i < rows->count && text[0]; i++) {
    const char *file = rows->rows[i].file;
    if (rows->rows[i].line == 0 || !ends_in(file, text))
      continue;
    if (strcmp(file, text) == 0) {
      *ambiguous = false;
      return file;
    }
    *ambiguous |= found && strcmp(found, file) != 0;
    found = file;
  }
  return *ambiguous ? NULL : found;
}
