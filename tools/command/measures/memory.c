/*
 * tools/command/measures/memory.c - `prof memory`: what each place allocated, what lived at the peak, what was left.
 */
#include "analysis/measures/memory.h"

#include <string.h>

#include "base/diag.h"
#include "command/options/values.h"
#include "fold/summary/summary.h"
#include "memory_gpu.h"
#include "memory_settings.h"

static const char *const groups[] = {[PROF_MEMORY_BY_PLACE] = "place",
                                     [PROF_MEMORY_BY_SIZE] = "size",
                                     [PROF_MEMORY_BY_ZONE] = "zone",
                                     [PROF_MEMORY_BY_REQUEST] = "request",
                                     NULL};

static prof_status take_step(void *argument, const char *value, struct prof_diag *diag) {
  struct prof_memory_settings *settings = argument;
  settings->over_time = true;
  settings->over_marks = value && strcmp(value, "marks") == 0;
  if (!value || settings->over_marks)
    return PROF_OK;
  prof_status status = prof_value_duration("--over-time", value, &settings->step_ns, diag);
  if (status == PROF_OK && settings->step_ns == 0)
    status = prof_command_usage(diag, "give a time, as in --over-time=10ms", "--over-time=%s is too short", value);
  return status;
}

static prof_status check(const struct prof_memory_settings *settings, struct prof_diag *diag) {
  const bool by_other = settings->memory.by != PROF_MEMORY_BY_PLACE;
  if (settings->over_time &&
      (settings->has_by || settings->memory.by_path || settings->has_sort || settings->between || settings->has_growth))
    return prof_command_usage(diag, "leave out --by, --paths, --sort, --between and --growth",
                              "--over-time has a row for each part of the time");
  if (settings->between && settings->has_growth)
    return prof_command_usage(diag, "leave out one of them", "--between and --growth don't go together");
  if (settings->only_gpu && (settings->over_time || settings->has_growth || by_other))
    return prof_command_usage(diag, "leave out --gpu, or --by, --over-time and --growth", "--gpu shows places");
  if (by_other && settings->memory.by_path)
    return prof_command_usage(diag, "leave out --by or --paths", "--paths shows places");
  return PROF_OK;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct prof_memory_settings *settings = argument;
  prof_status status = check(settings, diag);
  if (status == PROF_OK && settings->over_time)
    status = prof_summary_refuse(reader->recording.trace, diag);
  if (status != PROF_OK)
    return status;
  return settings->only_gpu    ? prof_memory_gpu_show(settings, reader, result, diag)
         : settings->over_time ? prof_memory_times_show(settings, reader, result, diag)
                               : prof_memory_rows_show(settings, reader, result, diag);
}

#define IN(member) PROF_MEMBER(struct prof_memory_settings, member)
#define GIVEN(member) .given = offsetof(struct prof_memory_settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: peak)", PROF_OPTION_WORD, IN(memory.sort), GIVEN(has_sort),
     .words = prof_memory_sorts},
    {"by", 0, NULL, "show a row for each (default: place)", PROF_OPTION_WORD, IN(memory.by), GIVEN(has_by),
     .words = groups},
    {"paths", 0, NULL, "a row for each call path to a place", PROF_OPTION_FLAG, IN(memory.by_path)},
    {"over-time", 0, "[STEP]", "what lived at each time, as in 10ms, or at each of the program's marks: marks",
     PROF_OPTION_OWN, .take = take_step},
    {"between", 0, "A~B", "what grew from A to B: times as in 1s, or marks as in loaded or loaded#2", PROF_OPTION_TEXT,
     IN(between)},
    {"growth", 0, "SIZE", "show what only grows, by more than this; exit status 1 if something does", PROF_OPTION_SIZE,
     IN(growth_bytes), GIVEN(has_growth)},
    {"gpu", 0, NULL, "show GPU allocations only", PROF_OPTION_FLAG, IN(only_gpu)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_memory = {
    .name = "memory",
    .instead = "of which functions: -F NAME",
    .summary = "Show what each place allocated, what lived at the peak, and what was left",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct prof_memory_settings),
    .show = show,
};
