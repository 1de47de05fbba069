/*
 * tools/decide/run_read.c - see run.h: reads the figures of a run from its recording.
 *
 * The recording is folded twice: without probe overhead, and as measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/functions.h"
#include "base/diag.h"
#include "decide/run.h"
#include "decide/run_parts.h"
#include "study/recording.h"

#define NAME_BYTES PROF_RUN_NAME_BYTES
#define DEVIATIONS 1.96 /* half of a 95% interval */

const char *prof_run_plain_name(char out[NAME_BYTES], const char *name) {
  static const char *const marks[] = {" [clone ", ".constprop.", ".isra.", ".part.", ".cold", ".lto_priv."};
  snprintf(out, NAME_BYTES, "%s", name);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    char *mark = strstr(out, marks[i]);
    if (mark && mark != out)
      *mark = 0;
  }
  return out;
}

struct place { /* of a function in the call tree */
  uint64_t calls, events;
  uint32_t caller; /* of the node with most of its calls; PROF_NONE: none */
};

/* The node, or above a loop that of its function. */
static uint32_t function_node(const struct prof_profile *profile, uint32_t node) {
  while (node && profile->nodes[node].function != PROF_NONE && profile->nodes[node].function >= profile->function_count)
    node = profile->nodes[node].parent;
  return node;
}

/* Per function; NULL: no memory. */
static struct place *find_places(const struct prof_profile *profile) {
  struct place *places = calloc(profile->function_count, sizeof *places);
  for (size_t i = 0; places && i < profile->function_count; i++)
    places[i].caller = PROF_NONE;
  for (uint32_t i = 1; places && i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    const uint32_t function = profile->nodes[function_node(profile, i)].function;
    if (function >= profile->function_count)
      continue;
    struct place *place = &places[function];
    place->events += node->own_events;
    if (node->function != function || node->calls <= place->calls)
      continue;
    place->calls = node->calls;
    place->caller = profile->nodes[function_node(profile, node->parent)].function;
  }
  return places;
}

static double median_ns(const struct prof_profile *profile, uint32_t function) {
  if (function >= profile->function_count || !profile->functions[function].self_durations)
    return 0;
  const struct prof_trace_info *info = prof_trace_info(profile->trace);
  return prof_histogram_median(profile->histograms, profile->functions[function].self_durations) * 1e9 /
         (double)info->frequency_hz;
}

/* 0: some were counted nowhere, as with a budget on a busy machine. */
static uint64_t calls_of(const struct prof_profile *profile, const struct prof_function_row *row) {
  const bool known = !profile->estimated_functions || row->index >= profile->function_count ||
                     !(profile->estimated_functions[row->index].what & PROF_ESTIMATED_UNKNOWN);
  return known ? row->calls : 0;
}

static double noise_of(const struct prof_function_row *row) {
  if (!row->self_estimated || !row->self.running)
    return 0;
  return (double)(row->self_high_ns - row->self_low_ns) / (2 * DEVIATIONS) / (double)row->self.running;
}

static prof_status add_functions(struct prof_run *run, const struct prof_recording *recording,
                                 const struct prof_profile *profile, const struct prof_function_rows *rows,
                                 struct prof_diag *diag) {
  char name[NAME_BYTES], caller[NAME_BYTES];
  struct place *places = find_places(profile);
  bool added = places != NULL;
  for (size_t i = 0; added && i < rows->count; i++) {
    const struct prof_function_row *from = &rows->rows[i];
    const bool zone = prof_function_row_is_zone(from);
    const struct place none = {.caller = PROF_NONE},
                       *place = from->index < profile->function_count ? &places[from->index] : &none;
    const struct prof_run_row row = {
        .kind = zone ? PROF_RUN_ZONE : PROF_RUN_FUNCTION,
        .name = zone ? prof_names_plain(recording->names, from->index) : prof_run_plain_name(name, from->name),
        .file = from->file,
        .line = from->line,
        .caller = place->caller == PROF_NONE
                      ? ""
                      : prof_run_plain_name(caller, prof_names_function(recording->names, place->caller)),
        .calls = calls_of(profile, from),
        .self_ns = from->self.running,
        .waiting_ns = from->self.waiting,
        .preempted_ns = from->self.preempted,
        .events = place->events,
        .median_ns = from->has_self ? median_ns(profile, from->index) : 0,
        .noise = noise_of(from),
        .total_ns = from->total.elapsed,
        .p50_ns = from->has_extremes ? from->p50_ns : 0,
        .p95_ns = from->has_extremes ? from->p95_ns : 0,
        .p99_ns = from->has_extremes ? from->p99_ns : 0,
        .max_ns = from->has_extremes ? from->max_ns : 0,
    };
    added = prof_run_add(run, &row);
    run->self_ns += row.self_ns;
    run->waiting_ns += row.waiting_ns;
  }
  free(places);
  return added ? PROF_OK : prof_diag_memory(diag);
}

/* Of each row of that recording the self time as measured. */
static void add_raw(struct prof_run *run, const struct prof_recording *recording,
                    const struct prof_function_rows *rows) {
  char name[NAME_BYTES];
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_function_row *from = &rows->rows[i];
    const bool zone = prof_function_row_is_zone(from);
    const struct prof_run_row row = {.kind = zone ? PROF_RUN_ZONE : PROF_RUN_FUNCTION,
                                     .name = zone ? prof_names_plain(recording->names, from->index)
                                                  : prof_run_plain_name(name, from->name),
                                     .file = from->file};
    const uint32_t at = prof_run_find(run, &row);
    if (at != UINT32_MAX)
      run->rows.items[at].raw_ns += from->self.running;
    run->raw_ns += from->self.running;
  }
}

static prof_status add_commands(struct prof_run *run, const struct prof_function_rows *rows, struct prof_diag *diag) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_function_row *from = &rows->rows[i];
    const struct prof_run_row row = {.kind = PROF_RUN_COMMAND,
                                     .name = from->name,
                                     .file = "",
                                     .raw_ns = from->total.running,
                                     .self_ns = from->total.running,
                                     .waiting_ns = from->total.waiting,
                                     .preempted_ns = from->total.preempted,
                                     .total_ns = from->total.elapsed};
    if (!prof_run_add(run, &row))
      return prof_diag_memory(diag);
  }
  return PROF_OK;
}

static prof_status rank(const struct prof_recording *recording, const struct prof_profile *profile,
                        const struct prof_samples *samples, enum prof_group by, struct prof_diag *diag,
                        struct prof_function_rows *rows) {
  return prof_functions_rank(profile, samples, recording->names, by, PROF_TIME_RUNNING, PROF_SORT_SELF, diag, rows);
}

/* What the recording tells without probe overhead. */
static prof_status take_profile(struct prof_run *run, const struct prof_recording *recording,
                                const struct prof_run_wanted *wanted, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_function_rows rows = {0};
  const struct prof_fold_options options = {.loops = wanted->loops};
  prof_status status = prof_recording_fold(recording, &options, diag, &profile, &samples);
  if (status == PROF_OK)
    status = rank(recording, profile, samples, PROF_BY_FUNCTION, diag, &rows);
  if (status == PROF_OK)
    status = add_functions(run, recording, profile, &rows, diag);
  prof_functions_free(&rows);
  if (status == PROF_OK)
    status = rank(recording, profile, samples, PROF_BY_COMMAND, diag, &rows);
  if (status == PROF_OK && rows.count > 1)
    status = add_commands(run, &rows, diag);
  prof_functions_free(&rows);
  if (status == PROF_OK && wanted->loops)
    status = prof_run_add_loops(run, recording, profile, diag);
  if (status == PROF_OK) {
    run->overhead_ns = prof_trace_ns(recording->trace, profile->coverage.taken_ticks);
    if (profile->coverage.taken_ticks)
      run->overhead_doubt = fmin(1, (double)profile->coverage.error_ticks / (double)profile->coverage.taken_ticks);
    run->incomplete |= profile->coverage.lost > 0 || profile->coverage.chunks_damaged > 0;
  }
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

/* What it tells as measured. */
static prof_status take_raw(struct prof_run *run, const struct prof_recording *recording, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_function_rows rows = {0};
  const struct prof_fold_options options = {.raw = true};
  prof_status status = prof_recording_fold(recording, &options, diag, &profile, &samples);
  if (status == PROF_OK)
    status = rank(recording, profile, samples, PROF_BY_FUNCTION, diag, &rows);
  if (status == PROF_OK)
    add_raw(run, recording, &rows);
  prof_functions_free(&rows);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

/* Words of a setting, joined by blanks; false: no memory. */
static bool take_text(struct prof_run *run, const prof_trace *trace, const char *key, const char **out) {
  size_t bytes = 0;
  const char *words = prof_trace_setting(trace, key, &bytes);
  char *text = prof_arena_copy(&run->texts, words ? words : "", words ? bytes : 0);
  for (size_t i = 0; text && i < bytes; i++)
    text[i] = text[i] ? text[i] : ' ';
  while (text && bytes && text[bytes - 1] == ' ')
    text[--bytes] = 0;
  *out = text;
  return text != NULL;
}

/* In permille, by the setting "5%"; 0: none. */
static unsigned take_budget(const prof_trace *trace) {
  char text[24] = "";
  size_t bytes = 0;
  const char *setting = prof_trace_setting(trace, "overhead", &bytes);
  if (setting && bytes < sizeof text)
    memcpy(text, setting, bytes);
  double percent = strtod(text, NULL);
  return percent > 0 && percent <= 100 ? (unsigned)(percent * 10 + 0.5) : 0;
}

/* What the options of prof record added to calls, or took. */
static unsigned take_measures(const prof_trace *trace) {
  static const struct {
    const char *option;
    unsigned measure;
  } measures[] = {{"--memory=", PROF_RUN_HAS_MEMORY}, {"--locks=", PROF_RUN_HAS_LOCKS}, {"--io=", PROF_RUN_HAS_IO}};
  size_t bytes = 0;
  unsigned found = prof_trace_summary(trace, &bytes) ? PROF_RUN_IS_SUMMARY : 0;
  const char *words = prof_trace_setting(trace, "options", &bytes);
  for (size_t at = 0; words && at < bytes; at += strnlen(words + at, bytes - at) + 1)
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
      if (bytes - at > strlen(measures[i].option) &&
          !strncmp(words + at, measures[i].option, strlen(measures[i].option)))
        found |= measures[i].measure;
  return found;
}

static prof_status take_facts(struct prof_run *run, const struct prof_recording *recording, const char *path,
                              struct prof_diag *diag) {
  const prof_trace *trace = recording->trace;
  const struct prof_trace_info *info = prof_trace_info(trace);
  const char *cpu, *system;
  run->path = prof_arena_copy(&run->texts, path, strlen(path));
  if (!run->path || !take_text(run, trace, "command", &run->command) || !take_text(run, trace, "cpu", &cpu) ||
      !take_text(run, trace, "system", &system))
    return prof_diag_memory(diag);
  char machine[512];
  snprintf(machine, sizeof machine, "%s%s%s", cpu, cpu[0] && system[0] ? ", " : "", system);
  run->machine = prof_arena_copy(&run->texts, machine, strlen(machine));
  run->begin_ns = info->start_realtime_ns;
  run->wall_ns = info->wall_ns;
  run->cpu_ns = info->user_ns + info->system_ns;
  run->clock_step_ns = info->clock_step_ticks * 1e9 / (double)info->frequency_hz;
  run->measures = take_measures(trace);
  run->has_switches = recording->has_switches;
  run->has_budget = recording->has_budget;
  run->budget_permille = take_budget(trace);
  run->incomplete = !info->complete || info->lost > 0;
  return run->machine ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_run_read(const char *path, const struct prof_run_wanted *wanted, struct prof_diag *diag,
                          struct prof_run *out) {
  const struct prof_recording_spec spec = {
      .path = path, .range = {.end_ns = UINT64_MAX}, .demangle = PROF_DEMANGLE_FULL, .time = PROF_TIME_RUNNING};
  struct prof_recording recording;
  *out = (struct prof_run){0};
  prof_status status = prof_recording_open(&recording, &spec, diag);
  if (status == PROF_OK)
    status = take_facts(out, &recording, path, diag);
  if (status == PROF_OK)
    status = take_profile(out, &recording, wanted, diag);
  if (status == PROF_OK)
    status = take_raw(out, &recording, diag);
  if (status == PROF_OK)
    status = prof_run_add_memory(out, &recording, wanted->lines, diag);
  if (status == PROF_OK && wanted->lines)
    status = prof_run_add_lines(out, &recording, diag);
  prof_recording_close(&recording);
  if (status != PROF_OK)
    prof_run_fini(out);
  return status;
}
