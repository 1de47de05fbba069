/*
 * hints.h - functions that an earlier recording found dense and dull (wire/hint_file.h): they get no probe.
 */
#ifndef PROF_PLUGIN_HINTS_H
#define PROF_PLUGIN_HINTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct prof_hint_list { /* all zero: empty */
  char *text;           /* owned; of the file */
  char **lines;         /* owned; into `text`, sorted: name, tab, source file */
  size_t count;
};

/* Adds those of a file, or of the recording in a folder.  Returns NULL, or a fault (a static text). */
const char *prof_hint_list_read(struct prof_hint_list *list, const char *path);

/* Is there a function of this name for the linker, in this source file or in one that isn't known? */
bool prof_hint_list_has(const struct prof_hint_list *list, const char *name, const char *file);

void prof_hint_list_fini(struct prof_hint_list *list);

#ifdef __cplusplus
}
#endif

#endif
