/*
 * tools/names/name_patterns.c - see name_patterns.h.
 */
#include "names/name_patterns.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "names/names.h"
#include "names/short.h"
#include "row.h"

/* Copies form `from` into the buffer of form `to`; NULL: no memory. */
static char *copy_form(struct prof_name_forms *forms, int from, int to) {
  size_t bytes = strlen(forms->names[from]) + 1;
  char *copy = prof_name_room(&forms->buffers[to], bytes);
  if (copy)
    forms->names[to] = memcpy(copy, forms->names[from], bytes);
  return copy;
}

static const char *demangle(struct prof_name_forms *forms, const struct prof_function *function, enum prof_demangle how,
                            int to) {
  return prof_name_of(function, how, &forms->buffers[to]);
}

bool prof_name_forms_make(struct prof_name_forms *forms, const struct prof_function *function, const char *module) {
  forms->file = function->file ? function->file : "";
  forms->module = module;
  forms->line = function->line;
  forms->suffix = !(function->flags & PROF_FUNCTION_ZONE)     ? NULL
                  : function->flags & PROF_FUNCTION_ITERATION ? PROF_ITERATION_SUFFIX
                                                              : PROF_ZONE_SUFFIX;
  forms->names[PROF_NAME_LINKAGE] = demangle(forms, function, PROF_DEMANGLE_NO, PROF_NAME_LINKAGE);
  for (int i = PROF_NAME_FULL; i < PROF_NAME_FORMS; i++)
    forms->names[i] = forms->names[PROF_NAME_LINKAGE];
  forms->names[PROF_NAME_FULL] = demangle(forms, function, PROF_DEMANGLE_FULL, PROF_NAME_FULL);
  if (forms->names[PROF_NAME_FULL] == function->name)
    return true;
  char *copy = copy_form(forms, PROF_NAME_FULL, PROF_NAME_WITHOUT_PARAMETERS);
  if (!copy)
    return false;
  prof_name_cut_parameters(copy);
  copy = copy_form(forms, PROF_NAME_WITHOUT_PARAMETERS, PROF_NAME_WITHOUT_TEMPLATES);
  if (!copy)
    return false;
  prof_name_cut_templates(copy);
  forms->names[PROF_NAME_SHORT] = demangle(forms, function, PROF_DEMANGLE_SHORT, PROF_NAME_SHORT);
  return true;
}

void prof_name_forms_free(struct prof_name_forms *forms) {
  for (int i = 0; i < PROF_NAME_FORMS; i++)
    free(forms->buffers[i].text);
}

static bool matches(const struct prof_name_forms *forms, const char *pattern) {
  for (int i = 0; i < PROF_NAME_FORMS; i++)
    if ((i == 0 || forms->names[i] != forms->names[i - 1]) &&
        (strcmp(pattern, forms->names[i]) == 0 || fnmatch(pattern, forms->names[i], 0) == 0))
      return true;
  return false;
}

/* The pattern without the suffix; NULL: it has none, or there is no memory.  The caller frees it. */
static char *zone_pattern(const char *pattern, const char *suffix) {
  const size_t bytes = strlen(pattern), rest = strlen(suffix);
  return bytes > rest && strcmp(pattern + bytes - rest, suffix) == 0 ? strndup(pattern, bytes - rest) : NULL;
}

/* Is it the path, or whole components at its end? */
static bool ends_with(const char *path, const char *label, size_t bytes) {
  const size_t path_bytes = strlen(path);
  return bytes > 0 && path_bytes >= bytes && memcmp(path + path_bytes - bytes, label, bytes) == 0 &&
         (path_bytes == bytes || path[path_bytes - bytes - 1] == '/');
}

/* "a.c", "src/a.c:20", or a module: of `bytes`. */
static bool is_place(const struct prof_name_forms *forms, const char *label, size_t bytes) {
  size_t digits = 0;
  while (digits < bytes && label[bytes - digits - 1] >= '0' && label[bytes - digits - 1] <= '9')
    digits++;
  if (ends_with(forms->file, label, bytes) || ends_with(forms->module, label, bytes))
    return true;
  const bool has_line = digits > 0 && digits < 10 && bytes > digits + 1 && label[bytes - digits - 1] == ':';
  const size_t path_bytes = bytes - digits - 1;
  return has_line && forms->line == strtoul(label + bytes - digits, NULL, 10) &&
         (ends_with(forms->file, label, path_bytes) || ends_with(forms->module, label, path_bytes));
}

/* "init (a.c)" */
static bool matches_apart(const struct prof_name_forms *forms, const char *pattern) {
  const size_t bytes = strlen(pattern);
  bool found = false;
  if (bytes < 4 || pattern[bytes - 1] != ')')
    return false;
  for (const char *at = strstr(pattern, " ("); at && !found; at = strstr(at + 1, " (")) {
    char *name = is_place(forms, at + 2, (size_t)(pattern + bytes - 1 - (at + 2)))
                     ? strndup(pattern, (size_t)(at - pattern))
                     : NULL;
    found = name && matches(forms, name);
    free(name);
  }
  return found;
}

bool prof_name_forms_match(const struct prof_name_forms *forms, const char *pattern) {
  if (matches(forms, pattern) || matches_apart(forms, pattern))
    return true;
  char *zone = forms->suffix ? zone_pattern(pattern, forms->suffix) : NULL;
  bool found = zone && matches(forms, zone);
  free(zone);
  return found;
}

void prof_name_forms_offer(const struct prof_name_forms *forms, struct prof_near_miss *miss) {
  for (int form = PROF_NAME_WITHOUT_TEMPLATES; form <= PROF_NAME_SHORT; form++)
    prof_near_miss_offer(miss, forms->names[form]);
}

bool prof_path_matches(const char *path, const char *pattern) {
  const char *slash = strrchr(path, '/');
  return fnmatch(pattern, path, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0);
}
