/*
 * tools/tally/process_ends.c - see process_ends.h.
 */
#include "tally/process_ends.h"

#include <stdlib.h>

#include "base/order.h"

#define NEVER UINT64_MAX

static int by_time(const void *left, const void *right) {
  const struct prof_process_end *a = left, *b = right;
  return prof_order(a->ticks, b->ticks) ?: prof_order(a->process, b->process);
}

static int by_pid(const void *left, const void *right, void *context) {
  const struct prof_process *processes = context;
  const struct prof_process_end *a = left, *b = right;
  const struct prof_process *one = &processes[a->process], *other = &processes[b->process];
  return prof_order(one->pid, other->pid) ?: prof_order(one->start_ticks, other->start_ticks)
         ?: prof_order(a->process, b->process);
}

/* The ends that threads tell; a process without threads has nothing that could end. */
static void find_by_threads(const prof_trace *trace, struct prof_process_end *ends, size_t count) {
  size_t thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  for (size_t i = 0; i < thread_count; i++) {
    const uint64_t ticks = threads[i].end_ticks ? threads[i].end_ticks : NEVER;
    if (threads[i].process < count && ticks > ends[threads[i].process].ticks)
      ends[threads[i].process].ticks = ticks;
  }
}

/* Of processes by pid: one with an unknown end was over when the next one with its pid began. */
static void find_by_pid(const struct prof_process *processes, struct prof_process_end *ends, size_t count) {
  for (size_t i = 0; i + 1 < count; i++) {
    const struct prof_process *process = &processes[ends[i].process], *next = &processes[ends[i + 1].process];
    if (ends[i].ticks == NEVER && next->pid == process->pid && next->start_ticks > process->start_ticks)
      ends[i].ticks = next->start_ticks;
  }
}

/* False: no memory. */
static bool find_heirs(const struct prof_process *processes, struct prof_process_end *ends, size_t count) {
  struct prof_process_end **of = calloc(count, sizeof(struct prof_process_end *)); /* by process */
  if (!of)
    return false;
  for (size_t i = 0; i < count; i++)
    of[ends[i].process] = &ends[i];
  for (size_t i = 0; i < count; i++) {
    struct prof_process_end *parent =
        processes[i].forked && processes[i].parent < count ? of[processes[i].parent] : NULL;
    if (parent && of[i]->ticks > parent->ticks && (parent->heir == PROF_NONE || of[i]->ticks > of[parent->heir]->ticks))
      parent->heir = (uint32_t)i;
  }
  free(of);
  return true;
}

bool prof_process_ends_find(struct prof_process_ends *out, const prof_trace *trace) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  *out = (struct prof_process_ends){.list = {NULL, 0, 0}};
  for (size_t i = 0; i < count; i++) {
    const struct prof_process_end end = {0, (uint32_t)i, PROF_NONE};
    if (!prof_vec_push(&out->list, end))
      return false;
  }
  if (count == 0)
    return true;
  find_by_threads(trace, out->list.items, count);
  qsort_r(out->list.items, count, sizeof *out->list.items, by_pid, (void *)(uintptr_t)processes);
  find_by_pid(processes, out->list.items, count);
  if (!find_heirs(processes, out->list.items, count))
    return false;
  qsort(out->list.items, count, sizeof *out->list.items, by_time);
  const uint64_t last = out->list.items[count - 1].ticks;
  while (out->list.count > 0 && out->list.items[out->list.count - 1].ticks == last)
    out->list.count--;
  return true;
}

void prof_process_ends_fini(struct prof_process_ends *ends) {
  prof_vec_fini(&ends->list);
}
