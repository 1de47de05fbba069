/*
 * tools/record/pmu/pmu_layer.h - the calls by which counters are opened: the kernel's, or a test's double.
 */
#ifndef PROF_RECORD_PMU_LAYER_H
#define PROF_RECORD_PMU_LAYER_H

#include <linux/perf_event.h>
#include <sys/types.h>

struct prof_pmu_layer {
  /* As perf_event_open(2), with PERF_FLAG_FD_CLOEXEC; -1: errno says why.  processor: -1: any; leader: -1: none. */
  int (*open)(struct perf_event_attr *, pid_t, int processor, int leader);
  void (*close)(int fd);
};
extern const struct prof_pmu_layer prof_pmu_kernel;

#endif
