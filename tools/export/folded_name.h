/*
 * tools/export/folded_name.h - a name in a folded stack.
 *
 * A semicolon separates frames and a line end separates stacks: names must not contain them.
 */
#ifndef PROF_EXPORT_FOLDED_NAME_H
#define PROF_EXPORT_FOLDED_NAME_H

#include <string.h>

#include "export/plain_text.h"

/* As plain_text.h, with ":" for ";". */
static inline void prof_folded_name_put(FILE *file, const char *name) {
  for (const char *end; (end = strchr(name, ';')); name = end + 1) {
    prof_plain_text_write(file, name, (size_t)(end - name));
    putc(':', file);
  }
  prof_plain_text_put(file, name);
}

#endif
