/*
 * constructor.h - the start-up text of a module, the same in every unit, kept once by the linker (COMDAT).
 *
 * In: the target.  Out: assembler text for the end of a unit that has probes.  LLVM's link-time optimisation must know
 * the two functions as symbols: there the compiler declares them, and takes their code as parts.
 */
#ifndef PROF_PLUGIN_CONSTRUCTOR_H
#define PROF_PLUGIN_CONSTRUCTOR_H

#include "module.h"
#include "sled.h"
#include "text.h"
#include "version.h"

#define PROF_STOP_SYMBOL "__prof_stop_v" PROF_TEXT(PROF_WIRE_VERSION)

#ifdef __cplusplus
extern "C" {
#endif

void prof_constructor_text(struct prof_text *text, const struct prof_arch *arch);

/*
 * The same without what declares PROF_START_GROUP (function), PROF_STOP_SYMBOL (function) and PROF_HOOKS_SYMBOL (object
 * of zeros, struct prof_hooks): weak, hidden, all in the COMDAT group PROF_START_GROUP.  `start` is the body of the
 * first function, with the data of the group beside it; `stop` that of the second.
 */
void prof_constructor_bodies(struct prof_text *start, struct prof_text *stop, const struct prof_arch *arch);

#ifdef __cplusplus
}
#endif

#endif
