/*
 * tools/command/frame_rows.c - see frame_rows.h.
 */
#include "frame_rows.h"

#include "base/diag.h"
#include "command.h"
#include "export/unfinished.h"
#include "ranked.h"
#include "slo.h"

static const struct prof_column columns[] = {
    {"name", "FRAME", PROF_CELL_TEXT, PROF_CUT_NAME},
    {"count", "FRAMES", PROF_CELL_COUNT},
    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"avg_ns", "AVG", PROF_CELL_NS},
    {"min_ns", "MIN", PROF_CELL_NS, .spare = 3},
    {"p50_ns", "P50", PROF_CELL_NS},
    {"p95_ns", "P95", PROF_CELL_NS, .spare = 2},
    {"p99_ns", "P99", PROF_CELL_NS},
    {"max_ns", "MAX", PROF_CELL_NS},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void figures_of(const struct prof_frame_name *row, uint64_t out[COLUMNS - 1]) {
  const struct prof_duration_figures *from = &row->figures;
  const uint64_t figures[COLUMNS - 1] = {from->count,  from->total_ns, from->avg_ns, from->min_ns,
                                         from->p50_ns, from->p95_ns,   from->p99_ns, from->max_ns};
  for (size_t i = 0; i < COLUMNS - 1; i++)
    out[i] = figures[i];
}

struct prof_table *prof_frame_table(const struct prof_frames *frames, size_t count) {
  struct prof_table *table = prof_table_new(columns, COLUMNS);
  for (size_t i = 0; table && i < count; i++) {
    uint64_t figures[COLUMNS - 1];
    figures_of(&frames->rows[i], figures);
    prof_table_text(table, frames->rows[i].name);
    for (size_t at = 0; at < COLUMNS - 1; at++)
      prof_table_count(table, figures[at]);
  }
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    return NULL;
  }
  return table;
}

void prof_frame_json(const struct prof_frame_name *row, struct prof_json *json) {
  uint64_t figures[COLUMNS - 1];
  figures_of(row, figures);
  prof_json_text(json, "name", row->name);
  for (size_t at = 0; at < COLUMNS - 1; at++)
    prof_json_count(json, columns[at + 1].key, figures[at]);
}

static void show_json(const struct prof_table *table, const struct prof_slo_results *limits, const prof_trace *trace,
                      FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, trace);
  prof_table_json(table, &json, "frames");
  prof_slo_json(limits, &json);
  prof_json_object_end(&json);
}

static prof_status show(const struct prof_ranked *ranked, const struct prof_frames *frames,
                        const struct prof_slo_results *limits, const struct prof_reader *reader, int *result,
                        struct prof_diag *diag) {
  struct prof_output output;
  const size_t count = prof_ranked_count(ranked, PROF_RANKED_TABLE, frames->count);
  struct prof_table *table = prof_frame_table(frames, count);
  if (!table)
    return prof_diag_memory(diag);
  prof_output_begin(&output, &ranked->common);
  prof_reader_warn(reader, &output);
  if (ranked->common.format == PROF_FORMAT_JSON) {
    show_json(table, limits, reader->recording.trace, output.file);
  } else if (ranked->common.format == PROF_FORMAT_CSV) {
    prof_table_csv(table, output.file);
  } else {
    prof_table_print(table, output.file, &output.style);
    if (count < frames->count)
      fprintf(output.file, "... and %zu more: -n 0 shows all\n", frames->count - count);
    prof_slo_show(limits, &output);
  }
  *result = prof_output_end(&output);
  if (*result == PROF_EXIT_OK && !prof_slo_kept(limits))
    *result = PROF_EXIT_FAILED;
  prof_table_free(table);
  return PROF_OK;
}

prof_status prof_frame_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                              const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_frames frames;
  struct prof_slo_results results = {0};
  prof_status status = prof_frames_find(reader->recording.trace, &reader->recording.filter, 0, diag, &frames);
  if (status != PROF_OK)
    return status;
  status = prof_slo_frames(limits, &frames, diag, &results);
  if (status == PROF_OK)
    status = show(ranked, &frames, &results, reader, result, diag);
  prof_vec_fini(&results);
  prof_frames_free(&frames);
  return status;
}
