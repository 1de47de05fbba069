/*
 * tools/analysis/measures/file_names.h - the names of files and endpoints that measures number.
 */
#ifndef PROF_ANALYSIS_FILE_NAMES_H
#define PROF_ANALYSIS_FILE_NAMES_H

#include "base/index_map.h"
#include "proftrace.h"

struct prof_file_names { /* all zero: empty */
  const prof_trace *trace;
  struct prof_index_map known;
};

/* False: no memory.  Free it with prof_file_names_fini, after a failure too. */
bool prof_file_names_init(struct prof_file_names *, const prof_trace *);
/* "": not known.  The text lives as long as the trace.  process: index. */
const char *prof_file_name_of(const struct prof_file_names *, uint32_t process, uint32_t file);
void prof_file_names_fini(struct prof_file_names *);

#endif
