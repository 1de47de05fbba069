/*
 * tools/names/point_value.c - see point_value.h.
 */
#include "names/point_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define SITE_HAS_VALUE 0x20u /* PROF_ROW_HAS_VALUE of wire/row.h */

const struct prof_point *prof_point_of(const prof_trace *trace, const struct prof_site_info *site) {
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  return site->point < count ? &points[site->point] : NULL;
}

const char *prof_point_kind(const struct prof_point *point) {
  static const char *const words[] = {[PROF_POINT_IS_MARK] = "mark",         [PROF_POINT_IS_FRAME] = "frame",
                                      [PROF_POINT_IS_COUNTER] = "counter",   [PROF_POINT_IS_VALUE] = "value",
                                      [PROF_POINT_IS_REQUEST] = "request",   [PROF_POINT_IS_SPAN_BEGIN] = "span-begin",
                                      [PROF_POINT_IS_SPAN_END] = "span-end", [PROF_POINT_IS_ARGUMENT] = "argument",
                                      [PROF_POINT_IS_RETURNED] = "returned"};
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
    const bool was_float = (site->kind & PROF_SITE_SHOWN_MASK) == PROF_SITE_WAS_FLOAT;
    snprintf(out, PROF_POINT_VALUE_BYTES, was_float ? "%.6g" : "%.15g", number);
    if (was_float ? strtof(out, NULL) != (float)number : strtod(out, NULL) != number)
      snprintf(out, PROF_POINT_VALUE_BYTES, was_float ? "%.9g" : "%.17g", number);
  } else if (site->kind & PROF_SITE_UNSIGNED) {
    snprintf(out, PROF_POINT_VALUE_BYTES, "%" PRIu64, value);
  } else {
    snprintf(out, PROF_POINT_VALUE_BYTES, "%" PRId64, (int64_t)value);
  }
  return out;
}

/* ---- as the source would have it ---- */

static uint32_t shown_as(const struct prof_site_info *site) {
  return site->kind & PROF_SITE_SHOWN_MASK;
}

bool prof_point_is_number(const struct prof_site_info *site) {
  return shown_as(site) == 0 || shown_as(site) == PROF_SITE_WAS_FLOAT;
}

static const char *no_text(uint64_t value) {
  return value == UINT64_MAX ? "NULL" : "?"; /* wire/point.h */
}

/* At most 63 bytes, each at most 4 when it is escaped. */
static void quote(char out[PROF_POINT_SHOWN_BYTES], char mark, const char *text, size_t bytes) {
  char escaped[PROF_POINT_SHOWN_BYTES - 3];
  size_t used = 0;
  prof_text_escape(escaped, sizeof escaped, text, bytes);
  out[used++] = mark;
  for (const char *at = escaped; *at && used < PROF_POINT_SHOWN_BYTES - 3; at++) {
    if (*at == mark)
      out[used++] = '\\';
    out[used++] = *at;
  }
  out[used++] = mark;
  out[used] = 0;
}

const char *prof_point_shown(const struct prof_site_info *site, uint64_t value, const char *text,
                             char out[PROF_POINT_SHOWN_BYTES]) {
  const char character = (char)value;
  switch (shown_as(site)) {
  case PROF_SITE_BOOL:
    strcpy(out, value ? "true" : "false");
    return out;
  case PROF_SITE_CHARACTER:
    quote(out, '\'', &character, 1);
    return out;
  case PROF_SITE_ADDRESS:
    snprintf(out, PROF_POINT_SHOWN_BYTES, value ? "0x%" PRIx64 : "NULL", value);
    return out;
  case PROF_SITE_TEXT:
    if (text)
      quote(out, '"', text, strlen(text));
    else
      strcpy(out, no_text(value));
    return out;
  default:
    return prof_point_text(site, value, out);
  }
}

const char *prof_point_tail(const struct prof_point *point, const char *shown, char out[PROF_POINT_TAIL_BYTES]) {
  char unit[90];
  prof_text_escape(unit, sizeof unit, point->unit, strlen(point->unit));
  snprintf(out, PROF_POINT_TAIL_BYTES, " = %s%s%s", shown, unit[0] ? " " : "", unit);
  return out;
}

bool prof_point_list_add(char **list, const char *name, const char *shown) {
  char escaped[PROF_POINT_SHOWN_BYTES], all[PROF_POINT_LIST_BYTES], *before = *list;
  prof_text_escape(escaped, sizeof escaped, name, strlen(name));
  const char *between = before ? ", " : "";
  int bytes = snprintf(all, sizeof all, "%s%s%s=%s", before ? before : "", between, escaped, shown);
  if (bytes >= (int)sizeof all)
    snprintf(all, sizeof all, "%.*s, ...", PROF_POINT_LIST_BYTES - 10, before);
  char *more = strdup(all);
  if (!more)
    return false;
  free(before);
  *list = more;
  return true;
}

const char *prof_point_word(const struct prof_site_info *site, uint64_t value, const char *text,
                            char out[PROF_POINT_SHOWN_BYTES]) {
  if (text)
    snprintf(out, PROF_POINT_SHOWN_BYTES, "%s", text);
  else if (shown_as(site) == PROF_SITE_CHARACTER)
    snprintf(out, PROF_POINT_SHOWN_BYTES, "%c", (char)value);
  else if (prof_point_is_number(site) && !isfinite(prof_point_number(site, value)))
    *out = 0;
  else
    prof_point_shown(site, value, NULL, out);
  return out;
}

void prof_point_json(struct prof_json *json, const char *key, const struct prof_site_info *site, uint64_t value,
                     const char *text) {
  char word[PROF_POINT_SHOWN_BYTES];
  bool none = !text && (shown_as(site) == PROF_SITE_TEXT || (shown_as(site) == PROF_SITE_ADDRESS && !value));
  prof_point_word(site, value, text, word);
  if (prof_point_is_number(site))
    prof_json_digits(json, key, *word ? word : "null");
  else if (shown_as(site) == PROF_SITE_BOOL)
    prof_json_bool(json, key, value);
  else
    prof_json_text(json, key, none ? NULL : word);
}
