/*
 * unit.h - one run of the compiler: options, seed, and what was probed so far.
 *
 * One per process (a backend keeps it); no threads.  The strings that it is opened with are borrowed for its life.
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
  const struct prof_arch *arch; /* NULL: the target can't be probed */
  const char *compiler;         /* name and version */
  const char *source;           /* main source file; "": that of the function beside which it is noted (LTO) */
  uint64_t seed;                /* makes keys differ from those of other units in a link */
  uint32_t probed_functions;
  struct prof_text listing; /* lines not yet written */
  bool unit_fact_added, unit_fact_lasts;
  bool has_counts; /* the module has a PROF_COUNTS_SWITCH */
};

/*
 * The UNIT fact lives and dies with the function that it stands beside.  It is written with the first function, and
 * once more with the first one outside every COMDAT group if that first one was inside.
 */
bool prof_unit_fact_is_due(struct prof_unit *unit, bool in_group);

/* Decides, and notes the decision for the listing. */
enum prof_reason prof_unit_decide(struct prof_unit *unit, const struct prof_candidate *function);

#ifdef __cplusplus
}
#endif

#endif
