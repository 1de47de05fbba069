/*
 * tools/base/digits.h - decimal digits without printf, which would take most of the time of a writer of one line per
 * event.
 */
#ifndef PROF_BASE_DIGITS_H
#define PROF_BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PROF_DIGITS_MOST 20

/* Writes the digits to the end of `out`, without a NUL; returns where they begin. */
static inline const char *prof_digits(char out[PROF_DIGITS_MOST], uint64_t value) {
  char *at = out + PROF_DIGITS_MOST;
  do {
    *--at = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  return at;
}

static inline void prof_digits_put(FILE *file, uint64_t value) {
  char digits[PROF_DIGITS_MOST];
  const char *at = prof_digits(digits, value);
  fwrite(at, 1, (size_t)(digits + PROF_DIGITS_MOST - at), file);
}

/* Right-aligned in `width` columns. */
static inline void prof_digits_pad(FILE *file, uint64_t value, size_t width) {
  static const char blanks[PROF_DIGITS_MOST + 1] = "                    ";
  char digits[PROF_DIGITS_MOST];
  const char *at = prof_digits(digits, value);
  size_t count = (size_t)(digits + PROF_DIGITS_MOST - at);
  if (width > count)
    fwrite(blanks, 1, width - count < PROF_DIGITS_MOST ? width - count : PROF_DIGITS_MOST, file);
  fwrite(at, 1, count, file);
}

#define PROF_DIGITS_EXACT 9007199254740992.0 /* 2^53: whole numbers up to it are all there */

/* A finite number: a whole one with all its digits; another one with 9 of them, or 15 from 1e9 on. */
static inline void prof_digits_put_number(FILE *file, double value) {
  const bool is_large = value >= 1e9 || value <= -1e9;
  if (value > -PROF_DIGITS_EXACT && value < PROF_DIGITS_EXACT && value == (double)(int64_t)value)
    fprintf(file, "%.0f", value);
  else
    fprintf(file, is_large ? "%.15g" : "%.9g", value);
}

/* The last three decimal digits, zeros included. */
static inline void prof_digits_three(FILE *file, uint64_t value) {
  const char digits[3] = {(char)('0' + value / 100 % 10), (char)('0' + value / 10 % 10), (char)('0' + value % 10)};
  fwrite(digits, 1, sizeof digits, file);
}

#endif
