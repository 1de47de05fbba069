/*
 * tools/export/json_profile.c - the whole profile as JSON: threads, functions, call tree.  Keys: docs/json.md.
 */
#include "analysis/bounds.h"
#include "base/diag.h"
#include "base/json.h"
#include "call_path.h"
#include "export/unfinished.h"
#include "exporters.h"
#include "names/loop_frames.h"
#include "ticks_out.h"

static void write_threads(struct prof_json *json, const struct prof_export_source *source) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(source->trace, &count);
  const struct prof_process *processes = prof_trace_processes(source->trace, NULL);
  prof_json_array(json, "threads");
  for (size_t i = 0; i < count; i++) {
    prof_json_object(json, NULL);
    prof_json_count(json, "tid", threads[i].tid);
    prof_json_count(json, "pid", processes[threads[i].process].pid);
    prof_json_text(json, "name", threads[i].name);
    prof_json_count(json, "events", threads[i].events);
    prof_json_count(json, "lost_events", threads[i].lost);
    prof_json_count(json, "stall_ns", prof_trace_ns(source->trace, threads[i].stalled_ticks));
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}

/* The parts of both times, if scheduler switches were recorded. */
static void write_parts(struct prof_json *json, const struct prof_export_source *source, uint64_t total_ticks,
                        const struct prof_off_ticks *off, uint64_t self_ticks, const struct prof_off_ticks *self_off) {
  if (!source->profile->coverage.has_switches)
    return;
  struct prof_time_ns total = prof_time_split(source->trace, total_ticks, off);
  struct prof_time_ns self = prof_time_split(source->trace, self_ticks, self_off);
  prof_json_count(json, "running_ns", total.running);
  prof_json_count(json, "waiting_ns", total.waiting);
  prof_json_count(json, "preempted_ns", total.preempted);
  prof_json_count(json, "self_running_ns", self.running);
  prof_json_count(json, "self_waiting_ns", self.waiting);
  prof_json_count(json, "self_preempted_ns", self.preempted);
}

/* In a recording with a budget: what is estimated of a function or node, as `prof report` and `prof tree` have it. */
static void write_bounds(struct prof_json *json, const struct prof_export_source *source,
                         const struct prof_bounds_shown *bounds) {
  if (!source->profile->estimated_nodes)
    return;
  prof_json_bool(json, "estimated", bounds->calls_estimated || bounds->total_estimated || bounds->self_estimated);
  prof_json_count(json, "calls_low", bounds->calls_low);
  if (bounds->has_calls_high)
    prof_json_count(json, "calls_high", bounds->calls_high);
  else
    prof_json_text(json, "calls_high", NULL);
  prof_json_count(json, "self_low_ns", prof_trace_ns(source->trace, bounds->self_low_ticks));
  prof_json_count(json, "self_high_ns", prof_trace_ns(source->trace, bounds->self_high_ticks));
}

static void write_extreme(struct prof_json *json, const struct prof_export_source *source, const char *key, bool known,
                          uint64_t ticks) {
  if (known)
    prof_json_count(json, key, prof_trace_ns(source->trace, ticks));
  else
    prof_json_text(json, key, NULL);
}

/* function: of a function, or of a loop by its number (loop_frames.h). */
static void write_function(struct prof_json *json, const struct prof_export_source *source, uint32_t function,
                           const struct prof_function_figures *figures) {
  const struct prof_profile *profile = source->profile;
  bool is_function = function < profile->function_count;
  const struct prof_bounds_shown bounds =
      prof_bounds_of(is_function ? profile->estimated_functions : NULL, function, figures->calls, figures->self_ticks);
  bool extremes = prof_figures_know_extremes(profile, function, figures);
  prof_json_object(json, NULL);
  prof_json_count(json, "id", function);
  prof_json_text(json, "name", prof_names_plain(source->names, function));
  if (prof_names_is_zone(source->names, function))
    prof_json_text(json, "kind", prof_names_kind(source->names, function));
  if (prof_frame_loop(source->trace, function) != PROF_NONE)
    prof_json_bool(json, "loop", true);
  prof_json_text(json, "module", prof_names_module(source->names, function));
  prof_json_text(json, "file", prof_names_file(source->names, function));
  prof_json_count(json, "line", prof_names_line(source->names, function));
  prof_json_count(json, "calls", figures->calls);
  prof_json_count(json, "total_ns", prof_trace_ns(source->trace, figures->total_ticks));
  prof_json_count(json, "self_ns", prof_trace_ns(source->trace, figures->self_ticks));
  write_parts(json, source, figures->total_ticks, &figures->off, figures->self_ticks, &figures->self_off);
  prof_json_count(json, "error_ns", prof_trace_ns(source->trace, figures->error_ticks));
  write_extreme(json, source, "min_ns", extremes, figures->min_ticks);
  write_extreme(json, source, "max_ns", extremes, figures->max_ticks);
  if (is_function)
    write_bounds(json, source, &bounds);
  prof_json_object_end(json);
}

static void write_node(struct prof_json *json, const struct prof_export_source *source,
                       const struct prof_call_path *path, uint64_t self_ns) {
  const struct prof_node *node = &source->profile->nodes[path->node];
  const struct prof_bounds_shown bounds =
      prof_bounds_of(source->profile->estimated_nodes, path->node, node->calls, node->self_ticks);
  prof_json_object(json, NULL);
  prof_json_count(json, "id", path->node);
  prof_json_count(json, "parent", path->count > 1 ? node->parent : 0);
  prof_json_count(json, "thread", node->thread);
  if (node->function != PROF_NONE)
    prof_json_count(json, "function", node->function);
  else
    prof_json_text(json, "function", NULL);
  prof_json_count(json, "calls", node->calls);
  prof_json_count(json, "total_ns", prof_trace_ns(source->trace, node->total_ticks));
  prof_json_count(json, "self_ns", self_ns);
  write_parts(json, source, node->total_ticks, &node->off, node->self_ticks, &node->self_off);
  prof_json_count(json, "error_ns", prof_trace_ns(source->trace, node->error_ticks));
  write_bounds(json, source, &bounds);
  prof_json_object_end(json);
}

static prof_status write_nodes(struct prof_json *json, const struct prof_export_source *source, FILE *file,
                               struct prof_diag *diag) {
  const struct prof_node *nodes = source->profile->nodes;
  struct prof_call_path path = {.profile = source->profile};
  prof_json_array(json, "nodes");
  for (uint32_t thread = nodes[0].first_child; thread != PROF_NONE; thread = nodes[thread].next_sibling) {
    struct prof_ticks_out ticks = {.trace = source->trace};
    for (bool more = prof_call_path_begin(&path, thread); more && !ferror(file); more = prof_call_path_next(&path))
      write_node(json, source, &path, prof_ticks_out_ns(&ticks, nodes[path.node].self_ticks));
  }
  prof_json_array_end(json);
  bool failed = path.failed;
  prof_call_path_fini(&path);
  return failed ? prof_diag_memory(diag) : PROF_OK;
}

static prof_status write_json(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  const struct prof_trace_info *info = prof_trace_info(source->trace);
  const struct prof_coverage *coverage = &source->profile->coverage;
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_count(&json, "version", 1);
  prof_json_bool(&json, "corrected", coverage->corrected_threads + coverage->sampled_threads == coverage->threads);
  prof_json_text(&json, "recording", info->path);
  prof_unfinished_json(source->trace, &json);
  prof_json_count(&json, "start_realtime_ns", info->start_realtime_ns);
  prof_json_count(&json, "span_ns", prof_trace_ns(source->trace, coverage->span_ticks));
  prof_json_count(&json, "inside_ns", prof_trace_ns(source->trace, coverage->thread_ticks));
  prof_json_count(&json, "events", coverage->events);
  prof_json_count(&json, "calls", coverage->calls);
  prof_json_count(&json, "lost_events", coverage->lost);
  prof_json_count(&json, "stall_ns", prof_trace_ns(source->trace, coverage->stalled_ticks));
  write_threads(&json, source);
  prof_json_array(&json, "functions");
  for (uint32_t i = 0; i < source->profile->function_count; i++)
    if (prof_figures_are_shown(&source->profile->functions[i]))
      write_function(&json, source, i, &source->profile->functions[i]);
  size_t loop_count;
  prof_trace_loops(source->trace, &loop_count);
  for (uint32_t i = 0; source->profile->loops && i < loop_count; i++)
    if (prof_figures_are_shown(&source->profile->loops[i]))
      write_function(&json, source, prof_frame_of_loop(source->trace, i), &source->profile->loops[i]);
  prof_json_array_end(&json);
  prof_status status = write_nodes(&json, source, file, diag);
  prof_json_object_end(&json);
  return status;
}

const struct prof_exporter prof_exporter_json = {
    .name = "json",
    .summary = "threads, functions and call tree; documented in docs/json.md",
    .write = write_json,
};
