/*
 * tools/command/annotate/annotate.c - `prof annotate`: the source with the cost of each line.
 */
#include "analysis/lines/annotate.h"

#include <stdio.h>
#include <string.h>

#include "annotate_code.h"
#include "annotate_data.h"
#include "annotate_target.h"
#include "base/diag.h"
#include "base/text.h"
#include "command/command.h"
#include "command/cover_lines.h"
#include "command/gpu/gpu_lines.h"
#include "command/options/common.h"
#include "command/output.h"
#include "command/reader.h"
#include "command/symbols_warn.h"
#include "study/source_text.h"
#include "study/symbols.h"
#include "view/units.h"

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
  struct prof_output output;
  struct prof_annotate_data data;
};

static const char *text_of(void *context, uint32_t line, size_t *bytes) {
  return prof_source_text_line(context, line, bytes);
}

/* Keeps only lines with a cost, for a page without source. */
static void keep_costly(struct prof_annotated *annotated) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < annotated->count; i++)
    if (annotated->lines[i].costs)
      annotated->lines[kept++] = annotated->lines[i];
  annotated->count = kept;
}

/* Warns of a missing or changed source: above the lines of a table, else on stderr. */
static void say_flaws(const struct job *job, const struct prof_annotated *annotated,
                      const struct prof_source_text *source, bool beyond) {
  bool table = job->settings->common.format == PROF_FORMAT_TABLE, colored = table && job->output.style.color;
  char path[1024], line[2048] = "";
  prof_text_escape(path, sizeof path, annotated->file, strlen(annotated->file));
  if (!source->bytes)
    snprintf(line, sizeof line, "prof: no source at %s; if it lies elsewhere: --path-map=OLD=NEW", source->tried);
  else if (beyond)
    snprintf(line, sizeof line, "prof: %s has changed since the program was built: it has %u lines only", path,
             source->line_count);
  else if (source->newer)
    snprintf(line, sizeof line, "prof: %s has changed since the program was built: lines may have moved", path);
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

/* Is `end` the path, or its last components? */
static bool is_file(const char *path, const char *end) {
  size_t length = strlen(path), bytes = strlen(end);
  return bytes <= length && strcmp(path + length - bytes, end) == 0 &&
         (bytes == length || path[length - bytes - 1] == '/');
}

/* Prints above the lines how long the function itself waited; the lines of these waits are unknown. */
static void say_waits(const struct job *job, const struct prof_annotate_target *target) {
  char function[512], waiting[PROF_UNITS_BYTES];
  if (!target->function || job->settings->common.format != PROF_FORMAT_TABLE)
    return;
  for (size_t i = 0; i < job->rows.count; i++) {
    const struct prof_line_row *row = &job->rows.rows[i];
    if (row->line || !row->self.waiting || strcmp(row->function, target->function) != 0 ||
        !is_file(target->file, row->file))
      continue;
    prof_text_escape(function, sizeof function, target->function, strlen(target->function));
    fprintf(job->output.file, "%s itself waited %s; on which lines is not recorded\n", function,
            prof_units_duration(waiting, row->self.waiting));
  }
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

static void write_title(const struct job *job, const struct prof_annotate_target *target, uint32_t last, char *out,
                        size_t size) {
  char function[512], file[1024];
  const char *path = prof_shown_path(job->reader->recording.paths, target->file);
  prof_text_escape(file, sizeof file, path, strlen(path));
  prof_text_escape(function, sizeof function, target->function ? target->function : "",
                   target->function ? strlen(target->function) : 0);
  snprintf(out, size, "%s%s%s:%u-%u", function, function[0] ? "  " : "", file, target->first, last);
}

/* The last line to show. */
static uint32_t last_line(const struct job *job, const struct prof_annotate_target *target,
                          const struct prof_source_text *source) {
  uint32_t first, last = target->last;
  if (last == 0 && source->bytes)
    last = source->line_count;
  else if (last == 0)
    last = prof_annotate_extent(&job->rows, target->file, &first);
  if (!target->function && source->bytes && last > source->line_count)
    last = source->line_count;
  return last < target->first ? target->first : last;
}

static prof_status show_page(struct job *job, const struct prof_annotate_target *target,
                             struct prof_annotated *annotated, const struct prof_source_text *source,
                             struct prof_annotate_code *code, struct prof_diag *diag) {
  char title[1700];
  uint32_t first, furthest = prof_annotate_extent(&job->rows, target->file, &first);
  bool beyond = source->bytes && furthest > source->line_count;
  write_title(job, target, annotated->lines[annotated->count - 1].line, title, sizeof title);
  annotated->function = target->function;
  if (!source->bytes)
    keep_costly(annotated);
  if (job->settings->common.format == PROF_FORMAT_TABLE)
    prof_annotate_code_by_address(code);
  struct prof_annotate_page page = {
      .annotated = annotated,
      .title = title,
      .text = text_of,
      .context = (void *)(uintptr_t)source,
      .instructions = code->list.items,
      .instruction_count = code->list.count,
      .has_budget = job->reader->recording.has_budget,
      .has_switches = job->reader->recording.has_switches,
      .all_ns = (double)prof_trace_ns(job->reader->recording.trace,
                                      prof_node_total(&job->profile->nodes[0], job->reader->recording.time))};
  if (job->settings->common.format == PROF_FORMAT_TABLE && target != job->targets.list.items)
    fputc('\n', job->output.file);
  say_flaws(job, annotated, source, beyond);
  say_places(job, target);
  say_waits(job, target);
  if (job->settings->common.format == PROF_FORMAT_TABLE) {
    prof_annotate_text_write(job->output.file, &page, &job->output.style);
    return PROF_OK;
  }
  return prof_annotate_data_add(&job->data, &page, target, source->bytes != NULL, beyond || source->newer)
             ? PROF_OK
             : prof_diag_memory(diag);
}

static prof_status annotate_target(struct job *job, const struct prof_annotate_target *target, struct prof_diag *diag) {
  struct prof_source_text source = {0};
  struct prof_annotated annotated = {0};
  struct prof_annotate_code code = {0};
  int64_t built = prof_symbols_built(job->symbols, target->module);
  prof_status status = prof_source_text_read(job->symbols, target->file, built, diag, &source);
  if (status == PROF_OK)
    status = prof_annotate_select(&job->rows, target->file, target->first, last_line(job, target, &source), diag,
                                  &annotated);
  if (status == PROF_OK)
    prof_annotate_loops(&annotated, &job->loops, &job->rows);
  if (status == PROF_OK && job->settings->assembly)
    status = prof_annotate_code_read(target, job->profile, job->samples, job->symbols, diag, &code);
  if (status == PROF_OK)
    status = show_page(job, target, &annotated, &source, &code, diag);
  prof_annotate_code_fini(&code);
  prof_annotated_free(&annotated);
  prof_source_text_free(&source);
  return status;
}

static prof_status show(struct job *job, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  struct prof_cover cover;
  prof_cover_of(job->profile, job->reader->recording.time, &cover);
  cover.line_samples = job->rows.samples;
  bool table = job->settings->common.format == PROF_FORMAT_TABLE;
  prof_reader_warn(job->reader, &job->output);
  if (table) {
    prof_sample_line(job->samples, job->rows.samples, &job->output);
    prof_cover_lines(&cover, &job->output);
  } else
    prof_annotate_data_begin(&job->data, job->output.file, job->reader);
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

static prof_status annotate(struct job *job, const char *word, int *result, struct prof_diag *diag) {
  prof_status status = prof_symbols_new(&job->reader->recording, diag, &job->symbols);
  if (status == PROF_OK)
    status = prof_reader_fold_samples(job->reader, true, &job->profile, &job->samples, diag);
  if (status == PROF_OK) {
    struct prof_line_source source = prof_symbols_source(job->symbols);
    struct prof_line_options options = job->settings->lines;
    options.within = job->reader->recording.filter.has_only;
    options.time = job->reader->recording.time;
    options.raw = job->settings->common.raw;
    status =
        prof_lines_rank(job->profile, job->samples, job->reader->recording.names, &source, &options, diag, &job->rows);
  }
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
