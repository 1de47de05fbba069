/*
 * tools/record/sampling/sampling_pmu.c - see sampling_pmu.h.
 */
#include "record/sampling/sampling_pmu.h"

#include <stdlib.h>

#include "base/order.h"

#define FULL_RECORDS 16384u /* in one chunk */

static uint32_t count_of(const struct prof_sampling *sampling) {
  return sampling->perf.counters.set != NULL ? sampling->perf.counters.set->count : 0;
}

void prof_sampling_read_pmus(struct prof_sampling *sampling) {
  if (count_of(sampling) > 0)
    prof_perf_counters_read(&sampling->perf.counters, sampling->pmus);
}

void prof_sampling_write_pmus(struct prof_sampling *sampling) {
  uint32_t count = count_of(sampling);
  if (count == 0)
    return;
  if (sampling->perf.counters.events.count > 0 || sampling->pmus[0].number == 0)
    prof_sampling_read_pmus(sampling);
  (void)prof_writer_pmus(sampling->writer, sampling->pmus, count); /* the writer keeps the error */
}

static int by_counter_and_time(const void *left, const void *right) {
  const struct prof_sampling_counted *a = left, *b = right;
  return prof_order(a->counter, b->counter) ?: prof_order(a->record.time, b->record.time);
}

static bool is_recorded(const struct prof_sampling *sampling, uint32_t process,
                        const struct prof_sampling_counted *counted) {
  return prof_slices_have(sampling->slices, process, counted->record.time);
}

void prof_sampling_write_counted(struct prof_sampling *sampling, struct prof_sampling_strand *strand) {
  const struct prof_sampling_counted *items = strand->counted.items;
  uint32_t process = sampling->images.items[strand->image].process;
  PROF_VEC(struct prof_pmu_record) chunk = {0};
  size_t count = process != 0 ? strand->counted.count : 0;
  if (count > 0)
    qsort(strand->counted.items, count, sizeof *items, by_counter_and_time);
  for (size_t at = 0; at < count; at++) {
    if (is_recorded(sampling, process, &items[at]))
      (void)prof_vec_push(&chunk, items[at].record); /* without memory it is left out */
    bool last = at + 1 == count || items[at + 1].counter != items[at].counter;
    if (chunk.count == 0 || (!last && chunk.count < FULL_RECORDS))
      continue;
    const struct prof_pmu_samples_record record = {.thread = strand->thread,
                                                   .process = process,
                                                   .tid = strand->tid,
                                                   .pmu = items[at].counter + 1,
                                                   .records = chunk.items,
                                                   .count = (uint32_t)chunk.count};
    (void)prof_writer_pmu_samples(sampling->writer, &record);
    chunk.count = 0;
  }
  prof_vec_fini(&chunk);
  strand->counted.count = 0;
}
