/*
 * tools/view/units.h - numbers for people.  Each writes into `out` (PROF_UNITS_BYTES suffice) and returns it.
 */
#ifndef PROF_VIEW_UNITS_H
#define PROF_VIEW_UNITS_H

#include <stdint.h>

#define PROF_UNITS_BYTES 32

/* Three or more significant digits: "0 ns", "999 ns", "1.23 us", "45.6 ms", "789 s", "2h 05m". */
const char *prof_units_duration(char out[PROF_UNITS_BYTES], uint64_t ns);
/* "12,345,678": all digits, in groups. */
const char *prof_units_count(char out[PROF_UNITS_BYTES], uint64_t count);
/* "512 B", "1.5 KiB", "2.7 GiB". */
const char *prof_units_bytes(char out[PROF_UNITS_BYTES], uint64_t bytes);
/* A share from 0 to 1: "12.3%", "<0.1%", "0.0%". */
const char *prof_units_share(char out[PROF_UNITS_BYTES], double share);

/* A mean of counts: "0.5", "12.5", then whole: "1,235". */
const char *prof_units_mean(char out[PROF_UNITS_BYTES], double mean);
/* A duration that may be less than a nanosecond: "0.31 ns", "99.9 ns", then as prof_units_duration. */
const char *prof_units_part(char out[PROF_UNITS_BYTES], double ns);

/* A value with its unit, escaped: "1.50 MiB/s" of bytes/s, "0.85 cores", "7 items", "-1.25e+12". */
enum { PROF_UNITS_VALUE_BYTES = 64 };
const char *prof_units_value(char out[PROF_UNITS_VALUE_BYTES], double value, const char *unit);

#endif
