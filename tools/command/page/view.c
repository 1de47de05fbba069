/*
 * tools/command/page/view.c - `prof view`: an interactive page of a recording, from a server or as one HTML file.
 */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/options/common.h"
#include "command/output.h"
#include "command/page/recording.h"
#include "command/page/server.h"
#include "command/progress.h"
#include "command/symbols_warn.h"
#include "view/units.h"
#include "viewer/html_page.h"

#define MOST_FILE_BYTES 15000000
#define PAGE_BYTES 500000 /* room for the page's own code */
#define MOST_RECORDS 2000000
#define MOST_PORT 65535

struct settings {
  struct prof_common common;
  const char *path;
  struct prof_page_serving serving;
};

static prof_status check(const struct settings *settings, struct prof_diag *diag) {
  const struct prof_page_serving *serving = &settings->serving;
  if (settings->common.format != PROF_FORMAT_TABLE)
    return prof_command_usage(diag, "for data: prof report, tree or lines with --format=json", "view writes HTML only");
  if (settings->path && (serving->port || serving->no_open || serving->live))
    return prof_command_usage(diag, "leave out -o, or --live, --port and --no-open",
                              "a file has no server: -o does not go with --live, --port or --no-open");
  if (serving->against.old.count && serving->live)
    return prof_command_usage(diag, "leave out --live", "a recording in progress can't be compared yet");
  if (serving->against.more.count && !serving->against.old.count)
    return prof_command_usage(diag, "add --against=OLD", "--runs adds runs to those that are compared");
  if (!prof_html_page_is_there())
    return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET,
                          "apt-get install esbuild node-preact node-prismjs, then build prof again",
                          "this prof was built without the page");
  return PROF_OK;
}

static prof_status write_page(struct prof_page_recording *recording, FILE *file, struct prof_diag *diag) {
  const struct prof_view_input input = prof_page_recording_input(recording);
  const size_t most = (MOST_FILE_BYTES - PAGE_BYTES) / PROF_PAGE_LINE_BYTES * PROF_PAGE_LINE_DATA;
  struct prof_view_data data;
  char title[PROF_PAGE_TITLE_BYTES];
  prof_status status = prof_view_data_make(&input, most, diag, &data);
  prof_page_recording_title(recording, title);
  if (status == PROF_OK)
    prof_html_page_write(file, &(struct prof_html_page){.title = title, .data = data.bytes, .count = data.count});
  free(data.bytes);
  return status;
}

static int write_file(struct settings *settings) {
  struct prof_page_recording recording;
  struct prof_output output = {.file = NULL};
  struct prof_diag diag;
  char size[PROF_UNITS_BYTES];
  prof_status status = prof_page_recording_open(&recording, &settings->common, &settings->serving.against, &diag);
  if (status == PROF_OK)
    status = prof_page_recording_read(&recording, MOST_RECORDS, &diag);
  if (status == PROF_OK)
    status = prof_output_file(&output, settings->path, &diag);
  if (status == PROF_OK)
    status = write_page(&recording, output.file, &diag);
  long bytes = output.file ? ftell(output.file) : 0;
  if (recording.reader.recording.trace)
    prof_reader_warn(&recording.reader, NULL);
  if (recording.symbols)
    prof_symbols_warn(recording.symbols);
  int result = output.file ? prof_output_end(&output) : PROF_EXIT_OK;
  if (status != PROF_OK)
    result = prof_command_fail(&diag);
  else if (strcmp(settings->path, "-") != 0 && result == PROF_EXIT_OK)
    fprintf(stderr, "prof: wrote %s (%s); open it in a browser\n", settings->path,
            prof_units_bytes(size, bytes > 0 ? (uint64_t)bytes : 0));
  prof_page_recording_close(&recording);
  return result;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_diag diag;
  (void)argc, (void)argv;
  if (check(settings, &diag) != PROF_OK)
    return prof_command_fail(&diag);
  if (settings->serving.against.old.count &&
      prof_page_old_check(&settings->serving.against, &settings->common, &diag) != PROF_OK)
    return prof_command_fail(&diag);
  return settings->path ? write_file(settings) : prof_page_serve(&settings->common, &settings->serving);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"output", 'o', "FILE", "write one HTML file instead (-: standard output), which needs no server", PROF_OPTION_TEXT,
     IN(path)},
    {"against", 0, "OLD", "compare with this recording; repeated, or a pattern: more runs of it", PROF_OPTION_TEXTS,
     IN(serving.against.old)},
    {"runs", 0, "NEW", "with --against: further runs of what is shown, to judge changes", PROF_OPTION_TEXTS,
     IN(serving.against.more)},
    {"live", 0, NULL, "follow a recording in progress: the page grows with it", PROF_OPTION_FLAG, IN(serving.live)},
    {"port", 0, "N", "port of the server (default: any free one)", PROF_OPTION_COUNT, IN(serving.port), .low = 1,
     .high = MOST_PORT},
    {"no-open", 0, NULL, "only print the address: do not open a browser", PROF_OPTION_FLAG, IN(serving.no_open)},
    PROF_COMMON_TIME_AS("time that comes first in tables and pictures (default: running)"),
    PROF_COMMON_LOOPS,
    {0},
};

const struct prof_command prof_command_view = {
    .name = "view",
    .alias = "html",
    .instead = "the page goes to -o FILE",
    .summary = "Show an interactive page in a browser: timeline, flamegraph, functions, source",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
