/*
 * tools/command/measures/measure_view.c - see measure_view.h.
 */
#include "measure_view.h"

#include <string.h>

#include "base/diag.h"
#include "export/unfinished.h"
#include "fold/measured.h"

static bool show_json(const struct prof_measure_view *view, const struct prof_table *table, size_t count,
                      const prof_trace *trace, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, trace);
  view->members(view->context, &json);
  if (view->row_json == NULL) {
    prof_table_json(table, &json, view->key);
  } else {
    prof_json_array(&json, view->key);
    for (size_t i = 0; i < count; i++)
      view->row_json(view->context, i, &json);
    prof_json_array_end(&json);
  }
  bool good = view->more == NULL || view->more(view->context, &json);
  prof_json_object_end(&json);
  return good;
}

static bool show_table(const struct prof_measure_view *view, const struct prof_table *table, size_t hidden,
                       const struct prof_output *output) {
  view->above(view->context, output);
  if (view->count > 0 || view->below == NULL)
    prof_table_print(table, output->file, &output->style);
  if (hidden)
    fprintf(output->file, "... and %zu more %s%s: -n 0 shows all\n", hidden, view->row, hidden == 1 ? "" : "s");
  return view->below == NULL || view->below(view->context, output);
}

prof_status prof_measure_show(const struct prof_ranked *ranked, const struct prof_reader *reader,
                              const struct prof_measure_view *view, int *result, struct prof_diag *diag) {
  struct prof_column columns[PROF_MEASURE_MOST_FIELDS];
  struct prof_output output;
  size_t count = prof_ranked_count(ranked, PROF_RANKED_TABLE, view->count), hidden = view->count - count;
  struct prof_table *table =
      view->table ? view->table(view->context, count)
                  : prof_field_table(view->fields, view->field_count, view->rows, view->row_bytes, count, columns);
  if (!table)
    return prof_diag_memory(diag);
  prof_output_begin(&output, &ranked->common);
  prof_reader_warn(reader, &output);
  bool good = true;
  if (prof_ranked_is_table(ranked))
    good = show_table(view, table, hidden, &output);
  else if (ranked->common.format == PROF_FORMAT_JSON)
    good = show_json(view, table, count, reader->recording.trace, output.file);
  else
    prof_table_csv(table, output.file);
  prof_table_free(table);
  *result = prof_output_end(&output);
  return good ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_measure_missing(const prof_trace *trace, const char *what, const char *option,
                                 struct prof_diag *diag) {
  size_t note_count;
  const char *const *notes = prof_trace_notes(trace, &note_count);
  for (size_t i = 0; i < note_count; i++)
    if (strstr(notes[i], option))
      return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET, notes[i],
                            "the recording has no %s", what);
  char remedy[96];
  if (prof_measured_asked(trace, option))
    snprintf(remedy, sizeof remedy, "it was recorded with %s: none in recorded functions", option);
  else
    snprintf(remedy, sizeof remedy, "record them: prof record %s PROGRAM", option);
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET, remedy,
                        "the recording has no %s", what);
}
