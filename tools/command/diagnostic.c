/*
 * tools/command/diagnostic.c - the one place that prints a diagnostic.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"
#include "command.h"

int prof_command_fail(const struct prof_diag *diag) {
  fflush(stdout);
  fprintf(stderr, "prof: %s", diag->what[0] ? diag->what : "failed");
  if (diag->file[0] && diag->offset != PROF_NO_OFFSET)
    fprintf(stderr, " (%s, offset %" PRIu64 ")", diag->file, diag->offset);
  else if (diag->file[0])
    fprintf(stderr, " (%s)", diag->file);
  fputc('\n', stderr);
  if (diag->remedy[0])
    fprintf(stderr, "  %s\n", diag->remedy);
  return diag->status == PROF_USAGE ? PROF_EXIT_USAGE : PROF_EXIT_FAILED;
}

prof_status prof_command_usage(struct prof_diag *diag, const char *remedy, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, remedy, "%s", text);
}
