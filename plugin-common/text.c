/* text.c - see text.h. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and a NUL. */
static bool text_reserve(struct prof_text *text, size_t more) {
  if (text->failed)
    return false;
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity)
    return true;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < needed)
    capacity *= 2;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void prof_text_add_bytes(struct prof_text *text, const char *bytes, size_t byte_count) {
  if (!text_reserve(text, byte_count))
    return;
  memcpy(text->bytes + text->length, bytes, byte_count);
  text->length += byte_count;
  text->bytes[text->length] = 0;
}

void prof_text_add(struct prof_text *text, const char *string) {
  prof_text_add_bytes(text, string, strlen(string));
}

void prof_text_format(struct prof_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length < 0)
    text->failed = true;
  else if (text_reserve(text, (size_t)length)) {
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(arguments);
}

void prof_text_add_literal(struct prof_text *text, const char *string) {
  for (const unsigned char *at = (const unsigned char *)string; *at; at++) {
    if (*at < 0x20 || *at > 0x7e || *at == '"' || *at == '\\')
      prof_text_format(text, "\\%03o", *at);
    else
      prof_text_add_bytes(text, (const char *)at, 1);
  }
}

void prof_text_add_template(struct prof_text *text, const char *string) {
  for (;;) {
    size_t plain = strcspn(string, "%{|}");
    prof_text_add_bytes(text, string, plain);
    string += plain;
    if (!*string)
      return;
    prof_text_add_bytes(text, "%", 1);
    prof_text_add_bytes(text, string++, 1);
  }
}

void prof_text_add_field(struct prof_text *text, const char *string) {
  for (const unsigned char *at = (const unsigned char *)string; *at; at++) {
    if (*at < 0x20 || *at == 0x7f || *at == '\\')
      prof_text_format(text, "\\x%02x", *at);
    else
      prof_text_add_bytes(text, (const char *)at, 1);
  }
}

const char *prof_text_string(const struct prof_text *text) {
  return text->bytes ? text->bytes : "";
}

void prof_text_clear(struct prof_text *text) {
  text->length = 0;
  if (text->bytes)
    text->bytes[0] = 0;
}

void prof_text_fini(struct prof_text *text) {
  free(text->bytes);
  memset(text, 0, sizeof *text);
}
