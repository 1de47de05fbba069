/*
 * listing.h - list=FILE: one line per compiled function and loop, in the form
 *
 *   function TAB file:line TAB probed|counted|skipped TAB reason LF
 *
 * where the reason of a loop begins with "loop: ".
 *
 * Names are the assembler's; controls and backslashes are \xNN.  A unit appends all its lines with one write under a
 * lock, so that concurrent compilations don't mix their lines.
 */
#ifndef PROF_PLUGIN_LISTING_H
#define PROF_PLUGIN_LISTING_H

#include "loop.h"
#include "select.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

void prof_listing_add(struct prof_text *text, const struct prof_candidate *function, enum prof_reason reason);

/* `function`: the one that the loop was compiled into. */
void prof_listing_add_loop(struct prof_text *text, const struct prof_candidate *function,
                           const struct prof_candidate_loop *loop, enum prof_loop_reason reason);

/* Appends `text`; if it is empty, only checks that the file is writable.  0, or errno. */
int prof_listing_append(const char *path, const struct prof_text *text);

#ifdef __cplusplus
}
#endif

#endif
