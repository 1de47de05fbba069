/*
 * tools/command/request_rows.c - see request_rows.h.
 */
#include "request_rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/requests.h"
#include "base/diag.h"
#include "command.h"
#include "export/unfinished.h"
#include "slo.h"
#include "view/units.h"

static const struct prof_column columns[] = {
    {"id", "REQUEST", PROF_CELL_TEXT},
    {"parts", "PARTS", PROF_CELL_COUNT},
    {"threads", "THREADS", PROF_CELL_COUNT},
    {"begin_ns", "BEGIN", PROF_CELL_NS},
    {"duration_ns", "DURATION", PROF_CELL_NS},
    {"busy_ns", "BUSY", PROF_CELL_NS},
    {"cut", NULL, PROF_CELL_FLAG},
};

static struct prof_table *table_of(const struct prof_requests *requests, size_t count) {
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < count; i++) {
    const struct prof_request *request = &requests->items[i];
    char id[24];
    snprintf(id, sizeof id, "%" PRIu64, request->id);
    prof_table_text(table, id);
    prof_table_count(table, request->parts);
    prof_table_count(table, request->threads);
    prof_table_count(table, request->begin_ns);
    prof_table_count(table, request->duration_ns);
    prof_table_count(table, request->busy_ns);
    prof_table_count(table, request->cut);
  }
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    return NULL;
  }
  return table;
}

static void show_json(const struct prof_requests *requests, const struct prof_table *table, const prof_trace *trace,
                      const struct prof_slo_results *limits, FILE *file) {
  const struct prof_duration_figures *from = &requests->figures;
  const struct {
    const char *key;
    uint64_t figure;
  } figures[] = {{"count", from->count},   {"avg_ns", from->avg_ns}, {"min_ns", from->min_ns}, {"p50_ns", from->p50_ns},
                 {"p95_ns", from->p95_ns}, {"p99_ns", from->p99_ns}, {"max_ns", from->max_ns}};
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, trace);
  prof_table_json(table, &json, "requests");
  prof_json_object(&json, "durations");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    prof_json_count(&json, figures[i].key, figures[i].figure);
  prof_json_object_end(&json);
  prof_slo_json(limits, &json);
  prof_json_object_end(&json);
}

static void show_table(const struct prof_requests *requests, const struct prof_table *table, size_t hidden,
                       const struct prof_slo_results *limits, const struct prof_output *output) {
  char number[PROF_UNITS_BYTES], median[PROF_UNITS_BYTES], high[PROF_UNITS_BYTES], most[PROF_UNITS_BYTES], line[256];
  const struct prof_duration_figures *figures = &requests->figures;
  snprintf(line, sizeof line, "%s requests: p50 %s, p99 %s, max %s", prof_units_count(number, figures->count),
           prof_units_duration(median, figures->p50_ns), prof_units_duration(high, figures->p99_ns),
           prof_units_duration(most, figures->max_ns));
  prof_output_line(output, line);
  fputc('\n', output->file);
  prof_table_print(table, output->file, &output->style);
  if (hidden)
    fprintf(output->file, "... and %s more: -n 0 shows all\n", prof_units_count(number, hidden));
  prof_slo_show(limits, output);
}

static prof_status show(const struct prof_ranked *ranked, const struct prof_reader *reader,
                        const struct prof_requests *requests, const struct prof_slo_results *limits, int *result,
                        struct prof_diag *diag) {
  struct prof_output output;
  const size_t count = prof_ranked_count(ranked, PROF_RANKED_TABLE, requests->count);
  struct prof_table *table = table_of(requests, count);
  if (!table)
    return prof_diag_memory(diag);
  prof_output_begin(&output, &ranked->common);
  prof_reader_warn(reader, &output);
  if (ranked->common.format == PROF_FORMAT_JSON)
    show_json(requests, table, reader->recording.trace, limits, output.file);
  else if (ranked->common.format == PROF_FORMAT_CSV)
    prof_table_csv(table, output.file);
  else
    show_table(requests, table, requests->count - count, limits, &output);
  *result = prof_output_end(&output);
  if (*result == PROF_EXIT_OK && !prof_slo_kept(limits))
    *result = PROF_EXIT_FAILED;
  prof_table_free(table);
  return PROF_OK;
}

prof_status prof_request_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                                const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_requests requests;
  struct prof_slo_results results = {0};
  prof_status status = prof_requests_find(reader->recording.trace, &reader->recording.filter, diag, &requests);
  if (status != PROF_OK)
    return status;
  struct prof_frame_name all = {.name = "request", .figures = requests.figures};
  status = prof_slo_frames(limits, &(struct prof_frames){&all, 1}, diag, &results);
  if (status == PROF_OK)
    status = show(ranked, reader, &requests, &results, result, diag);
  prof_vec_fini(&results);
  prof_requests_free(&requests);
  return status;
}
