/*
 * tools/export/command_text.c - see command_text.h.
 */
#include "command_text.h"

#include "plain_text.h"

void prof_command_text(char out[PROF_COMMAND_TEXT_BYTES], const prof_trace *trace) {
  size_t bytes = 0, used = 0;
  const char *words = prof_trace_setting(trace, "command", &bytes);
  for (size_t i = 0; words && i < bytes && used + 1 < PROF_COMMAND_TEXT_BYTES; i++)
    out[used++] = words[i] ? words[i] : ' ';
  while (used && out[used - 1] == ' ')
    used--;
  out[used] = 0;
  if (!used)
    snprintf(out, PROF_COMMAND_TEXT_BYTES, "%s", prof_trace_info(trace)->path);
}

void prof_command_text_put(FILE *file, const prof_trace *trace) {
  char text[PROF_COMMAND_TEXT_BYTES];
  prof_command_text(text, trace);
  prof_plain_text_put(file, text);
}
