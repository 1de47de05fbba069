/*
 * tools/command/loops/roofline.c - see roofline.h.
 */
#include "roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "command/command.h"
#include "command/output.h"
#include "loop_text.h"
#include "view/roofline_svg.h"

prof_status prof_roofs_take(const char *text, struct prof_peaks *peaks, struct prof_diag *diag) {
  char *end;
  if (strcmp(text, "measure") == 0) {
    prof_peaks_measure(peaks);
    return PROF_OK;
  }
  peaks->flops = 1e9 * strtod(text, &end);
  bool good = end != text && *end == ',';
  const char *second = good ? end + 1 : text;
  peaks->read_bytes_per_second = 1e9 * strtod(second, &end);
  good = good && end != second && *end == 0 && isfinite(peaks->flops) && isfinite(peaks->read_bytes_per_second);
  if (good && peaks->flops > 0 && peaks->read_bytes_per_second > 0)
    return PROF_OK;
  return prof_command_usage(diag, "give GFLOP/s and GB/s, as in --peaks=100,200, or --peaks=measure",
                            "--peaks: '%s' is no pair of peaks", text);
}

static bool is_drawn(const struct prof_loop_work *work) {
  return work->has_intensity && work->has_rate && work->rate > 0 && work->intensity > 0;
}

/* "app.c:12-18 solve"; the caller frees it. */
static char *name_of(const struct prof_reader *reader, const struct prof_loop_row *row) {
  char place[PROF_LOOP_TEXT_BYTES], function[PROF_LOOP_TEXT_BYTES], *name;
  prof_loop_place(row, reader, place, sizeof place);
  prof_loop_function(row, function, sizeof function);
  return asprintf(&name, "%s %s", place, function) < 0 ? NULL : name;
}

static int compare_shares(const void *left, const void *right) {
  const struct prof_roofline_point *a = left, *b = right;
  return prof_order(b->share, a->share);
}

/* Those with the most time first: they have labels. */
static prof_status find_points(const struct prof_reader *reader, const struct prof_loop_rows *rows,
                               const struct prof_loop_works *works, struct prof_roofline_point *points, size_t *count) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_loop_work *work = &works->items[i];
    if (!is_drawn(work))
      continue;
    char *name = name_of(reader, &rows->rows[i]);
    if (!name)
      return PROF_NO_MEMORY;
    points[(*count)++] =
        (struct prof_roofline_point){name, work->intensity, work->rate, fmin(rows->rows[i].self_share, 1)};
  }
  qsort(points, *count, sizeof *points, compare_shares);
  return PROF_OK;
}

static prof_status write_file(const struct prof_roofline *roofline, const char *path, int *result,
                              struct prof_diag *diag) {
  struct prof_output output;
  prof_status status = prof_output_file(&output, path, diag);
  if (status != PROF_OK)
    return status;
  prof_roofline_svg(output.file, roofline);
  *result = prof_output_end(&output);
  return PROF_OK;
}

prof_status prof_roofline_write(const struct prof_reader *reader, const struct prof_loop_rows *rows,
                                const struct prof_loop_works *works, const char *path, const struct prof_peaks *peaks,
                                int *result, struct prof_diag *diag) {
  struct prof_roofline_point *points = calloc(rows->count + 1, sizeof *points);
  size_t count = 0;
  prof_status status = points ? find_points(reader, rows, works, points, &count) : PROF_NO_MEMORY;
  const struct prof_roofline roofline = {points, count, peaks->flops / 1e9, peaks->read_bytes_per_second / 1e9};
  if (status == PROF_NO_MEMORY)
    status = prof_diag_memory(diag);
  else if (count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(reader->recording.trace)->path, PROF_NO_OFFSET,
                            "prof loops --flops shows what is known", "no loop has times, operations and exact bytes");
  else
    status = write_file(&roofline, path, result, diag);
  for (size_t i = 0; i < count; i++)
    free((char *)points[i].name);
  free(points);
  return status;
}
