/*
 * tools/names/process_names.c - see process_names.h.
 */
#include "names/process_names.h"

#include <fnmatch.h>
#include <string.h>

#define ANCESTORS_LIMIT 64 /* most forks of forks that are followed for a name */

const char *prof_process_program(const prof_trace *trace, uint32_t process) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (int i = 0; i < ANCESTORS_LIMIT && process < count; i++) {
    if (processes[process].executable[0])
      return processes[process].executable;
    if (!processes[process].forked)
      break;
    process = processes[process].parent;
  }
  return "";
}

const char *prof_process_name(const prof_trace *trace, uint32_t process) {
  const char *program = prof_process_program(trace, process), *slash = strrchr(program, '/');
  if (slash && slash[1])
    return slash + 1;
  return program[0] ? program : "[unknown]";
}

const char *prof_process_title(const prof_trace *trace, uint32_t process) {
  size_t process_count, thread_count;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  for (size_t i = 0; i < thread_count && process < process_count; i++)
    if (threads[i].process == process && threads[i].tid == processes[process].pid && strstr(threads[i].name, ": "))
      return threads[i].name;
  return prof_process_name(trace, process);
}

const char *prof_thread_name(const prof_trace *trace, uint32_t thread) {
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  return threads[thread].name[0] ? threads[thread].name : prof_process_name(trace, threads[thread].process);
}

bool prof_process_matches(const prof_trace *trace, uint32_t process, const char *pattern) {
  return fnmatch(pattern, prof_process_name(trace, process), 0) == 0 ||
         fnmatch(pattern, prof_process_program(trace, process), 0) == 0;
}

bool prof_process_is_hidden(const prof_trace *trace, uint32_t process) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  bool hidden = false;
  for (size_t i = 0; i < count; i++) {
    if (threads[i].process == process && !threads[i].hidden)
      return false;
    hidden |= threads[i].process == process;
  }
  return hidden;
}
