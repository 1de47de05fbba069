/*
 * tools/command/view.c - `prof view`: an interactive page of a recording, as one HTML file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/cover.h"
#include "base/diag.h"
#include "command.h"
#include "cover_lines.h"
#include "options/common.h"
#include "output.h"
#include "progress.h"
#include "reader.h"
#include "symbols_warn.h"
#include "view/units.h"
#include "viewer/html_page.h"
#include "viewer/view_data.h"
#include "warning.h"

#define MOST_FILE_BYTES 15000000
#define PAGE_BYTES 400000 /* room for the page's own code */
#define DEFAULT_FILE "report.html"

struct settings {
  struct prof_common common;
  const char *path;
};

struct job { /* one run of the command */
  struct settings *settings;
  struct prof_reader reader;
  struct prof_profile *figures, *paths;
  struct prof_samples *figure_samples, *samples;
  struct prof_symbols *symbols;
  struct prof_view_data data;
};

static void put_cover(void *context, struct prof_json *json) {
  const struct job *job = context;
  const struct prof_recording *recording = &job->reader.recording;
  struct prof_cover cover;
  prof_cover_of(job->figures, recording->time, &cover);
  prof_cover_add_samples(&cover, job->figures, job->figure_samples, !recording->filter.active);
  prof_cover_json(&cover, json, "cover");
}

static prof_status fold(struct job *job, struct prof_diag *diag) {
  struct prof_reader *reader = &job->reader, plain = job->reader;
  plain.recording.filter.loops = false;     /* prof_lines_rank takes no loops */
  job->settings->common.loops_apart = true; /* as `prof report` does */
  prof_status status = prof_reader_fold_samples(reader, true, &job->figures, &job->figure_samples, diag);
  job->settings->common.loops_apart = false;
  if (status == PROF_OK)
    status = prof_reader_fold_samples(&plain, true, &job->paths, &job->samples, diag);
  if (status == PROF_OK)
    status = prof_symbols_new(&reader->recording, diag, &job->symbols);
  return status;
}

static prof_status make(struct job *job, struct prof_diag *diag) {
  const struct prof_recording *recording = &job->reader.recording;
  char warning[PROF_WARNING_BYTES];
  struct prof_progress progress;
  prof_status status = fold(job, diag);
  if (status != PROF_OK)
    return status;
  prof_warning_text(recording->trace, warning);
  bool all = !recording->filter.active;
  prof_progress_begin(&progress, "drawing the timeline", all ? prof_trace_info(recording->trace)->events : 0);
  const struct prof_view_input input = {.recording = recording,
                                        .symbols = job->symbols,
                                        .figures = job->figures,
                                        .figure_samples = job->figure_samples,
                                        .paths = job->paths,
                                        .samples = job->samples,
                                        .tree = job->settings->common.loops ? job->figures : job->paths,
                                        .raw = job->settings->common.raw,
                                        .demangle = job->settings->common.demangle,
                                        .version = PROF_VERSION,
                                        .warning = warning,
                                        .put_cover = put_cover,
                                        .context = job,
                                        .done = &progress.done};
  status = prof_view_data_make(&input, (MOST_FILE_BYTES - PAGE_BYTES) / PROF_PAGE_LINE_BYTES * PROF_PAGE_LINE_DATA,
                               diag, &job->data);
  prof_progress_end(&progress);
  return status;
}

static void write_page(const struct job *job, FILE *file) {
  size_t bytes = 0;
  const char *command = prof_trace_setting(job->reader.recording.trace, "command", &bytes); /* its first word */
  const char *slash = command ? strrchr(command, '/') : NULL;
  char title[256];
  snprintf(title, sizeof title, "%s - prof", slash ? slash + 1 : command ? command : "recording");
  prof_html_page_write(file, title, job->data.bytes, job->data.count);
}

static prof_status check(const struct settings *settings, struct prof_diag *diag) {
  if (settings->common.format != PROF_FORMAT_TABLE)
    return prof_command_usage(diag, "for data: prof report, tree or lines with --format=json", "view writes HTML only");
  if (!prof_html_page_is_there())
    return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET,
                          "apt-get install esbuild node-preact node-prismjs, then build prof again",
                          "this prof was built without the page");
  return PROF_OK;
}

static int run(void *argument, int argc, char **argv) {
  struct job job = {.settings = argument};
  struct prof_output output = {.file = NULL};
  struct prof_diag diag;
  char size[PROF_UNITS_BYTES];
  (void)argc, (void)argv;
  prof_status status = check(job.settings, &diag);
  if (status == PROF_OK)
    status = prof_reader_open(&job.reader, &job.settings->common, &diag);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  bool chosen = !job.settings->path && isatty(STDOUT_FILENO);
  const char *path = chosen ? DEFAULT_FILE : job.settings->path;
  status = make(&job, &diag);
  if (status == PROF_OK)
    status = prof_output_file(&output, path, &diag);
  if (status == PROF_OK)
    write_page(&job, output.file);
  long bytes = output.file ? ftell(output.file) : 0;
  prof_reader_warn(&job.reader, NULL);
  if (job.symbols)
    prof_symbols_warn(job.symbols);
  int result = output.file ? prof_output_end(&output) : PROF_EXIT_OK;
  if (status != PROF_OK)
    result = prof_command_fail(&diag);
  else if (path && strcmp(path, "-") != 0 && result == PROF_EXIT_OK)
    fprintf(stderr, "prof: wrote %s (%s); open it in a browser\n", path,
            prof_units_bytes(size, bytes > 0 ? (uint64_t)bytes : 0));
  free(job.data.bytes);
  prof_symbols_free(job.symbols);
  prof_samples_free(job.samples);
  prof_samples_free(job.figure_samples);
  prof_profile_free(job.paths);
  prof_profile_free(job.figures);
  prof_reader_close(&job.reader);
  return result;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"output", 'o', "FILE", "write to FILE (default: standard output; report.html when that is a terminal)",
     PROF_OPTION_TEXT, IN(path)},
    PROF_COMMON_TIME_AS("time that comes first in tables and pictures (default: running)"),
    PROF_COMMON_LOOPS,
    {0},
};

const struct prof_command prof_command_view = {
    .name = "view",
    .alias = "html",
    .instead = "the recording is named by -i DIR, the page by -o FILE",
    .summary = "Write an interactive page: timeline, flamegraph, functions, source",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
