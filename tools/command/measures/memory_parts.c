/*
 * tools/command/measures/memory_parts.c - `prof memory --over-time`: what lived at each time, or at each mark.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/marks.h"
#include "analysis/measures/memory_times.h"
#include "base/diag.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "memory_gpu.h"
#include "view/units.h"

#define EQUAL_PARTS 20
#define MOST_PARTS 100000

struct shown { /* a row */
  struct prof_memory_part part;
  uint64_t time_ns, gpu_bytes;
  const char *mark;
};

struct reading {
  const struct prof_memory_settings *settings;
  struct prof_memory_times times;
  struct prof_memory_part *parts;
  struct shown *rows;
  struct prof_marks marks;
  size_t count;
  struct prof_memory_gpu gpu;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"time_ns", "TIME", PROF_CELL_NS}, AT(time_ns)},
    {{"live_bytes", "LIVE", PROF_CELL_BYTES}, AT(part.live_bytes)},
    {{"peak_bytes", "PEAK", PROF_CELL_BYTES}, AT(part.peak_bytes)},
    {{"mapped_bytes", "MAPPED", PROF_CELL_BYTES, .spare = 1}, AT(part.mapped_bytes)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(part.calls)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(part.bytes)},
    {{"freed_bytes", "FREED", PROF_CELL_BYTES, .spare = 2}, AT(part.freed_bytes)},
};
static const struct prof_field gpu_field = {{"gpu_bytes", "GPU", PROF_CELL_BYTES}, AT(gpu_bytes)};
static const struct prof_field mark_field = {{"mark", "MARK", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(mark)};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static size_t choose_fields(const struct reading *reading, struct prof_field out[FIELD_COUNT + 2]) {
  size_t count = FIELD_COUNT;
  memcpy(out, fields, sizeof fields);
  if (reading->gpu.memory.recorded)
    out[count++] = gpu_field;
  if (reading->settings->over_marks)
    out[count++] = mark_field;
  return count;
}

static void above(const void *context, const struct prof_output *output) {
  const struct reading *reading = context;
  char peak[PROF_UNITS_BYTES], at[PROF_UNITS_BYTES], line[160];
  if (!reading->times.recorded)
    snprintf(line, sizeof line, "%s", PROF_MEMORY_NO_HOST);
  else
    snprintf(line, sizeof line, "peak %s after %s", prof_units_bytes(peak, reading->times.peak_bytes),
             prof_units_duration(at, reading->times.peak_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct reading *reading = context;
  prof_json_count(json, "peak_bytes", reading->times.peak_bytes);
  prof_json_count(json, "peak_ns", reading->times.peak_ns);
}

/* ---- parts of what the filter shows ---- */

struct shown_time {
  uint64_t begin, end; /* ticks */
};

static struct shown_time shown_time(const struct prof_recording *recording) {
  const struct prof_trace_info *info = prof_trace_info(recording->trace);
  const struct prof_filter *filter = &recording->filter;
  const struct shown_time time = {filter->begin_ticks > info->start_ticks ? filter->begin_ticks : info->start_ticks,
                                  filter->end_ticks < info->last_ticks ? filter->end_ticks : info->last_ticks};
  return (struct shown_time){time.begin, time.end > time.begin ? time.end : time.begin};
}

static prof_status count_parts(struct reading *reading, const struct prof_recording *recording,
                               const struct shown_time *time, struct prof_diag *diag) {
  const uint64_t length = time->end - time->begin;
  uint64_t step = prof_trace_ticks(recording->trace, reading->settings->step_ns);
  reading->count = EQUAL_PARTS;
  if (reading->settings->step_ns == 0)
    return PROF_OK;
  step = step ? step : 1;
  if (length / step >= MOST_PARTS)
    return prof_command_usage(diag, "give a longer one", "--over-time: the step makes more than %d parts", MOST_PARTS);
  reading->count = (size_t)(length / step) + 1;
  return PROF_OK;
}

static void end_parts(struct reading *reading, const struct prof_recording *recording, const struct shown_time *time) {
  const struct prof_trace_info *info = prof_trace_info(recording->trace);
  const uint64_t length = time->end - time->begin, count = reading->count;
  const uint64_t step = prof_trace_ticks(recording->trace, reading->settings->step_ns);
  for (size_t i = 0; i + 1 < reading->count; i++)
    reading->parts[i].end_ticks =
        reading->settings->over_marks
            ? info->start_ticks + prof_trace_ticks(recording->trace, reading->marks.list.items[i].time_ns)
        : reading->settings->step_ns ? time->begin + (step ? step : 1) * (i + 1)
                                     : time->begin + (uint64_t)((unsigned __int128)length * (i + 1) / count);
  reading->parts[reading->count - 1].end_ticks = UINT64_MAX; /* with the last event */
}

/* What lives on GPUs at the end of each part. */
static prof_status find_gpu(struct reading *reading, const struct prof_reader *reader, struct prof_diag *diag) {
  uint64_t *ends = malloc(reading->count * sizeof *ends);
  if (!ends)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < reading->count; i++)
    ends[i] = reading->parts[i].end_ticks;
  struct prof_memory_options options = {.moments = ends, .moment_count = reading->count};
  prof_status status = prof_memory_gpu_find(&reading->gpu, reading->settings, reader, &options, diag);
  free(ends);
  return status;
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  const struct shown_time time = shown_time(recording);
  (void)symbols;
  prof_status status = reading->settings->over_marks ? prof_marks_find(recording->trace, true, diag, &reading->marks)
                                                     : count_parts(reading, recording, &time, diag);
  if (status != PROF_OK)
    return status;
  if (reading->settings->over_marks)
    reading->count = reading->marks.list.count + 1;
  reading->parts = calloc(reading->count, sizeof *reading->parts);
  reading->rows = calloc(reading->count, sizeof *reading->rows);
  if (!reading->parts || !reading->rows)
    return prof_diag_memory(diag);
  end_parts(reading, recording, &time);
  status = prof_memory_times_fill(recording->trace, &recording->filter, reading->parts, reading->count, diag,
                                  &reading->times);
  if (status == PROF_OK)
    status = find_gpu(reading, reader, diag);
  found->recorded = reading->times.recorded || reading->gpu.memory.recorded;
  found->count = reading->count;
  return status;
}

static prof_status show(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct reading *reading = context;
  const prof_trace *trace = reader->recording.trace;
  const uint64_t start = prof_trace_info(trace)->start_ticks, end = shown_time(&reader->recording).end;
  struct prof_field shown[FIELD_COUNT + 2];
  for (size_t i = 0; i < reading->count; i++) {
    const bool last = i + 1 == reading->count;
    const uint64_t ticks = last ? end : reading->parts[i].end_ticks;
    reading->rows[i] =
        (struct shown){.part = reading->parts[i],
                       .gpu_bytes = reading->gpu.memory.recorded ? reading->gpu.memory.at[i] : 0,
                       .time_ns = ticks > start ? prof_trace_ns(trace, ticks - start) : 0,
                       .mark = last || !reading->settings->over_marks ? "[end]" : reading->marks.list.items[i].name};
  }
  const struct prof_measure_view view = {.key = "times",
                                         .row = "row",
                                         .fields = shown,
                                         .field_count = choose_fields(reading, shown),
                                         .rows = reading->rows,
                                         .row_bytes = sizeof *reading->rows,
                                         .count = reading->count,
                                         .above = above,
                                         .members = members,
                                         .context = reading};
  return prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
}

static void forget(void *context) {
  struct reading *reading = context;
  prof_marks_fini(&reading->marks);
  prof_memory_gpu_free(&reading->gpu);
  free(reading->parts);
  free(reading->rows);
}

static bool shows_no_lines(const void *context) {
  (void)context;
  return false;
}

prof_status prof_memory_times_show(const struct prof_memory_settings *settings, const struct prof_reader *reader,
                                   int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"allocations", "--memory", rank, show, forget, shows_no_lines};
  struct reading reading = {.settings = settings};
  return prof_measure_run(&work, &reading, reader, result, diag);
}
