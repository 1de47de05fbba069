/*
 * tools/command/reader.c - an opened trace with the filter of the command line.
 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

#include "warning.h"

/* Of a folder with several parts the newest that holds calls is read: says which. */
static void tell_part(const struct prof_reader *reader) {
  const struct prof_trace_info *info = prof_trace_info(reader->recording.trace);
  const char *path = info->path, *input = reader->common->input;
  size_t length = strlen(input);
  while (length > 1 && input[length - 1] == '/')
    length--;
  const char *rest = strncmp(path, input, length) == 0 ? path + length + (path[length] == '/') : "";
  if (strncmp(rest, "part-", 5) == 0 || strncmp(rest, "snapshot-", 9) == 0)
    fprintf(stderr, "prof: this is %.*s, the newest%s; name another one with -i\n", (int)strcspn(rest, "/"), rest,
            info->events > 0 ? " that holds calls" : "");
}

prof_status prof_reader_open(struct prof_reader *reader, const struct prof_common *common, struct prof_diag *diag) {
  *reader = (struct prof_reader){.common = common};
  reader->has_warned = &reader->warned;
  const struct prof_recording_spec spec = {
      .path = common->input,
      .shown = {.only = common->only.items,
                .only_count = common->only.count,
                .under = common->under.items,
                .under_count = common->under.count,
                .files = common->files.items,
                .file_count = common->files.count,
                .modules = common->modules.items,
                .module_count = common->modules.count,
                .callers = common->callers.items,
                .caller_count = common->callers.count,
                .without = common->without.items,
                .without_count = common->without.count,
                .tids = common->tids.items,
                .tid_count = common->tids.count,
                .pids = common->pids.items,
                .pid_count = common->pids.count,
                .commands = common->commands.items,
                .command_count = common->commands.count,
                .depth = common->depth,
                .min_ns = common->min_ns,
                .loops = common->loops},
      .range = common->range,
      .demangle = common->demangle,
      .path_rules = common->path_rules,
      .path_rule_count = common->path_rule_count,
      .time = common->time,
      .has_time = common->has_time,
      .split = common->split,
  };
  prof_status status = prof_recording_open(&reader->recording, &spec, diag);
  if (status != PROF_OK)
    prof_reader_close(reader);
  else if (!common->part_told)
    tell_part(reader);
  return status;
}

void prof_reader_close(struct prof_reader *reader) {
  if (reader->recording.trace && !reader->warned) /* the command failed early: lost data may be the cause */
    prof_reader_warn(reader, NULL);
  prof_recording_close(&reader->recording);
}

prof_status prof_reader_fold_samples(const struct prof_reader *reader, bool places, struct prof_profile **out,
                                     struct prof_samples **samples, struct prof_diag *diag) {
  struct prof_progress own, *progress = reader->progress ? reader->progress : &own;
  bool all = !reader->recording.filter.active;
  prof_progress_begin(progress, "reading the recording", all ? prof_trace_info(reader->recording.trace)->events : 0);
  struct prof_fold_options options = {.done = &progress->done,
                                      .places = places,
                                      .raw = reader->common->raw,
                                      .loops = reader->common->loops_apart,
                                      .max_bytes = reader->common->max_memory};
  prof_status status = prof_recording_fold(&reader->recording, &options, diag, out, samples);
  prof_progress_end(progress);
  return status;
}

prof_status prof_reader_fold(const struct prof_reader *reader, struct prof_profile **out, struct prof_diag *diag) {
  struct prof_samples *samples = NULL;
  prof_status status = prof_reader_fold_samples(reader, false, out, &samples, diag);
  prof_samples_free(samples); /* only the times needed them */
  return status;
}

void prof_reader_warn(const struct prof_reader *reader, struct prof_output *output) {
  char text[PROF_WARNING_BYTES], line[PROF_WARNING_BYTES + 40];
  *reader->has_warned = true;
  prof_warning_text(reader->recording.trace, text);
  if (!text[0])
    return;
  snprintf(line, sizeof line, "prof: %s; details: prof info", text);
  if (!output || reader->common->format != PROF_FORMAT_TABLE) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  output->warned = true;
  fputs(output->style.color ? "\x1b[33m" : "", output->file);
  prof_output_line(output, line);
  fputs(output->style.color ? "\x1b[0m" : "", output->file);
}
