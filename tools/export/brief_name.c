/*
 * tools/export/brief_name.c - see brief_name.h.
 */
#include "brief_name.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "names/short.h"

#define NUMBER_BYTES 16

void prof_brief_name(char *out, size_t most, char *name, uint32_t number, bool apart) {
  char end[NUMBER_BYTES] = "";
  prof_name_shorten(name);
  size_t left = strlen(name), used = 0;
  if (left > most || apart)
    snprintf(end, sizeof end, "~%u", number);
  const size_t room = most - strlen(end);
  while (left) {
    size_t bytes = prof_text_character(name, left);
    const char *from = name;
    if (!bytes || !prof_text_is_plain(name, bytes) || *name == '"' || *name == '\\')
      from = "_";
    size_t taken = bytes ? bytes : 1, written = from == name ? taken : 1;
    if (used + written > room)
      break;
    memcpy(out + used, from, written);
    used += written;
    name += taken;
    left -= taken;
  }
  snprintf(out + used, most + 1 - used, "%s", end);
}
