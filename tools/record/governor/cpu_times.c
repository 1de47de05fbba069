/*
 * tools/record/governor/cpu_times.c - see cpu_times.h.
 */
#define _GNU_SOURCE
#include "record/governor/cpu_times.h"

#include "record/clock/ticks.h"

static bool read_ns(clockid_t clock, uint64_t *ns) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0)
    return false;
  *ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  return true;
}

void prof_cpu_times_add(struct prof_cpu_times *times, pid_t pid) {
  struct prof_cpu_time added = {.pid = pid};
  if (pid <= 0 || clock_getcpuclockid(pid, &added.clock) != 0) {
    times->unseen_ns = times->unseen_ns != 0 ? times->unseen_ns : prof_steady_ns();
    return;
  }
  for (size_t i = 0; i < times->live.count; i++)
    if (times->live.items[i].pid == pid) { /* it executed another program, or the number is used again */
      times->live.items[i].clock = added.clock;
      return;
    }
  (void)prof_vec_push(&times->live, added);
}

uint64_t prof_cpu_times_read(struct prof_cpu_times *times) {
  for (size_t i = times->live.count; i > 0; i--) {
    struct prof_cpu_time *at = &times->live.items[i - 1];
    uint64_t now_ns;
    if (!read_ns(at->clock, &now_ns)) {
      *at = times->live.items[--times->live.count];
      continue;
    }
    times->sum_ns += now_ns > at->ns ? now_ns - at->ns : 0;
    at->ns = now_ns;
  }
  if (times->unseen_ns != 0) {
    uint64_t now_ns = prof_steady_ns();
    times->sum_ns += now_ns - times->unseen_ns;
    times->unseen_ns = now_ns;
  }
  return times->sum_ns;
}

void prof_cpu_times_fini(struct prof_cpu_times *times) {
  prof_vec_fini(&times->live);
}
