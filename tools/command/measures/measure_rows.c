/*
 * tools/command/measures/measure_rows.c - see measure_rows.h.
 */
#include "measure_rows.h"

#include <stdlib.h>

#include "base/diag.h"
#include "command/symbols_warn.h"
#include "measure_view.h"
#include "path_text.h"

static prof_status rank(const struct prof_measure_work *work, void *context, const struct prof_reader *reader,
                        struct prof_symbols *symbols, struct prof_diag *diag) {
  const prof_trace *trace = reader->recording.trace;
  struct prof_measure_found found = {0};
  prof_status status = work->rank(context, reader, symbols, diag, &found);
  if (status == PROF_OK && !found.recorded)
    status = prof_measure_missing(trace, work->what, work->option, diag);
  if (status == PROF_OK && found.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET,
                            found.remedy ? found.remedy : "widen the filters (-F -N -D --tid --range)", "no %s to show",
                            work->what);
  return status;
}

prof_status prof_measure_run(const struct prof_measure_work *work, void *context, const struct prof_reader *reader,
                             int *result, struct prof_diag *diag) {
  struct prof_symbols *symbols;
  prof_status status = prof_symbols_new(&reader->recording, diag, &symbols);
  if (status != PROF_OK)
    return status;
  status = rank(work, context, reader, symbols, diag);
  if (status == PROF_OK)
    status = work->show(context, reader, result, diag);
  if (status == PROF_OK && (!work->shows_lines || work->shows_lines(context)))
    prof_symbols_warn(symbols);
  work->forget(context);
  prof_symbols_free(symbols);
  return status;
}

void prof_shown_rows_free(void *rows, size_t count, size_t row_bytes) {
  for (size_t i = 0; rows && i < count; i++)
    free(((struct prof_shown_place *)((char *)rows + i * row_bytes))->line);
  free(rows);
}

void *prof_shown_rows_new(size_t count, size_t row_bytes,
                          const struct prof_measured_place *(*place_of)(const void *context, size_t row),
                          const void *context, struct prof_shown_paths *paths) {
  char *rows = calloc(count + 1, row_bytes);
  bool good = rows != NULL;
  for (size_t i = 0; good && i < count; i++) {
    const struct prof_measured_place *place = place_of(context, i);
    struct prof_shown_place *shown = (struct prof_shown_place *)(rows + i * row_bytes);
    *shown =
        (struct prof_shown_place){place->function, place->file, place->via, place->line, prof_place_text(place, paths)};
    good = shown->line != NULL;
  }
  if (good)
    return rows;
  prof_shown_rows_free(rows, count, row_bytes);
  return NULL;
}
