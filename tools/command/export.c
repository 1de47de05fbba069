/*
 * tools/command/export.c - `prof export`: the recording in a format that another program reads.
 */
#include "export/exporters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "command.h"
#include "export_list.h"
#include "fold/summary/summary.h"
#include "fold/walk.h"
#include "line_frames.h"
#include "options/common.h"
#include "options/option_take.h"
#include "output.h"
#include "progress.h"
#include "reader.h"
#include "view/units.h"

#define MANY_EVENTS 10000000
#define MANY_BYTES 16e6 /* of output, and ... */
#define MANY_TIMES 50   /* ... so many times the trace's bytes: warns */
#define DEFAULT_MIN_SHARE 0.005
#define NUMBER_BYTES 5 /* of a function's number, in formats without names in paths */

struct settings {
  struct prof_common common;
  uint32_t format; /* number of the exporter, from 1; 0: not given */
  const struct prof_exporter *exporter;
  const char *path;
  bool timeline, list, has_min_share;
  double min_share;
};

static bool format_at(size_t index, struct prof_named *out) {
  const struct prof_exporter *exporter = prof_exporters[index];
  if (exporter)
    *out = (struct prof_named){exporter->name, exporter->summary};
  return exporter != NULL;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"format", 0, "FORMAT", "the format (needed)", PROF_OPTION_WORD, IN(format), .low = 1, .named = format_at},
    {"output", 'o', "FILE", "write to FILE instead of standard output", PROF_OPTION_TEXT, IN(path)},
    PROF_COMMON_TIME_AS("time of call paths, where a format has one for each (default: running)"),
    PROF_COMMON_LOOPS,
    PROF_COMMON_LINES,
    PROF_COMMON_BY("begin call paths with their process or command"),
    {"timeline", 0, NULL, "write every call in time order instead of sums", PROF_OPTION_FLAG, IN(timeline)},
    {"list", 0, NULL, "show all formats, and the size of the recording in each", PROF_OPTION_FLAG, IN(list)},
    {"min-share", 0, "PERCENT", "make one of all functions under this share of the time (default: 0.5%)",
     PROF_OPTION_SHARE, IN(min_share), .given = offsetof(struct settings, has_min_share)},
    {0},
};

static double min_share_of(const struct settings *settings) {
  return settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE;
}

/* "use it with --format=folded or speedscope" and so on; can: offset of a bool of prof_exporter. */
static prof_status wrong_format(const struct settings *settings, const char *flag, size_t can, const char *more,
                                struct prof_diag *diag) {
  char list[200], remedy[300];
  const char *names[PROF_OPTION_MOST_WORDS + 1] = {NULL};
  for (size_t i = 0, count = 0; prof_exporters[i] && count < PROF_OPTION_MOST_WORDS; i++)
    if (*((const bool *)prof_exporters[i] + can))
      names[count++] = prof_exporters[i]->name;
  snprintf(remedy, sizeof remedy, "use it with --format=%s%s", prof_option_join(list, sizeof list, names, ", ", " or "),
           more);
  return prof_command_usage(diag, remedy, "--format=%s%s has no %s", settings->exporter->name,
                            settings->timeline && strcmp(flag, "--timeline") ? " --timeline" : "", flag);
}

static prof_status no_format(struct prof_diag *diag) {
  char list[200], remedy[220];
  const char *names[PROF_OPTION_MOST_WORDS + 1];
  prof_option_words(&options[0], names);
  snprintf(remedy, sizeof remedy, "add --list for all, or --format=%s",
           prof_option_join(list, sizeof list, names, ", ", " or "));
  return prof_command_usage(diag, remedy, "which format?");
}

/* Says so before the output is begun, so that an earlier file stays. */
static prof_status check_library(const struct prof_exporter *exporter, struct prof_diag *diag) {
  char remedy[200];
  const char *lacks = prof_exporter_lacks(exporter);
  if (!lacks)
    return PROF_OK;
  snprintf(remedy, sizeof remedy, "install the package %s (Debian)%s", lacks,
           exporter->missing ? ", then configure and build prof again" : "");
  return prof_command_usage(diag, remedy,
                            exporter->missing ? "this prof was built without a library for --format=%s"
                                              : "the library for --format=%s is missing",
                            exporter->name);
}

#define CAN(member) offsetof(struct prof_exporter, member)
static prof_status check(const struct settings *settings, struct prof_diag *diag) {
  if (settings->list)
    return settings->exporter || settings->path || settings->timeline || settings->common.lines
               ? prof_command_usage(diag, "leave out --format, --output, --timeline and --lines",
                                    "--list measures all formats")
               : PROF_OK;
  if (!settings->exporter)
    return no_format(diag);
  if (settings->exporter->needs_file && (!settings->path || !strcmp(settings->path, "-")))
    return prof_command_usage(diag, settings->exporter->needs_folder ? "add -o FOLDER" : "add -o FILE",
                              "--format=%s can't be written to standard output", settings->exporter->name);
  if (settings->timeline && !settings->exporter->has_timeline)
    return wrong_format(settings, "--timeline", CAN(has_timeline), "", diag);
  if (settings->common.has_time && settings->common.time != PROF_TIME_ELAPSED &&
      (settings->timeline || settings->exporter->only_timeline))
    return prof_command_usage(diag, "use --time=elapsed, or a format without a time line",
                              "a time line shows elapsed time only");
  if (settings->common.lines && (settings->timeline || !settings->exporter->has_lines))
    return wrong_format(settings, "--lines", CAN(has_lines), ", without --timeline", diag);
  if (settings->has_min_share && !settings->exporter->has_min_share)
    return wrong_format(settings, "--min-share", CAN(has_min_share), "", diag);
  if (settings->common.split && (settings->timeline || !settings->exporter->has_groups))
    return wrong_format(settings, "--by", CAN(has_groups), "; one process only: --pid or --command", diag);
  return check_library(settings->exporter, diag);
}

/* Warns before all calls of a long recording are written, which takes minutes and gigabytes. */
static void warn_of_size(const struct prof_reader *reader) {
  char events[PROF_UNITS_BYTES];
  uint64_t count = prof_trace_info(reader->recording.trace)->events;
  if (count >= MANY_EVENTS && !reader->recording.filter.active)
    fprintf(stderr,
            "prof: writes every call of %s events: slow, and too large for most viewers\n"
            "  reduce it with --range=A~B, --tid=TID, -t MIN or -D N\n",
            prof_units_count(events, count));
}

/* Warns before a large output: call paths are written in full, so a short recursion becomes large. */
static void warn_of_paths(const struct prof_reader *reader, const struct prof_profile *profile, bool has_names) {
  uint32_t *depths = malloc((profile->node_count + 1) * sizeof *depths);
  double *bytes = malloc((profile->node_count + 1) * sizeof *bytes), all = 0;
  char number[PROF_UNITS_BYTES];
  for (uint32_t i = 0; i < profile->node_count && depths && bytes; i++) {
    const struct prof_node *node = &profile->nodes[i];
    bool is_path = i > 0 && node->parent > 0 && node->parent < i && profile->nodes[i].function != PROF_NONE;
    depths[i] = is_path ? depths[node->parent] + 1 : 0;
    size_t length =
        is_path && has_names ? strlen(prof_names_function(reader->recording.names, node->function)) : NUMBER_BYTES;
    bytes[i] = is_path ? bytes[node->parent] + (double)length + 1 : 0;
    all += depths[i] <= PROF_CALL_PATH_LIMIT ? bytes[i] : 0;
  }
  free(depths);
  free(bytes);
  if (all >= MANY_BYTES && all >= MANY_TIMES * (double)prof_trace_info(reader->recording.trace)->file_bytes)
    fprintf(stderr, "prof: about %s of output: paths are written in full; -D 100 makes it less\n",
            prof_units_bytes(number, (uint64_t)all));
}

static bool stop(void *context, const struct prof_walk_event *event) {
  (void)context, (void)event;
  return false;
}

/* A time line without calls is an error, found before the output is opened; the exporter checks GPU work. */
static prof_status check_shown(const struct settings *settings, const struct prof_reader *reader,
                               struct prof_diag *diag) {
  size_t gpu_chunks;
  prof_trace_gpu_chunks(reader->recording.trace, &gpu_chunks);
  if (settings->exporter->only_timeline && gpu_chunks > 0)
    return PROF_OK;
  const prof_trace *trace = reader->recording.trace;
  const struct prof_filter *filter = &reader->recording.filter;
  return settings->exporter->has_points ? prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, stop, NULL, diag)
                                        : prof_walk(trace, filter, PROF_WALK_BY_THREAD, stop, NULL, diag);
}

/* A time line of GPU work alone has no waits. */
static prof_status fold_waits(const struct prof_reader *reader, struct prof_profile **profile,
                              struct prof_samples **samples, struct prof_diag *diag) {
  prof_status status = prof_reader_fold_samples(reader, false, profile, samples, diag);
  return status == PROF_EMPTY ? PROF_OK : status;
}

/* A folder of files is not mixed with others. */
static prof_status check_new(const char *path, struct prof_diag *diag) {
  return access(path, F_OK) == 0 ? prof_diag_fill(diag, PROF_IO, path, PROF_NO_OFFSET,
                                                  "choose a new folder with -o FOLDER", "it exists already")
                                 : PROF_OK;
}

static prof_status export_to(struct prof_output *output, const struct settings *settings, struct prof_reader *reader,
                             struct prof_diag *diag) {
  const struct prof_exporter *exporter = settings->exporter;
  struct prof_export_source source = {.trace = reader->recording.trace,
                                      .filter = &reader->recording.filter,
                                      .names = reader->recording.names,
                                      .groups = &reader->recording.groups,
                                      .time = reader->recording.time,
                                      .timeline = settings->timeline,
                                      .min_share = min_share_of(settings)};
  char number[PROF_UNITS_BYTES], level[PROF_UNITS_BYTES];
  uint64_t too_deep = 0;
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_line_frames lines = {.symbols = NULL};
  prof_status status = PROF_OK;
  source.too_deep = &too_deep;
  if (settings->common.lines)
    status = prof_line_frames_fold(reader, exporter->has_chains, &profile, &lines, diag);
  else if (exporter->only_timeline || (settings->timeline && !exporter->has_both))
    status = check_shown(settings, reader, diag);
  else
    status = prof_reader_fold(reader, &profile, diag);
  if (status == PROF_OK && exporter->has_waits && reader->recording.has_switches)
    status = fold_waits(reader, &profile, &samples, diag);
  if (status == PROF_OK && exporter->needs_folder)
    status = check_new(settings->path, diag);
  else if (status == PROF_OK)
    status = prof_output_file(output, settings->path, diag);
  if (status == PROF_OK) {
    struct prof_progress progress;
    source.profile = profile;
    source.samples = samples;
    source.path = exporter->needs_folder ? settings->path : output->path;
    source.leaves = settings->common.lines ? &lines.leaves : NULL;
    bool in_time = exporter->only_timeline || settings->timeline, counts = in_time && !reader->recording.filter.active;
    if (in_time)
      warn_of_size(reader);
    else if (exporter->has_paths)
      warn_of_paths(reader, profile, !strcmp(exporter->name, "folded"));
    prof_progress_begin(&progress, "writing", counts ? prof_trace_info(reader->recording.trace)->events : 0);
    source.done = &progress.done;
    status = exporter->write(output->file, &source, diag);
    prof_progress_end(&progress);
  }
  if (too_deep)
    fprintf(stderr, "prof: %s call path%s cut at %s levels (see -D), which keep their time\n",
            prof_units_count(number, too_deep), too_deep == 1 ? " is" : "s are",
            prof_units_count(level, PROF_CALL_PATH_LIMIT));
  if (profile && profile->coverage.too_deep)
    fprintf(stderr, "prof: %s call%s deeper than 65,536 levels: their time is at that level\n",
            prof_units_count(number, profile->coverage.too_deep), profile->coverage.too_deep == 1 ? " is" : "s are");
  prof_line_frames_free(&lines);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

/* Without a recording: the formats alone. */
static int list_formats(const struct settings *settings) {
  struct prof_output output = {.file = NULL};
  struct prof_diag diag;
  prof_status status = prof_export_list_formats(&settings->common, &output, &diag);
  int result = output.file ? prof_output_end(&output) : PROF_EXIT_OK;
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_output output = {.file = NULL};
  struct prof_diag diag;
  (void)argc, (void)argv;
  settings->exporter = settings->format ? prof_exporters[settings->format - 1] : NULL;
  prof_status status = check(settings, &diag);
  if (status == PROF_OK && settings->list && !strcmp(settings->common.input, PROF_DEFAULT_INPUT) &&
      access(PROF_DEFAULT_INPUT, F_OK))
    return list_formats(settings);
  if (status == PROF_OK)
    status = prof_reader_open(&reader, &settings->common, &diag);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  if (!settings->list && (settings->timeline || settings->exporter->only_timeline))
    status = prof_summary_refuse(reader.recording.trace, &diag);
  if (status == PROF_OK)
    status = settings->list ? prof_export_list(&reader, min_share_of(settings), &output, &diag)
                            : export_to(&output, settings, &reader, &diag);
  prof_reader_warn(&reader, NULL);
  int result = output.file ? prof_output_end(&output) : PROF_EXIT_OK;
  if (status != PROF_OK)
    result = prof_command_fail(&diag);
  prof_reader_close(&reader);
  return result;
}

const struct prof_command prof_command_export = {
    .name = "export",
    .alias = "dump",
    .instead = "the output goes to -o FILE",
    .summary = "Write the recording in a format of other programs",
    .group = "Export",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
