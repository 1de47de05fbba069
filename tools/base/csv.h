/*
 * tools/base/csv.h - a streaming CSV writer (RFC 4180), one record per line.
 *
 * Fields with a comma or a quote are quoted, and quotes doubled.  Control bytes and invalid UTF-8 become \xNN, as in
 * tables, so that a record is one line and safe for a terminal.  A text that a spreadsheet would read as a formula
 * (first = + - @) gets a single quote before it.
 */
#ifndef PROF_BASE_CSV_H
#define PROF_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct prof_csv {
  FILE *file;
  bool first;
};

void prof_csv_init(struct prof_csv *, FILE *);
void prof_csv_text(struct prof_csv *, const char *);
void prof_csv_count(struct prof_csv *, uint64_t);
void prof_csv_number(struct prof_csv *, double);             /* not finite: an empty field */
void prof_csv_digits(struct prof_csv *, const char *number); /* written as it is */
void prof_csv_end(struct prof_csv *);                        /* ends the record */

#endif
