/*
 * tools/base/csv.c - a streaming CSV writer (RFC 4180; lines end in LF, as readers everywhere accept).
 */
#include "csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text.h"

void prof_csv_init(struct prof_csv *csv, FILE *file) {
  *csv = (struct prof_csv){.file = file, .first = true};
}

static void lead(struct prof_csv *csv) {
  if (!csv->first)
    putc(',', csv->file);
  csv->first = false;
}

static bool needs_quotes(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || *text == '"' || *text == ',')
      return true;
  return false;
}

void prof_csv_text(struct prof_csv *csv, const char *text) {
  lead(csv);
  bool quoted = needs_quotes(text);
  if (quoted)
    putc('"', csv->file);
  if (text[0] && strchr("=+-@\t\r", text[0]))
    putc('\'', csv->file);
  for (size_t left = strlen(text); left;) {
    size_t bytes = prof_text_character(text, left);
    if (*text == '"')
      putc('"', csv->file);
    if (bytes)
      fwrite(text, 1, bytes, csv->file);
    else
      fputs("\xef\xbf\xbd", csv->file);
    bytes = bytes ? bytes : 1;
    text += bytes;
    left -= bytes;
  }
  if (quoted)
    putc('"', csv->file);
}

void prof_csv_count(struct prof_csv *csv, uint64_t count) {
  lead(csv);
  fprintf(csv->file, "%" PRIu64, count);
}

void prof_csv_number(struct prof_csv *csv, double value) {
  lead(csv);
  if (isfinite(value))
    fprintf(csv->file, "%.9g", value);
}

void prof_csv_end(struct prof_csv *csv) {
  putc('\n', csv->file);
  csv->first = true;
}
