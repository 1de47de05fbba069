/*
 * tools/command/reader.c - an opened trace with the filter that the command line asked for.
 */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/whole.h"
#include "progress.h"
#include "warning.h"

/* A bound of --range in ns since the start of the recording; percent needs its length. */
static uint64_t bound_ns(const prof_trace *trace, bool is_share, double share, uint64_t ns) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  if (!is_share)
    return ns;
  uint64_t length =
      info->last_ticks > info->start_ticks ? prof_trace_ns(trace, info->last_ticks - info->start_ticks) : 0;
  return share >= 1 ? UINT64_MAX : prof_whole(share * (double)length);
}

/* Without scheduler switches all that is known is elapsed time. */
static prof_status choose_time(struct prof_reader *reader, struct prof_diag *diag) {
  const struct prof_common *common = reader->common;
  const struct prof_sampler *sampler = prof_trace_sampler(reader->trace);
  reader->has_switches = sampler && sampler->switches;
  reader->time = reader->has_switches ? common->time : PROF_TIME_ELAPSED;
  if (reader->has_switches || !common->has_time || common->time == PROF_TIME_ELAPSED)
    return PROF_OK;
  return prof_diag_fill(diag, PROF_EMPTY, common->input, PROF_NO_OFFSET, "--time=elapsed; prof info says why",
                        "no scheduler switches were recorded: running and waiting time are unknown");
}

prof_status prof_reader_open(struct prof_reader *reader, const struct prof_common *common, struct prof_diag *diag) {
  *reader = (struct prof_reader){.common = common};
  reader->has_warned = &reader->warned;
  prof_status status = prof_trace_open(common->input, diag, &reader->trace);
  if (status != PROF_OK)
    return status;
  status = choose_time(reader, diag);
  if (status != PROF_OK) {
    prof_trace_close(reader->trace);
    reader->trace = NULL;
    return status;
  }
  const struct prof_range *range = &common->range;
  struct prof_filter_spec spec = {
      .only = common->only.items,
      .only_count = common->only.count,
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
      .begin_ns = bound_ns(reader->trace, range->begin_is_share, range->begin_share, range->begin_ns),
      .end_ns = bound_ns(reader->trace, range->end_is_share, range->end_share, range->end_ns),
      .loops = common->loops,
  };
  status = prof_filter_init(&reader->filter, reader->trace, &spec, diag);
  if (status == PROF_OK) {
    status = prof_names_new(reader->trace, common->demangle, &reader->names);
    if (status == PROF_OK) {
      prof_names_map_paths(reader->names, common->path_rules, common->path_rule_count);
      reader->paths = prof_shown_paths_new(reader->trace, reader->names);
      status = !reader->paths ? PROF_NO_MEMORY
               : common->split
                   ? prof_process_groups_make(reader->trace, common->split == PROF_SPLIT_COMMAND, &reader->groups)
                   : PROF_OK;
      prof_names_take_groups(reader->names, &reader->groups);
      if (status == PROF_OK)
        return PROF_OK;
      prof_shown_paths_free(reader->paths);
      prof_names_free(reader->names);
    }
    prof_diag_memory(diag);
    prof_filter_fini(&reader->filter);
  }
  prof_reader_warn(reader, NULL); /* a function may have no name as it is missing */
  prof_trace_close(reader->trace);
  reader->trace = NULL;
  return status;
}

void prof_reader_close(struct prof_reader *reader) {
  if (!reader->trace)
    return;
  if (!reader->warned) /* it failed before: what is missing may be why */
    prof_reader_warn(reader, NULL);
  prof_shown_paths_free(reader->paths);
  prof_names_free(reader->names);
  prof_process_groups_free(&reader->groups);
  prof_filter_fini(&reader->filter);
  prof_trace_close(reader->trace);
  reader->trace = NULL;
}

static prof_status fold(const struct prof_reader *reader, bool places, struct prof_profile **out,
                        struct prof_samples **samples, struct prof_diag *diag) {
  struct prof_progress progress;
  bool all = !reader->filter.active;
  prof_progress_begin(&progress, "reading the recording", all ? prof_trace_info(reader->trace)->events : 0);
  struct prof_fold_options options = {.done = &progress.done,
                                      .places = places,
                                      .raw = reader->common->raw,
                                      .loops = reader->common->loops_apart,
                                      .max_bytes = reader->common->max_memory};
  prof_status status = prof_samples_fold(reader->trace, &reader->filter, &options, diag, out, samples);
  prof_progress_end(&progress);
  if (status == PROF_OK && (*out)->coverage.folded_paths)
    prof_names_call_unknown(reader->names, "[other]");
  return status;
}

prof_status prof_reader_fold(const struct prof_reader *reader, struct prof_profile **out, struct prof_diag *diag) {
  struct prof_samples *samples = NULL;
  prof_status status = fold(reader, false, out, &samples, diag);
  prof_samples_free(samples); /* they have had their say in the times */
  return status;
}

prof_status prof_reader_fold_samples(const struct prof_reader *reader, struct prof_profile **out,
                                     struct prof_samples **samples, struct prof_diag *diag) {
  return fold(reader, false, out, samples, diag);
}

prof_status prof_reader_fold_places(const struct prof_reader *reader, struct prof_profile **out,
                                    struct prof_samples **samples, struct prof_diag *diag) {
  return fold(reader, true, out, samples, diag);
}

const char *prof_reader_short_path(const struct prof_reader *reader, const char *path) {
  return prof_shown_path(reader->paths, path);
}

void prof_reader_warn(const struct prof_reader *reader, struct prof_output *output) {
  char text[PROF_WARNING_BYTES], line[PROF_WARNING_BYTES + 40];
  *reader->has_warned = true;
  prof_warning_text(reader->trace, text);
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
