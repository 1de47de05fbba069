/*
 * tools/import/weight_text.h - numbers in text: weights, counts.
 */
#ifndef PROF_IMPORT_WEIGHT_TEXT_H
#define PROF_IMPORT_WEIGHT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_WEIGHT_MOST 1e18 /* of one number; sums stay finite */

/* Decimal, "12", "12.5", "1e6"; all of the bytes.  false: not such a number, below 0, or above PROF_WEIGHT_MOST. */
bool prof_weight_parse(const char *text, size_t bytes, double *out);

/* Digits only, at most 18. */
bool prof_count_parse(const char *text, size_t bytes, uint64_t *out);

static inline bool prof_is_digit(char c) {
  return c >= '0' && c <= '9';
}
static inline bool prof_is_hex(char c) {
  return prof_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

#endif
