/* backend.h - shared by this backend's files: the unit of this compiler process, descriptions, passes. */
#ifndef PROF_GCC_BACKEND_H
#define PROF_GCC_BACKEND_H

#include "unit.h"

class opt_pass;
struct function;
struct gimple;

extern struct prof_unit prof_backend_unit;

/* One function for selection and facts; without anchor and statements. */
struct prof_description {
  struct prof_candidate facts;
  char *owned[4];
};

void prof_description_init(struct prof_description *description, function *fun);
void prof_description_fini(struct prof_description *description);

opt_pass *prof_functions_pass_new(void);

/* Puts counters of lines in, at the end of lowering. */
opt_pass *prof_counts_pass_new(void);
/* Are this function's lines counted?  Valid from the begin of lowering on. */
bool prof_counts_are_for(function *fun);
/* Passes that leave a counted function's blocks as the source has them (count_blocks.cc). */
void prof_count_blocks_register(const char *plugin);
/* The same for conditions in its front end (count_conditions.cc). */
void prof_count_conditions_register(const char *plugin);
/* Has this unit, or code linked here with -flto, the switch of counters? */
bool prof_counts_are_there(void);

/* lines=time (line_times.cc): registers the attribute prof_lines, and the pass that puts marks in at the end of
 * lowering. */
void prof_times_register(const char *plugin);
bool prof_times_is_mark(const gimple *statement);
/* Has the function marks of its own, not only those of inlined ones?  Then they become probes at the end of all passes;
 * else they are removed. */
bool prof_times_are_own(function *fun, const struct prof_candidate *facts);
void prof_times_put(function *fun, const struct prof_candidate *facts, uint64_t key);
void prof_times_remove(function *fun);

/* Probes at the bodies of loops that the argument `iterations` names (iterations.cc); called after other callbacks of
 * parsed functions were registered. */
void prof_iterations_register(const char *plugin);

#endif
