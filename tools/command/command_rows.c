/*
 * tools/command/command_rows.c - see command_rows.h.
 */
#include "command_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hint.h"
#include "names/process_names.h"
#include "view/width.h"

#define MANY_PROCESSES 16

struct shown {
  size_t processes;
  bool differ; /* the processes ran more than one program */
};

static struct shown count_shown(const struct prof_reader *reader) {
  size_t thread_count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(reader->recording.trace, &thread_count);
  prof_trace_processes(reader->recording.trace, &process_count);
  uint8_t *seen = calloc(process_count + 1, 1);
  const char *first = NULL;
  struct shown shown = {0};
  for (size_t i = 0; seen && i < thread_count; i++) {
    uint32_t process = threads[i].process;
    if (process >= process_count || !reader->recording.filter.threads[i] || !threads[i].events || seen[process])
      continue;
    seen[process] = 1;
    shown.processes++;
    const char *program = prof_process_program(reader->recording.trace, process);
    shown.differ |= first && strcmp(first, program) != 0;
    first = first ? first : program;
  }
  free(seen);
  return shown;
}

size_t prof_command_rows_processes(const struct prof_reader *reader) {
  return count_shown(reader).processes;
}

bool prof_command_rows_wanted(const struct prof_reader *reader) {
  struct shown shown = count_shown(reader);
  return shown.differ && shown.processes > MANY_PROCESSES;
}

void prof_command_rows_next(const struct prof_reader *reader, const struct prof_function_rows *rows,
                            const struct prof_output *output) {
  static const char more[] = ", or --by=function for all commands together";
  char input[PROF_HINT_BYTES], name[PROF_HINT_BYTES], line[2 * PROF_HINT_BYTES + 40];
  if (!rows->count)
    return;
  prof_hint_input(input, reader->common->input);
  snprintf(line, sizeof line, "next: prof report%s --command=%s", input, prof_hint_word(name, rows->rows[0].name));
  bool wide = output->style.width && prof_text_width(line) + strlen(more) > output->style.width;
  fprintf(output->file, "%s%s\n", line, wide ? "" : more);
}
