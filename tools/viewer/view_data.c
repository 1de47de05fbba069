/*
 * tools/viewer/view_data.c - see view_data.h.
 */
#include "viewer/view_data.h"

#include <stdlib.h>

#include "base/diag.h"
#include "viewer/sections.h"
#include "viewer/view_calls.h"
#include "viewer/view_code.h"
#include "viewer/view_extra.h"
#include "viewer/view_gpu.h"
#include "viewer/view_locks.h"
#include "viewer/view_points.h"
#include "viewer/view_rows.h"
#include "viewer/view_sources.h"
#include "viewer/view_span.h"
#include "viewer/view_threads.h"
#include "viewer/view_tree.h"
#include "viewer/view_values.h"

struct limits { /* that rarely need to be smaller; halved together */
  uint64_t records, points;
  uint32_t paths, thread_paths;
  size_t functions, lines, waits, values, source_bytes, code_bytes;
};
static const struct limits first_limits = {.records = 2000000,
                                           .points = 60000,
                                           .paths = 60000,
                                           .thread_paths = 60000,
                                           .functions = 20000,
                                           .lines = 40000,
                                           .waits = 50000,
                                           .values = PROF_VIEW_VALUES,
                                           .source_bytes = 6 << 20,
                                           .code_bytes = 1 << 20};
/* Of a server, which answers for the rest. */
static const struct limits plain_limits = {.records = 300000,
                                           .points = 60000,
                                           .paths = 60000,
                                           .thread_paths = 60000,
                                           .functions = 20000,
                                           .lines = 40000,
                                           .waits = 50000};
#define TRIES 8 /* that halve the limits */

struct rows {
  struct prof_line_rows lines;
  struct prof_view_code code;          /* of a file, as the next */
  struct prof_call_values_list values; /* the longest calls */
};

struct making {
  const struct prof_view_input *input;
  const struct rows *rows;
  struct limits limits;
  struct prof_sections *sections;
  struct prof_view_frames *frames, own_frames, old_frames;
  struct prof_lanes lanes, own_extra;
  struct prof_json json;
  uint64_t tree_hidden, thread_tree_hidden, old_tree_hidden, gpu_tree_hidden, waits_left, sources_left, code_left;
  struct prof_diag *diag;
};

void prof_view_ranks_free(struct prof_view_ranks *ranks) {
  prof_functions_free(&ranks->functions);
  prof_functions_free(&ranks->threads);
  prof_functions_free(&ranks->processes);
  prof_loops_free(&ranks->loops);
  prof_counter_sums_free(&ranks->counters);
}

static prof_status count_events(const struct prof_recording *recording, struct prof_diag *diag,
                                struct prof_view_ranks *out) {
  const struct prof_counter_keys keys = {.by = PROF_COUNTERS_BY_FUNCTION};
  size_t count, counted = 0;
  const struct prof_pmu *counters = prof_trace_pmus(recording->trace, &count);
  for (size_t i = 0; i < count; i++)
    counted += !(counters[i].flags & PROF_PMU_REFUSED);
  if (counted == 0)
    return PROF_OK;
  prof_status status =
      prof_counter_sums_make(recording->trace, &recording->filter, recording->names, &keys, diag, &out->counters);
  return status == PROF_EMPTY ? PROF_OK : status;
}

prof_status prof_view_ranks_make(const struct prof_recording *recording, const struct prof_profile *figures,
                                 const struct prof_samples *samples, struct prof_diag *diag,
                                 struct prof_view_ranks *out) {
  struct prof_function_rows *const of[] = {&out->functions, &out->threads, &out->processes};
  static const enum prof_group by[] = {PROF_BY_FUNCTION, PROF_BY_THREAD, PROF_BY_PROCESS};
  prof_status status = PROF_OK;
  *out = (struct prof_view_ranks){.functions = {NULL, 0}};
  for (size_t i = 0; i < sizeof by / sizeof *by && status == PROF_OK; i++)
    status =
        prof_functions_rank(figures, samples, recording->names, by[i], recording->time, PROF_SORT_SELF, diag, of[i]);
  if (status == PROF_OK && figures->loops)
    status = prof_loops_rank(figures, recording->names, recording->time, PROF_LOOP_SORT_SELF, diag, &out->loops);
  return status == PROF_OK ? count_events(recording, diag, out) : status;
}

static void rows_fini(struct rows *rows) {
  prof_lines_free(&rows->lines);
  prof_view_code_fini(&rows->code);
  prof_call_values_free(&rows->values);
}

static prof_status read_code(const struct prof_view_input *input, struct prof_diag *diag, struct rows *rows) {
  struct prof_code_costs costs;
  prof_status status = prof_code_costs_init(&costs, input->paths, input->samples, input->symbols, diag);
  if (status == PROF_OK)
    status = prof_view_code_add_hottest(&rows->code, &costs, &input->ranks->functions, diag);
  prof_code_costs_fini(&costs);
  return status;
}

static prof_status rank(const struct prof_view_input *input, struct prof_diag *diag, struct rows *rows) {
  const struct prof_recording *recording = input->recording;
  struct prof_line_source source = prof_symbols_source(input->symbols);
  struct prof_line_options options = {.within = recording->filter.has_only, .time = recording->time, .raw = input->raw};
  prof_status status = PROF_OK;
  if (!input->figures)
    return PROF_OK;
  status = prof_lines_rank(input->paths, input->samples, recording->names, &source, &options, diag, &rows->lines);
  if (status == PROF_OK && !input->plain)
    status = read_code(input, diag, rows);
  if (status == PROF_OK && !input->plain)
    status = prof_call_values_longest(recording->trace, &recording->filter, PROF_VIEW_VALUES, diag, &rows->values);
  return status;
}

/* ---- sections ---- */

static prof_status write_functions(struct making *making) {
  prof_view_functions_write(making->frames, making->input->figures, &making->input->ranks->functions,
                            making->limits.functions, &making->json);
  prof_view_counters_write(&making->input->ranks->counters, &making->input->ranks->functions, making->limits.functions,
                           &making->json);
  return PROF_OK;
}

static prof_status write_loops(struct making *making) {
  prof_view_loops_write(making->frames, &making->input->ranks->loops, &making->json);
  return PROF_OK;
}

static prof_status write_lines(struct making *making) {
  prof_view_lines_write(making->frames, &making->rows->lines, making->limits.lines, &making->json);
  return PROF_OK;
}

static prof_status write_tree(struct making *making) {
  return prof_view_tree_write(making->frames, making->input->tree, false, making->limits.paths, making->diag,
                              &making->json, &making->tree_hidden);
}

static prof_status write_thread_tree(struct making *making) {
  if (making->input->ranks->threads.count < 2)
    return PROF_OK;
  return prof_view_tree_write(making->frames, making->input->tree, true, making->limits.thread_paths, making->diag,
                              &making->json, &making->thread_tree_hidden);
}

static prof_status write_sources(struct making *making) {
  if (making->input->plain)
    return PROF_OK;
  return prof_view_sources_write(making->frames, making->input->symbols, &making->rows->lines,
                                 making->limits.source_bytes, making->diag, &making->json, &making->sources_left);
}

static prof_status write_code(struct making *making) {
  if (!making->input->plain)
    making->code_left =
        prof_view_code_write(&making->rows->code, making->frames, making->limits.code_bytes, &making->json);
  return PROF_OK;
}

static prof_status write_threads(struct making *making) {
  return prof_view_threads_write(making->frames, &making->input->ranks->threads, &making->json);
}

static prof_status write_processes(struct making *making) {
  return prof_view_processes_write(making->frames, &making->input->ranks->processes, &making->json);
}

static prof_status write_slowest(struct making *making) {
  prof_view_slowest_write(making->frames, &making->input->index->slowest, &making->json);
  return PROF_OK;
}

static prof_status write_gpu(struct making *making) {
  struct prof_view_gpu *gpu = making->input->gpu;
  return gpu ? prof_view_gpu_write(gpu, making->frames, &making->lanes, &making->json) : PROF_OK;
}

static prof_status write_gpu_tree(struct making *making) {
  struct prof_view_gpu *gpu = making->input->gpu;
  return gpu ? prof_view_gpu_tree_write(gpu, making->frames, making->limits.paths, making->diag, &making->json,
                                        &making->gpu_tree_hidden)
             : PROF_OK;
}

static prof_status write_locks(struct making *making) {
  return prof_view_locks_write(making->frames, making->input->symbols, making->limits.waits, making->diag,
                               &making->json, &making->waits_left);
}

static prof_status write_calls(struct making *making) {
  return prof_view_calls_write(making->frames, making->diag, &making->json);
}

static prof_status write_values(struct making *making) {
  prof_view_values_write(making->input->recording->trace, &making->rows->values, making->limits.values, &making->json);
  return PROF_OK;
}

static prof_status write_points(struct making *making) {
  prof_tracks_thin(making->input->tracks, making->limits.points);
  return prof_view_points_write(making->input->tracks, making->frames, making->diag, &making->json);
}

static prof_status write_old_functions(struct making *making) {
  const struct prof_view_old *old = making->input->old;
  if (!old)
    return PROF_OK;
  prof_status status = prof_view_old_number(old, making->frames, making->diag, &making->old_frames);
  if (status == PROF_OK)
    prof_view_functions_write(&making->old_frames, NULL, old->functions, making->limits.functions, &making->json);
  return status;
}

static prof_status write_old_tree(struct making *making) {
  const struct prof_view_old *old = making->input->old;
  if (!old)
    return PROF_OK;
  return prof_view_tree_write(&making->old_frames, old->tree, false, making->limits.paths, making->diag, &making->json,
                              &making->old_tree_hidden);
}

static prof_status write_old(struct making *making) {
  const struct prof_view_old *old = making->input->old;
  if (!old)
    return PROF_OK;
  return prof_view_old_write(old, making->frames, &making->old_frames, making->diag, &making->json);
}

static prof_status write_frames(struct making *making) {
  prof_view_frames_write(making->frames, NULL, &making->json);
  return PROF_OK;
}

static uint64_t beyond(uint64_t count, size_t most) {
  return count > most ? count - most : 0;
}

static void write_left_out(const struct making *making) {
  struct prof_json *json = (struct prof_json *)(uintptr_t)&making->json;
  const struct prof_lanes *lanes = &making->lanes;
  prof_json_object(json, "left_out");
  prof_json_count(json, "functions", beyond(making->input->ranks->functions.count, making->limits.functions));
  prof_json_count(json, "tree_paths", making->tree_hidden);
  prof_json_count(json, "thread_tree_paths", making->thread_tree_hidden);
  prof_json_count(json, "gpu_tree_paths", making->gpu_tree_hidden);
  if (making->input->old) {
    prof_json_count(json, "old_functions", beyond(making->input->old->functions->count, making->limits.functions));
    prof_json_count(json, "old_tree_paths", making->old_tree_hidden);
  }
  prof_json_count(json, "lock_waits", making->waits_left);
  prof_json_count(json, "values", beyond(making->rows->values.all, making->limits.values));
  prof_json_count(json, "lines", beyond(making->rows->lines.count, making->limits.lines));
  prof_json_count(json, "source_files", making->sources_left);
  prof_json_count(json, "code_functions", making->code_left);
  prof_json_count(json, "deep_calls", making->input->index->deep_calls);
  prof_json_count(json, "long_names", making->frames->long_names);
  prof_json_count(json, "merged_calls", lanes->merged);
  prof_json_count(json, "resolution_ns", lanes->shift ? 1ull << lanes->shift : 0);
  prof_json_object_end(json);
}

/* The recorded command, its arguments separated by blanks. */
static void write_command(const prof_trace *trace, struct prof_json *json) {
  char out[PROF_VIEW_NAME_MOST];
  size_t bytes = 0, used = 0;
  const char *words = prof_trace_setting(trace, "command", &bytes);
  for (size_t i = 0; words && i < bytes && used < sizeof out; i++)
    out[used++] = words[i] ? words[i] : ' ';
  while (used && out[used - 1] == ' ')
    used--;
  prof_json_bytes(json, "command", out, used);
}

static prof_status write_meta(struct making *making) {
  static const char *const settings[] = {"directory", "host", "cpu"};
  static const char *const kinds[PROF_TIME_KINDS] = {"running", "waiting", "elapsed"};
  const struct prof_view_input *input = making->input;
  const struct prof_trace_info *info = prof_trace_info(input->recording->trace);
  const struct prof_coverage *coverage = input->figures ? &input->figures->coverage : &(struct prof_coverage){0};
  struct prof_json *json = &making->json;
  prof_json_count(json, "version", PROF_VIEW_VERSION);
  prof_json_text(json, "prof", input->version);
  write_command(input->recording->trace, json);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    prof_view_text(making->frames, json, settings[i], prof_trace_setting(input->recording->trace, settings[i], NULL));
  prof_view_text(making->frames, json, "recording", info->path);
  prof_json_count(json, "start_realtime_ns", info->start_realtime_ns);
  prof_json_count(json, "wall_ns", info->wall_ns);
  prof_json_count(json, "events", info->events);
  prof_json_count(json, "file_bytes", info->file_bytes);
  prof_json_bool(json, "has_switches", coverage->has_switches);
  prof_json_text(json, "time", kinds[input->recording->time]);
  prof_json_bool(json, "corrected",
                 coverage->threads > 0 && coverage->corrected_threads + coverage->sampled_threads == coverage->threads);
  prof_json_bool(json, "filtered", input->recording->filter.active);
  prof_json_text(json, "warning", input->warning);
  if (input->figures)
    input->put_cover(input->context, json);
  if (input->put_more)
    input->put_more(input->context, json);
  write_left_out(making);
  return PROF_OK;
}

static prof_status write_section(struct making *making, const char *name, prof_status (*write)(struct making *)) {
  FILE *file = prof_sections_begin(making->sections, name);
  if (!file)
    return prof_diag_memory(making->diag);
  prof_json_init(&making->json, file, 1);
  prof_json_object(&making->json, NULL);
  prof_status status = write(making);
  prof_json_object_end(&making->json);
  if (status == PROF_OK)
    prof_sections_end(making->sections);
  return status == PROF_NO_MEMORY || making->frames->failed ? prof_diag_memory(making->diag) : status;
}

/* The whole recording, in as many records as fit. */
static prof_status make_lanes(struct making *making) {
  const struct prof_view_input *input = making->input;
  const struct prof_view_span all = {0, UINT64_MAX};
  const struct prof_lanes *extra = input->extra;
  prof_lanes_init(&making->own_extra, making->limits.records);
  if (!extra) {
    prof_view_extra_add(input->recording, input->samples, input->gpu, making->frames, &making->own_extra);
    extra = &making->own_extra;
  }
  prof_view_span_cut(&input->index->lanes, extra, &all, making->limits.records, &making->lanes);
  prof_view_span_number(&making->lanes, making->frames);
  return making->lanes.failed || extra->failed || making->frames->failed ? prof_diag_memory(making->diag) : PROF_OK;
}

static prof_status write_lanes(struct making *making) {
  prof_status status = make_lanes(making);
  size_t count;
  uint8_t *bytes = status == PROF_OK ? prof_lanes_bytes(&making->lanes, &count) : NULL;
  if (status == PROF_OK && !bytes)
    return prof_diag_memory(making->diag);
  if (bytes)
    prof_sections_add(making->sections, "lanes", bytes, count);
  free(bytes);
  return status;
}

/* `frames` comes behind all that use its numbers, `meta` behind all that leaves something out. */
static prof_status write_all(struct making *making) {
  static const struct {
    const char *name;
    prof_status (*write)(struct making *);
    bool early; /* needs no profile */
  } sections[] = {
      {"functions", write_functions, false},
      {"loops", write_loops, false},
      {"lines", write_lines, false},
      {"tree", write_tree, false},
      {"thread_tree", write_thread_tree, false},
      {"sources", write_sources, false},
      {"code", write_code, false},
      {NULL, write_lanes, true},
      {"slowest", write_slowest, false},
      {"threads", write_threads, true},
      {"processes", write_processes, true},
      {"gpu", write_gpu, false},
      {"gpu_tree", write_gpu_tree, false},
      {"locks", write_locks, false},
      {"calls", write_calls, false},
      {"values", write_values, false},
      {"points", write_points, false},
      {"old_functions", write_old_functions, false},
      {"old_tree", write_old_tree, false},
      {"old", write_old, false},
      {"frames", write_frames, true},
      {"meta", write_meta, true},
  };
  const bool early = !making->input->figures;
  prof_status status = PROF_OK;
  for (size_t i = 0; i < sizeof sections / sizeof *sections && status == PROF_OK; i++)
    if (!early || sections[i].early)
      status =
          sections[i].name ? write_section(making, sections[i].name, sections[i].write) : sections[i].write(making);
  return status;
}

static prof_status make_once(struct making *making, struct prof_view_data *out) {
  const struct prof_view_input *input = making->input;
  making->sections = prof_sections_new(!input->plain);
  making->frames = input->frames ? input->frames : &making->own_frames;
  if (!making->sections || (!input->frames && !prof_view_frames_init(making->frames, input->recording)))
    return prof_diag_memory(making->diag);
  prof_status status = write_all(making);
  if (status == PROF_OK && !prof_sections_take(making->sections, &out->bytes, &out->count))
    return prof_diag_memory(making->diag);
  return status;
}

static void making_fini(struct making *making) {
  prof_sections_free(making->sections);
  prof_view_frames_fini(&making->own_frames);
  prof_view_frames_fini(&making->old_frames);
  prof_lanes_fini(&making->lanes);
  prof_lanes_fini(&making->own_extra);
}

static void halve(struct limits *limits) {
  limits->records /= 2;
  limits->points /= 2;
  limits->paths /= 2;
  limits->thread_paths /= 2;
  limits->functions /= 2;
  limits->lines /= 2;
  limits->waits /= 2;
  limits->values /= 2;
  limits->source_bytes /= 2;
  limits->code_bytes /= 2;
}

prof_status prof_view_data_make(const struct prof_view_input *input, size_t most, struct prof_diag *diag,
                                struct prof_view_data *out) {
  struct rows rows = {.lines = {.rows = NULL}};
  struct limits limits = input->plain ? plain_limits : first_limits;
  *out = (struct prof_view_data){.bytes = NULL};
  prof_status status = rank(input, diag, &rows);
  for (unsigned try = 0; status == PROF_OK; try++) {
    struct making making = {.input = input, .rows = &rows, .limits = limits, .diag = diag};
    status = make_once(&making, out);
    making_fini(&making);
    if (status != PROF_OK || out->count <= most)
      break;
    free(out->bytes);
    out->bytes = NULL;
    halve(&limits);
    if (try == TRIES)
      status = prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET, "reduce it with --pid, --command or -F",
                              "the recording does not fit into a page");
  }
  rows_fini(&rows);
  return status;
}
