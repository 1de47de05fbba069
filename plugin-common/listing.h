/*
 * listing.h - list=FILE: one line per compiled function, in the form
 *
 *   function TAB file:line TAB probed|skipped TAB reason LF
 *
 * Names are the assembler's; controls and backslashes are \xNN.  A unit appends all its lines with one write under
 * a lock, so that compilations that run at the same time don't mix theirs.
 */
#ifndef PROF_PLUGIN_LISTING_H
#define PROF_PLUGIN_LISTING_H

#include "select.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

void prof_listing_add(struct prof_text *text, const struct prof_function *function, enum prof_reason reason);

/* Appends `text` (may be empty: then it is only tried whether the file can be written).  0, or errno. */
int prof_listing_append(const char *path, const struct prof_text *text);

#ifdef __cplusplus
}
#endif

#endif
