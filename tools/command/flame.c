/*
 * tools/command/flame.c - `prof flame`: a flamegraph as one SVG file, or its change since another profile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "analysis/compare/tree_paths.h"
#include "analysis/reverse.h"
#include "analysis/tree.h"
#include "base/diag.h"
#include "command.h"
#include "flame_change.h"
#include "gpu/gpu_time.h"
#include "line_frames.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "view/flame_svg.h"
#include "view/units.h"

#define DEFAULT_MIN_SHARE 0.001 /* about a pixel on a usual screen */
#define DEEPEST 512             /* levels in the picture; browsers are slow with more */

struct settings {
  struct prof_common common;
  const char *path, *title;
  double min_share;
  bool has_min_share, reverse, icicle, gpu;
  enum prof_flame_format format;
  const char *against, *event; /* --against and what belongs to it */
  uint32_t importer;           /* number of the row, from 1; 0: by content */
  enum prof_flame_frames frames;
  bool absolute;
};

static bool importer_at(size_t index, struct prof_named *out) {
  const struct prof_importer *importer = prof_importers[index];
  if (importer)
    *out = (struct prof_named){importer->name, importer->summary};
  return importer != NULL;
}

static prof_status check(const struct settings *settings, struct prof_diag *diag) {
  const char *other = settings->reverse           ? "--reverse"
                      : settings->common.has_time ? "--time"
                      : settings->common.split    ? "--by"
                      : settings->common.lines    ? "--lines"
                                                  : NULL;
  if (settings->gpu && other)
    return prof_command_usage(diag, "leave out one of them", "--gpu has no %s", other);
  const char *alone = settings->importer   ? "--against-format"
                      : settings->event    ? "--against-event"
                      : settings->frames   ? "--against-frames"
                      : settings->absolute ? "--absolute"
                                           : NULL;
  if (!settings->against && alone)
    return prof_command_usage(diag, "add --against=OTHER, or leave it out", "%s is about a second profile", alone);
  if (!settings->against && settings->format != PROF_FLAME_SVG)
    return prof_command_usage(diag, "for data: prof tree --format=json, or prof export --format=folded",
                              "flame draws SVG only, without --against");
  return PROF_OK;
}

static prof_status no_gpu(const struct prof_reader *reader, struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_EMPTY, reader->common->input, PROF_NO_OFFSET, "prof gpu says more",
                        "this recording has no GPU activity");
}

/* Draws GPU time by host path, with the kernel or copy as leaf. */
static prof_status draw_gpu(FILE *file, const struct settings *settings, const struct prof_reader *reader,
                            struct prof_diag *diag) {
  struct prof_tree_limits limits = {.min_share = settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE};
  struct prof_gpu_study study;
  struct prof_gpu_flame flame = {0};
  char title[512], subtitle[256], time[PROF_UNITS_BYTES], count[PROF_UNITS_BYTES];
  prof_status status = prof_gpu_study_open(&study, reader->recording.trace, &reader->recording.filter,
                                           reader->recording.names, settings->common.demangle, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_cost_flame(&study, &limits, diag, &flame);
  if (status == PROF_OK) {
    prof_flame_command(reader->recording.trace, title, sizeof title);
    snprintf(subtitle, sizeof subtitle, "%s on the GPU, %s kernels, copies and sets; width: time, by host path",
             prof_units_duration(time, flame.tree.nodes[0].total_ns),
             prof_units_count(count, flame.tree.nodes[0].calls));
    const struct prof_flame_style style = {
        .title = settings->title ? settings->title
                 : title[0]      ? title
                                 : "prof flame --gpu",
        .subtitle = subtitle,
        .top_name = "GPU",
        .icicle = settings->icicle,
        .deepest = DEEPEST,
        .min_share = limits.min_share,
        .extra_names = flame.names,
        .first_extra = flame.first,
    };
    status = prof_flame_svg_write(file, &flame.tree, reader->recording.names, &style);
  }
  prof_tree_free(&flame.tree);
  prof_gpu_study_close(&study);
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}

static prof_status select_tree(const struct settings *settings, const struct prof_reader *reader,
                               const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                               struct prof_tree *tree, struct prof_diag *diag) {
  struct prof_tree_limits limits = {.time = reader->recording.time,
                                    .min_share = settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE,
                                    .groups = &reader->recording.groups};
  if (settings->reverse) /* one level more than drawn: the picture counts the frames left out */
    limits.depth = DEEPEST + 1;
  return settings->reverse ? prof_reverse_select(profile, leaves, &limits, diag, tree)
                           : prof_tree_select(profile, leaves, &limits, diag, tree);
}

static bool wants_reasons(const struct settings *settings, const struct prof_reader *reader) {
  return reader->recording.time == PROF_TIME_WAITING && !settings->common.lines;
}

static prof_status draw(FILE *file, const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                        struct prof_diag *diag) {
  struct prof_tree tree;
  prof_status status = select_tree(settings, reader, profile, leaves->begin ? leaves : NULL, &tree, diag);
  if (status != PROF_OK)
    return status;
  char title[512], subtitle[320], time[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES], samples[PROF_UNITS_BYTES];
  prof_flame_command(reader->recording.trace, title, sizeof title);
  int used = snprintf(subtitle, sizeof subtitle, "%s %s in your functions, %s calls; %s",
                      prof_units_duration(time, tree.nodes[0].total_ns), prof_time_words[reader->recording.time],
                      prof_units_count(calls, profile->coverage.calls),
                      settings->reverse ? "self time, with its callers" : "width: time, callees on their callers");
  if (settings->common.lines)
    used += snprintf(subtitle + used, sizeof subtitle - (size_t)used, ", lines by %s sample%s",
                     prof_units_count(samples, leaves->samples), leaves->samples == 1 ? "" : "s");
  else if (leaves->samples)
    used += snprintf(subtitle + used, sizeof subtitle - (size_t)used, ", reasons by %s wait%s",
                     prof_units_count(samples, leaves->samples), leaves->samples == 1 ? "" : "s");
  if (profile->coverage.lost)
    snprintf(subtitle + used, sizeof subtitle - (size_t)used, "; EVENTS WERE LOST, see prof info");
  struct prof_flame_style style = {
      .title = settings->title ? settings->title
               : title[0]      ? title
                               : "prof flame",
      .subtitle = subtitle,
      .top_name = "all",
      .icicle = settings->icicle,
      .deepest = DEEPEST,
      .min_share = settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE,
      .extra_names = (const char *const *)leaves->names,
      .first_extra = leaves->first,
      .extra_counts = settings->common.lines ? "sample" : "wait",
  };
  status = prof_flame_svg_write(file, &tree, reader->recording.names, &style);
  prof_tree_free(&tree);
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}

/* ---- --against ---- */

static prof_status tree_paths(const struct prof_reader *reader, const struct prof_profile *profile,
                              const struct prof_line_leaves *leaves, struct prof_path_sums *out,
                              struct prof_diag *diag) {
  const struct prof_tree_limits limits = {.time = reader->recording.time, .groups = &reader->recording.groups};
  struct prof_tree tree;
  prof_status status = prof_tree_select(profile, leaves, &limits, diag, &tree);
  if (status != PROF_OK)
    return status;
  status = prof_tree_paths(&tree, reader->recording.names, leaves ? (const char *const *)leaves->names : NULL,
                           leaves ? leaves->first : 0, diag, out);
  prof_tree_free(&tree);
  return status;
}

static prof_status gpu_paths(const struct prof_reader *reader, struct prof_path_sums *out, struct prof_diag *diag) {
  const struct prof_tree_limits limits = {0};
  struct prof_gpu_study study;
  struct prof_gpu_flame flame = {0};
  if (!prof_gpu_time_is_there(reader))
    return no_gpu(reader, diag);
  prof_status status = prof_gpu_study_open(&study, reader->recording.trace, &reader->recording.filter,
                                           reader->recording.names, reader->common->demangle, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_cost_flame(&study, &limits, diag, &flame);
  if (status == PROF_OK)
    status = prof_tree_paths(&flame.tree, reader->recording.names, flame.names, flame.first, diag, out);
  prof_tree_free(&flame.tree);
  prof_gpu_study_close(&study);
  return status;
}

/* In the words of prof info. */
static const char *times_of(const struct prof_reader *reader, const struct prof_profile *profile) {
  const struct prof_coverage *cover = &profile->coverage;
  return profile->estimated_nodes                               ? "recorded with a budget"
         : cover->sampled_threads > cover->threads / 2          ? "estimated from samples"
         : reader->common->raw || cover->corrected_threads == 0 ? "as measured"
                                                                : "probe overhead removed";
}

/* prof_flame_paths: the whole tree; the comparison leaves out what is small on both sides. */
static prof_status paths_of(const struct prof_flame_change *change, const struct prof_reader *reader,
                            struct prof_path_sums *out, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_line_frames lines = {.symbols = NULL};
  if (change->gpu)
    return gpu_paths(reader, out, diag);
  prof_status status = change->common->lines ? prof_line_frames_fold(reader, false, &profile, &lines, diag)
                                             : prof_reader_fold(reader, &profile, diag);
  if (status == PROF_OK)
    status = tree_paths(reader, profile, change->common->lines ? &lines.leaves : NULL, out, diag);
  if (status == PROF_OK)
    out->times = times_of(reader, profile);
  prof_line_frames_free(&lines);
  prof_profile_free(profile);
  return status;
}

static prof_status draw_change(struct prof_output *output, const struct settings *settings,
                               const struct prof_reader *reader, struct prof_diag *diag) {
  const bool picture = settings->format == PROF_FLAME_SVG;
  const struct prof_flame_change change = {
      .common = &settings->common,
      .against = settings->against,
      .importer = settings->importer,
      .event = settings->event,
      .frames = settings->frames,
      .format = settings->format,
      .absolute = settings->absolute,
      .reverse = settings->reverse,
      .icicle = settings->icicle,
      .gpu = settings->gpu,
      .min_share = settings->has_min_share ? settings->min_share
                   : picture               ? DEFAULT_MIN_SHARE
                                           : 0,
      .deepest = DEEPEST,
      .title = settings->title,
  };
  struct prof_path_sums after;
  struct prof_flame_other other;
  prof_status status = paths_of(&change, reader, &after, diag);
  if (status != PROF_OK)
    return status;
  status = prof_flame_other_open(&change, reader, paths_of, &other, diag);
  if (status == PROF_OK) {
    status = prof_output_file(output, settings->path, diag);
    if (status == PROF_OK)
      status = prof_flame_change_write(output->file, &change, reader, &after, &other, diag);
    prof_flame_other_fini(&other);
  }
  prof_path_sums_fini(&after);
  return status;
}

/* ---- the command ---- */

static prof_status draw_alone(struct prof_output *output, const struct settings *settings,
                              const struct prof_reader *reader, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_line_frames lines = {.symbols = NULL};
  prof_status status = PROF_OK;
  if (settings->gpu)
    status = prof_gpu_time_is_there(reader) ? PROF_OK : no_gpu(reader, diag);
  else
    status = settings->common.lines ? prof_line_frames_fold(reader, false, &profile, &lines, diag)
                                    : prof_reader_fold(reader, &profile, diag);
  if (status == PROF_OK && !settings->gpu && wants_reasons(settings, reader))
    status = prof_wait_frames_make(reader, profile, &lines, diag);
  if (status == PROF_OK)
    status = prof_output_file(output, settings->path, diag);
  if (status == PROF_OK)
    status = settings->gpu ? draw_gpu(output->file, settings, reader, diag)
                           : draw(output->file, settings, reader, profile, &lines.leaves, diag);
  prof_line_frames_free(&lines);
  prof_profile_free(profile);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_output output = {.file = NULL};
  struct prof_diag diag;
  (void)argc, (void)argv;
  prof_status status = check(settings, &diag);
  if (status == PROF_OK)
    status = prof_reader_open(&reader, &settings->common, &diag);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  bool chosen =
      !settings->path && settings->format == PROF_FLAME_SVG && isatty(STDOUT_FILENO); /* no SVG on a terminal */
  if (chosen)
    settings->path = "flame.svg";
  status = settings->against ? draw_change(&output, settings, &reader, &diag)
                             : draw_alone(&output, settings, &reader, &diag);
  prof_reader_warn(&reader, NULL);
  int result = output.file ? prof_output_end(&output) : PROF_EXIT_OK;
  if (status != PROF_OK)
    result = prof_command_fail(&diag);
  else if (chosen && result == PROF_EXIT_OK)
    fprintf(stderr, "prof: wrote flame.svg; open it in a browser\n");
  prof_reader_close(&reader);
  return result;
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"output", 'o', "FILE", "write to FILE (default: standard output; flame.svg when that is a terminal)",
     PROF_OPTION_TEXT, IN(path)},
    {"reverse", 0, NULL, "invert: functions by self time, callers above them", PROF_OPTION_FLAG, IN(reverse)},
    PROF_COMMON_TIME_AS("width: time that threads ran (default), waited (off-CPU), or both"),
    PROF_COMMON_LOOPS,
    PROF_COMMON_LINES,
    PROF_COMMON_BY("split the picture: a frame for each process or command"),
    {"icicle", 0, NULL, "draw downwards: callers above callees", PROF_OPTION_FLAG, IN(icicle)},
    {"gpu", 0, NULL, "draw GPU time by host path and kernel", PROF_OPTION_FLAG, IN(gpu)},
    {"against", 0, "OTHER",
     "draw what changed since OTHER: a recording, or a file of perf script, callgrind, folded stacks", PROF_OPTION_TEXT,
     IN(against), .low = 1, .remedy = "give a recording or a file, as in --against=old.data"},
    {"absolute", 0, NULL, "with --against: compare times, not shares", PROF_OPTION_FLAG, IN(absolute)},
    {"against-format", 0, "FORMAT", "format of OTHER (default: by its content)", PROF_OPTION_WORD, IN(importer),
     .low = 1, .named = importer_at},
    {"against-event", 0, "EVENT", "event of OTHER, as in instructions (default: the one closest to time)",
     PROF_OPTION_TEXT, IN(event), .low = 1, .remedy = "give an event, as in --against-event=cycles"},
    {"against-frames", 0, NULL, "frames of OTHER: all, or those of functions that the recording knows",
     PROF_OPTION_WORD, IN(frames), .low = PROF_FLAME_FRAMES_ALL, PROF_WORDS("all", "known")},
    {"format", 0, NULL, "svg (default); with --against also folded stacks with two weights, or JSON", PROF_OPTION_WORD,
     IN(format), PROF_WORDS("svg", "folded", "json")},
    {"title", 0, "TEXT", "title of the picture (default: the recorded command)", PROF_OPTION_TEXT, IN(title)},
    {"min-share", 0, "PERCENT", "leave out frames under this share of all time (default: 0.1%)", PROF_OPTION_SHARE,
     IN(min_share), GIVEN(has_min_share)},
    {0},
};

const struct prof_command prof_command_flame = {
    .name = "flame",
    .instead = "the picture goes to -o FILE",
    .summary = "Draw a flamegraph: an SVG with search and zoom",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
