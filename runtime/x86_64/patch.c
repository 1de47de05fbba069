/*
 * x86_64/patch.c - the bytes of a sled: a 5-byte nop, or a jump to its trampoline.
 *
 * Uses no libc, for bounds.c.
 */
#include "arch.h"

static const uint8_t plain[PROF_SLED_BYTES] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

bool prof_sled_is_plain(const uint8_t *sled) {
  return ((uintptr_t)sled & 7) + PROF_SLED_BYTES <= 8 && __builtin_memcmp(sled, plain, PROF_SLED_BYTES) == 0;
}

bool prof_sled_is_ours(const uint8_t *sled, const uint8_t *target) {
  uint8_t jump[PROF_SLED_BYTES];
  prof_sled_encode(jump, sled, target);
  return __builtin_memcmp(sled, plain, PROF_SLED_BYTES) == 0 || __builtin_memcmp(sled, jump, PROF_SLED_BYTES) == 0;
}

void prof_sled_encode(uint8_t *image, const uint8_t *sled, const uint8_t *target) {
  if (!target) {
    __builtin_memcpy(image, plain, PROF_SLED_BYTES);
    return;
  }
  int32_t distance = (int32_t)(target - (sled + PROF_SLED_BYTES));
  image[0] = 0xe9;
  __builtin_memcpy(image + 1, &distance, sizeof distance);
}
