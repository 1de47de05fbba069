/*
 * tools/view/width.h - the width of an escaped text on a terminal, and cutting it to fit.
 *
 * Texts come from prof_text_escape (base/text.h).  The locale decides which characters are wide (setlocale in main).
 */
#ifndef PROF_VIEW_WIDTH_H
#define PROF_VIEW_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

/* Columns: one per character, two for wide ones, none for combining marks. */
size_t prof_text_width(const char *escaped);

/*
 * Cuts in place to at most `width` columns (at least 1); a cut text ends in "…" ("|" without utf8, or where a text of
 * one or two bytes is cut: the buffer has no room for more).
 */
void prof_text_cut(char *escaped, size_t width, bool utf8);

/*
 * The same, but keeps `head` columns of the front and `tail` of the end, with the mark between.  Does nothing if the
 * text has at most one column more than both.
 */
void prof_text_cut_out(char *escaped, size_t head, size_t tail, bool utf8);

/* Cuts in the middle: names differ at their beginnings and ends. */
void prof_text_cut_middle(char *escaped, size_t width, bool utf8);

/* Cuts a path at its beginning, at a slash where one is near. */
void prof_text_cut_left(char *escaped, size_t width, bool utf8);

/* Bytes that take at most `width` columns. */
size_t prof_text_fitting(const char *escaped, size_t width);

/* An escaped copy, to be freed; NULL: no memory. */
char *prof_text_escaped(const char *foreign);

#endif
