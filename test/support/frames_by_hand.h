/*
 * frames_by_hand.h - .eh_frame and .debug_frame written record by record, for the tests of source/unwind.
 */
#ifndef PROF_TEST_FRAMES_BY_HAND_H
#define PROF_TEST_FRAMES_BY_HAND_H

#include <string.h>

#include "source/unwind/frame_table.h"

#define HAND_ADDRESS UINT64_C(0x5000) /* of the section */

struct hand {
  uint8_t bytes[2048];
  size_t size, record, cie;
  bool is_debug;
};

static inline void hand_put(struct hand *hand, const void *bytes, size_t count) {
  if (count > 0)
    memcpy(hand->bytes + hand->size, bytes, count);
  hand->size += count;
}

static inline void hand_number(struct hand *hand, uint64_t value, size_t width) {
  hand_put(hand, &value, width);
}

static inline void hand_begin(struct hand *hand) {
  hand->record = hand->size;
  hand_number(hand, 0, 4);
}

static inline void hand_end(struct hand *hand) {
  while ((hand->size - hand->record) % 8 != 0)
    hand_number(hand, 0, 1);
  uint32_t length = (uint32_t)(hand->size - hand->record - 4);
  memcpy(hand->bytes + hand->record, &length, sizeof length);
}

/* CFA = rsp + 8, the return address lies below; code counts by 1, data by -8.  Pointers: 4 bytes from their own place,
 * in .debug_frame 8 bytes. */
static inline void hand_cie(struct hand *hand, uint8_t version, const char *letters) {
  static const uint8_t data[] = {0x1b}, program[] = {0x0c, 7, 8, 0x90, 1};
  hand->cie = hand->size;
  hand_begin(hand);
  hand_number(hand, hand->is_debug ? UINT32_MAX : 0, 4);
  hand_number(hand, version, 1);
  hand_put(hand, letters, strlen(letters) + 1);
  hand_number(hand, 1 | 0x78 << 8 | PROF_FRAME_PC << 16, 3);
  if (letters[0] == 'z') {
    hand_number(hand, sizeof data, 1);
    hand_put(hand, data, sizeof data);
  }
  hand_put(hand, program, sizeof program);
  hand_end(hand);
}

static inline void hand_fde(struct hand *hand, uint64_t low, uint32_t length, const void *program, size_t bytes) {
  hand_begin(hand);
  if (hand->is_debug) {
    hand_number(hand, hand->cie, 4);
    hand_number(hand, low, 8);
    hand_number(hand, length, 8);
  } else {
    hand_number(hand, hand->size - hand->cie, 4);
    hand_number(hand, low - (HAND_ADDRESS + hand->size), 4);
    hand_number(hand, length, 4);
    hand_number(hand, 0, 1);
  }
  hand_put(hand, program, bytes);
  hand_end(hand);
}
#define HAND_FDE(hand, low, length, ...)                                                                               \
  hand_fde(hand, low, length, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static inline struct prof_frame_section hand_section(const struct hand *hand) {
  return (struct prof_frame_section){hand->bytes, hand->size, HAND_ADDRESS, hand->is_debug};
}

#endif
