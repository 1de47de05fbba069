/*
 * tools/trace/write/delta_columns.h - the times of a chunk as bytes: table, codes, lengths and deltas of the spec.
 *
 * Job: writes these four columns.  In: the deltas of a chunk.  Owner: one object per packing thread, 80 KiB.
 *
 * Programs repeat a few durations, and many clocks move in steps: of 131,072 deltas usually nearly all (98.9% to
 * 100% on lua, zstd and SQLite) are among the 255 most frequent ones.  A byte each packs better than bytes of numbers
 * do (docs/decisions/delta-table.md).
 */
#ifndef PROF_TRACE_DELTA_COLUMNS_H
#define PROF_TRACE_DELTA_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/format.h"

struct prof_delta_columns;

struct prof_delta_columns *prof_delta_columns_new(void);   /* NULL: no memory */
void prof_delta_columns_free(struct prof_delta_columns *); /* NULL: nothing */

/* Bytes that the four columns take at most. */
size_t prof_delta_columns_bound(uint32_t count);

/* Writes the columns at `out`, their sizes into head (table_bytes, length_bytes, delta_bytes); returns the byte behind.
 */
uint8_t *prof_delta_columns_write(struct prof_delta_columns *, const uint32_t *deltas, uint32_t count, uint8_t *out,
                                  struct prof_format_events *head);

#endif
