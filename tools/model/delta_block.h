/*
 * tools/model/delta_block.h - the delta column of a chunk, many at a time.
 *
 * Job: 2-bit lengths and 1 to 4 bytes per delta -> running sums, PROF_DELTA_BLOCK events per call.  Four deltas are
 * moved to their places by one byte shuffle where the processor has it (D. Lemire, N. Kurz, C. Rupp, "Stream VByte",
 * 2018); else one after another.  Same results.
 */
#ifndef PROF_MODEL_DELTA_BLOCK_H
#define PROF_MODEL_DELTA_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define PROF_DELTA_BLOCK 256

struct prof_delta_tables {  /* by the byte that holds four lengths */
  uint8_t shuffle[256][16]; /* where each byte of the four deltas comes from; 0x80: it is zero */
  uint8_t bytes[256];       /* of the four together */
  bool shuffles;            /* the processor can */
};

struct prof_delta_position {
  const uint8_t *lengths, *deltas;
  uint64_t time; /* of the event before */
};

void prof_delta_tables_init(struct prof_delta_tables *);

/* times[0..count): position->time plus the deltas so far.  count <= PROF_DELTA_BLOCK, a multiple of 4 but at the end.
 */
void prof_delta_block(const struct prof_delta_tables *, struct prof_delta_position *, uint32_t count, uint64_t *times);

#endif
