/*
 * tools/study/recording.c - see recording.h.
 */
#include "study/recording.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/whole.h"
#include "estimate/measured_pauses.h"
#include "fold/summary/summary.h"

/* A bound of the range, ns since the start of the recording; percent needs its length. */
static uint64_t bound_ns(const prof_trace *trace, bool is_share, double share, uint64_t ns) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  if (!is_share)
    return ns;
  uint64_t length =
      info->last_ticks > info->start_ticks ? prof_trace_ns(trace, info->last_ticks - info->start_ticks) : 0;
  return share >= 1 ? UINT64_MAX : prof_whole(share * (double)length);
}

/* Without scheduler switches only elapsed time is known. */
static prof_status choose_time(struct prof_recording *recording, const struct prof_recording_spec *spec,
                               struct prof_diag *diag) {
  recording->has_switches = prof_pauses_are_known(recording->trace);
  recording->time = recording->has_switches ? spec->time : PROF_TIME_ELAPSED;
  if (recording->has_switches || !spec->has_time || spec->time == PROF_TIME_ELAPSED)
    return PROF_OK;
  return prof_diag_fill(diag, PROF_EMPTY, spec->path, PROF_NO_OFFSET, "--time=elapsed; prof info says why",
                        "no scheduler switches were recorded: running and waiting time are unknown");
}

static prof_status name_things(struct prof_recording *recording, const struct prof_recording_spec *spec) {
  prof_status status = prof_names_new(recording->trace, spec->demangle, &recording->names);
  if (status != PROF_OK)
    return status;
  prof_names_map_paths(recording->names, spec->path_rules, spec->path_rule_count);
  recording->paths = prof_shown_paths_new(recording->trace, recording->names);
  if (!recording->paths)
    return PROF_NO_MEMORY;
  if (spec->split)
    status = prof_process_groups_make(recording->trace, spec->split == PROF_SPLIT_COMMAND, &recording->groups);
  prof_names_take_groups(recording->names, &recording->groups);
  return status;
}

prof_status prof_recording_open(struct prof_recording *recording, const struct prof_recording_spec *spec,
                                struct prof_diag *diag) {
  const struct prof_range *range = &spec->range;
  struct prof_filter_spec shown = spec->shown;
  *recording = (struct prof_recording){0};
  prof_status status = prof_trace_open(spec->path, diag, &recording->trace);
  if (status == PROF_OK)
    status = choose_time(recording, spec, diag);
  bool by_time = range->begin_is_share || range->end_is_share || range->begin_ns > 0 || range->end_ns != UINT64_MAX ||
                 spec->shown.min_ns > 0;
  if (status == PROF_OK && by_time)
    status = prof_summary_refuse(recording->trace, diag);
  if (status != PROF_OK)
    return status;
  size_t states;
  (void)prof_trace_states(recording->trace, &states);
  recording->has_budget = states > 0;
  shown.begin_ns = bound_ns(recording->trace, range->begin_is_share, range->begin_share, range->begin_ns);
  shown.end_ns = bound_ns(recording->trace, range->end_is_share, range->end_share, range->end_ns);
  status = prof_filter_init(&recording->filter, recording->trace, &shown, diag);
  if (status == PROF_OK && name_things(recording, spec) != PROF_OK)
    status = prof_diag_memory(diag);
  return status;
}

void prof_recording_close(struct prof_recording *recording) {
  prof_shown_paths_free(recording->paths);
  prof_names_free(recording->names);
  prof_process_groups_free(&recording->groups);
  prof_filter_fini(&recording->filter);
  prof_trace_close(recording->trace);
  *recording = (struct prof_recording){0};
}

/* Functions of one name in what is shown are told apart (names.h); without memory they are not. */
static void view(const struct prof_recording *recording, const struct prof_profile *profile) {
  uint8_t *shown = calloc(profile->function_count + 1, sizeof *shown);
  for (size_t i = 0; shown && i < profile->function_count; i++)
    shown[i] = prof_figures_are_shown(&profile->functions[i]);
  if (shown)
    prof_names_view(recording->names, shown, profile->function_count);
  free(shown);
}

prof_status prof_recording_fold(const struct prof_recording *recording, const struct prof_fold_options *options,
                                struct prof_diag *diag, struct prof_profile **profile, struct prof_samples **samples) {
  prof_status status = prof_samples_fold(recording->trace, &recording->filter, options, diag, profile, samples);
  if (status == PROF_OK && (*profile)->coverage.folded_paths)
    prof_names_call_unknown(recording->names, "[other]");
  if (status == PROF_OK)
    view(recording, *profile);
  return status;
}
