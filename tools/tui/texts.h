/*
 * tools/tui/texts.h - rows of plain text: menus, help, and pages that a view has written.
 */
#ifndef PROF_TUI_TEXTS_H
#define PROF_TUI_TEXTS_H

#include "rows.h"

/*
 * Makes rows of a text's lines; the first line is the titles.  The text is copied; it must be fit for a terminal
 * (base/text.h).  weights: of each row, or NULL; they are copied.  false: no memory.
 */
bool prof_tui_texts_make(const char *text, const double *weights, struct prof_tui_rows *out);

#endif
