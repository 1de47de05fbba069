/*
 * tools/trace/write/delta_columns.h - writes the times of a chunk: the spec's columns table, codes, lengths and deltas.
 *
 * In: the deltas of a chunk.  Owner: one object per packing thread, 80 KiB.
 *
 * Programs repeat a few durations, and many clocks have coarse steps: of 131,072 deltas usually nearly all (98.9% to
 * 100% on lua, zstd and SQLite) are among the 255 most frequent ones.  A byte for each packs better than the bytes of
 * the numbers (docs/decisions/delta-table.md).
 */
#ifndef PROF_TRACE_DELTA_COLUMNS_H
#define PROF_TRACE_DELTA_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/format.h"

struct prof_delta_columns;

struct prof_delta_columns *prof_delta_columns_new(void);   /* NULL: no memory */
void prof_delta_columns_free(struct prof_delta_columns *); /* NULL: no effect */

/* Maximum size of the four columns. */
size_t prof_delta_columns_bound(uint32_t count);

/* Writes the columns at `out`, and their sizes into head (table_bytes, length_bytes, delta_bytes); returns the end. */
uint8_t *prof_delta_columns_write(struct prof_delta_columns *, const uint32_t *deltas, uint32_t count, uint8_t *out,
                                  struct prof_format_events *head);

/* The same, for who reads them once: without a table, in larger columns. */
uint8_t *prof_delta_columns_write_quickly(const uint32_t *deltas, uint32_t count, uint8_t *out,
                                          struct prof_format_events *head);

#endif
