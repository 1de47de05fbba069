/*
 * tools/fold/summary/counted.c - samples of hardware counters in a summary, and as the payload of PMU_SUMS.
 */
#include <string.h>

#include "base/order.h"
#include "fold/summary/rows.h"
#include "fold/summary/summary.h"

#define ROW_BYTES (sizeof(struct prof_summary_counted) + 16u) /* with its place in the look-up table */
#define MEMBERS 8
#define WHERES 5 /* enum prof_where */

bool prof_summary_add_counted(struct prof_summary *summary, struct prof_summary_counted row) {
  const struct prof_summary_counted *all = summary->counted.items;
  const uint64_t count = row.count, weight = row.weight;
  const uint32_t hash = prof_index_hash((uint64_t)row.node << 32 | row.counter, row.address + row.module);
  row.count = row.weight = 0;
  const uint32_t at =
      prof_index_meet(&summary->known_counted, &summary->counted, hash, i,
                      all[i].node == row.node && all[i].counter == row.counter && all[i].address == row.address &&
                          all[i].module == row.module && all[i].thread == row.thread && all[i].where == row.where,
                      row);
  if (at == UINT32_MAX)
    return false;
  summary->counted.items[at].count += count;
  summary->counted.items[at].weight += weight;
  return true;
}

uint64_t prof_summary_counted_bytes(const struct prof_summary *summary) {
  return summary->counted.count * ROW_BYTES;
}

static int by_weight(const void *left, const void *right) {
  const struct prof_summary_counted *a = left, *b = right;
  return prof_order(b->count, a->count) ?: prof_order(a->node, b->node) ?: prof_order(a->address, b->address);
}

bool prof_summary_prune_counted(struct prof_summary *summary, uint64_t bytes) {
  struct prof_summary rows = {0};
  const size_t most = bytes / 8 / ROW_BYTES;
  bool done = true;
  if (prof_summary_counted_bytes(summary) <= bytes / 4)
    return true;
  prof_vec_sort(&summary->counted, by_weight);
  for (size_t i = 0; i < summary->counted.count && done; i++) {
    struct prof_summary_counted row = summary->counted.items[i];
    row.address = i < most ? row.address : 0;
    done = prof_summary_add_counted(&rows, row);
  }
  if (!done) {
    prof_summary_fini(&rows);
    return false;
  }
  prof_vec_fini(&summary->counted);
  prof_index_fini(&summary->known_counted);
  memcpy(&summary->counted, &rows.counted, sizeof summary->counted);
  summary->known_counted = rows.known_counted;
  return true;
}

void prof_summary_write_counted(const struct prof_summary *summary, struct prof_payload *payload) {
  prof_payload_u32(payload, (uint32_t)summary->counted.count);
  for (size_t i = 0; i < summary->counted.count; i++) {
    const struct prof_summary_counted *row = &summary->counted.items[i];
    PROF_ROW_PUT(payload, row->node, row->thread, row->module, row->counter, row->where, row->address, row->count,
                 row->weight);
  }
}

prof_status prof_summary_read_counted(const uint8_t *bytes, size_t count, struct prof_summary *out) {
  struct prof_byte_reader reader = {bytes, bytes + count, false};
  uint64_t value[MEMBERS];
  for (uint32_t left = prof_rows_count(&reader, MEMBERS); left > 0 && !reader.bad; left--) {
    prof_rows_get(&reader, value, MEMBERS);
    const struct prof_summary_counted row = {.node = prof_rows_number(&reader, value[0], out->core.node_count),
                                             .thread = prof_rows_number(&reader, value[1], PROF_ROWS_ANY),
                                             .module = prof_rows_number(&reader, value[2], PROF_ROWS_ANY),
                                             .counter = prof_rows_number(&reader, value[3], PROF_ROWS_ANY),
                                             .where = (uint8_t)prof_rows_number(&reader, value[4], WHERES),
                                             .address = value[5],
                                             .count = value[6],
                                             .weight = value[7]};
    if (!reader.bad && !prof_vec_push(&out->counted, row))
      return PROF_NO_MEMORY;
  }
  return reader.bad ? PROF_CORRUPT : PROF_OK;
}
