/*
 * tools/decide/limit.c - see limit.h: what a limit says.
 */
#include "decide/limit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define REMEDY "limits look like: p99 of parse < 5ms, self share of parse < 10%, calls of f <= 1.05x baseline"
#define TEXT_BYTES 512

const char *const prof_gate_result_words[] = {"kept", "broken", "unknown", NULL};

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

/* The sign that separates what is measured from the value: the last one, as names of operators have some, too. */
static const char *find_sign(const char *text, enum prof_limit_sign *sign, size_t *bytes) {
  const char *found = NULL;
  for (const char *at = text; *at; at++)
    if ((*at == '<' || *at == '>') && (at == text || at[-1] == ' ')) {
      found = at;
      *bytes = at[1] == '=' ? 2 : 1;
      *sign = *at == '<' ? (at[1] == '=' ? PROF_LIMIT_AT_MOST : PROF_LIMIT_BELOW)
                         : (at[1] == '=' ? PROF_LIMIT_AT_LEAST : PROF_LIMIT_ABOVE);
    }
  return found;
}

static prof_status take_value(const char *text, struct prof_limit *limit, struct prof_diag *diag) {
  static const struct {
    const char *word;
    enum prof_limit_unit unit;
    double factor;
  } units[] = {{"ns", PROF_LIMIT_TIME, 1},         {"us", PROF_LIMIT_TIME, 1e3},  {"ms", PROF_LIMIT_TIME, 1e6},
               {"s", PROF_LIMIT_TIME, 1e9},        {"m", PROF_LIMIT_TIME, 60e9},  {"%", PROF_LIMIT_SHARE, 0.01},
               {"", PROF_LIMIT_COUNT, 1},          {"K", PROF_LIMIT_BYTES, 1024}, {"M", PROF_LIMIT_BYTES, 1048576},
               {"G", PROF_LIMIT_BYTES, 1073741824}};
  char *end;
  limit->value = strtod(text, &end);
  const char *unit = skip_blanks(end);
  if (end == text || !(limit->value >= 0) || !isfinite(limit->value))
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, REMEDY, "the limit '%s' has no value", limit->text);
  if (*unit == 'x' && !strcmp(skip_blanks(unit + 1), "baseline")) {
    limit->of_baseline = true;
    return PROF_OK;
  }
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (!strcmp(unit, units[i].word) && units[i].unit == limit->measure->unit) {
      limit->value *= units[i].factor;
      return PROF_OK;
    }
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, REMEDY, "the limit '%s' needs %s", limit->text,
                        limit->measure->unit == PROF_LIMIT_TIME    ? "a time, as in 5ms"
                        : limit->measure->unit == PROF_LIMIT_SHARE ? "a share, as in 10%"
                        : limit->measure->unit == PROF_LIMIT_BYTES ? "a size, as in 64M"
                                                                   : "a number");
}

/* "p99 of NAME", "cpu": blanks at its end are cut. */
static prof_status take_measure(char *text, struct prof_limit *limit, struct prof_diag *diag) {
  size_t bytes = strlen(text);
  while (bytes && isspace((unsigned char)text[bytes - 1]))
    text[--bytes] = 0;
  char *of = strstr(text, " of ");
  if (of) {
    snprintf(limit->name, sizeof limit->name, "%s", skip_blanks(of + 4));
    *of = 0;
  }
  limit->measure = prof_limit_measure_find(text, limit->name[0] != 0);
  if (limit->measure)
    return PROF_OK;
  const struct prof_limit_measure *other = prof_limit_measure_find(text, !limit->name[0]);
  if (other)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, REMEDY, "the limit '%s': %s is of %s", limit->text,
                          text, other->of_row ? "a function" : "the whole program");
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "prof gate --help lists what can be limited",
                        "the limit '%s': '%s' is not known", limit->text, text);
}

prof_status prof_limit_parse(const char *text, struct prof_diag *diag, struct prof_limit *out) {
  char measure[TEXT_BYTES];
  size_t sign_bytes = 0;
  *out = (struct prof_limit){.text = text};
  const char *start = skip_blanks(text), *sign = find_sign(start, &out->sign, &sign_bytes);
  if (!sign || (size_t)(sign - start) >= sizeof measure)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, REMEDY, "the limit '%s' has no < or >", text);
  snprintf(measure, sizeof measure, "%.*s", (int)(sign - start), start);
  prof_status status = take_measure(measure, out, diag);
  return status == PROF_OK ? take_value(skip_blanks(sign + sign_bytes), out, diag) : status;
}
