/*
 * tools/view/spark.c - see spark.h: the block elements U+2581 to U+2588.
 */
#include "spark.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 8 };
static const char *const blocks[LEVELS] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                           "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
static const char *const plain[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};

static size_t level_of(double number, double least, double most) {
  const double share = most > least ? (number / 2 - least / 2) / (most / 2 - least / 2) /* no overflow */ : 0;
  return share <= 0 ? 0 : share >= 1 ? LEVELS - 1 : (size_t)(share * LEVELS);
}

void prof_spark(const double *numbers, size_t count, double least, double most, bool utf8, char *out) {
  for (size_t i = 0; i < count; i++) {
    const char *shown = isnan(numbers[i]) ? " " : (utf8 ? blocks : plain)[level_of(numbers[i], least, most)];
    const size_t bytes = strlen(shown);
    memcpy(out, shown, bytes);
    out += bytes;
  }
  *out = 0;
}
