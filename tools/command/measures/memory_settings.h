/*
 * tools/command/measures/memory_settings.h - the settings of `prof memory`, and its two kinds of tables.
 */
#ifndef PROF_COMMAND_MEMORY_SETTINGS_H
#define PROF_COMMAND_MEMORY_SETTINGS_H

#include "analysis/measures/memory.h"
#include "command/command.h"
#include "command/ranked.h"

struct prof_memory_settings {
  struct prof_ranked ranked;
  struct prof_memory_options memory;
  bool has_sort, has_by;
  const char *between; /* NULL: not asked for */
  bool over_time, over_marks;
  uint64_t step_ns; /* of --over-time; 0: equal parts */
  bool only_gpu;
  bool has_growth;
  uint64_t growth_bytes;
};

/* Above tables of a recording with GPU allocations only. */
#define PROF_MEMORY_NO_HOST "host allocations are not recorded: prof record --memory PROGRAM"

/* A row for each place, size, zone or request. */
prof_status prof_memory_rows_show(const struct prof_memory_settings *, const struct prof_reader *, int *result,
                                  struct prof_diag *) PROF_MUST_CHECK;
/* A row for each part of the time. */
prof_status prof_memory_times_show(const struct prof_memory_settings *, const struct prof_reader *, int *result,
                                   struct prof_diag *) PROF_MUST_CHECK;

#endif
