/*
 * tools/export/plain_text.c - see plain_text.h.
 */
#include "plain_text.h"

#include <string.h>

#include "base/text.h"

void prof_plain_text_write(FILE *file, const char *text, size_t left) {
  while (left) {
    size_t bytes = prof_text_character(text, left);
    if (bytes && prof_text_is_plain(text, bytes))
      fwrite(text, 1, bytes, file);
    else
      for (size_t i = 0; i < (bytes ? bytes : 1); i++)
        fprintf(file, "\\x%02x", (unsigned char)text[i]);
    bytes = bytes ? bytes : 1;
    text += bytes;
    left -= bytes;
  }
}

void prof_plain_text_put(FILE *file, const char *text) {
  prof_plain_text_write(file, text, strlen(text));
}
