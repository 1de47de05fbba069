/* glob.c - see glob.h.  Backtracks to the last star only: linear in practice, never recursive. */
#include "glob.h"

#include <stdlib.h>
#include <string.h>

/* The byte behind the set `[...]` at `at`; NULL: it is not closed. */
static const char *set_end(const char *at) {
  if (*at == '!' || *at == '^')
    at++;
  if (*at == ']')
    at++;
  while (*at && *at != ']')
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : NULL;
}

static bool set_has(const char *at, const char *end, unsigned char byte) {
  bool negated = *at == '!' || *at == '^';
  bool found = false;
  at += negated;
  while (at < end - 1) {
    if (*at == '\\')
      at++;
    unsigned char low = (unsigned char)*at++, high = low;
    if (at[0] == '-' && at + 1 < end - 1) {
      at += at[1] == '\\' ? 2 : 1;
      high = (unsigned char)*at++;
    }
    found |= low <= byte && byte <= high;
  }
  return found != negated;
}

/* One element of the pattern other than a star against one byte; *next: the element after it. */
static bool element_match(const char *pattern, unsigned char byte, const char **next) {
  const char *end = *pattern == '[' ? set_end(pattern + 1) : NULL;
  if (end) {
    *next = end;
    return byte && set_has(pattern + 1, end, byte);
  }
  if (*pattern == '?') {
    *next = pattern + 1;
    return byte != 0;
  }
  if (*pattern == '\\' && pattern[1])
    pattern++;
  *next = pattern + 1;
  return byte && (unsigned char)*pattern == byte;
}

bool prof_glob_match(const char *pattern, const char *string) {
  const char *star = NULL, *star_string = NULL, *next;
  while (*string || *pattern) {
    if (*pattern == '*') {
      star = ++pattern;
      star_string = string;
    } else if (*pattern && element_match(pattern, (unsigned char)*string, &next)) {
      pattern = next;
      string++;
    } else if (star && *star_string) {
      pattern = star;
      string = ++star_string;
    } else
      return false;
  }
  return true;
}

const char *prof_glob_fault(const char *pattern) {
  if (!*pattern)
    return "an empty pattern";
  for (const char *at = pattern; *at; at++) {
    if (*at == '\\') {
      if (!*++at)
        return "a pattern that ends in a backslash";
    } else if (*at == '[') {
      const char *end = set_end(at + 1);
      if (!end)
        return "a '[' without its ']'";
      at = end - 1;
    }
  }
  return NULL;
}

static const char *list_append(struct prof_glob_list *list, char *pattern) {
  const char *fault = prof_glob_fault(pattern);
  char **patterns = fault ? NULL : realloc(list->patterns, (list->count + 1) * sizeof *patterns);
  if (!patterns) {
    free(pattern);
    return fault ? fault : "out of memory";
  }
  list->patterns = patterns;
  patterns[list->count++] = pattern;
  return NULL;
}

const char *prof_glob_list_take(struct prof_glob_list *list, char **pattern) {
  char *taken = *pattern;
  *pattern = NULL;
  return list_append(list, taken);
}

const char *prof_glob_list_add(struct prof_glob_list *list, const char *commas) {
  for (;;) {
    char *pattern = malloc(strlen(commas) + 1);
    if (!pattern)
      return "out of memory";
    char *out = pattern;
    for (; *commas && *commas != ','; commas++) {
      if (commas[0] == '\\' && commas[1] == ',')
        commas++;
      else if (commas[0] == '\\' && commas[1])
        *out++ = *commas++;
      *out++ = *commas;
    }
    *out = 0;
    const char *fault = list_append(list, pattern);
    if (fault || !*commas)
      return fault;
    commas++;
  }
}

bool prof_glob_list_match(const struct prof_glob_list *list, const char *string) {
  for (size_t i = 0; i < list->count; i++)
    if (prof_glob_match(list->patterns[i], string))
      return true;
  return false;
}

bool prof_glob_list_match_path(const struct prof_glob_list *list, const char *path) {
  const char *slash = strrchr(path, '/');
  for (size_t i = 0; i < list->count; i++) {
    const char *pattern = list->patterns[i];
    if (prof_glob_match(pattern, path) || (slash && !strchr(pattern, '/') && prof_glob_match(pattern, slash + 1)))
      return true;
  }
  return false;
}

void prof_glob_list_fini(struct prof_glob_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->patterns[i]);
  free(list->patterns);
  memset(list, 0, sizeof *list);
}
