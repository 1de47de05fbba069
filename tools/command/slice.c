/*
 * tools/command/slice.c - `prof slice`: a smaller recording, with a time or some threads of another one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "command.h"
#include "hint.h"
#include "options/common.h"
#include "reader.h"
#include "trace/part/part.h"
#include "view/units.h"

struct settings {
  struct prof_common common;
  const char *output;
};

static prof_status make_folder(const char *name, struct prof_diag *diag) {
  if (mkdir(name, 0700) == 0)
    return PROF_OK;
  if (errno == EEXIST)
    return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "choose another -o, or remove it",
                          "there is something of that name already");
  return prof_diag_system(diag, errno, name, "cannot make the folder for the recording",
                          "choose a folder that you may write to with -o");
}

static void tell(const struct settings *settings, const struct prof_reader *reader,
                 const struct prof_part_result *result) {
  char events[PROF_UNITS_BYTES], all[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], whole[PROF_UNITS_BYTES], path[512],
      input[PROF_HINT_BYTES];
  prof_text_escape(path, sizeof path, settings->output, strlen(settings->output));
  fprintf(stderr, "prof: %s of %s events, %s of %s in %s\n", prof_units_count(events, result->events),
          prof_units_count(all, result->all_events), prof_units_bytes(bytes, result->bytes),
          prof_units_bytes(whole, prof_trace_info(reader->recording.trace)->file_bytes), path);
  prof_hint_input(input, settings->output);
  fprintf(stderr, "prof: next: prof report%s\n", input);
}

static prof_status slice(const struct settings *settings, const struct prof_reader *reader, struct prof_diag *diag) {
  const struct prof_filter *filter = &reader->recording.filter;
  size_t thread_count;
  prof_trace_threads(reader->recording.trace, &thread_count);
  bool *threads = calloc(thread_count + 1, sizeof *threads);
  if (threads == NULL)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < thread_count; i++)
    threads[i] = filter->threads[i] != 0;
  const struct prof_part_choice choice = {filter->begin_ticks, filter->end_ticks, threads};
  struct prof_part_result result;
  prof_status status = make_folder(settings->output, diag);
  if (status == PROF_OK) {
    status = prof_part_write(reader->recording.trace, &choice, settings->output, diag, &result);
    if (status != PROF_OK)
      rmdir(settings->output);
  }
  if (status == PROF_OK)
    tell(settings, reader, &result);
  free(threads);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  (void)result;
  if (settings->output == NULL)
    return prof_command_usage(diag, "name a folder for it, as in -o slice.data", "where to write the slice?");
  if (!reader->recording.filter.active)
    return prof_command_usage(diag, "give --range=A~B, --tid, --pid or --command", "which part of the recording?");
  return slice(settings, reader, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_INPUT("the recording to take it from (default: prof.data)"),
    {"output", 'o', "DIR", "write the slice to this new folder", PROF_OPTION_TEXT, IN(output), .low = 1,
     .remedy = "name a folder for it, as in -o slice.data"},
    PROF_COMMON_RANGE("take this time range, as in 1s~2s, ~500ms, 50%~75%"),
    PROF_COMMON_TID("take these threads (system thread ids)"),
    PROF_COMMON_PID("take these processes (system process ids)"),
    PROF_COMMON_COMMAND("take processes of programs with such a name or path; may be repeated"),
    {0},
};

const struct prof_command prof_command_slice = {
    .name = "slice",
    .summary = "Write a time range or some threads of a recording as a smaller one",
    .group = "Export",
    .options = options,
    .needs_events = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
