/*
 * arguments.h - the plugin's arguments: -fplugin-arg-prof-<key>[=<value>].
 *
 * In: key and value from the compiler.  Out: struct prof_arguments, or one sentence: the fault and what is expected.
 * The backend reports it as a compiler error.  The help comes from the same table.
 */
#ifndef PROF_PLUGIN_ARGUMENTS_H
#define PROF_PLUGIN_ARGUMENTS_H

#include <stdbool.h>

#include "glob.h"
#include "hints.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prof_probe_mode { PROF_PROBE_ALL = 0, PROF_PROBE_ANNOTATED = 1 };

/* Which loops get entries and exits; the source may select more (loop.h). */
enum prof_loops_mode { PROF_LOOPS_OUTER = 0, PROF_LOOPS_ALL = 1, PROF_LOOPS_NONE = 2 };
/* Which loops in an instrumented one are counted (loop.h). */
enum prof_loop_counts_mode { PROF_LOOP_COUNTS_CHEAP = 0, PROF_LOOP_COUNTS_ALL = 1 };
enum prof_flops_mode { PROF_FLOPS_NONE = 0, PROF_FLOPS_COUNT = 1 };
enum prof_lines_mode { PROF_LINES_NONE = 0, PROF_LINES_COUNT = 1, PROF_LINES_TIME = 2 };

struct prof_loop_globs {
  struct prof_glob_list functions; /* whose outermost loops are meant */
  struct prof_glob_list places;    /* FILE:LINE of loops */
};

struct prof_arguments { /* all zero: the defaults */
  struct prof_glob_list include, exclude;
  struct prof_glob_list include_file, exclude_file;
  unsigned min_statements;
  struct prof_hint_list hints;
  enum prof_probe_mode mode;
  enum prof_loops_mode loops;
  enum prof_loop_counts_mode loop_counts;
  unsigned loop_min_statements;
  enum prof_lines_mode lines;
  struct prof_glob_list time_functions, values;
  struct prof_loop_globs iterations;
  enum prof_flops_mode flops;
  char *list_path; /* owned; NULL: no listing */
  bool help;
};

/* `value` may be NULL.  false: `fault` holds the sentence. */
bool prof_arguments_set(struct prof_arguments *arguments, const char *key, const char *value, struct prof_text *fault);

void prof_arguments_help(struct prof_text *text);
void prof_arguments_fini(struct prof_arguments *arguments);

#ifdef __cplusplus
}
#endif

#endif
