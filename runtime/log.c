/*
 * log.c - appends the rare records to the region's log: processes, modules, errors.
 *
 * A forked child writes its process record from the slow path, so no libc here.
 */
#include <fcntl.h>

#include "clock.h"
#include "control_map.h"
#include "log.h"
#include "system.h"

static char executable[4096]; /* a forked child keeps its parent's */

static size_t text_bytes(const char *text) {
  size_t count = 0;
  while (text[count])
    count++;
  return count + 1;
}

static void copy(char *to, const char *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
}

void prof_log_write(uint32_t kind, void *fixed, size_t fixed_bytes, const char *text) {
  struct prof_control *control = prof_runtime.control;
  size_t behind = text ? text_bytes(text) : 0;
  uint64_t bytes = (fixed_bytes + behind + 7) & ~(uint64_t)7;
  uint64_t at = __atomic_fetch_add(&control->log_tail, bytes, __ATOMIC_RELAXED);
  if (at > control->log_bytes || bytes > control->log_bytes - at)
    return;
  struct prof_log_head *head = (struct prof_log_head *)(prof_runtime.log + at);
  __atomic_store_n(&head->bytes, (uint32_t)bytes, __ATOMIC_RELEASE);
  copy((char *)(head + 1), (const char *)fixed + sizeof *head, fixed_bytes - sizeof *head);
  if (text)
    copy((char *)head + fixed_bytes, text, behind);
  __atomic_store_n(&head->kind, kind, __ATOMIC_RELEASE);
  prof_bell_ring();
}

void prof_log_init(void) {
  long got =
      prof_syscall(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)executable, sizeof executable - 1, 0, 0);
  executable[got < 0 ? 0 : got] = 0;
}

void prof_log_process(uint32_t process, uint32_t parent) {
  struct prof_log_process record = {
      .process = process,
      .parent = parent,
      .pid = (int32_t)prof_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
      .ppid = (int32_t)prof_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0),
      .start = prof_clock_ticks(),
      .body_ticks_x1000 = prof_runtime.event_cost.alone,
      .among_ticks_x1000 = prof_runtime.event_cost.among,
      .count_ticks_x1000 = prof_runtime.count_cost.alone,
      .count_among_ticks_x1000 = prof_runtime.count_cost.among,
      .flags =
          (parent ? PROF_PROCESS_FORKED : 0) | (prof_runtime.recorder_visible ? 0 : (uint32_t)PROF_PROCESS_OTHER_PIDS),
  };
  prof_log_write(PROF_LOG_PROCESS, &record, sizeof record, executable);
}

void prof_log_error(const char *text) {
  struct prof_log_number record = {.process = prof_runtime.process};
  prof_log_write(PROF_LOG_ERROR, &record, sizeof record, text);
}

void prof_log_slice(bool on, uint64_t time) {
  struct prof_log_slice record = {.process = prof_runtime.process, .on = on, .time = time};
  prof_log_write(PROF_LOG_SLICE, &record, sizeof record, NULL);
}
