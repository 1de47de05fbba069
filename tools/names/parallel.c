/*
 * tools/names/parallel.c - see parallel.h.
 */
#include "names/parallel.h"

#include <stdio.h>
#include <string.h>

bool prof_name_is_parallel(const char *linkage_name, size_t *owner_bytes) {
  static const char *const marks[] = {"._omp_fn.", ".omp_outlined"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *at = strstr(linkage_name, marks[i]);
    if (at) {
      *owner_bytes = (size_t)(at - linkage_name);
      return true;
    }
  }
  return false;
}

void prof_name_parallel_write(char *out, size_t out_bytes, const char *owner, const char *file, unsigned line) {
  const char *slash = strrchr(file, '/'), *space = owner[0] ? " " : "";
  file = slash ? slash + 1 : file;
  if (file[0] && line)
    snprintf(out, out_bytes, "%s%s[parallel region, %s:%u]", owner, space, file, line);
  else
    snprintf(out, out_bytes, "%s%s[parallel region]", owner, space);
}
