/*
 * tools/base/text.c - see text.h.
 *
 * Source: The Unicode Standard 15, table 3-7 (well-formed UTF-8 byte sequences); UAX #9 for the bidirectional controls.
 */
#include "text.h"

#include <stdint.h>
#include <string.h>

static uint32_t code_point(const uint8_t *in, size_t bytes) {
  static const uint8_t masks[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t value = in[0] & masks[bytes];
  for (size_t i = 1; i < bytes; i++)
    value = value << 6 | (in[i] & 0x3f);
  return value;
}

size_t prof_text_character(const char *in, size_t in_bytes) {
  const uint8_t *bytes = (const uint8_t *)in;
  if (!in_bytes)
    return 0;
  uint8_t first = bytes[0];
  size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (!length || length > in_bytes)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
  uint32_t value = code_point(bytes, length);
  int overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  int surrogate = value >= 0xd800 && value <= 0xdfff;
  return overlong || surrogate || value > 0x10ffff ? 0 : length;
}

int prof_text_is_plain(const char *in, size_t character_bytes) {
  uint32_t value = code_point((const uint8_t *)in, character_bytes);
  int control = value < 0x20 || (value >= 0x7f && value < 0xa0);
  int turns = value == 0x061c || value == 0x200e || value == 0x200f || (value >= 0x2028 && value <= 0x202e) ||
              (value >= 0x2066 && value <= 0x2069);
  return !control && !turns;
}

size_t prof_text_escape(char *out, size_t out_bytes, const char *in, size_t in_bytes) {
  static const char digits[] = "0123456789abcdef";
  size_t written = 0;
  while (in_bytes) {
    size_t length = prof_text_character(in, in_bytes);
    int plain = length && prof_text_is_plain(in, length);
    if (!length)
      length = 1;
    size_t need = plain ? length : 4 * length;
    if (need > out_bytes - 1 - written)
      break;
    if (plain)
      memcpy(out + written, in, length);
    for (size_t i = 0; !plain && i < length; i++) {
      char *to = out + written + 4 * i;
      to[0] = '\\';
      to[1] = 'x';
      to[2] = digits[(uint8_t)in[i] >> 4];
      to[3] = digits[(uint8_t)in[i] & 15];
    }
    written += need;
    in += length;
    in_bytes -= length;
  }
  out[written] = 0;
  return written;
}
