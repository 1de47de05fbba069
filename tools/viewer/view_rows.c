/*
 * tools/viewer/view_rows.c - see view_rows.h.
 */
#include "viewer/view_rows.h"

#include "viewer/columns.h"

#define ALWAYS PROF_COLUMN_ALWAYS
#define GROUP 8 /* buckets of a histogram that become one: four an octave */

#define AT(member) offsetof(struct prof_function_row, member)
static const struct prof_column_row function_columns[] = {
    {"calls", PROF_COLUMN_U64, AT(calls), ALWAYS},
    {"total_ns", PROF_COLUMN_U64, AT(total.elapsed), ALWAYS},
    {"self_ns", PROF_COLUMN_U64, AT(self.elapsed), ALWAYS},
    {"running_ns", PROF_COLUMN_U64, AT(total.running), ALWAYS},
    {"waiting_ns", PROF_COLUMN_U64, AT(total.waiting), ALWAYS},
    {"preempted_ns", PROF_COLUMN_U64, AT(total.preempted), ALWAYS},
    {"self_running_ns", PROF_COLUMN_U64, AT(self.running), ALWAYS},
    {"self_waiting_ns", PROF_COLUMN_U64, AT(self.waiting), ALWAYS},
    {"self_preempted_ns", PROF_COLUMN_U64, AT(self.preempted), ALWAYS},
    {"error_ns", PROF_COLUMN_U64, AT(error_ns), ALWAYS},
    {"avg_ns", PROF_COLUMN_U64, AT(avg_ns), AT(has_durations)},
    {"min_ns", PROF_COLUMN_U64, AT(min_ns), AT(has_extremes)},
    {"max_ns", PROF_COLUMN_U64, AT(max_ns), AT(has_extremes)},
    {"p50_ns", PROF_COLUMN_U64, AT(p50_ns), AT(has_extremes)},
    {"p95_ns", PROF_COLUMN_U64, AT(p95_ns), AT(has_extremes)},
    {"p99_ns", PROF_COLUMN_U64, AT(p99_ns), AT(has_extremes)},
    {"self_share", PROF_COLUMN_DOUBLE, AT(self_share), ALWAYS},
    {"total_share", PROF_COLUMN_DOUBLE, AT(total_share), ALWAYS},
    {"samples", PROF_COLUMN_U64, AT(samples), ALWAYS},
    {"calls_estimated", PROF_COLUMN_BOOL, AT(calls_estimated), ALWAYS},
    {"total_estimated", PROF_COLUMN_BOOL, AT(total_estimated), ALWAYS},
    {"self_estimated", PROF_COLUMN_BOOL, AT(self_estimated), ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

/* Of a block of a pool, with the counters that passed 2^32. */
static uint64_t bucket_count(const struct prof_histogram_pool *pool, uint32_t block, uint32_t bucket) {
  uint64_t count = pool->blocks[block][bucket];
  for (uint32_t i = 0; i < pool->carry_count; i++)
    count += pool->carries[i] == block * PROF_HISTOGRAM_BUCKETS + bucket ? 1ull << 32 : 0;
  return count;
}

/* The least value of bucket `index`, in ticks. */
static uint64_t bucket_low(uint32_t index) {
  if (index < 2 * PROF_HISTOGRAM_BUCKETS)
    return index;
  return ((uint64_t)(index % PROF_HISTOGRAM_BUCKETS) + PROF_HISTOGRAM_BUCKETS) << (index / PROF_HISTOGRAM_BUCKETS - 1);
}

/* low, width, count, ...: of groups of buckets that aren't empty. */
static void write_histogram(const struct prof_profile *profile, const struct prof_histogram *histogram,
                            struct prof_json *json) {
  prof_json_array(json, NULL);
  for (uint32_t octave = 0; histogram && octave < PROF_HISTOGRAM_OCTAVES; octave++)
    for (uint32_t bucket = 0; histogram->block[octave] && bucket < PROF_HISTOGRAM_BUCKETS; bucket += GROUP) {
      uint32_t index = octave * PROF_HISTOGRAM_BUCKETS + bucket;
      uint64_t count = 0, low = prof_trace_ns(profile->trace, bucket_low(index));
      for (uint32_t i = 0; i < GROUP; i++)
        count += bucket_count(profile->histograms, histogram->block[octave], bucket + i);
      if (count == 0)
        continue;
      prof_json_count(json, NULL, low);
      prof_json_count(json, NULL, prof_trace_ns(profile->trace, bucket_low(index + GROUP)) - low);
      prof_json_count(json, NULL, count);
    }
  prof_json_array_end(json);
}

void prof_view_functions_write(struct prof_view_frames *frames, const struct prof_profile *profile,
                               const struct prof_function_rows *rows, size_t most, struct prof_json *json) {
  size_t count = rows->count < most ? rows->count : most;
  prof_json_array(json, "frame");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, prof_view_frame(frames, rows->rows[i].index));
  prof_json_array_end(json);
  prof_columns_write(json, function_columns, rows->rows, count, sizeof *rows->rows);
  if (!profile)
    return;
  prof_json_array(json, "histogram");
  for (size_t i = 0; i < count; i++) {
    uint32_t index = rows->rows[i].index;
    bool known = index < profile->function_count && rows->rows[i].has_extremes;
    write_histogram(profile, known ? profile->functions[index].durations : NULL, json);
  }
  prof_json_array_end(json);
}

#define AT(member) offsetof(struct prof_loop_row, member)
static const struct prof_column_row loop_columns[] = {
    {"parent", PROF_COLUMN_INDEX, AT(parent), ALWAYS},
    {"level", PROF_COLUMN_U32, AT(level), ALWAYS},
    {"line", PROF_COLUMN_U32, AT(line), ALWAYS},
    {"last_line", PROF_COLUMN_U32, AT(last_line), ALWAYS},
    {"flags", PROF_COLUMN_U32, AT(flags), ALWAYS},
    {"entries", PROF_COLUMN_U64, AT(entries), AT(has_entries)},
    {"empty_entries", PROF_COLUMN_U64, AT(empty_entries), AT(has_entries)},
    {"iterations", PROF_COLUMN_U64, AT(iterations), AT(has_iterations)},
    {"min_iterations", PROF_COLUMN_U64, AT(min_iterations), AT(has_range)},
    {"avg_iterations", PROF_COLUMN_DOUBLE, AT(avg_iterations), AT(has_mean)},
    {"max_iterations", PROF_COLUMN_U64, AT(max_iterations), AT(has_range)},
    {"total_ns", PROF_COLUMN_U64, AT(total.elapsed), AT(has_times)},
    {"self_ns", PROF_COLUMN_U64, AT(self.elapsed), AT(has_times)},
    {"self_running_ns", PROF_COLUMN_U64, AT(self.running), AT(has_self)},
    {"self_waiting_ns", PROF_COLUMN_U64, AT(self.waiting), AT(has_times)},
    {"ns_per_iteration", PROF_COLUMN_DOUBLE, AT(each_ns), AT(has_each)},
    {"self_share", PROF_COLUMN_DOUBLE, AT(self_share), AT(has_self)},
    {"estimated", PROF_COLUMN_BOOL, AT(estimated), ALWAYS},
    {"self_low_ns", PROF_COLUMN_U64, AT(self_low_ns), AT(has_self)},
    {"self_high_ns", PROF_COLUMN_U64, AT(self_high_ns), AT(has_self)},
    {NULL, 0, 0, 0},
};
#undef AT

void prof_view_loops_write(struct prof_view_frames *frames, const struct prof_loop_rows *rows, struct prof_json *json) {
  prof_json_array(json, "function");
  for (size_t i = 0; i < rows->count; i++)
    prof_view_text(frames, json, NULL, rows->rows[i].function);
  prof_json_array_end(json);
  prof_json_array(json, "inlined_from");
  for (size_t i = 0; i < rows->count; i++)
    prof_view_text(frames, json, NULL, rows->rows[i].inlined);
  prof_json_array_end(json);
  prof_json_array(json, "file");
  for (size_t i = 0; i < rows->count; i++) {
    uint32_t file = prof_view_file(frames, rows->rows[i].file);
    prof_json_number(json, NULL, file == PROF_NONE ? -1 : (double)file);
  }
  prof_json_array_end(json);
  prof_columns_write(json, loop_columns, rows->rows, rows->count, sizeof *rows->rows);
  prof_json_count(json, "never_entered", rows->never_entered);
}

#define AT(member) offsetof(struct prof_line_row, member)
static const struct prof_column_row line_columns[] = {
    {"line", PROF_COLUMN_U32, AT(line), ALWAYS},
    {"self_ns", PROF_COLUMN_U64, AT(self.running), ALWAYS},
    {"self_waiting_ns", PROF_COLUMN_U64, AT(self.waiting), ALWAYS},
    {"outside_ns", PROF_COLUMN_U64, AT(outside_ns), ALWAYS},
    {"calls_ns", PROF_COLUMN_U64, AT(in_calls.elapsed), ALWAYS},
    {"calls", PROF_COLUMN_U64, AT(calls), ALWAYS},
    {"count", PROF_COLUMN_U64, AT(count), ALWAYS},
    {"samples", PROF_COLUMN_U64, AT(samples), ALWAYS},
    {"self_share", PROF_COLUMN_DOUBLE, AT(self_share), ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

void prof_view_lines_write(struct prof_view_frames *frames, const struct prof_line_rows *rows, size_t most,
                           struct prof_json *json) {
  size_t count = rows->count < most ? rows->count : most;
  prof_json_array(json, "file");
  for (size_t i = 0; i < count; i++) {
    uint32_t file = prof_view_file(frames, rows->rows[i].file);
    prof_json_number(json, NULL, file == PROF_NONE ? -1 : (double)file);
  }
  prof_json_array_end(json);
  prof_json_array(json, "function");
  for (size_t i = 0; i < count; i++)
    prof_view_text(frames, json, NULL, rows->rows[i].function);
  prof_json_array_end(json);
  prof_columns_write(json, line_columns, rows->rows, count, sizeof *rows->rows);
}

/* A column of the slowest calls: of each frame in turn. */
#define PUT_CALLS(key, value)                                                                                          \
  prof_json_array(json, key);                                                                                          \
  for (uint32_t f = 0; f < slowest->frames; f++)                                                                       \
    for (uint32_t i = 0; frames->of[f] != PROF_NONE && i < slowest->counts[f]; i++)                                    \
      prof_json_count(json, NULL, value);                                                                              \
  prof_json_array_end(json)

void prof_view_slowest_write(struct prof_view_frames *frames, const struct prof_slowest *slowest,
                             struct prof_json *json) {
  PUT_CALLS("frame", frames->of[f]);
  PUT_CALLS("thread", slowest->calls[f][i].thread);
  PUT_CALLS("depth", slowest->calls[f][i].depth);
  PUT_CALLS("begin_ns", slowest->calls[f][i].begin_ns);
  PUT_CALLS("duration_ns", slowest->calls[f][i].duration_ns);
}
