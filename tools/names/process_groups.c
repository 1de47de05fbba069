/*
 * tools/names/process_groups.c - see process_groups.h.
 */
#include "names/process_groups.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/process_names.h"

#define PID_BYTES 16

struct key {
  const char *program;
  uint32_t process;
};

static int by_program(const void *a, const void *b) {
  const struct key *left = a, *right = b;
  return strcmp(left->program, right->program) ?: prof_order(left->process, right->process);
}

/* of: group of each process. */
static bool group_processes(const prof_trace *trace, struct prof_process_groups *groups, uint32_t *of, size_t count) {
  struct key *keys = malloc((count + 1) * sizeof *keys);
  if (!keys)
    return false;
  for (uint32_t i = 0; i < count; i++)
    keys[i] = (struct key){groups->by_command ? prof_process_program(trace, i) : "", i};
  if (groups->by_command)
    qsort(keys, count, sizeof *keys, by_program);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || !groups->by_command || strcmp(keys[i].program, keys[i - 1].program) != 0)
      groups->items[groups->count++].process = keys[i].process;
    of[keys[i].process] = groups->count - 1;
  }
  free(keys);
  return true;
}

/* Does another program of the recording have the same name? */
static bool is_ambiguous(const prof_trace *trace, const struct prof_process_groups *groups, uint32_t process) {
  const char *name = prof_process_name(trace, process), *program = prof_process_program(trace, process);
  for (uint32_t i = 0; i < groups->count; i++)
    if (!strcmp(prof_process_name(trace, groups->items[i].process), name) &&
        strcmp(prof_process_program(trace, groups->items[i].process), program) != 0)
      return true;
  return false;
}

static bool name_group(const prof_trace *trace, struct prof_process_groups *groups, struct prof_process_group *group) {
  const struct prof_process *processes = prof_trace_processes(trace, NULL);
  group->name = group->title =
      groups->by_command ? prof_process_name(trace, group->process) : prof_process_title(trace, group->process);
  if (groups->by_command) {
    if (is_ambiguous(trace, groups, group->process))
      group->name = group->title = prof_process_program(trace, group->process);
    return true;
  }
  size_t bytes = strlen(group->name) + PID_BYTES;
  char *title = prof_arena_alloc(&groups->texts, bytes);
  if (title)
    snprintf(title, bytes, "%s [%u]", group->name, processes[group->process].pid);
  group->title = title;
  return title != NULL;
}

prof_status prof_process_groups_make(const prof_trace *trace, bool by_command, struct prof_process_groups *out) {
  size_t thread_count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  prof_trace_processes(trace, &process_count);
  *out = (struct prof_process_groups){.by_command = by_command};
  uint32_t *of = malloc((process_count + 1) * sizeof *of);
  out->items = calloc(process_count + 1, sizeof *out->items);
  out->of_thread = calloc(thread_count + 1, sizeof *out->of_thread);
  bool done = of && out->items && out->of_thread && group_processes(trace, out, of, process_count);
  for (size_t i = 0; done && i < thread_count && out->count; i++)
    out->of_thread[i] = of[threads[i].process < process_count ? threads[i].process : 0];
  for (uint32_t i = 0; done && i < out->count; i++)
    done = name_group(trace, out, &out->items[i]);
  free(of);
  if (!done)
    prof_process_groups_free(out);
  return done ? PROF_OK : PROF_NO_MEMORY;
}

void prof_process_groups_free(struct prof_process_groups *groups) {
  free(groups->items);
  free(groups->of_thread);
  prof_arena_fini(&groups->texts);
  *groups = (struct prof_process_groups){.count = 0};
}
