/*
 * tools/command/options/values.c - values on the command line.
 */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "study/recording.h"
#include "suggest.h"

struct unit {
  const char *name;
  double factor;
};
static const struct unit duration_units[] = {
    {"", 1},    {"ns", 1},   {"us", 1e3},   {"µs", 1e3},   {"ms", 1e6},
    {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {NULL, 0},
};
#define KI 1024.0
static const struct unit size_units[] = {
    {"", 1},
    {"b", 1},
    {"k", KI},
    {"kb", KI},
    {"kib", KI},
    {"m", KI *KI},
    {"mb", KI *KI},
    {"mib", KI *KI},
    {"g", KI *KI *KI},
    {"gb", KI *KI *KI},
    {"gib", KI *KI *KI},
    {"t", KI *KI *KI *KI},
    {"tb", KI *KI *KI *KI},
    {"tib", KI *KI *KI *KI},
    {NULL, 0},
};

/* A number (no sign, exponent or "inf") and a unit; false: malformed, or over 63 bits. */
static bool number_with_unit(const char *text, const struct unit *units, uint64_t *out) {
  if (!isdigit((unsigned char)text[0]) && text[0] != '.')
    return false;
  size_t digits = strspn(text, "0123456789.");
  char number[64];
  if (digits >= sizeof number)
    return false;
  memcpy(number, text, digits);
  number[digits] = 0;
  char *end;
  double value = strtod(number, &end);
  if (*end || end == number)
    return false;
  for (; units->name; units++)
    if (!strcasecmp(units->name, text + digits)) {
      value *= units->factor;
      if (!(value < 9e18))
        return false;
      *out = (uint64_t)(value + 0.5);
      return true;
    }
  return false;
}

/* All times but 0 need a unit: other tools take seconds here. */
static prof_status no_unit(const char *flag, const char *text, const char *number, struct prof_diag *diag) {
  char remedy[200];
  snprintf(remedy, sizeof remedy, "write the unit: %.20sns, %.20sus, %.20sms or %.20ss", number, number, number,
           number);
  return prof_command_usage(diag, remedy, "%s=%s has no unit", flag, text);
}

static bool lacks_unit(const char *text, uint64_t ns) {
  return ns > 0 && text[strspn(text, "0123456789.")] == 0;
}

prof_status prof_value_duration(const char *flag, const char *text, uint64_t *ns, struct prof_diag *diag) {
  if (number_with_unit(text, duration_units, ns))
    return lacks_unit(text, *ns) ? no_unit(flag, text, text, diag) : PROF_OK;
  return prof_command_usage(diag, "durations look like 250ns, 10us, 1.5ms, 2s, 3m, 1h", "%s=%s is no duration", flag,
                            text);
}

prof_status prof_value_size(const char *flag, const char *text, uint64_t *bytes, struct prof_diag *diag) {
  if (number_with_unit(text, size_units, bytes))
    return PROF_OK;
  return prof_command_usage(diag, "sizes look like 65536, 64K, 16M, 4G", "%s=%s is no size", flag, text);
}

prof_status prof_value_count(const char *flag, const char *text, uint64_t low, uint64_t high, uint64_t *count,
                             struct prof_diag *diag) {
  char *end = NULL;
  unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
  if (end && !*end && strlen(text) < 20 && value >= low && value <= high) {
    *count = value;
    return PROF_OK;
  }
  char remedy[120];
  if (high == UINT64_MAX || high == UINT32_MAX)
    snprintf(remedy, sizeof remedy, "give a whole number, at least %llu", (unsigned long long)low);
  else
    snprintf(remedy, sizeof remedy, "give a whole number from %llu to %llu", (unsigned long long)low,
             (unsigned long long)high);
  return prof_command_usage(diag, remedy, "%s=%s can't be used", flag, text);
}

static bool share_of(const char *text, double *share) {
  char *end;
  if (!isdigit((unsigned char)text[0]) && text[0] != '.')
    return false;
  double value = strtod(text, &end);
  if (end == text || !(value >= 0 && value <= 100) || (*end && strcmp(end, "%")))
    return false;
  *share = value / 100;
  return true;
}

prof_status prof_value_share(const char *flag, const char *text, double *share, struct prof_diag *diag) {
  if (share_of(text, share))
    return PROF_OK;
  return prof_command_usage(diag, "give percent, from 0 to 100, as in 0.5 or 0.5%", "%s=%s is no share", flag, text);
}

prof_status prof_value_word(const char *flag, const char *text, const char *const *words, int *index,
                            struct prof_diag *diag) {
  char remedy[200] = "give one of:";
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, text);
  for (int i = 0; words[i]; i++) {
    if (!strcmp(words[i], text)) {
      *index = i;
      return PROF_OK;
    }
    prof_suggest_offer(&suggest, words[i]);
    size_t used = strlen(remedy);
    snprintf(remedy + used, sizeof remedy - used, " %s", words[i]);
  }
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean %s=%s?", flag, suggest.best);
  return prof_command_usage(diag, remedy, "%s=%s is not known", flag, text);
}

/* One side of a range: a duration or a percentage. */
static bool bound_of(const char *text, uint64_t *ns, double *share, bool *is_share) {
  size_t length = strlen(text);
  *is_share = length && text[length - 1] == '%';
  return *is_share ? share_of(text, share) : number_with_unit(text, duration_units, ns);
}

prof_status prof_value_range(const char *flag, const char *text, struct prof_range *range, struct prof_diag *diag) {
  static const char remedy[] = "ranges look like 1s~2s, ~500ms, 50%~75% (since the start of the recording)";
  *range = (struct prof_range){.end_ns = UINT64_MAX};
  const char *tilde = strchr(text, '~');
  char begin[64];
  if (!tilde || (size_t)(tilde - text) >= sizeof begin)
    return prof_command_usage(diag, remedy, "%s=%s is no range", flag, text);
  memcpy(begin, text, (size_t)(tilde - text));
  begin[tilde - text] = 0;
  if ((begin[0] && !bound_of(begin, &range->begin_ns, &range->begin_share, &range->begin_is_share)) ||
      (tilde[1] && !bound_of(tilde + 1, &range->end_ns, &range->end_share, &range->end_is_share)))
    return prof_command_usage(diag, remedy, "%s=%s is no range", flag, text);
  if (!range->begin_is_share && begin[0] && lacks_unit(begin, range->begin_ns))
    return no_unit(flag, text, begin, diag);
  if (!range->end_is_share && tilde[1] && lacks_unit(tilde + 1, range->end_ns))
    return no_unit(flag, text, tilde + 1, diag);
  bool comparable = range->begin_is_share == range->end_is_share;
  if (comparable && tilde[1] &&
      (range->begin_is_share ? range->begin_share >= range->end_share : range->begin_ns >= range->end_ns))
    return prof_command_usage(diag, remedy, "%s=%s is empty: it ends before it begins", flag, text);
  return PROF_OK;
}
