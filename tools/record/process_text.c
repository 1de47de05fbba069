/*
 * tools/record/process_text.c - see process_text.h.
 */
#include "record/process_text.h"

#include <stdio.h>
#include <string.h>

size_t prof_process_text(pid_t pid, const char *name, char *text, size_t bytes) {
  char path[96];
  snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
  FILE *file = fopen(path, "re");
  size_t got = file != NULL ? fread(text, 1, bytes - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  text[got] = 0;
  return got;
}

const char *prof_process_line(const char *text, const char *name) {
  const char *line = strstr(text, name);
  return line != NULL ? line + strlen(name) + strspn(line + strlen(name), " \t") : "";
}
