/* line_mark.c - see line_mark.h.  Other bytes than those are written as =XX. */
#include "line_mark.h"

#include <stdio.h>
#include <string.h>

static const char begin[] = "# prof line ";

static bool is_plain(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '.';
}

static void add_word(struct prof_text *text, const char *word) {
  for (; *word; word++)
    if (is_plain(*word))
      prof_text_add_bytes(text, word, 1);
    else
      prof_text_format(text, "=%02x", (unsigned char)*word);
}

void prof_line_mark_write(struct prof_text *text, uint32_t kind, uint32_t line, const char *function,
                          const char *path) {
  prof_text_format(text, "%s%u %u ", begin, kind, line);
  add_word(text, function);
  prof_text_add(text, "=0a");
  add_word(text, path);
}

bool prof_line_mark_is(const char *statement) {
  return !strncmp(statement, begin, sizeof begin - 1);
}

bool prof_line_mark_read(const char *statement, struct prof_line_mark *mark) {
  int used = 0;
  if (!prof_line_mark_is(statement) ||
      sscanf(statement + sizeof begin - 1, "%u %u %n", &mark->kind, &mark->line, &used) != 2)
    return false;
  memset(&mark->place, 0, sizeof mark->place);
  for (const char *at = statement + sizeof begin - 1 + used; *at; at++) {
    unsigned byte;
    char one = *at;
    if (one == '=' && sscanf(at, "=%2x", &byte) == 1) {
      one = (char)byte;
      at += 2;
    }
    prof_text_add_bytes(&mark->place, &one, 1);
  }
  return !mark->place.failed;
}

void prof_line_mark_fini(struct prof_line_mark *mark) {
  prof_text_fini(&mark->place);
}
