/*
 * tools/viewer/view_threads.c - see view_threads.h.
 */
#include "viewer/view_threads.h"

#include <string.h>

#include "names/process_names.h"
#include "viewer/columns.h"
#include "viewer/view_bursts.h"

#define MOST_LIGHT 4000 /* sparse-clock intervals in all; near ones become one */

#define AT(member) offsetof(struct prof_function_row, member)
static const struct prof_column_row columns[] = {
    {"calls", PROF_COLUMN_U64, AT(calls), PROF_COLUMN_ALWAYS},
    {"total_ns", PROF_COLUMN_U64, AT(total.elapsed), PROF_COLUMN_ALWAYS},
    {"running_ns", PROF_COLUMN_U64, AT(total.running), PROF_COLUMN_ALWAYS},
    {"waiting_ns", PROF_COLUMN_U64, AT(total.waiting), PROF_COLUMN_ALWAYS},
    {"preempted_ns", PROF_COLUMN_U64, AT(total.preempted), PROF_COLUMN_ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

struct span { /* ns since the start of the recording */
  uint64_t begin, end;
};

static struct span span_of(const prof_trace *trace, uint64_t begin_ticks, uint64_t end_ticks) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t start = info->start_ticks, end = end_ticks > begin_ticks ? end_ticks : info->last_ticks;
  struct span span = {prof_trace_ns(trace, begin_ticks > start ? begin_ticks - start : 0),
                      prof_trace_ns(trace, end > start ? end - start : 0)};
  if (span.end < span.begin)
    span.end = span.begin;
  return span;
}

/* The rows by their index, zeroed where there is none; the caller frees.  NULL: no memory. */
static struct prof_function_row *by_index(const struct prof_function_rows *rows, size_t count) {
  struct prof_function_row *all = calloc(count + 1, sizeof *all);
  for (size_t i = 0; all && i < rows->count; i++)
    if (rows->rows[i].index < count)
      all[rows->rows[i].index] = rows->rows[i];
  return all;
}

/* Intervals of a thread; those less than `near` apart are one.  column: 0 thread, 1 begin, 2 end. */
static void put_light(const prof_trace *trace, uint32_t thread, uint64_t near, int column, struct prof_json *json) {
  size_t count;
  const struct prof_light_slice *slices = prof_trace_light_slices(trace, thread, &count);
  for (size_t i = 0; slices && i < count;) {
    size_t last = i;
    while (last + 1 < count && slices[last + 1].begin - slices[last].end < near)
      last++;
    struct span span = span_of(trace, slices[i].begin, slices[last].end);
    const uint64_t values[] = {thread, span.begin, span.end};
    prof_json_count(json, NULL, values[column]);
    i = last + 1;
  }
}

static void write_light(const prof_trace *trace, size_t threads, struct prof_json *json) {
  static const char *const keys[] = {"light_thread", "light_begin_ns", "light_end_ns"};
  const struct prof_trace_info *info = prof_trace_info(trace);
  size_t all = 0, count = 0;
  for (uint32_t i = 0; i < threads; i++)
    all += prof_trace_light_slices(trace, i, &count) ? count : 0;
  uint64_t near = all > MOST_LIGHT ? (info->last_ticks - info->start_ticks) / (MOST_LIGHT / (threads + 1) + 1) : 0;
  for (int column = 0; column < 3; column++) {
    prof_json_array(json, keys[column]);
    for (uint32_t i = 0; i < threads; i++)
      put_light(trace, i, near, column, json);
    prof_json_array_end(json);
  }
}

/* Near ones become one where there are many. */
static bool write_bursts(const prof_trace *trace, struct prof_json *json) {
  static const char *const keys[] = {"burst_begin_ns", "burst_end_ns"};
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_view_bursts bursts;
  if (!prof_view_bursts_init(&bursts, trace))
    return false;
  const uint64_t near = bursts.count > MOST_LIGHT ? (info->last_ticks - info->start_ticks) / MOST_LIGHT : 0;
  for (int column = 0; column < 2; column++) {
    prof_json_array(json, keys[column]);
    for (size_t i = 0; i < bursts.count; i++) {
      const size_t first = i;
      while (i + 1 < bursts.count && bursts.edges[2 * i + 2] - bursts.edges[2 * i + 1] < near)
        i++;
      const uint64_t end = bursts.edges[2 * i + 1];
      struct span span = span_of(trace, bursts.edges[2 * first], end < info->last_ticks ? end : info->last_ticks);
      prof_json_count(json, NULL, column ? span.end : span.begin);
    }
    prof_json_array_end(json);
  }
  prof_view_bursts_fini(&bursts);
  return true;
}

/* Both columns of the spans. */
static void write_spans(const struct span *spans, size_t count, struct prof_json *json) {
  prof_json_array(json, "begin_ns");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, spans[i].begin);
  prof_json_array_end(json);
  prof_json_array(json, "end_ns");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, spans[i].end);
  prof_json_array_end(json);
}

prof_status prof_view_threads_write(struct prof_view_frames *frames, const struct prof_function_rows *rows,
                                    struct prof_json *json) {
  static const struct prof_column_row facts[] = {
      {"tid", PROF_COLUMN_U32, offsetof(struct prof_thread_info, tid), PROF_COLUMN_ALWAYS},
      {"process", PROF_COLUMN_U32, offsetof(struct prof_thread_info, process), PROF_COLUMN_ALWAYS},
      {"lost_events", PROF_COLUMN_U64, offsetof(struct prof_thread_info, lost), PROF_COLUMN_ALWAYS},
      {NULL, 0, 0, 0}};
  const prof_trace *trace = frames->recording->trace;
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  struct prof_function_row *all = by_index(rows, count);
  struct span *spans = calloc(count + 1, sizeof *spans);
  bool done = all && spans;
  if (done) {
    prof_json_array(json, "name");
    for (uint32_t i = 0; i < count; i++)
      prof_view_text(frames, json, NULL, prof_thread_name(trace, i));
    prof_json_array_end(json);
    for (size_t i = 0; i < count; i++)
      spans[i] = span_of(trace, threads[i].start_ticks, threads[i].end_ticks);
    prof_columns_write(json, facts, threads, count, sizeof *threads);
    write_spans(spans, count, json);
    prof_columns_write(json, columns, all, count, sizeof *all);
    write_light(trace, count, json);
    done = write_bursts(trace, json);
  }
  free(all);
  free(spans);
  return done ? PROF_OK : PROF_NO_MEMORY;
}

/* From the begin of a process' first thread to the end of its last one. */
static void find_spans(const prof_trace *trace, struct span *spans, uint32_t *counts, size_t processes) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (size_t i = 0; i < count; i++) {
    uint32_t process = threads[i].process;
    if (process >= processes)
      continue;
    struct span span = span_of(trace, threads[i].start_ticks, threads[i].end_ticks);
    if (counts[process] == 0 || span.begin < spans[process].begin)
      spans[process].begin = span.begin;
    if (span.end > spans[process].end)
      spans[process].end = span.end;
    counts[process]++;
  }
}

prof_status prof_view_processes_write(struct prof_view_frames *frames, const struct prof_function_rows *rows,
                                      struct prof_json *json) {
  static const struct prof_column_row facts[] = {
      {"pid", PROF_COLUMN_U32, offsetof(struct prof_process, pid), PROF_COLUMN_ALWAYS},
      {"parent", PROF_COLUMN_INDEX, offsetof(struct prof_process, parent), PROF_COLUMN_ALWAYS},
      {NULL, 0, 0, 0}};
  const prof_trace *trace = frames->recording->trace;
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  struct prof_function_row *all = by_index(rows, count);
  struct span *spans = calloc(count + 1, sizeof *spans);
  uint32_t *threads = calloc(count + 1, sizeof *threads);
  if (all && spans && threads) {
    find_spans(trace, spans, threads, count);
    prof_json_array(json, "name");
    for (uint32_t i = 0; i < count; i++)
      prof_view_text(frames, json, NULL, prof_process_title(trace, i));
    prof_json_array_end(json);
    prof_json_array(json, "program");
    for (uint32_t i = 0; i < count; i++)
      prof_view_text(frames, json, NULL, prof_process_program(trace, i));
    prof_json_array_end(json);
    prof_columns_write(json, facts, processes, count, sizeof *processes);
    write_spans(spans, count, json);
    prof_columns_indices(json, "threads", threads, count);
    prof_columns_write(json, columns, all, count, sizeof *all);
  }
  bool done = all && spans && threads;
  free(all);
  free(spans);
  free(threads);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
