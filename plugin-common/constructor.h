/*
 * constructor.h - the start-up text of a module: equal in every unit, and the linker keeps one (COMDAT).
 *
 * In: the target.  Out: assembler text for the end of a unit that has probes.  LLVM's link-time optimisation must know
 * the two functions as symbols: for it the compiler declares them and takes their code separately.
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
 * The same without declarations.  The caller declares the functions PROF_START_GROUP and PROF_STOP_SYMBOL and the
 * zeroed object PROF_HOOKS_SYMBOL (struct prof_hooks), weak and hidden, in the COMDAT group PROF_START_GROUP.  `start`:
 * code of the first function and the group's data; `stop`: code of the second.
 */
void prof_constructor_bodies(struct prof_text *start, struct prof_text *stop, const struct prof_arch *arch);

#ifdef __cplusplus
}
#endif

#endif
