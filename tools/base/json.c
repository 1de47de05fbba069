/*
 * tools/base/json.c - a streaming JSON writer.
 */
#include "json.h"

#include <math.h>
#include <string.h>

#include "digits.h"
#include "text.h"

void prof_json_init(struct prof_json *json, FILE *file, uint32_t pretty_depth) {
  *json = (struct prof_json){.file = file, .pretty_depth = pretty_depth, .first = true};
}

static void new_line(struct prof_json *json) {
  putc('\n', json->file);
  for (uint32_t i = 0; i < json->depth; i++)
    putc(' ', json->file);
}

/* Writes the comma, new line and key before a value. */
static void lead(struct prof_json *json, const char *key) {
  if (!json->first)
    putc(',', json->file);
  if (json->depth && json->depth <= json->pretty_depth)
    new_line(json);
  json->first = false;
  if (key) {
    prof_json_quote(json->file, key, strlen(key));
    putc(':', json->file);
  }
}

static void begin(struct prof_json *json, const char *key, char bracket) {
  lead(json, key);
  putc(bracket, json->file);
  json->depth++;
  json->first = true;
}

static void end(struct prof_json *json, char bracket) {
  bool empty = json->first;
  json->depth--;
  if (!empty && json->depth < json->pretty_depth)
    new_line(json);
  putc(bracket, json->file);
  json->first = false;
  if (!json->depth)
    putc('\n', json->file);
}

void prof_json_object(struct prof_json *json, const char *key) {
  begin(json, key, '{');
}
void prof_json_object_end(struct prof_json *json) {
  end(json, '}');
}
void prof_json_array(struct prof_json *json, const char *key) {
  begin(json, key, '[');
}
void prof_json_array_end(struct prof_json *json) {
  end(json, ']');
}

/* Length of the first bytes that need no escape; most texts need none. */
static size_t plain_run(const char *text, size_t length) {
  size_t count = 0;
  while (count < length && text[count] >= 0x20 && text[count] < 0x7f && text[count] != '"' && text[count] != '\\')
    count++;
  return count;
}

void prof_json_quote(FILE *file, const char *text, size_t length) {
  putc('"', file);
  while (length) {
    size_t plain = plain_run(text, length);
    fwrite(text, 1, plain, file);
    text += plain;
    length -= plain;
    if (!length)
      break;
    size_t bytes = prof_text_character(text, length);
    unsigned char byte = (unsigned char)*text;
    if (!bytes) {
      fputs("\xef\xbf\xbd", file);
      bytes = 1;
    } else if (byte == '"' || byte == '\\') {
      putc('\\', file);
      putc(byte, file);
    } else if (byte < 0x20 || byte == 0x7f) {
      fprintf(file, "\\u%04x", byte);
    } else if (bytes == 3 && (!memcmp(text, "\xe2\x80\xa8", 3) || !memcmp(text, "\xe2\x80\xa9", 3))) {
      /* Line and paragraph separator: legal JSON, but they end a line in older JavaScript. */
      fprintf(file, "\\u20%02x", text[2] & 0x3f);
    } else {
      fwrite(text, 1, bytes, file);
    }
    text += bytes;
    length -= bytes;
  }
  putc('"', file);
}

void prof_json_bytes(struct prof_json *json, const char *key, const char *text, size_t length) {
  lead(json, key);
  prof_json_quote(json->file, text, length);
}

void prof_json_text(struct prof_json *json, const char *key, const char *text) {
  if (text) {
    prof_json_bytes(json, key, text, strlen(text));
    return;
  }
  lead(json, key);
  fputs("null", json->file);
}

void prof_json_count(struct prof_json *json, const char *key, uint64_t count) {
  lead(json, key);
  prof_digits_put(json->file, count);
}

void prof_json_number(struct prof_json *json, const char *key, double value) {
  lead(json, key);
  if (isfinite(value))
    prof_digits_put_number(json->file, value);
  else
    fputs("null", json->file);
}

void prof_json_digits(struct prof_json *json, const char *key, const char *number) {
  lead(json, key);
  fputs(number, json->file);
}

void prof_json_bool(struct prof_json *json, const char *key, bool value) {
  lead(json, key);
  fputs(value ? "true" : "false", json->file);
}
