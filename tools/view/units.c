/*
 * tools/view/units.c - numbers for people.
 */
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* value / unit with three significant digits; false if rounding gives 1000 of this unit. */
static int three_digits(char out[PROF_UNITS_BYTES], double value, const char *unit) {
  int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  if (value >= 999.5)
    return 0;
  snprintf(out, PROF_UNITS_BYTES, "%.*f%s", decimals, value, unit);
  return 1;
}

const char *prof_units_duration(char out[PROF_UNITS_BYTES], uint64_t ns) {
  if (ns < 1000)
    snprintf(out, PROF_UNITS_BYTES, "%" PRIu64 " ns", ns);
  else if (three_digits(out, (double)ns / 1e3, " us") || three_digits(out, (double)ns / 1e6, " ms") ||
           three_digits(out, (double)ns / 1e9, " s"))
    ;
  else {
    uint64_t minutes = ns / 60000000000u + (ns % 60000000000u >= 30000000000u);
    snprintf(out, PROF_UNITS_BYTES, "%" PRIu64 "h %02um", minutes / 60, (unsigned)(minutes % 60));
  }
  return out;
}

const char *prof_units_count(char out[PROF_UNITS_BYTES], uint64_t count) {
  char digits[24];
  size_t n = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, count), used = 0;
  for (size_t i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0)
      out[used++] = ',';
    out[used++] = digits[i];
  }
  out[used] = 0;
  return out;
}

const char *prof_units_bytes(char out[PROF_UNITS_BYTES], uint64_t bytes) {
  static const char *const units[] = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  if (bytes < 1024) {
    snprintf(out, PROF_UNITS_BYTES, "%" PRIu64 " B", bytes);
    return out;
  }
  double value = (double)bytes / 1024;
  size_t i = 0;
  for (; value >= 999.5 && i + 1 < sizeof units / sizeof *units; i++)
    value /= 1024;
  three_digits(out, value, units[i]);
  return out;
}

const char *prof_units_share(char out[PROF_UNITS_BYTES], double share) {
  double percent = share * 100;
  if (percent > 0 && percent < 0.05)
    snprintf(out, PROF_UNITS_BYTES, "<0.1%%");
  else
    snprintf(out, PROF_UNITS_BYTES, "%.1f%%", percent);
  return out;
}

const char *prof_units_mean(char out[PROF_UNITS_BYTES], double mean) {
  if (mean >= 999.95)
    return prof_units_count(out, mean < 1.8e19 ? (uint64_t)(mean + 0.5) : UINT64_MAX);
  snprintf(out, PROF_UNITS_BYTES, "%.1f", mean);
  return out;
}

const char *prof_units_part(char out[PROF_UNITS_BYTES], double ns) {
  if (ns >= 99.95)
    return prof_units_duration(out, ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX);
  snprintf(out, PROF_UNITS_BYTES, ns >= 9.995 ? "%.1f ns" : "%.2f ns", ns);
  return out;
}

/* Below 10^15 whole numbers are exact, and those with a fraction have at most four digits behind it. */
static void plain_number(char out[PROF_UNITS_BYTES], double value) {
  const double size = fabs(value);
  if (size < 1e15 && value == trunc(value))
    snprintf(out, PROF_UNITS_BYTES, "%.0f", value);
  else if (size >= 1e-2 && size < 1e6)
    snprintf(out, PROF_UNITS_BYTES, "%.*f", size < 10 ? 2 : 1, value);
  else
    snprintf(out, PROF_UNITS_BYTES, "%.3g", value);
}

const char *prof_units_value(char out[PROF_UNITS_VALUE_BYTES], double value, const char *unit) {
  char number[PROF_UNITS_BYTES], shown[PROF_UNITS_BYTES - 4];
  const size_t bytes = strlen("bytes"), whole = strncmp(unit, "bytes", bytes) == 0 && value >= 0 && value < 1e18;
  const char *left = whole ? unit + bytes : unit;
  prof_text_escape(shown, sizeof shown, left, strlen(left));
  if (whole)
    prof_units_bytes(number, (uint64_t)(value + 0.5));
  else
    plain_number(number, value);
  snprintf(out, PROF_UNITS_VALUE_BYTES, "%s%s%s", number, shown[0] && !whole ? " " : "", shown);
  return out;
}
