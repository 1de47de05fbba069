/*
 * tools/names/point_value.c - see point_value.h.
 */
#include "names/point_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE_HAS_VALUE 0x20u /* PROF_ROW_HAS_VALUE of wire/row.h */

const struct prof_point *prof_point_of(const prof_trace *trace, const struct prof_site_info *site) {
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  return site->point < count ? &points[site->point] : NULL;
}

const char *prof_point_kind(const struct prof_point *point) {
  static const char *const words[] = {[PROF_POINT_IS_MARK] = "mark",        [PROF_POINT_IS_FRAME] = "frame",
                                      [PROF_POINT_IS_COUNTER] = "counter",  [PROF_POINT_IS_VALUE] = "value",
                                      [PROF_POINT_IS_REQUEST] = "request",  [PROF_POINT_IS_SPAN_BEGIN] = "span-begin",
                                      [PROF_POINT_IS_SPAN_END] = "span-end"};
  const char *word = point->kind < sizeof words / sizeof *words ? words[point->kind] : NULL;
  return word ? word : "point";
}

bool prof_point_has_value(const struct prof_site_info *site) {
  return site->kind & SITE_HAS_VALUE;
}

double prof_point_number(const struct prof_site_info *site, uint64_t value) {
  double number;
  memcpy(&number, &value, sizeof number);
  if (site->kind & PROF_SITE_FLOAT)
    return number;
  return site->kind & PROF_SITE_UNSIGNED ? (double)value : (double)(int64_t)value;
}

const char *prof_point_text(const struct prof_site_info *site, uint64_t value, char out[PROF_POINT_VALUE_BYTES]) {
  double number = prof_point_number(site, value);
  if (site->kind & PROF_SITE_FLOAT && isnan(number)) {
    strcpy(out, "nan"); /* without the sign that some processors give it */
  } else if (site->kind & PROF_SITE_FLOAT) {
    snprintf(out, PROF_POINT_VALUE_BYTES, "%.15g", number);
    if (strtod(out, NULL) != number)
      snprintf(out, PROF_POINT_VALUE_BYTES, "%.17g", number);
  } else if (site->kind & PROF_SITE_UNSIGNED) {
    snprintf(out, PROF_POINT_VALUE_BYTES, "%" PRIu64, value);
  } else {
    snprintf(out, PROF_POINT_VALUE_BYTES, "%" PRId64, (int64_t)value);
  }
  return out;
}

void prof_point_json(struct prof_json *json, const char *key, const struct prof_site_info *site, uint64_t value) {
  char text[PROF_POINT_VALUE_BYTES];
  bool known = isfinite(prof_point_number(site, value));
  prof_json_digits(json, key, known ? prof_point_text(site, value, text) : "null");
}
