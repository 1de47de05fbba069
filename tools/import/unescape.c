/*
 * tools/import/unescape.c - see unescape.h.
 */
#include "import/unescape.h"

#include "import/weight_text.h"

static int hex_value(char c) {
  return prof_is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

void prof_unescape(char *name) {
  char *to = name;
  for (const char *at = name; *at; at++) {
    int byte = at[0] == '\\' && at[1] == 'x' && prof_is_hex(at[2]) && prof_is_hex(at[3])
                   ? hex_value(at[2]) * 16 + hex_value(at[3])
                   : 0;
    if ((byte > 0 && byte < 0x20) || byte >= 0x7f) {
      *to++ = (char)byte;
      at += 3;
    } else {
      *to++ = *at;
    }
  }
  *to = 0;
}
