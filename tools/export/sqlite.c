/*
 * tools/export/sqlite.c - an SQLite database: processes, threads, functions, the call tree; with `timeline` every call.
 *
 * Tables: sqlite_schema.h.  The database is written by the library libsqlite3 into a file that is empty at first.  It
 * has no journal while it is written: a failed export leaves a file that is of no use.  Built without the library, the
 * format says what is missing.
 */
#include "exporters.h"

#ifdef PROF_HAS_SQLITE
#include <sqlite3.h>
#include <string.h>

#include "analysis/bounds.h"
#include "base/diag.h"
#include "base/library.h"
#include "call_rows.h"
#include "command_text.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "sqlite_schema.h"
#include "text_table.h"
#include "ticks_out.h"

#define LIBRARY "libsqlite3.so.0"
#define FUNCTIONS(X)                                                                                                   \
  X(bind_int64)                                                                                                        \
  X(bind_null)                                                                                                         \
  X(bind_text)                                                                                                         \
  X(close)                                                                                                             \
  X(errcode)                                                                                                           \
  X(errmsg)                                                                                                            \
  X(exec)                                                                                                              \
  X(finalize)                                                                                                          \
  X(open_v2)                                                                                                           \
  X(prepare_v2)                                                                                                        \
  X(reset)                                                                                                             \
  X(step)

#define MEMBER(name) __typeof__(sqlite3_##name) *name;
static struct { FUNCTIONS(MEMBER) } sqlite;

static bool load_library(void) {
#define ROW(name) {"sqlite3_" #name, offsetof(__typeof__(sqlite), name)},
  static const struct prof_library_function functions[] = {FUNCTIONS(ROW){0}};
  return prof_library_load(LIBRARY, functions, &sqlite);
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

struct writer {
  const struct prof_export_source *source;
  struct prof_diag *diag;
  sqlite3 *base;
  sqlite3_stmt *insert; /* of the table that is being filled */
  int at;               /* columns of its row so far */
  uint32_t unknown;     /* number of functions that aren't known */
  struct prof_text_table texts;
  prof_status status; /* the first failure */
};

static void fail(struct writer *writer) {
  if (writer->status != PROF_OK)
    return;
  writer->status = sqlite.errcode(writer->base) == SQLITE_NOMEM
                       ? prof_diag_memory(writer->diag)
                       : prof_diag_fill(writer->diag, PROF_IO, writer->source->path, PROF_NO_OFFSET,
                                        "choose another place with -o FILE", "can't write the database: %s",
                                        sqlite.errmsg(writer->base));
}

static void run(struct writer *writer, const char *sql) {
  if (writer->status == PROF_OK && sqlite.exec(writer->base, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail(writer);
}

/* ---- rows: begin_table, then for each row its columns and end_row, then end_table ---- */

static void begin_table(struct writer *writer, const char *table, int columns) {
  char sql[200];
  int used = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?", table);
  for (int i = 1; i < columns; i++)
    used += snprintf(sql + used, sizeof sql - (size_t)used, ",?");
  snprintf(sql + used, sizeof sql - (size_t)used, ")");
  writer->at = 0;
  if (writer->status == PROF_OK && sqlite.prepare_v2(writer->base, sql, -1, &writer->insert, NULL) != SQLITE_OK)
    fail(writer);
}

static void count(struct writer *writer, uint64_t number) {
  if (writer->status == PROF_OK && sqlite.bind_int64(writer->insert, ++writer->at, (int64_t)number) != SQLITE_OK)
    fail(writer);
}

static void none(struct writer *writer) {
  if (writer->status == PROF_OK && sqlite.bind_null(writer->insert, ++writer->at) != SQLITE_OK)
    fail(writer);
}

/* Escaped (text_table.h). */
static void text(struct writer *writer, const char *from) {
  uint32_t number = prof_text_table_plain(&writer->texts, from);
  if (number == UINT32_MAX && writer->status == PROF_OK)
    writer->status = prof_diag_memory(writer->diag);
  if (writer->status == PROF_OK &&
      sqlite.bind_text(writer->insert, ++writer->at, writer->texts.texts.items[number], -1, SQLITE_STATIC) != SQLITE_OK)
    fail(writer);
}

static void end_row(struct writer *writer) {
  if (writer->status == PROF_OK && sqlite.step(writer->insert) != SQLITE_DONE)
    fail(writer);
  if (writer->insert)
    sqlite.reset(writer->insert);
  writer->at = 0;
}

static void end_table(struct writer *writer) {
  sqlite.finalize(writer->insert);
  writer->insert = NULL;
}

/* ---- the tables ---- */

static void fact(struct writer *writer, const char *name, const char *words, uint64_t number) {
  text(writer, name);
  if (words)
    text(writer, words);
  else
    count(writer, number);
  end_row(writer);
}

static void write_recording(struct writer *writer) {
  const prof_trace *trace = writer->source->trace;
  const struct prof_coverage *coverage = &writer->source->profile->coverage;
  const struct prof_trace_info *info = prof_trace_info(trace);
  char command[PROF_COMMAND_TEXT_BYTES];
  prof_command_text(command, trace);
  begin_table(writer, "recording", 2);
  fact(writer, "command", command, 0);
  fact(writer, "path", info->path, 0);
  fact(writer, "start_realtime_ns", NULL, info->start_realtime_ns);
  fact(writer, "span_ns", NULL, prof_trace_ns(trace, coverage->span_ticks));
  fact(writer, "calls", NULL, coverage->calls);
  fact(writer, "lost_events", NULL, coverage->lost);
  fact(writer, "stall_ns", NULL, prof_trace_ns(trace, coverage->stalled_ticks));
  fact(writer, "complete", NULL, info->complete);
  fact(writer, "has_calls", NULL, writer->source->timeline);
  end_table(writer);
}

static void write_processes(struct writer *writer) {
  size_t process_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  begin_table(writer, "process", 5);
  for (uint32_t i = 0; i < process_count; i++) {
    if (prof_process_is_hidden(trace, i))
      continue;
    count(writer, i);
    count(writer, processes[i].pid);
    if (processes[i].parent == PROF_NONE)
      none(writer);
    else
      count(writer, processes[i].parent);
    text(writer, prof_process_name(trace, i));
    text(writer, prof_process_program(trace, i));
    end_row(writer);
  }
  end_table(writer);
}

static void write_threads(struct writer *writer) {
  size_t thread_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  begin_table(writer, "thread", 7);
  for (uint32_t i = 0; i < thread_count; i++) {
    if (threads[i].hidden)
      continue;
    count(writer, i);
    count(writer, threads[i].process);
    count(writer, threads[i].tid);
    text(writer, prof_thread_name(trace, i));
    count(writer, threads[i].events);
    count(writer, threads[i].lost);
    count(writer, prof_trace_ns(trace, threads[i].stalled_ticks));
    end_row(writer);
  }
  end_table(writer);
}

/* Running, waiting and preempted, if scheduler switches were recorded. */
static void parts(struct writer *writer, const struct prof_time_ns *time) {
  const uint64_t each[] = {time->running, time->waiting, time->preempted};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++)
    if (writer->source->profile->coverage.has_switches)
      count(writer, each[i]);
    else
      none(writer);
}

static void extreme(struct writer *writer, bool known, uint64_t ticks) {
  if (known)
    count(writer, prof_trace_ns(writer->source->trace, ticks));
  else
    none(writer);
}

static void write_function(struct writer *writer, uint32_t number, const struct prof_function_figures *figures,
                           bool estimated) {
  const bool extremes = prof_figures_know_extremes(writer->source->profile, number, figures);
  size_t function_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  struct prof_names *names = writer->source->names;
  const struct prof_time_ns total = prof_time_split(trace, figures->total_ticks, &figures->off);
  const struct prof_time_ns self = prof_time_split(trace, figures->self_ticks, &figures->self_off);
  count(writer, number);
  text(writer, prof_names_function(names, number));
  text(writer, number < function_count ? functions[number].name : "");
  text(writer, prof_names_module(names, number));
  text(writer, prof_names_file(names, number));
  count(writer, prof_names_line(names, number));
  count(writer, prof_frame_loop(trace, number) != PROF_NONE);
  count(writer, figures->calls);
  count(writer, total.elapsed);
  count(writer, self.elapsed);
  parts(writer, &total);
  parts(writer, &self);
  count(writer, estimated);
  extreme(writer, extremes, figures->min_ticks);
  extreme(writer, extremes, figures->max_ticks);
  end_row(writer);
}

static void write_functions(struct writer *writer) {
  const struct prof_profile *profile = writer->source->profile;
  size_t loop_count;
  prof_trace_loops(writer->source->trace, &loop_count);
  begin_table(writer, "function", 19);
  for (uint32_t i = 0; i < profile->function_count; i++)
    if (prof_figures_are_shown(&profile->functions[i]))
      write_function(writer, i, &profile->functions[i],
                     profile->estimated_functions && profile->estimated_functions[i].what != 0);
  for (uint32_t i = 0; profile->loops && i < loop_count; i++)
    if (prof_figures_are_shown(&profile->loops[i]))
      write_function(writer, prof_frame_of_loop(writer->source->trace, i), &profile->loops[i],
                     profile->estimated_loops && profile->estimated_loops[i].in_bursts);
  end_table(writer);
}

static uint32_t number_of(const struct writer *writer, uint32_t function) {
  return function == PROF_NONE ? writer->unknown : function;
}

/* Nodes stand in depth-first order: parents come first. */
static void write_paths(struct writer *writer) {
  const struct prof_profile *profile = writer->source->profile;
  const prof_trace *trace = writer->source->trace;
  const struct prof_node *nodes = profile->nodes;
  struct prof_parts_out out = {.trace = trace};
  uint32_t depth = 0;
  begin_table(writer, "path", 15);
  for (uint32_t i = 1, at = 0; i < profile->node_count && writer->status == PROF_OK; at = i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      depth--;
    depth++; /* 1: a thread's node */
    if (nodes[i].parent == 0) {
      out = (struct prof_parts_out){.trace = trace};
      continue;
    }
    const struct prof_time_ns total = prof_time_split(trace, nodes[i].total_ticks, &nodes[i].off);
    const struct prof_time_ns self = prof_parts_out_ns(&out, nodes[i].self_ticks, &nodes[i].self_off);
    count(writer, i);
    if (depth == 2)
      none(writer);
    else
      count(writer, nodes[i].parent);
    count(writer, nodes[i].thread);
    count(writer, number_of(writer, nodes[i].function));
    count(writer, depth - 1);
    count(writer, nodes[i].calls);
    count(writer, total.elapsed);
    count(writer, self.elapsed);
    parts(writer, &total);
    parts(writer, &self);
    count(writer, profile->estimated_nodes && profile->estimated_nodes[i].what != 0);
    end_row(writer);
  }
  end_table(writer);
}

static bool write_call(void *context, const struct prof_call_row *row) {
  struct writer *writer = context;
  count(writer, row->id);
  if (row->parent)
    count(writer, row->parent);
  else
    none(writer);
  count(writer, row->thread);
  count(writer, number_of(writer, row->function));
  count(writer, row->depth);
  count(writer, row->begin_ns);
  count(writer, row->duration_ns);
  count(writer, row->self_ns);
  count(writer, row->cut);
  end_row(writer);
  return writer->status == PROF_OK;
}

static void write_calls(struct writer *writer) {
  begin_table(writer, "call", 9);
  prof_status status = prof_call_rows(writer->source, write_call, writer, writer->diag);
  if (writer->status == PROF_OK && status != PROF_EMPTY)
    writer->status = status;
  end_table(writer);
}

/* ---- the file ---- */

static prof_status write_sqlite(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.source = source, .diag = diag};
  size_t functions;
  char path[4096]; /* a name like ":memory:" is a file, too */
  (void)file;      /* the same file, still empty: the library opens it by its path */
  prof_trace_functions(source->trace, &functions);
  writer.unknown = (uint32_t)functions;
  snprintf(path, sizeof path, "%s%s", source->path[0] == ':' ? "./" : "", source->path);
  if (sqlite.open_v2(path, &writer.base, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
    fail(&writer);
  run(&writer, "PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;PRAGMA locking_mode=EXCLUSIVE;PRAGMA user_version=" TEXT(
                   PROF_SQLITE_VERSION) ";BEGIN;" PROF_SQLITE_TABLES PROF_SQLITE_VIEWS);
  write_recording(&writer);
  write_processes(&writer);
  write_threads(&writer);
  write_functions(&writer);
  write_paths(&writer);
  if (source->timeline)
    write_calls(&writer);
  run(&writer, PROF_SQLITE_INDEXES "COMMIT;");
  if (sqlite.close(writer.base) != SQLITE_OK)
    fail(&writer);
  prof_text_table_fini(&writer.texts);
  return writer.status;
}
#endif

const struct prof_exporter prof_exporter_sqlite = {
    .name = "sqlite",
    .summary = "a database with functions, call tree and views, with --timeline every call",
    .has_timeline = true,
    .has_both = true,
    .needs_file = true,
#ifdef PROF_HAS_SQLITE
    .load = load_library,
    .package = "libsqlite3-0",
    .write = write_sqlite,
#else
    .missing = "libsqlite3-dev",
#endif
};
