/*
 * select.h - decides which functions get probes, and gives the reason.
 *
 * In: the options and one function.  Out: PROF_REASON_PROBED or the first reason against it.
 */
#ifndef PROF_PLUGIN_SELECT_H
#define PROF_PLUGIN_SELECT_H

#include "arguments.h"
#include "candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the tests. */
enum prof_reason {
  PROF_REASON_PROBED = 0,
  PROF_REASON_OWN,
  PROF_REASON_NAKED,
  PROF_REASON_RESOLVER,
  PROF_REASON_NO_INSTRUMENT,
  PROF_REASON_CUDA_STUB,
  PROF_REASON_EXCLUDED,
  PROF_REASON_FILE_EXCLUDED,
  PROF_REASON_NOT_ANNOTATED,
  PROF_REASON_NOT_INCLUDED,
  PROF_REASON_FILE_NOT_INCLUDED,
  PROF_REASON_FEW_STATEMENTS,
  PROF_REASON_HINTED,
  PROF_REASON_COUNT
};

enum prof_reason prof_select(const struct prof_arguments *arguments, const struct prof_candidate *function);

/* Are lines of an instrumented function timed: not, as all are, or because an option names it? */
enum prof_times_choice { PROF_TIMES_NOT = 0, PROF_TIMES_ALL = 1, PROF_TIMES_NAMED = 2 };
enum prof_times_choice prof_select_times(const struct prof_arguments *arguments, const struct prof_candidate *function);

/* Can an instrumented function's arguments and returned values be recorded? */
bool prof_select_values(const struct prof_arguments *arguments, const struct prof_candidate *function);

/* Are single iterations of an instrumented function's outermost loops recorded? */
bool prof_select_iterations(const struct prof_arguments *arguments, const struct prof_candidate *function);
/* The same of the loop that begins there; `file`: as given to the compiler. */
bool prof_select_iterations_at(const struct prof_arguments *arguments, const char *file, uint32_t line);

/* A few words for the listing; static. */
const char *prof_reason_text(enum prof_reason reason);

#ifdef __cplusplus
}
#endif

#endif
