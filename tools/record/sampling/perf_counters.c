/*
 * tools/record/sampling/perf_counters.c - see perf_counters.h.
 */
#include "record/sampling/perf_counters.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/order.h"

/* Without the stack, whatever other samples have. */
static int open_one(const struct prof_pmu_counter *counter, const struct prof_perf_place *place, int leader) {
  struct perf_event_attr attributes = prof_pmu_attributes(counter, place->hz);
  attributes.sample_type = PROF_PERF_COUNTER_SAMPLE;
  attributes.sample_regs_user = PROF_PERF_PLACE_REGISTER;
  attributes.sample_id_all = 1;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC_RAW;
  attributes.inherit = 1;
  attributes.disabled = place->on_exec && leader < 0;
  attributes.enable_on_exec = place->on_exec && leader < 0;
  attributes.watermark = 1;
  attributes.wakeup_watermark = UINT32_MAX; /* no thread waits for it */
  return prof_pmu_kernel.open(&attributes, place->pid, place->processor, leader);
}

static bool add(struct prof_perf_counters *counters, int fd, uint32_t index, const struct prof_perf_place *place) {
  struct prof_perf_counter event = {.fd = fd, .counter = index, .first = place->first};
  return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, place->ring) == 0 && ioctl(fd, PERF_EVENT_IOC_ID, &event.id) == 0 &&
         prof_vec_push(&counters->events, event);
}

void prof_perf_counters_open(struct prof_perf_counters *counters, const struct prof_perf_place *place) {
  int leaders[PROF_PMU_MOST + 1];
  for (uint32_t i = 0; i <= PROF_PMU_MOST; i++)
    leaders[i] = -1;
  for (uint32_t i = 0; counters->set != NULL && i < counters->set->count; i++) {
    struct prof_pmu_counter *counter = &counters->set->counters[i];
    if (counter->refused)
      continue;
    int fd = open_one(counter, place, counter->group > 0 ? leaders[counter->group] : -1);
    if (fd < 0 && errno == ESRCH)
      continue; /* the thread has ended */
    if (fd < 0 || !add(counters, fd, i, place)) {
      prof_pmu_refuse(counter, errno);
      if (fd >= 0)
        close(fd);
    } else if (counter->group > 0 && leaders[counter->group] < 0) {
      leaders[counter->group] = fd;
    }
  }
}

static int by_id(const void *left, const void *right) {
  const struct prof_perf_counter *a = left, *b = right;
  return prof_order(a->id, b->id);
}

void prof_perf_counters_sort(struct prof_perf_counters *counters) {
  prof_vec_sort(&counters->events, by_id);
}

void prof_perf_counters_close(struct prof_perf_counters *counters) {
  for (size_t i = 0; i < counters->events.count; i++)
    close(counters->events.items[i].fd);
  prof_vec_fini(&counters->events);
}

void prof_perf_counters_read(const struct prof_perf_counters *counters, struct prof_pmu out[PROF_PMU_MOST]) {
  const struct prof_pmu_set *set = counters->set;
  for (uint32_t i = 0; i < set->count; i++) {
    const struct prof_pmu_counter *counter = &set->counters[i];
    out[i] = (struct prof_pmu){.number = i + 1,
                               .name = counter->event.name,
                               .reason = counter->reason,
                               .flags = (prof_pmu_is_exact(counter) ? PROF_PMU_EXACT : 0) |
                                        (counter->user_only || counter->event.no_kernel ? PROF_PMU_USER_ONLY : 0) |
                                        (prof_pmu_is_time(&counter->event) ? PROF_PMU_NS : 0) |
                                        (counter->refused ? PROF_PMU_REFUSED : 0)};
  }
  for (size_t i = 0; i < counters->events.count; i++) {
    const struct prof_perf_counter *event = &counters->events.items[i];
    uint64_t figures[3]; /* value, enabled, running */
    if (read(event->fd, figures, sizeof figures) != (ssize_t)sizeof figures)
      continue;
    out[event->counter].value += figures[0];
    out[event->counter].enabled_ns += event->first ? figures[1] : 0;
    out[event->counter].running_ns += figures[2];
  }
}
