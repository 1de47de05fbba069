/*
 * tools/command/loops/loop_text.c - see loop_text.h.
 */
#include "loop_text.h"

#include <stdio.h>

#include "row.h"

void prof_loop_place(const struct prof_loop_row *row, const struct prof_reader *reader, char *out, size_t size) {
  const char *path = prof_shown_path(reader->recording.paths, row->file);
  size_t used = (size_t)snprintf(out, size, "%.3000s", path[0] ? path : "-");
  if (row->line && used < size)
    used += (size_t)snprintf(out + used, size - used, ":%u", row->line);
  if (row->line && row->last_line > row->line && used < size)
    snprintf(out + used, size - used, "-%u", row->last_line);
}

void prof_loop_function(const struct prof_loop_row *row, char *out, size_t size) {
  snprintf(out, size, "%.2000s%s%.2000s", row->inlined, row->inlined[0] ? " in " : "", row->function);
}

const char *prof_loop_facts(const struct prof_loop_row *row, char *out, size_t size) {
  static const struct {
    uint32_t flag;
    const char *word;
  } facts[] = {
      {PROF_LOOP_CONSTANT, "constant"}, {PROF_LOOP_COUNTABLE, "countable"}, {PROF_LOOP_VECTORISED, "vectorised"},
      {PROF_LOOP_UNROLLED, "unrolled"}, {PROF_LOOP_GONE, "gone"},
  };
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    bool said = facts[i].flag == PROF_LOOP_COUNTABLE && row->flags & PROF_LOOP_CONSTANT;
    if (row->flags & facts[i].flag && !said && used < size)
      used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", facts[i].word);
  }
  if (!row->has_times && !row->has_entries && !row->estimated && used < size)
    snprintf(out + used, size - used, "%snot counted", used ? ", " : "");
  return out;
}
