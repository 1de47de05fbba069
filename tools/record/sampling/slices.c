/*
 * tools/record/sampling/slices.c - see slices.h.
 */
#include "record/sampling/slices.h"
#include "base/order.h"
#include "record/tables/process_table.h"

static struct prof_process_slices *find(const struct prof_slices *slices, uint32_t process) {
  for (size_t i = slices->processes.count; i > 0; i--)
    if (slices->processes.items[i - 1].process == process)
      return &slices->processes.items[i - 1];
  return NULL;
}

static struct prof_process_slices *add(struct prof_slices *slices, uint32_t process) {
  struct prof_process_slices entry = {.process = process};
  return prof_vec_push(&slices->processes, entry) ? &slices->processes.items[slices->processes.count - 1] : NULL;
}

void prof_slices_process(struct prof_slices *slices, uint32_t process) {
  if ((slices->bounded || slices->off) && find(slices, process) == NULL)
    (void)add(slices, process);
}

void prof_slices_take(struct prof_slices *slices, const struct prof_log_slice *record) {
  struct prof_process_slices *entry = find(slices, record->process);
  bool known = entry != NULL;
  if (!known && (entry = add(slices, record->process)) == NULL)
    return;
  if (record->on && !entry->is_open) {
    struct prof_slice_record slice = {.begin = record->time};
    entry->is_open = prof_vec_push(&entry->items, slice);
  } else if (!record->on && entry->is_open) {
    entry->items.items[entry->items.count - 1].end = record->time;
    entry->is_open = false;
  } else if (!record->on && entry->items.count == 0 && !known) { /* it had no bounds until now */
    struct prof_slice_record slice = {.end = record->time};
    (void)prof_vec_push(&entry->items, slice);
  }
}

void prof_slices_switch(struct prof_slices *slices, const struct prof_processes *processes, uint64_t time, bool on) {
  slices->off = !on;
  for (size_t i = 0; i < processes->entries.count; i++) {
    const struct prof_process_entry *entry = &processes->entries.items[i];
    const struct prof_log_slice record = {.process = entry->number, .on = on, .time = time};
    if (!entry->gone && entry->number != 0)
      prof_slices_take(slices, &record);
  }
}

bool prof_slices_have(const struct prof_slices *slices, uint32_t process, uint64_t time) {
  const struct prof_process_slices *entry = find(slices, process);
  if (entry == NULL)
    return !slices->bounded;
  /* slices before low begin at or before time */
  size_t low = prof_search(0, entry->items.count, middle, entry->items.items[middle].begin <= time);
  return low > 0 && (entry->items.items[low - 1].end == 0 || time <= entry->items.items[low - 1].end);
}

void prof_slices_write(struct prof_slices *slices, prof_writer *writer, bool last) {
  for (size_t i = 0; i < slices->processes.count; i++) {
    struct prof_process_slices *entry = &slices->processes.items[i];
    size_t ready = entry->items.count - (entry->is_open && !last);
    if (ready > entry->written || (last && ready == 0))
      (void)prof_writer_slices(writer, entry->process, entry->items.items + entry->written,
                               (uint32_t)(ready - entry->written));
    entry->written = ready;
  }
}

uint64_t prof_slices_waiting_bytes(const struct prof_slices *slices) {
  enum { CHUNK_BYTES = 80 };
  uint64_t bytes = 0;
  for (size_t i = 0; i < slices->processes.count; i++) {
    const struct prof_process_slices *entry = &slices->processes.items[i];
    bytes += CHUNK_BYTES + (entry->items.count - entry->written) * sizeof(struct prof_slice_record);
  }
  return bytes;
}

uint64_t prof_slices_count(const struct prof_slices *slices) {
  uint64_t count = 0;
  for (size_t i = 0; i < slices->processes.count; i++)
    count += slices->processes.items[i].items.count;
  return count;
}

void prof_slices_fini(struct prof_slices *slices) {
  for (size_t i = 0; i < slices->processes.count; i++)
    prof_vec_fini(&slices->processes.items[i].items);
  prof_vec_fini(&slices->processes);
}
