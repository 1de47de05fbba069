/*
 * tools/analysis/measures/file_names.c - see file_names.h.
 */
#include "analysis/measures/file_names.h"

bool prof_file_names_init(struct prof_file_names *names, const prof_trace *trace) {
  size_t count;
  const struct prof_file_name *files = prof_trace_files(trace, &count);
  *names = (struct prof_file_names){.trace = trace};
  for (size_t i = 0; i < count; i++)
    if (!prof_index_add(&names->known, prof_index_hash(files[i].process, files[i].file), (uint32_t)i))
      return false;
  return true;
}

/* A forked process goes on with its parent's files. */
const char *prof_file_name_of(const struct prof_file_names *names, uint32_t process, uint32_t file) {
  const struct prof_process *processes = prof_trace_processes(names->trace, NULL);
  const struct prof_file_name *files = prof_trace_files(names->trace, NULL);
  while (file > 0) {
    uint32_t at = prof_index_find(&names->known, prof_index_hash(process, file), i,
                                  files[i].process == process && files[i].file == file);
    if (at != UINT32_MAX)
      return files[at].name;
    if (process == PROF_NONE || !processes[process].forked || processes[process].parent >= process)
      break;
    process = processes[process].parent;
  }
  return "";
}

void prof_file_names_fini(struct prof_file_names *names) {
  prof_index_fini(&names->known);
}
