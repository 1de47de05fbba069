/*
 * tools/names/function_key.c - see function_key.h.
 */
#include "names/function_key.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "names/short.h"

/* Suffixes of clones, as GCC and Clang name them; a number may follow. */
static const char *const clones[] = {"part", "constprop", "isra",   "cold",    "lto_priv", "localalias",
                                     "llvm", "simdclone", "resume", "cleanup", NULL};

static bool is_clone(const char *word, size_t bytes) {
  for (size_t i = 0; clones[i]; i++)
    if (strlen(clones[i]) == bytes && !memcmp(clones[i], word, bytes))
      return true;
  return false;
}

/* Begin of the last ".word" of name[0 .. bytes); bytes: none. */
static size_t last_part(const char *name, size_t bytes) {
  size_t at = bytes;
  while (at && name[at - 1] != '.')
    at--;
  return at > 1 ? at - 1 : bytes; /* a name doesn't begin with a dot */
}

/* "foo.part.2.cold" -> "foo" */
static void cut_clones(char *name) {
  for (size_t bytes = strlen(name);;) {
    size_t end = bytes, dot = last_part(name, end);
    if (dot < end && dot + 1 < end && strspn(name + dot + 1, "0123456789") >= end - dot - 1) {
      end = dot; /* a number, and what stands before it */
      dot = last_part(name, end);
    }
    if (dot == end || !is_clone(name + dot + 1, end - dot - 1))
      return;
    bytes = dot;
    name[bytes] = 0;
  }
}

/* What tools put behind a name. */
static void cut_marks(char *name) {
  char *clone = strstr(name, " [clone ");
  if (clone && clone > name)
    *clone = 0;
  size_t bytes = strlen(name);
  if (bytes > 4 && !memcmp(name + bytes - 4, "_[", 2) && strchr("kijw", name[bytes - 2]) && name[bytes - 1] == ']')
    name[bytes -= 4] = 0;
  size_t digits = bytes;
  while (digits && isdigit((unsigned char)name[digits - 1]))
    digits--;
  if (digits > 1 && digits < bytes && name[digits - 1] == '\'')
    name[digits - 1] = 0;
}

/* Only names of C++ have brackets; a name that begins with one is no function's: "(below main)", "<lambda>". */
static bool has_parameters(const char *name) {
  const char *bracket = strpbrk(name, "<(");
  return bracket && (bracket > name || !strncmp(name, "(anonymous namespace)::", 23));
}

void prof_function_key(char *name) {
  cut_marks(name);
  if (has_parameters(name)) {
    prof_name_cut_parameters(name);
    prof_name_cut_templates(name);
  }
  cut_clones(name);
  for (char *at = strchr(name, ';'); at; at = strchr(at, ';'))
    *at = ':';
}
