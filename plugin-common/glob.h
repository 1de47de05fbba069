/*
 * glob.h - shell patterns on names and paths, and lists of them.
 *
 * `*` any bytes (a slash too), `?` one byte, `[a-z]` `[!a-z]` one of a set, `\` matches the next byte literally.
 */
#ifndef PROF_PLUGIN_GLOB_H
#define PROF_PLUGIN_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct prof_glob_list { /* all zero: empty */
  char **patterns;      /* owned */
  size_t count;
};

bool prof_glob_match(const char *pattern, const char *string);

/* NULL if `pattern` can match something, else its fault (a static text). */
const char *prof_glob_fault(const char *pattern);

/*
 * Adds the patterns of `commas`, separated by commas; `\,` is a comma inside a pattern.  Returns NULL, or a fault (a
 * static text); then only the patterns before the bad one were added.
 */
const char *prof_glob_list_add(struct prof_glob_list *list, const char *commas);

/* Moves one more pattern into the list; *pattern becomes NULL.  Returns NULL, or a fault. */
const char *prof_glob_list_take(struct prof_glob_list *list, char **pattern);

/* Does any pattern match the string? */
bool prof_glob_list_match(const struct prof_glob_list *list, const char *string);

/* As above for a path: a pattern without a slash is also tried on the last part alone. */
bool prof_glob_list_match_path(const struct prof_glob_list *list, const char *path);

void prof_glob_list_fini(struct prof_glob_list *list);

#ifdef __cplusplus
}
#endif

#endif
