/*
 * tools/export/csv_tree.c - the call tree as CSV: a row per call path and thread, parents before children.
 *
 * Columns are described in docs/json.md.
 */
#include "base/csv.h"
#include "base/diag.h"
#include "call_path.h"
#include "csv_calls.h"
#include "exporters.h"
#include "ticks_out.h"

static void write_row(struct prof_csv *csv, const struct prof_export_source *source, const struct prof_call_path *path,
                      uint64_t self_ns) {
  const struct prof_node *node = &source->profile->nodes[path->node];
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(source->trace, &count);
  prof_csv_count(csv, path->node);
  /* Thread nodes have no row: the outermost calls have no parent. */
  prof_csv_count(csv, path->count > 1 ? node->parent : 0);
  prof_csv_count(csv, path->count);
  prof_csv_count(csv, threads[node->thread].tid);
  prof_csv_text(csv, threads[node->thread].name);
  prof_csv_text(csv, prof_names_function(source->names, node->function));
  prof_csv_text(csv, prof_names_module(source->names, node->function));
  prof_csv_text(csv, prof_names_file(source->names, node->function));
  prof_csv_count(csv, prof_names_line(source->names, node->function));
  prof_csv_count(csv, node->calls);
  prof_csv_count(csv, prof_trace_ns(source->trace, node->total_ticks));
  prof_csv_count(csv, self_ns);
  if (source->profile->coverage.has_switches) {
    struct prof_time_ns total = prof_time_split(source->trace, node->total_ticks, &node->off);
    struct prof_time_ns self = prof_time_split(source->trace, node->self_ticks, &node->self_off);
    const uint64_t parts[] = {total.running, total.waiting, total.preempted,
                              self.running,  self.waiting,  self.preempted};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      prof_csv_count(csv, parts[i]);
  }
  prof_csv_end(csv);
}

static prof_status write_csv(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  static const char *const columns[] = {"id",     "parent", "depth", "tid",   "thread",   "name",
                                        "module", "file",   "line",  "calls", "total_ns", "self_ns"};
  static const char *const parts[] = {"running_ns",      "waiting_ns",      "preempted_ns",
                                      "self_running_ns", "self_waiting_ns", "self_preempted_ns"};
  if (source->timeline)
    return prof_csv_calls_write(file, source, diag);
  const struct prof_node *nodes = source->profile->nodes;
  struct prof_csv csv;
  struct prof_call_path path = {.profile = source->profile};
  prof_csv_init(&csv, file);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    prof_csv_text(&csv, columns[i]);
  for (size_t i = 0; source->profile->coverage.has_switches && i < sizeof parts / sizeof *parts; i++)
    prof_csv_text(&csv, parts[i]);
  prof_csv_end(&csv);
  for (uint32_t thread = nodes[0].first_child; thread != PROF_NONE; thread = nodes[thread].next_sibling) {
    struct prof_ticks_out ticks = {.trace = source->trace};
    for (bool more = prof_call_path_begin(&path, thread); more && !ferror(file); more = prof_call_path_next(&path))
      write_row(&csv, source, &path, prof_ticks_out_ns(&ticks, nodes[path.node].self_ticks));
  }
  bool failed = path.failed;
  prof_call_path_fini(&path);
  return failed ? prof_diag_memory(diag) : PROF_OK;
}

const struct prof_exporter prof_exporter_csv = {
    .name = "csv",
    .summary = "the call tree, a row per call path and thread, or with --timeline a row per call",
    .has_timeline = true,
    .write = write_csv,
};
