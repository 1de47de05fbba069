/*
 * tools/estimate/code_functions.h - which function's code an address lies in, from the sites in the trace alone.
 *
 * In: modules' sites; no file of the program.  Out: function indices.  A function's code is where its sites are.  Where
 * an entry lies among the sites of another function, the function was inlined there; what follows its exit is the other
 * function's again.  The answer is wrong for code far from any site, such as split-off parts.
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

/*
 * The same of an address that runs, which may lie before its function's entry: behind the last site of one function and
 * shortly before the entry of the next.
 */
uint32_t prof_code_function_running(const struct prof_code_functions *, uint32_t module, uint64_t address);

/* Whether a sled stands there. */
bool prof_code_is_site(const struct prof_code_functions *, uint32_t module, uint64_t address);

#endif
