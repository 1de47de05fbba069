/*
 * tools/record/pmu/pmu_plan.c - see pmu_plan.h.
 */
#include "record/pmu/pmu_plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRIAL_HZ 100u

static int open_in_kernel(struct perf_event_attr *attributes, pid_t pid, int processor, int leader) {
  return (int)syscall(SYS_perf_event_open, attributes, pid, processor, leader, PERF_FLAG_FD_CLOEXEC);
}

static void close_in_kernel(int fd) {
  close(fd);
}

const struct prof_pmu_layer prof_pmu_kernel = {open_in_kernel, close_in_kernel};

/* Faults, switches and the like are rare; clocks of the kernel take only a rate. */
bool prof_pmu_is_exact(const struct prof_pmu_counter *counter) {
  return prof_pmu_is_software(&counter->event) && !prof_pmu_is_time(&counter->event);
}

struct perf_event_attr prof_pmu_attributes(const struct prof_pmu_counter *counter, uint32_t hz) {
  struct perf_event_attr attributes = {.type = counter->event.type,
                                       .size = sizeof attributes,
                                       .config = counter->event.config,
                                       .config1 = counter->event.config1,
                                       .config2 = counter->event.config2,
                                       .freq = 1,
                                       .sample_freq = hz,
                                       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
                                       .exclude_kernel = counter->event.no_kernel || counter->user_only,
                                       .exclude_user = counter->event.no_user,
                                       .exclude_hv = 1};
  if (prof_pmu_is_exact(counter)) {
    attributes.freq = 0;
    attributes.sample_period = 1; /* the same member as sample_freq */
  }
  return attributes;
}

void prof_pmu_refuse(struct prof_pmu_counter *counter, int error) {
  const char *why = error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == ENXIO
                        ? "this machine has no such counter"
                    : error == EACCES || error == EPERM ? "the kernel refuses it (kernel.perf_event_paranoid)"
                    : error == EBUSY                    ? "another program uses the counter"
                    : error == EINVAL                   ? "the kernel doesn't know this event"
                                                        : strerror(error);
  counter->refused = true;
  snprintf(counter->reason, sizeof counter->reason, "%s", why);
}

/* Without a right to count in the kernel, the program's own code is counted. */
static int try_open(struct prof_pmu_counter *counter, const struct prof_pmu_layer *layer, int leader) {
  struct perf_event_attr attributes = prof_pmu_attributes(counter, TRIAL_HZ);
  attributes.disabled = leader < 0;
  int fd = layer->open(&attributes, 0, -1, leader);
  if (fd >= 0 || (errno != EACCES && errno != EPERM) || attributes.exclude_kernel || counter->event.no_user)
    return fd;
  counter->user_only = true;
  attributes = prof_pmu_attributes(counter, TRIAL_HZ);
  attributes.disabled = leader < 0;
  return layer->open(&attributes, 0, -1, leader);
}

void prof_pmu_plan(struct prof_pmu_set *set, const struct prof_pmu_event *events, uint32_t count,
                   const struct prof_pmu_layer *layer) {
  int opened[PROF_PMU_MOST], leader = -1;
  uint32_t open_count = 0;
  *set = (struct prof_pmu_set){.count = count};
  for (uint32_t i = 0; i < count; i++) {
    struct prof_pmu_counter *counter = &set->counters[i];
    counter->event = events[i];
    bool software = prof_pmu_is_software(&counter->event);
    int with = software ? -1 : leader, fd = try_open(counter, layer, with);
    if (fd < 0 && with >= 0)
      fd = try_open(counter, layer, with = -1);
    if (fd < 0) {
      prof_pmu_refuse(counter, errno);
      continue;
    }
    opened[open_count++] = fd;
    if (!software && with < 0) {
      leader = fd;
      set->groups++;
    }
    counter->group = software ? 0 : set->groups;
  }
  while (open_count > 0)
    layer->close(opened[--open_count]);
}

uint32_t prof_pmu_missing_text(const struct prof_pmu_set *set, char *text, size_t bytes) {
  const char *reason = NULL;
  uint32_t missing = 0, same = 0;
  size_t at = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < set->count; i++) {
    const struct prof_pmu_counter *counter = &set->counters[i];
    if (!counter->refused)
      continue;
    reason = reason == NULL ? counter->reason : reason;
    same += strcmp(reason, counter->reason) == 0;
    if (at < bytes)
      at += (size_t)snprintf(text + at, bytes - at, "%s%s", missing > 0 ? ", " : "not counted: ", counter->event.name);
    missing++;
  }
  if (missing > 0 && at < bytes)
    snprintf(text + at, bytes - at, " (%s)", same == missing ? reason : "prof info shows why");
  return missing;
}
