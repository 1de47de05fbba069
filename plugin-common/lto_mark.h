/*
 * lto_mark.h - the mark of a unit that was compiled with -flto, as assembler text outside of every function.
 *
 * The plugin puts it into the intermediate code, as the link-time step may lack the plugin, and removes it where it
 * sees the generated code itself (wire/row.h, struct prof_fact_lto).
 */
#ifndef PROF_PLUGIN_LTO_MARK_H
#define PROF_PLUGIN_LTO_MARK_H

#include "unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The mark of `unit`, on lines of its own; GNU ld warns of each. */
void prof_lto_mark_add(struct prof_text *text, const struct prof_unit *unit);

/* Is `text`, of byte_count bytes, a mark of any unit? */
bool prof_lto_mark_is(const char *text, size_t byte_count);

#ifdef __cplusplus
}
#endif

#endif
