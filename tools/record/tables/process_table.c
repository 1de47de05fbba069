/*
 * tools/record/tables/process_table.c - see process_table.h.
 *
 * A pidfd, opened when the process announced itself, stays valid when its number is reused.  If none can be opened, the
 * number is used.
 */
#include "record/tables/process_table.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SILENT UINT32_MAX /* number of a process that has reported nothing */

static struct prof_process_entry *find(const struct prof_processes *processes, uint32_t number) {
  for (size_t i = processes->entries.count; i > 0; i--)
    if (processes->entries.items[i - 1].number == number)
      return &processes->entries.items[i - 1];
  return NULL;
}

static void let_go(struct prof_process_entry *entry) {
  entry->gone = true;
  if (entry->handle >= 0)
    close(entry->handle);
  entry->handle = -1;
}

void prof_processes_add(struct prof_processes *processes, prof_writer *writer, const struct prof_log_process *record,
                        const char *executable) {
  struct prof_process_record chunk = {
      .process = record->process,
      .parent = record->parent,
      .pid = (uint32_t)record->pid,
      .ppid = (uint32_t)record->ppid,
      .start_ticks = record->start,
      .event_cost = record->body_ticks_x1000,
      .flags = record->flags & PROF_PROCESS_FORKED ? PROF_FORMAT_PROCESS_FORKED : 0,
      .executable = prof_span(executable),
      .event_cost_among = record->among_ticks_x1000,
      .count_cost = record->count_ticks_x1000,
      .count_cost_among = record->count_among_ticks_x1000,
  };
  if (writer != NULL)
    (void)prof_writer_process(writer, &chunk); /* the writer keeps its first error */
  struct prof_process_entry entry = {.number = record->process, .pid = record->pid, .handle = -1};
  entry.event_cost = record->body_ticks_x1000;
  entry.unknowable = (record->flags & PROF_PROCESS_OTHER_PIDS) != 0 || record->pid <= 0;
  if (!entry.unknowable) {
    /* The same process executed another program: its earlier threads are gone. */
    for (size_t i = 0; i < processes->entries.count; i++)
      if (processes->entries.items[i].pid == record->pid && !processes->entries.items[i].unknowable)
        let_go(&processes->entries.items[i]);
    entry.handle = (int)syscall(SYS_pidfd_open, record->pid, 0);
    entry.gone = entry.handle < 0 && errno == ESRCH;
  }
  entry.executable = strdup(executable);
  if (!prof_vec_push(&processes->entries, entry)) {
    let_go(&entry);
    free(entry.executable);
  }
}

static const struct prof_process_entry *find_live(const struct prof_processes *processes, pid_t pid) {
  for (size_t i = processes->entries.count; i > 0; i--)
    if (processes->entries.items[i - 1].pid == pid && !processes->entries.items[i - 1].gone)
      return &processes->entries.items[i - 1];
  return NULL;
}

void prof_processes_add_silent(struct prof_processes *processes, pid_t pid) {
  if (find_live(processes, pid) != NULL)
    return;
  struct prof_process_entry entry = {.number = SILENT, .pid = pid, .handle = (int)syscall(SYS_pidfd_open, pid, 0)};
  entry.gone = entry.handle < 0 && errno == ESRCH;
  if (!prof_vec_push(&processes->entries, entry))
    let_go(&entry);
}

void prof_processes_each_live(const struct prof_processes *processes, void (*visit)(void *context, pid_t),
                              void *context) {
  for (size_t i = 0; i < processes->entries.count; i++)
    if (!processes->entries.items[i].gone && !processes->entries.items[i].unknowable)
      visit(context, processes->entries.items[i].pid);
}

void prof_processes_each_over(struct prof_processes *processes, bool (*may)(void *context, uint32_t number),
                              void (*visit)(void *context, uint32_t number), void *context) {
  for (size_t i = 0; i < processes->entries.count; i++) {
    struct prof_process_entry *entry = &processes->entries.items[i];
    if (!entry->gone || entry->over || entry->number == SILENT || !may(context, entry->number))
      continue;
    entry->over = true;
    visit(context, entry->number);
  }
}

void prof_processes_fini(struct prof_processes *processes) {
  for (size_t i = 0; i < processes->entries.count; i++) {
    let_go(&processes->entries.items[i]);
    free(processes->entries.items[i].executable);
  }
  prof_vec_fini(&processes->entries);
}

uint32_t prof_processes_of_pid(const struct prof_processes *processes, pid_t pid) {
  const struct prof_process_entry *entry = find_live(processes, pid);
  return entry != NULL && entry->number != SILENT ? entry->number : 0;
}

uint32_t prof_processes_ended_of_pid(const struct prof_processes *processes, pid_t pid) {
  for (size_t i = processes->entries.count; i > 0; i--) {
    const struct prof_process_entry *entry = &processes->entries.items[i - 1];
    if (entry->pid == pid && entry->gone && !entry->unknowable && entry->number != SILENT)
      return entry->number;
  }
  return 0;
}

pid_t prof_processes_pid(const struct prof_processes *processes, uint32_t number) {
  const struct prof_process_entry *entry = find(processes, number);
  return entry != NULL ? entry->pid : 0;
}

const char *prof_processes_executable(const struct prof_processes *processes, uint32_t number) {
  const struct prof_process_entry *entry = find(processes, number);
  return entry != NULL && !entry->unknowable && !entry->gone ? entry->executable : NULL;
}

bool prof_processes_lives(const struct prof_processes *processes, uint32_t number) {
  const struct prof_process_entry *entry = find(processes, number);
  return entry != NULL && !entry->gone;
}

void prof_processes_end(struct prof_processes *processes, uint32_t number) {
  struct prof_process_entry *entry = find(processes, number);
  /* Processes of other namespaces are trusted.  For ours the kernel is asked, since their threads may still run. */
  if (entry != NULL && entry->unknowable)
    let_go(entry);
}

static bool ask(const struct prof_process_entry *entry) {
  if (entry->unknowable)
    return false;
  if (entry->handle < 0)
    return kill(entry->pid, 0) != 0 && errno == ESRCH;
  struct pollfd wait = {.fd = entry->handle, .events = POLLIN};
  return poll(&wait, 1, 0) > 0;
}

uint32_t prof_processes_poll(struct prof_processes *processes) {
  uint32_t alive = 0;
  for (size_t i = 0; i < processes->entries.count; i++) {
    struct prof_process_entry *entry = &processes->entries.items[i];
    if (!entry->gone && ask(entry))
      let_go(entry);
    alive += !entry->gone;
  }
  return alive;
}

bool prof_processes_thread_is_gone(const struct prof_processes *processes, uint32_t number, pid_t tid) {
  const struct prof_process_entry *entry = find(processes, number);
  if (entry == NULL || entry->unknowable)
    return false;
  return entry->gone || (syscall(SYS_tgkill, entry->pid, tid, 0) != 0 && errno == ESRCH);
}

uint32_t prof_processes_event_cost(const struct prof_processes *processes) {
  uint64_t sum = 0, count = 0;
  for (size_t i = 0; i < processes->entries.count; i++) {
    sum += processes->entries.items[i].event_cost;
    count += processes->entries.items[i].event_cost > 0;
  }
  return count > 0 ? (uint32_t)(sum / count) : 0;
}
