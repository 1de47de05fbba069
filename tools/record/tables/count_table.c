/*
 * tools/record/tables/count_table.c - see count_table.h.
 */
#include "record/tables/count_table.h"

#include <string.h>

#include "times.h"

#define GROWTH_BYTES 4096u
#define CHUNK_BYTES 128u /* of a chunk besides its objects, and possible growth by packing */

void prof_count_table_add(struct prof_count_table *table, const struct prof_log_counts *record, const uint8_t *objects,
                          size_t bytes) {
  if (record->bytes < bytes)
    bytes = (size_t)record->bytes;
  struct prof_count_entry entry = {record->process, record->first_site, objects, bytes, 0};
  (void)prof_vec_push(&table->entries, entry);
}

static void write_entry(struct prof_count_entry *entry, prof_writer *writer) {
  uint64_t before = prof_writer_bytes(writer);
  (void)prof_writer_counts(writer, &(struct prof_counts_record){
                                       .process = entry->process,
                                       .first_site = entry->first_site,
                                       .objects = {(const char *)entry->objects, entry->bytes},
                                   });
  entry->packed = prof_writer_bytes(writer) - before;
}

void prof_count_table_write(struct prof_count_table *table, prof_writer *writer) {
  for (size_t i = 0; i < table->entries.count; i++)
    write_entry(&table->entries.items[i], writer);
}

void prof_count_table_try(struct prof_count_table *table, prof_writer *writer) {
  for (size_t i = 0; i < table->entries.count; i++)
    if (table->entries.items[i].packed == 0)
      write_entry(&table->entries.items[i], writer);
}

/* Growing counters pack worse. */
static uint64_t most_of(const struct prof_count_entry *entry) {
  uint64_t plain = entry->bytes + CHUNK_BYTES, again = 2 * entry->packed + GROWTH_BYTES;
  return entry->packed > 0 && again < plain ? again : plain;
}

uint64_t prof_count_table_bytes(const struct prof_count_table *table) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < table->entries.count; i++)
    bytes += most_of(&table->entries.items[i]);
  return bytes;
}

uint32_t prof_count_table_line_cost(const struct prof_count_table *table) {
  for (size_t i = 0; i < table->entries.count; i++) {
    struct prof_times_object head;
    if (table->entries.items[i].bytes < sizeof head)
      continue;
    memcpy(&head, table->entries.items[i].objects, sizeof head);
    if (head.magic == PROF_TIMES_MAGIC)
      return head.cost_ticks_x1000;
  }
  return 0;
}

void prof_count_table_fini(struct prof_count_table *table) {
  prof_vec_fini(&table->entries);
}
