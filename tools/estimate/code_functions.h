/*
 * tools/estimate/code_functions.h - in which function's code does an address lie, as far as the trace itself tells?
 *
 * From the places of probes alone, without the file that was traced.  In: modules' sites.  Out: function indices.  A
 * function is where its sites are; one whose entry lies among the sites of another was inlined there, and what follows
 * its exit is the other's again.  Wrong for code without sites near it, as for parts that were moved far away.
 */
#ifndef PROF_ESTIMATE_CODE_FUNCTIONS_H
#define PROF_ESTIMATE_CODE_FUNCTIONS_H

#include "proftrace.h"

struct prof_code_functions;

/* NULL: no memory. */
struct prof_code_functions *prof_code_functions_new(const prof_trace *);
void prof_code_functions_free(struct prof_code_functions *); /* NULL: nothing */

/* address: link-time.  PROF_NONE: not known.  NULL, here and below: nothing is. */
uint32_t prof_code_function_at(const struct prof_code_functions *, uint32_t module, uint64_t address);

/* Does a probe stand there: while it is on, its jump? */
bool prof_code_is_site(const struct prof_code_functions *, uint32_t module, uint64_t address);

#endif
