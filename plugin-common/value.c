/* value.c - see value.h. */
#include "value.h"

const char prof_value_returned[] = "";

uint32_t prof_value_flags(enum prof_value_type type) {
  static const uint32_t flags[] = {
      [PROF_VALUE_OTHER] = 0,
      [PROF_VALUE_SIGNED] = 0,
      [PROF_VALUE_UNSIGNED] = PROF_ROW_UNSIGNED,
      [PROF_VALUE_BOOL] = PROF_ROW_UNSIGNED | PROF_SHOWN_BOOL << PROF_ROW_SHOWN_SHIFT,
      [PROF_VALUE_CHARACTER] = PROF_ROW_UNSIGNED | PROF_SHOWN_CHARACTER << PROF_ROW_SHOWN_SHIFT,
      [PROF_VALUE_FLOAT] = PROF_ROW_FLOAT | PROF_SHOWN_FLOAT << PROF_ROW_SHOWN_SHIFT,
      [PROF_VALUE_DOUBLE] = PROF_ROW_FLOAT,
      [PROF_VALUE_ADDRESS] = PROF_ROW_UNSIGNED | PROF_SHOWN_ADDRESS << PROF_ROW_SHOWN_SHIFT,
      [PROF_VALUE_TEXT] = PROF_ROW_UNSIGNED | PROF_SHOWN_TEXT << PROF_ROW_SHOWN_SHIFT,
  };
  return flags[type];
}
