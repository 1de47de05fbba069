/*
 * tools/command/annotate/annotate.c - `prof annotate`: the source with the cost of each line.
 */
#include "analysis/lines/annotate.h"

#include <stdio.h>
#include <string.h>

#include "analysis/counter_lines.h"
#include "annotate_data.h"
#include "annotate_page.h"
#include "annotate_target.h"
#include "base/diag.h"
#include "base/text.h"
#include "command/command.h"
#include "command/cover_lines.h"
#include "command/gpu/gpu_lines.h"
#include "command/options/common.h"
#include "command/output.h"
#include "command/reader.h"
#include "command/sample_line.h"
#include "command/symbols_warn.h"
#include "study/symbols.h"

#define PLACES_SHOWN 3 /* callers that a function was inlined into */

struct settings {
  struct prof_common common;
  struct prof_line_options lines;
  bool assembly;
  bool gpu; /* kernels */
};

struct job { /* one run of the command */
  const struct settings *settings;
  const struct prof_reader *reader;
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_symbols *symbols;
  struct prof_line_rows rows;
  struct prof_loop_rows loops;
  struct prof_annotate_targets targets;
  struct prof_counter_columns counters;
  struct prof_output output;
  struct prof_annotate_data data;
};

static struct prof_annotate_figures figures_of(const struct job *job) {
  return (struct prof_annotate_figures){job->reader, job->profile, job->samples,  job->symbols,
                                        &job->rows,  &job->loops,  &job->counters};
}

/* Prints a line above the lines of a table, else on stderr. */
static void say_flaw(const struct job *job, const struct prof_annotate_made *made) {
  bool table = job->settings->common.format == PROF_FORMAT_TABLE, colored = table && job->output.style.color;
  char line[PROF_ANNOTATE_FLAW_BYTES];
  prof_annotate_page_flaw(made, line);
  if (!line[0])
    return;
  if (!table) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  fputs(colored ? "\x1b[33m" : "", job->output.file);
  prof_output_line(&job->output, line);
  fputs(colored ? "\x1b[0m" : "", job->output.file);
}

/* Prints above the lines how long the function itself waited; the lines of these waits are unknown. */
static void say_waits(const struct job *job, const struct prof_annotate_target *target) {
  struct prof_annotate_figures of = figures_of(job);
  char line[PROF_ANNOTATE_FLAW_BYTES];
  size_t at = 0;
  if (job->settings->common.format != PROF_FORMAT_TABLE)
    return;
  for (prof_annotate_page_wait(&of, target, &at, line); line[0]; prof_annotate_page_wait(&of, target, &at, line))
    fprintf(job->output.file, "%s\n", line);
}

/* Prints above the lines of a function without calls where it was inlined.  JSON and CSV have a key for this. */
static void say_places(const struct job *job, const struct prof_annotate_target *target) {
  char function[512], into[512], file[1024], line[4096];
  if (!target->places || job->settings->common.format != PROF_FORMAT_TABLE)
    return;
  prof_text_escape(function, sizeof function, target->function, strlen(target->function));
  size_t used = (size_t)snprintf(line, sizeof line, "no call of %s is shown: its code was inlined, into", function);
  size_t shown = target->place_count > PLACES_SHOWN + 1 ? PLACES_SHOWN : target->place_count;
  for (size_t i = 0; i < shown && used < sizeof line; i++) {
    const struct prof_inlined_place *place = &target->places[i];
    const char *path = prof_shown_path(job->reader->recording.paths, place->file);
    prof_text_escape(into, sizeof into, place->into, strlen(place->into));
    prof_text_escape(file, sizeof file, path, strlen(path));
    used += (size_t)snprintf(line + used, sizeof line - used, "%s %s (%s:%u)", i ? "," : "", into, file, place->line);
  }
  if (shown < target->place_count && used < sizeof line)
    snprintf(line + used, sizeof line - used, " and %zu more places (--format=json has all)",
             target->place_count - shown);
  prof_output_line(&job->output, line);
}

static prof_status annotate_target(struct job *job, const struct prof_annotate_target *target, struct prof_diag *diag) {
  struct prof_annotate_figures of = figures_of(job);
  struct prof_annotate_made made;
  bool table = job->settings->common.format == PROF_FORMAT_TABLE;
  prof_status status = prof_annotate_page_make(&of, target, job->settings->assembly, table, diag, &made);
  if (status == PROF_OK) {
    if (table && target != job->targets.list.items)
      fputc('\n', job->output.file);
    say_flaw(job, &made);
    say_places(job, target);
    say_waits(job, target);
    if (table)
      prof_annotate_text_write(job->output.file, &made.page, &job->output.style);
    else if (!prof_annotate_data_add(&job->data, &made.page, target, made.source.bytes != NULL,
                                     made.beyond || made.source.newer))
      status = prof_diag_memory(diag);
  }
  prof_annotate_page_fini(&made);
  return status;
}

static prof_status show(struct job *job, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  struct prof_cover cover;
  prof_cover_of(job->profile, job->reader->recording.time, &cover);
  prof_cover_add_lines(&cover, job->samples, job->rows.samples);
  bool table = job->settings->common.format == PROF_FORMAT_TABLE;
  prof_reader_warn(job->reader, &job->output);
  if (table) {
    prof_sample_line(job->samples, job->rows.samples, &job->output);
    prof_cover_lines(&cover, &job->output);
  } else
    prof_annotate_data_begin(&job->data, job->output.file, job->reader, &job->counters);
  for (size_t i = 0; i < job->targets.list.count && status == PROF_OK; i++)
    status = annotate_target(job, &job->targets.list.items[i], diag);
  if (!table)
    prof_annotate_data_end(&job->data, &cover);
  return status;
}

/* Loops need a second profile: the first one distinguishes calls by place. */
static prof_status read_loops(struct job *job, struct prof_diag *diag) {
  struct prof_fold_options options = {
      .loops = true, .raw = job->settings->common.raw, .max_bytes = job->settings->common.max_memory};
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  size_t count;
  prof_trace_loops(job->reader->recording.trace, &count);
  if (count == 0)
    return PROF_OK;
  prof_status status = prof_samples_fold(job->reader->recording.trace, &job->reader->recording.filter, &options, diag,
                                         &profile, &samples);
  if (status == PROF_OK)
    status = prof_loops_rank(profile, job->reader->recording.names, job->reader->recording.time, PROF_LOOP_SORT_LINE,
                             diag, &job->loops);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

/* Counters by line; lines with counted events alone get rows too. */
static prof_status count(struct job *job, const struct prof_line_source *source, struct prof_diag *diag) {
  const struct prof_counter_keys keys = {
      .by = PROF_COUNTERS_BY_LINE, .source = source, .inlined_at = job->settings->lines.inlined_at};
  prof_status status = prof_counter_columns_init(&job->counters, job->reader->recording.trace, false, diag);
  if (status != PROF_OK || job->counters.count == 0)
    return status;
  status = prof_counter_columns_sum(&job->counters, &job->reader->recording, &keys, diag);
  return status == PROF_OK ? prof_counter_lines_add(&job->counters.sums, job->settings->lines.sort, diag, &job->rows)
                           : status;
}

static prof_status rank_lines(struct job *job, struct prof_diag *diag) {
  struct prof_line_source source = prof_symbols_source(job->symbols);
  struct prof_line_options options = job->settings->lines;
  options.within = job->reader->recording.filter.has_only;
  options.time = job->reader->recording.time;
  options.raw = job->settings->common.raw;
  prof_status status =
      prof_lines_rank(job->profile, job->samples, job->reader->recording.names, &source, &options, diag, &job->rows);
  return status == PROF_OK ? count(job, &source, diag) : status;
}

static prof_status annotate(struct job *job, const char *word, int *result, struct prof_diag *diag) {
  prof_status status = prof_symbols_new(&job->reader->recording, diag, &job->symbols);
  if (status == PROF_OK)
    status = prof_reader_fold_samples(job->reader, true, &job->profile, &job->samples, diag);
  if (status == PROF_OK)
    status = rank_lines(job, diag);
  if (status == PROF_OK)
    status = read_loops(job, diag);
  if (status == PROF_OK)
    status = prof_annotate_targets_find(word, job->reader, job->profile, &job->rows, job->symbols, diag, &job->targets);
  if (status == PROF_OK) {
    prof_output_begin(&job->output, &job->settings->common);
    status = show(job, diag);
    *result = prof_output_end(&job->output);
  }
  if (job->symbols)
    prof_symbols_warn(job->symbols);
  prof_annotate_targets_fini(&job->targets);
  prof_counter_columns_free(&job->counters);
  prof_lines_free(&job->rows);
  prof_loops_free(&job->loops);
  prof_samples_free(job->samples);
  prof_profile_free(job->profile);
  prof_symbols_free(job->symbols);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_diag diag;
  int result = PROF_EXIT_OK;
  if (argc != 1) {
    prof_command_usage(&diag, "as in prof annotate main, prof annotate app.c, prof annotate app.c:12",
                       argc ? "only one function or file: what is '%s'?" : "annotate what?", argc ? argv[1] : "");
    return prof_command_fail(&diag);
  }
  prof_status status = prof_reader_open(&reader, &settings->common, &diag);
  if (status == PROF_OK) {
    struct job job = {.settings = settings, .reader = &reader};
    status = settings->gpu ? prof_gpu_annotate_show(&reader, argv[0], &result, &diag)
                           : annotate(&job, argv[0], &result, &diag);
    prof_reader_close(&reader);
  }
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_TIME_AS("time that IN CALLS and shares are of (default: running)"),
    {"asm", 0, NULL, "list the instructions by address, with their lines (uses objdump)", PROF_OPTION_FLAG,
     IN(assembly)},
    {"gpu", 0, NULL, "annotate a kernel: samples and stall reasons of each line", PROF_OPTION_FLAG, IN(gpu)},
    {"inlined-at", 0, NULL, "attribute inlined code to the line that it was inlined into", PROF_OPTION_FLAG,
     IN(lines.inlined_at)},
    {0},
};

const struct prof_command prof_command_annotate = {
    .name = "annotate",
    .arguments = "FUNCTION|FILE[:LINE]",
    .summary = "Show the source of a function or file with the cost of each line",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
