/*
 * tools/record/pmu/pmu_names.h - names of counters, and what perf_event_open(2) is asked for.
 *
 * Job: the kernel's generic names (as of perf list), "r" and a raw code in hexadecimal digits, and names of libpfm4,
 * which is loaded where it is installed.  In: a list "cycles,page-faults:u".  Out: a counter for each.  ":u" and ":k"
 * behind one of the first two count in the program's code or in the kernel only.
 */
#ifndef PROF_RECORD_PMU_NAMES_H
#define PROF_RECORD_PMU_NAMES_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "prof_status.h"

#define PROF_PMU_MOST 32u
#define PROF_PMU_NAME_BYTES 80u

struct prof_pmu_event {
  char name[PROF_PMU_NAME_BYTES]; /* as it was asked for */
  uint32_t type;                  /* as the next, of struct perf_event_attr */
  uint64_t config, config1, config2;
  bool no_kernel, no_user; /* are counted */
};

/* PROF_USAGE: a name is unknown, there twice (or a software counter under two names), too long, or there are too many.
 */
prof_status prof_pmu_names_parse(const char *list, struct prof_diag *, struct prof_pmu_event events[PROF_PMU_MOST],
                                 uint32_t *count) PROF_MUST_CHECK;

/* The generic names, by index; NULL: no more. */
const char *prof_pmu_name(uint32_t index);

/* Is it a counter of the kernel's own, which needs nothing of the processor? */
static inline bool prof_pmu_is_software(const struct prof_pmu_event *event) {
  return event->type == PERF_TYPE_SOFTWARE;
}
/* Does it count nanoseconds? */
static inline bool prof_pmu_is_time(const struct prof_pmu_event *event) {
  return prof_pmu_is_software(event) &&
         (event->config == PERF_COUNT_SW_CPU_CLOCK || event->config == PERF_COUNT_SW_TASK_CLOCK);
}

#endif
