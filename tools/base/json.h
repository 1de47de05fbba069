/*
 * tools/base/json.h - a streaming JSON writer.
 *
 * Out: valid JSON (RFC 8259) for any text; invalid UTF-8 becomes U+FFFD.  Writes to a FILE and keeps no text.  The
 * caller pairs begin and end, and checks the FILE for errors (ferror).
 */
#ifndef PROF_BASE_JSON_H
#define PROF_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct prof_json {
  FILE *file;
  uint32_t depth;
  uint32_t pretty_depth; /* containers down to this depth begin a new line per member; deeper ones stay on one line */
  bool first;            /* the open container is empty */
};

void prof_json_init(struct prof_json *, FILE *, uint32_t pretty_depth);

/* key is NULL inside arrays and at the top.  Keys are constants of the program and are not escaped. */
void prof_json_object(struct prof_json *, const char *key);
void prof_json_object_end(struct prof_json *);
void prof_json_array(struct prof_json *, const char *key);
void prof_json_array_end(struct prof_json *);
void prof_json_text(struct prof_json *, const char *key, const char *text); /* NULL: null */
void prof_json_bytes(struct prof_json *, const char *key, const char *text, size_t length);
void prof_json_count(struct prof_json *, const char *key, uint64_t);
void prof_json_number(struct prof_json *, const char *key, double);             /* not finite: null */
void prof_json_digits(struct prof_json *, const char *key, const char *number); /* written as it is */
void prof_json_bool(struct prof_json *, const char *key, bool);

/* Writes only the quoted string, for exporters that write the rest themselves. */
void prof_json_quote(FILE *, const char *text, size_t length);

#endif
