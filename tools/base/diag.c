/*
 * tools/base/diag.c - see diag.h.  Threads: no state of its own.
 */
#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static void put(char *out, size_t out_bytes, const char *text) {
  prof_text_escape(out, out_bytes, text ? text : "", text ? strlen(text) : 0);
}

prof_status prof_diag_fill(struct prof_diag *diag, prof_status status, const char *file, uint64_t offset,
                           const char *remedy, const char *format, ...) {
  if (!diag)
    return status;
  char raw[sizeof diag->what];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(raw, sizeof raw, format, arguments);
  va_end(arguments);
  diag->status = status;
  diag->offset = offset;
  put(diag->what, sizeof diag->what, raw);
  put(diag->file, sizeof diag->file, file);
  put(diag->remedy, sizeof diag->remedy, remedy);
  return status;
}

prof_status prof_diag_system(struct prof_diag *diag, int error_number, const char *file, const char *action,
                             const char *remedy) {
  prof_status status = error_number == ENOENT ? PROF_NOT_FOUND : error_number == ENOMEM ? PROF_NO_MEMORY : PROF_IO;
  char buffer[128];
  const char *text = strerror_r(error_number, buffer, sizeof buffer);
  return prof_diag_fill(diag, status, file, PROF_NO_OFFSET, remedy, "%s: %s", action, text);
}

prof_status prof_diag_memory(struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_NO_MEMORY, NULL, PROF_NO_OFFSET, "close other programs, or use a machine with more",
                        "out of memory");
}
