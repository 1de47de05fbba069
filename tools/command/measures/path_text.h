/*
 * tools/command/measures/path_text.h - call paths of measured events, as text and in JSON.
 */
#ifndef PROF_COMMAND_PATH_TEXT_H
#define PROF_COMMAND_PATH_TEXT_H

#include "analysis/measures/measured_place.h"
#include "base/json.h"
#include "fold/measured.h"
#include "names/names.h"
#include "study/shown_paths.h"

#define PROF_PATH_TEXT_FRAMES 64 /* the innermost ones */

/* "main > f > g"; "..." stands for outer frames beyond PROF_PATH_TEXT_FRAMES.  The caller frees.  NULL: no memory. */
char *prof_path_text(const struct prof_measured_paths *, uint32_t node, struct prof_names *);

/* The same as an array of names, outermost first. */
void prof_path_json(const struct prof_measured_paths *, uint32_t node, struct prof_names *, struct prof_json *,
                    const char *key);

/* "app.c:30", the path as tables name it; "in NAME" of a library, short; or the file.  The caller frees.  NULL: no
 * memory. */
char *prof_place_text(const struct prof_measured_place *, struct prof_shown_paths *);

#endif
