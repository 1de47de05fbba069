/*
 * tools/record/governor/cpu_times.c - see cpu_times.h.
 */
#define _GNU_SOURCE
#include "record/governor/cpu_times.h"

#include <errno.h>
#include <string.h>

#include "record/clock/ticks.h"

#define ENDED_MOST 4096u /* of `ended` */

static bool read_ns(clockid_t clock, uint64_t *ns) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0)
    return false;
  *ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  return true;
}

/* What its threads told beyond what was counted. */
static void count_told(struct prof_cpu_times *times, struct prof_cpu_time *at) {
  uint64_t more_ns = at->told_ns > at->ns ? at->told_ns - at->ns : 0;
  times->sum_ns += more_ns;
  at->ns += more_ns;
}

static void end(struct prof_cpu_times *times, struct prof_cpu_time ended) {
  count_told(times, &ended);
  if (times->ended.count == ENDED_MOST) {
    times->ended.count /= 2;
    memmove(times->ended.items, times->ended.items + ENDED_MOST / 2, ENDED_MOST / 2 * sizeof *times->ended.items);
  }
  (void)prof_vec_push(&times->ended, ended); /* without memory it counts as far as it was read */
}

void prof_cpu_times_add(struct prof_cpu_times *times, uint32_t process, pid_t pid, bool from_now) {
  struct prof_cpu_time added = {.process = process, .pid = pid};
  int error = pid > 0 ? clock_getcpuclockid(pid, &added.clock) : EINVAL;
  if (error == ESRCH) {
    end(times, added);
    return;
  }
  if (error != 0) {
    times->unseen_ns = times->unseen_ns != 0 ? times->unseen_ns : prof_steady_ns();
    return;
  }
  for (size_t i = 0; i < times->live.count; i++)
    if (times->live.items[i].pid == pid) { /* it executed another program, or the number is used again */
      times->live.items[i].process = process;
      times->live.items[i].clock = added.clock;
      return;
    }
  if (from_now)
    (void)read_ns(added.clock, &added.before_ns);
  (void)prof_vec_push(&times->live, added);
}

void prof_cpu_times_tell(struct prof_cpu_times *times, uint32_t process, uint64_t ns) {
  for (size_t i = times->live.count; i > 0; i--)
    if (times->live.items[i - 1].process == process) {
      times->live.items[i - 1].told_ns += ns; /* its clock has it */
      return;
    }
  for (size_t i = times->ended.count; i > 0; i--)
    if (times->ended.items[i - 1].process == process) {
      times->ended.items[i - 1].told_ns += ns;
      count_told(times, &times->ended.items[i - 1]);
      return;
    }
}

uint64_t prof_cpu_times_read(struct prof_cpu_times *times) {
  for (size_t i = times->live.count; i > 0; i--) {
    struct prof_cpu_time *at = &times->live.items[i - 1];
    uint64_t now_ns;
    if (!read_ns(at->clock, &now_ns)) {
      end(times, *at);
      *at = times->live.items[--times->live.count];
      continue;
    }
    uint64_t ns = now_ns > at->before_ns ? now_ns - at->before_ns : 0;
    times->sum_ns += ns > at->ns ? ns - at->ns : 0;
    at->ns = ns;
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
  prof_vec_fini(&times->ended);
}
