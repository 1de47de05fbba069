/*
 * tools/export/csv_calls.c - every call as CSV, a row each, so that it can become a table of typed columns (Parquet).
 *
 * A column has one type: a text, or a whole number of decimal digits; no field is empty but texts.  Columns are
 * described in docs/exports.md; new ones come last.
 */
#include "csv_calls.h"

#include "base/csv.h"
#include "call_rows.h"
#include "names/loop_frames.h"
#include "names/process_names.h"

struct writer {
  const struct prof_export_source *source;
  struct prof_csv csv;
  const struct prof_thread_info *threads;
  const struct prof_process *processes;
};

static bool write_call(void *context, const struct prof_call_row *row) {
  struct writer *writer = context;
  const prof_trace *trace = writer->source->trace;
  struct prof_names *names = writer->source->names;
  const struct prof_thread_info *thread = &writer->threads[row->thread];
  const uint64_t where[] = {row->id, row->parent, row->depth, writer->processes[thread->process].pid, thread->tid};
  const uint64_t times[] = {row->begin_ns, row->duration_ns, row->self_ns, row->cut,
                            prof_frame_loop(trace, row->function) != PROF_NONE};
  for (size_t i = 0; i < sizeof where / sizeof *where; i++)
    prof_csv_count(&writer->csv, where[i]);
  prof_csv_text(&writer->csv, prof_thread_name(trace, row->thread));
  prof_csv_text(&writer->csv, prof_names_function(names, row->function));
  prof_csv_text(&writer->csv, prof_names_module(names, row->function));
  prof_csv_text(&writer->csv, prof_names_file(names, row->function));
  prof_csv_count(&writer->csv, prof_names_line(names, row->function));
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    prof_csv_count(&writer->csv, times[i]);
  prof_csv_end(&writer->csv);
  return !ferror(writer->csv.file);
}

prof_status prof_csv_calls_write(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  static const char *const columns[] = {"id",       "parent",      "depth",   "pid",  "tid",
                                        "thread",   "name",        "module",  "file", "line",
                                        "begin_ns", "duration_ns", "self_ns", "cut",  "is_loop"};
  struct writer writer = {.source = source,
                          .threads = prof_trace_threads(source->trace, NULL),
                          .processes = prof_trace_processes(source->trace, NULL)};
  prof_csv_init(&writer.csv, file);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    prof_csv_text(&writer.csv, columns[i]);
  prof_csv_end(&writer.csv);
  return prof_call_rows(source, write_call, &writer, diag);
}
