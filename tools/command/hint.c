/*
 * tools/command/hint.c - see hint.h.
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2.2 (nothing is special between single quotes).
 */
#include "hint.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-";

const char *prof_hint_word(char out[PROF_HINT_BYTES], const char *word) {
  char text[PROF_HINT_BYTES];
  size_t used = 0;
  prof_text_escape(text, sizeof text, word, strlen(word));
  if (*text && !text[strspn(text, harmless)])
    return strcpy(out, text);
  out[used++] = '\'';
  for (const char *at = text; *at && used + 6 < PROF_HINT_BYTES; at++) {
    const char *part = *at == '\'' ? "'\\''" : (char[2]){*at, 0};
    size_t bytes = strlen(part);
    memcpy(out + used, part, bytes);
    used += bytes;
  }
  out[used++] = '\'';
  out[used] = 0;
  return out;
}

const char *prof_hint_input(char out[PROF_HINT_BYTES], const char *input) {
  char word[PROF_HINT_BYTES - 8];
  char quoted[PROF_HINT_BYTES];
  *out = 0;
  if (!strcmp(input, PROF_DEFAULT_INPUT))
    return out;
  snprintf(word, sizeof word, "%s", prof_hint_word(quoted, input));
  snprintf(out, PROF_HINT_BYTES, " -i %s", word);
  return out;
}
