/*
 * tools/study/code.h - the instructions of a function of the trace, by address.
 *
 * In: symbols of an open recording; objdump reads the module's file.  Out: instructions as texts, hot and cold parts.
 */
#ifndef PROF_STUDY_CODE_H
#define PROF_STUDY_CODE_H

#include "source/disassembly.h"
#include "study/symbols.h"

/*
 * Reads the code of the function that has a probe at this place of a module.  PROF_NOT_FOUND: the program, its debug
 * information or objdump is missing; nothing is to be freed after a failure.  Free *out with prof_instructions_fini.
 */
prof_status prof_code_read(struct prof_symbols *, uint32_t module, uint64_t address, struct prof_diag *,
                           struct prof_instructions *out) PROF_MUST_CHECK;

#endif
