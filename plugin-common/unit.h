/*
 * unit.h - one run of the compiler: options, seed, and the functions instrumented so far.
 *
 * One per process (a backend keeps it); no threads.  It borrows the strings that it is opened with.
 */
#ifndef PROF_PLUGIN_UNIT_H
#define PROF_PLUGIN_UNIT_H

#include "arguments.h"
#include "facts.h"
#include "select.h"
#include "sled.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_unit {
  struct prof_arguments arguments;
  const struct prof_arch *arch; /* NULL: prof doesn't support the target */
  const char *compiler;         /* name and version */
  const char *source;           /* main source file; "": that of each function (LTO) */
  uint64_t seed;                /* makes keys differ from those of other units in a link */
  uint32_t probed_functions;
  struct prof_text listing; /* lines not yet written */
  bool unit_fact_added, unit_fact_lasts;
  bool has_counts; /* the module has a PROF_COUNTS_SWITCH */
};

/*
 * Linkers drop the UNIT fact with its function.  So it is written with the first function and, if that is in a COMDAT
 * group, again with the first one outside of every group.
 */
bool prof_unit_fact_is_due(struct prof_unit *unit, bool in_group);

/* Decides, and adds the decision to the listing. */
enum prof_reason prof_unit_decide(struct prof_unit *unit, const struct prof_candidate *function);

#ifdef __cplusplus
}
#endif

#endif
