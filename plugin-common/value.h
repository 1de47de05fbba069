/*
 * value.h - an argument or returned value of a function that the plugin's argument `values` names.
 *
 * The backend fills it from the compiler's own types.  Strings are borrowed.
 */
#ifndef PROF_PLUGIN_VALUE_H
#define PROF_PLUGIN_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "row.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_candidate_value {
  const char *name; /* in the source; of what is returned: prof_value_returned */
  uint32_t flags;   /* PROF_ROW_RETURNED, and prof_value_flags */
};

extern const char prof_value_returned[];

/* What a backend knows of a type. */
enum prof_value_type {
  PROF_VALUE_OTHER = 0, /* it has no value in one register: aggregates, long double, vectors, 128 bits */
  PROF_VALUE_SIGNED,
  PROF_VALUE_UNSIGNED,
  PROF_VALUE_BOOL,
  PROF_VALUE_CHARACTER, /* plain char */
  PROF_VALUE_FLOAT,
  PROF_VALUE_DOUBLE,
  PROF_VALUE_ADDRESS, /* pointers and references, */
  PROF_VALUE_TEXT,    /* but const char * */
};

/* FLOAT, UNSIGNED and enum prof_row_shown at its place, of a type that isn't OTHER. */
uint32_t prof_value_flags(enum prof_value_type type);

#ifdef __cplusplus
}
#endif

#endif
