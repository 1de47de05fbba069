/*
 * tools/view/width.h - how wide an escaped text is on a terminal, and cutting it to fit.
 *
 * Texts come from prof_text_escape (base/text.h).  The locale decides what is wide (setlocale in main).
 */
#ifndef PROF_VIEW_WIDTH_H
#define PROF_VIEW_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

/* Columns: one per character, two for wide ones, none for combining marks. */
size_t prof_text_width(const char *escaped);

/*
 * Cuts in place to at most `width` columns (at least 1), ending in "…" (or "~" without utf8) where something was cut.
 */
void prof_text_cut(char *escaped, size_t width, bool utf8);

/* An escaped copy for free(); NULL: no memory. */
char *prof_text_escaped(const char *foreign);

#endif
