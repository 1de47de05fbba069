/*
 * constructor.h - the start-up text of a module, the same in every unit, kept once by the linker (COMDAT).
 *
 * In: the architecture.  Out: assembler text for the end of a unit that has probes.
 */
#ifndef PROF_PLUGIN_CONSTRUCTOR_H
#define PROF_PLUGIN_CONSTRUCTOR_H

#include "sled.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

void prof_constructor_text(struct prof_text *text, const struct prof_arch *arch);

#ifdef __cplusplus
}
#endif

#endif
