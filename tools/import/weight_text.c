/*
 * tools/import/weight_text.c - see weight_text.h.
 */
#include "import/weight_text.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 63 /* bytes of a number */
#define MOST_DIGITS 18

bool prof_weight_parse(const char *text, size_t bytes, double *out) {
  char copy[LONGEST + 1], *end;
  if (bytes == 0 || bytes > LONGEST || !(prof_is_digit(text[0]) || text[0] == '.'))
    return false;
  memcpy(copy, text, bytes);
  copy[bytes] = 0;
  if (strspn(copy, "0123456789.eE+-") != bytes) /* strtod would take "0x1p3" too */
    return false;
  double value = strtod(copy, &end);
  if (end != copy + bytes || !(value >= 0 && value <= PROF_WEIGHT_MOST))
    return false;
  *out = value;
  return true;
}

bool prof_count_parse(const char *text, size_t bytes, uint64_t *out) {
  if (bytes == 0 || bytes > MOST_DIGITS)
    return false;
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (!prof_is_digit(text[i]))
      return false;
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  *out = value;
  return true;
}
