/*
 * test/fuzz/fuzz_frames.c - any bytes as .eh_frame, with and without a sorted table, and as .debug_frame: stacks are
 * unwound by it from the addresses that its records name, with registers and stacks that lead back to them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "source/unwind/unwind.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "fuzz_frames: not so: %s (line %d)\n", #condition, __LINE__);                                    \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { WORDS = 64, STACK = 0x10000, SECTION = 0x500000, HEADER = 0x400000, RECORDS = 64, STEPS = 8 };

struct header {
  uint8_t head[4];
  uint32_t count, rows[RECORDS][2];
};

static uint64_t lows[RECORDS];
static uint32_t low_count, frame_count;

static void find(void *context, uint64_t address, struct prof_unwind_place *out) {
  *out = (struct prof_unwind_place){.table = context};
  if (address % 64 == 63)
    *out = (struct prof_unwind_place){.sled = address - 9, .pushed_bytes = (uint32_t)(address >> 6) % 256};
}

/* Where records begin; as the sorted table of a header too. */
static void records_read(const struct prof_frame_section *section, struct header *header) {
  struct prof_frame_record record = {0};
  size_t offset = 0, begin = 0;
  bool is_record;
  low_count = header->count = 0;
  for (; low_count < RECORDS && prof_frame_record_next(section, &offset, &is_record, &record); begin = offset)
    if (is_record) {
      INSIST(offset <= section->size && record.program.end <= section->bytes + section->size);
      header->rows[header->count][0] = (uint32_t)(record.low - HEADER);
      header->rows[header->count++][1] = (uint32_t)(SECTION + begin - HEADER);
      lows[low_count++] = record.low;
    }
}

static void unwind(struct prof_frame_table *table, uint64_t pc, uint64_t seed) {
  static struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];
  uint64_t *stack = malloc(WORDS * sizeof *stack); /* so that a sanitizer sees a read beyond it */
  if (stack == NULL)
    return;
  struct prof_unwind_sample sample = {.stack = (const uint8_t *)stack, .stack_bytes = WORDS * sizeof *stack - seed % 3};
  for (uint64_t i = 0; i < WORDS + PROF_FRAME_REGISTERS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t some = seed >> 40,
             value = seed >> 61 > 1 ? lows[some % low_count] + some % 16 : STACK + some % (WORDS * 8);
    *(i < WORDS ? &stack[i] : &sample.registers[i - WORDS]) = value;
  }
  sample.registers[PROF_FRAME_RSP] = STACK;
  sample.registers[PROF_FRAME_PC] = pc;
  uint32_t count = 0;
  enum prof_unwind_end end = prof_unwind(&sample, find, table, frames, &count);
  INSIST(end <= PROF_UNWIND_DAMAGED && count > 0 && count <= PROF_UNWIND_FRAMES_MAX);
  frame_count = count > frame_count ? count : frame_count;
  free(stack);
}

static void touch(const struct prof_frame_sections *sections) {
  struct prof_frame_table *table = prof_frame_table_new(sections);
  for (uint32_t i = 0; table != NULL && i < low_count; i++)
    for (uint64_t step = 0; step < STEPS; step++)
      unwind(table, lows[i] + step * step, i + step);
  prof_frame_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static bool is_whole; /* the first input is: the harness must look where rules are */
  struct prof_frame_section section = {data, bytes, SECTION, false};
  static struct header header = {.head = {1, 0xff, 3, 0x3b}};
  records_read(&section, &header);
  struct prof_frame_sections sections = {.eh_frame = section};
  touch(&sections);
  sections.eh_frame_hdr =
      (struct prof_frame_section){header.head, 8 + header.count * sizeof *header.rows, HEADER, false};
  touch(&sections);
  section.is_debug = true;
  records_read(&section, &header);
  touch(&(struct prof_frame_sections){.debug_frame = section});
#ifdef FUZZ_CORPUS_FIRST
  INSIST(is_whole || frame_count > 3);
#endif
  is_whole = true;
  return 0;
}
