/*
 * counts_move.c - moves the counters of a module with lines=count into the shared region (wire/counts.h).
 *
 * In: the rows of kind PROF_PROBE_COUNTS.  Out: a COUNTS record in the log that holds the counters from now on.  Runs
 * at attach, under the lock.  Counts of other threads between the copy and the switch are lost.
 */
#include <string.h>

#include "control_map.h"
#include "counts.h"
#include "counts_move.h"
#include "log.h"
#include "state.h"

/* Reserves `bytes` in the log; NULL: no room. */
static char *log_take(uint64_t bytes) {
  struct prof_control *control = prof_runtime.control;
  uint64_t tail = __atomic_load_n(&control->log_tail, __ATOMIC_RELAXED);
  do { /* not past the end, so that smaller records still fit */
    if (tail > control->log_bytes || bytes > control->log_bytes - tail)
      return NULL;
  } while (
      !__atomic_compare_exchange_n(&control->log_tail, &tail, tail + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return prof_runtime.log + tail;
}

struct prof_log_counts *prof_counts_record_new(const struct prof_attached_module *module, uint64_t bytes) {
  uint64_t whole = sizeof(struct prof_log_counts) + ((bytes + 7) & ~(uint64_t)7);
  struct prof_log_counts *record = whole <= UINT32_MAX ? (struct prof_log_counts *)log_take(whole) : NULL;
  if (!record)
    return NULL;
  __atomic_store_n(&record->head.bytes, (uint32_t)whole, __ATOMIC_RELEASE);
  record->process = prof_runtime.process;
  record->first_site = module->first_site;
  record->bytes = bytes;
  return record;
}

void prof_counts_record_publish(struct prof_log_counts *record) {
  __atomic_store_n(&record->head.kind, PROF_LOG_COUNTS, __ATOMIC_RELEASE);
  prof_bell_ring();
}

static void counts_move(struct prof_counts_switch *at, const struct prof_attached_module *module) {
  uint64_t bytes = (uint64_t)(at->end - at->begin) & ~(uint64_t)7;
  struct prof_log_counts *record = prof_counts_record_new(module, bytes);
  if (!record) {
    prof_log_error("lines of a module are not counted: it has too many counters for a recording");
    return;
  }
  char *to = (char *)(record + 1);
  if (!prof_runtime.standby) /* else they are of the time before the recording */
    memcpy(to, at->begin, bytes);
  __atomic_store_n(&at->shift, (uint64_t)(to - at->begin), __ATOMIC_RELEASE);
  prof_counts_record_publish(record);
}

/* NULL: the row is no switch of counters. */
static struct prof_counts_switch *switch_of(const struct prof_attached_module *module, const struct prof_row *row) {
  struct prof_counts_switch *at = (struct prof_counts_switch *)(uintptr_t)prof_row_sled(row);
  bool inside = (uint8_t *)at >= module->begin && (uint8_t *)(at + 1) <= module->end;
  return (row->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_COUNTS && inside ? at : NULL;
}

void prof_counts_attach(const struct prof_attached_module *module) {
  for (size_t i = 0; i < module->row_count; i++) {
    struct prof_counts_switch *at = switch_of(module, &module->rows[i]);
    if (at && !at->shift && at->begin < at->end)
      counts_move(at, module);
  }
}

void prof_counts_detach(const struct prof_attached_module *module) {
  for (size_t i = 0; i < module->row_count; i++) {
    struct prof_counts_switch *at = switch_of(module, &module->rows[i]);
    if (at)
      __atomic_store_n(&at->shift, 0, __ATOMIC_RELEASE);
  }
}
