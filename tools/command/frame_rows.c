/*
 * tools/command/frame_rows.c - see frame_rows.h.
 */
#include "frame_rows.h"

#include "analysis/arguments.h"
#include "analysis/spans.h"
#include "base/diag.h"
#include "command.h"
#include "export/unfinished.h"
#include "ranked.h"
#include "slo.h"
#include "view/units.h"

#define COLUMNS_OF(one, many, cut)                                                                                     \
  {                                                                                                                    \
    {"name", one, PROF_CELL_TEXT, cut}, {"count", many, PROF_CELL_COUNT}, {"total_ns", "TOTAL", PROF_CELL_NS},         \
        {"avg_ns", "AVG", PROF_CELL_NS}, {"min_ns", "MIN", PROF_CELL_NS, .spare = 3}, {"p50_ns", "P50", PROF_CELL_NS}, \
        {"p95_ns", "P95", PROF_CELL_NS, .spare = 2}, {"p99_ns", "P99", PROF_CELL_NS}, {                                \
      "max_ns", "MAX", PROF_CELL_NS                                                                                    \
    }                                                                                                                  \
  }
static const struct prof_column columns[] = COLUMNS_OF("FRAME", "FRAMES", PROF_CUT_NAME),
                                span_columns[] = COLUMNS_OF("SPAN", "SPANS", PROF_CUT_NAME),
                                call_columns[] = COLUMNS_OF("CALL", "CALLS", PROF_CUT_RIGHT),
                                returned_columns[] = COLUMNS_OF("CALL", "CALLS", PROF_CUT_MIDDLE);
enum { COLUMNS = sizeof columns / sizeof *columns };

static void figures_of(const struct prof_frame_name *row, uint64_t out[COLUMNS - 1]) {
  const struct prof_duration_figures *from = &row->figures;
  const uint64_t figures[COLUMNS - 1] = {from->count,  from->total_ns, from->avg_ns, from->min_ns,
                                         from->p50_ns, from->p95_ns,   from->p99_ns, from->max_ns};
  for (size_t i = 0; i < COLUMNS - 1; i++)
    out[i] = figures[i];
}

static struct prof_table *table_of(const struct prof_column *titles, const struct prof_frames *frames, size_t count) {
  struct prof_table *table = prof_table_new(titles, COLUMNS);
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

struct prof_table *prof_frame_table(const struct prof_frames *frames, size_t count) {
  return table_of(columns, frames, count);
}

struct prof_table *prof_call_table(const struct prof_frames *frames, size_t count) {
  return table_of(call_columns, frames, count);
}

void prof_frame_json(const struct prof_frame_name *row, struct prof_json *json) {
  uint64_t figures[COLUMNS - 1];
  figures_of(row, figures);
  prof_json_text(json, "name", row->name);
  for (size_t at = 0; at < COLUMNS - 1; at++)
    prof_json_count(json, columns[at + 1].key, figures[at]);
}

static const struct kind { /* of what the rows are */
  const struct prof_column *columns;
  const char *key; /* in JSON */
} frames_kind = {columns, "frames"}, spans_kind = {span_columns, "spans"}, calls_kind = {call_columns, "calls"},
  returned_kind = {returned_columns, "calls"};

struct shown {
  const struct kind *kind;
  const struct prof_ranked *ranked;
  const struct prof_reader *reader;
  const struct prof_frames *frames;
  struct prof_slo_results limits;
  const struct prof_span_faults *faults; /* NULL: they aren't spans */
};

static void show_json(const struct shown *shown, const struct prof_table *table, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, shown->reader->recording.trace);
  prof_table_json(table, &json, shown->kind->key);
  if (shown->faults) {
    prof_json_count(&json, "unfinished_spans", shown->faults->unfinished);
    prof_json_count(&json, "unmatched_ends", shown->faults->unmatched);
  }
  prof_slo_json(&shown->limits, &json);
  prof_json_object_end(&json);
}

static void show_table(const struct shown *shown, const struct prof_table *table, size_t hidden,
                       const struct prof_output *output) {
  char unfinished[PROF_UNITS_BYTES], unmatched[PROF_UNITS_BYTES];
  prof_table_print(table, output->file, &output->style);
  if (hidden)
    fprintf(output->file, "... and %zu more: -n 0 shows all\n", hidden);
  if (shown->faults && shown->faults->unfinished + shown->faults->unmatched)
    fprintf(output->file, "spans without an end: %s; ends without a begin: %s\n",
            prof_units_count(unfinished, shown->faults->unfinished),
            prof_units_count(unmatched, shown->faults->unmatched));
  prof_slo_show(&shown->limits, output);
}

static prof_status show(const struct shown *shown, int *result, struct prof_diag *diag) {
  struct prof_output output;
  const struct prof_ranked *ranked = shown->ranked;
  const size_t count = prof_ranked_count(ranked, PROF_RANKED_TABLE, shown->frames->count);
  struct prof_table *table = table_of(shown->kind->columns, shown->frames, count);
  if (!table)
    return prof_diag_memory(diag);
  prof_output_begin(&output, &ranked->common);
  prof_reader_warn(shown->reader, &output);
  if (ranked->common.format == PROF_FORMAT_JSON)
    show_json(shown, table, output.file);
  else if (ranked->common.format == PROF_FORMAT_CSV)
    prof_table_csv(table, output.file);
  else
    show_table(shown, table, shown->frames->count - count, &output);
  *result = prof_output_end(&output);
  if (*result == PROF_EXIT_OK && !prof_slo_kept(&shown->limits))
    *result = PROF_EXIT_FAILED;
  prof_table_free(table);
  return PROF_OK;
}

/* Compares with the limits, and shows. */
static prof_status report(struct shown *shown, const struct prof_texts *limits, int *result, struct prof_diag *diag) {
  prof_status status = prof_slo_frames(limits, shown->frames, diag, &shown->limits);
  if (status == PROF_OK)
    status = show(shown, result, diag);
  prof_vec_fini(&shown->limits);
  return status;
}

prof_status prof_frame_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                              const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_frames frames;
  prof_status status = prof_frames_find(reader->recording.trace, &reader->recording.filter, 0, diag, &frames);
  if (status != PROF_OK)
    return status;
  struct shown shown = {.kind = &frames_kind, .ranked = ranked, .reader = reader, .frames = &frames};
  status = report(&shown, limits, result, diag);
  prof_frames_free(&frames);
  return status;
}

prof_status prof_span_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                             const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_frames spans;
  struct prof_span_faults faults;
  prof_status status = prof_spans_find(reader->recording.trace, &reader->recording.filter, diag, &spans, &faults);
  if (status != PROF_OK)
    return status;
  struct shown shown = {.kind = &spans_kind, .ranked = ranked, .reader = reader, .frames = &spans, .faults = &faults};
  status = report(&shown, limits, result, diag);
  prof_frames_free(&spans);
  return status;
}

static prof_status report_calls(bool returned, const struct prof_ranked *ranked, const struct prof_texts *limits,
                                const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct prof_argument_rows calls;
  prof_status status = prof_arguments_find(reader->recording.trace, reader->recording.names, &reader->recording.filter,
                                           returned, diag, &calls);
  if (status != PROF_OK)
    return status;
  struct shown shown = {
      .kind = returned ? &returned_kind : &calls_kind, .ranked = ranked, .reader = reader, .frames = &calls.rows};
  status = report(&shown, limits, result, diag);
  prof_arguments_free(&calls);
  return status;
}

prof_status prof_argument_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                                 const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  return report_calls(false, ranked, limits, reader, result, diag);
}

prof_status prof_returned_report(const struct prof_ranked *ranked, const struct prof_texts *limits,
                                 const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  return report_calls(true, ranked, limits, reader, result, diag);
}
