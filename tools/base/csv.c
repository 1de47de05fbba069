/*
 * tools/base/csv.c - a streaming CSV writer (RFC 4180, but lines end in LF, which readers accept).
 */
#include "csv.h"

#include <math.h>
#include <string.h>

#include "digits.h"
#include "text.h"

void prof_csv_init(struct prof_csv *csv, FILE *file) {
  *csv = (struct prof_csv){.file = file, .first = true};
}

static void lead(struct prof_csv *csv) {
  if (!csv->first)
    putc(',', csv->file);
  csv->first = false;
}

void prof_csv_text(struct prof_csv *csv, const char *text) {
  lead(csv);
  bool quoted = text[strcspn(text, "\",")] != 0;
  if (quoted)
    putc('"', csv->file);
  if (text[0] && strchr("=+-@", text[0]))
    putc('\'', csv->file);
  for (size_t left = strlen(text); left;) {
    char piece[32];
    size_t bytes = prof_text_character(text, left);
    bytes = bytes ? bytes : 1;
    if (*text == '"')
      putc('"', csv->file);
    fwrite(piece, 1, prof_text_escape(piece, sizeof piece, text, bytes), csv->file);
    text += bytes;
    left -= bytes;
  }
  if (quoted)
    putc('"', csv->file);
}

void prof_csv_count(struct prof_csv *csv, uint64_t count) {
  lead(csv);
  prof_digits_put(csv->file, count);
}

void prof_csv_number(struct prof_csv *csv, double value) {
  lead(csv);
  if (isfinite(value))
    prof_digits_put_number(csv->file, value);
}

void prof_csv_digits(struct prof_csv *csv, const char *number) {
  lead(csv);
  fputs(number, csv->file);
}

void prof_csv_end(struct prof_csv *csv) {
  putc('\n', csv->file);
  csv->first = true;
}
