/*
 * tools/record/pump/budget.c - see budget.h.
 */
#include "record/pump/budget.h"

#define LAST_BYTES 4096u /* of the file, for its END chunk */

/* Counts threads that hold more than their current segment. */
static uint32_t count_busy(const struct prof_pump *pump) {
  const struct prof_region *region = pump->options.region;
  uint32_t used = prof_region_records_used(region), busy = 0;
  for (uint32_t i = 0; i < used; i++) {
    const struct prof_thread *record = &region->threads[i];
    busy +=
        pump->channels[i].number != 0 &&
        __atomic_load_n(&record->taken, __ATOMIC_RELAXED) - __atomic_load_n(&record->released, __ATOMIC_RELAXED) > 1;
  }
  return busy;
}

/* Chooses the used part of segments so that all segments ever given to threads fit into the buffer; a quarter is left
 * for those whose larger part was used before. */
static void use_parts(struct prof_region *region) {
  uint64_t out = __atomic_load_n(&region->control->fresh_segments, __ATOMIC_RELAXED);
  uint32_t part = region->part_bytes;
  if (out > region->segment_count)
    out = region->segment_count;
  while (part > region->least_part_bytes && out * part > region->buffer_bytes / 4 * 3)
    part /= 2;
  if (part < region->part_bytes && region->part_bytes == PROF_REGION_SEGMENT_BYTES && part > region->least_part_bytes)
    part /= 2; /* for further threads */
  if (part < region->part_bytes)
    prof_region_use_part(region, part);
}

void prof_budget_share(struct prof_pump *pump) {
  struct prof_region *region = pump->options.region;
  use_parts(region);
  uint32_t busy = count_busy(pump);
  uint64_t most = (uint64_t)region->thread_segments * (PROF_REGION_SEGMENT_BYTES / region->part_bytes);
  uint64_t cap = busy > 0 ? region->buffer_bytes / region->part_bytes / busy : most;
  cap = cap > most ? most : cap;
  __atomic_store_n(&region->control->thread_segments, cap < 2 ? 2 : (uint32_t)cap, __ATOMIC_RELAXED);
  pump->shared_threads = pump->result.threads;
}

static void note(struct prof_pump *pump, struct prof_channel *channel) {
  uint64_t bytes = prof_matcher_memory_bytes(channel->matcher);
  pump->encoder_bytes += bytes - channel->encoder_bytes;
  channel->encoder_bytes = bytes;
}

void prof_budget_note(struct prof_pump *pump, uint32_t index) {
  struct prof_channel *channel = &pump->channels[index];
  uint64_t buffer = pump->options.region->buffer_bytes;
  if (channel->number == 0)
    return;
  note(pump, channel);
  if (pump->encoder_bytes <= buffer || channel->encoder_bytes <= buffer / pump->open_channels)
    return;
  (void)prof_encoder_release(channel->encoder); /* the writer keeps the error */
  note(pump, channel);
}

void prof_budget_last_records(struct prof_pump *pump) {
  prof_writer_reserve(pump->options.writer, LAST_BYTES + (uint64_t)pump->open_channels * PROF_CHANNEL_THREAD_BYTES);
}

void prof_budget_opened(struct prof_pump *pump, uint32_t index) {
  pump->open_channels++;
  prof_budget_last_records(pump);
  note(pump, &pump->channels[index]);
}

void prof_budget_closing(struct prof_pump *pump, uint32_t index) {
  pump->open_channels--;
  pump->encoder_bytes -= pump->channels[index].encoder_bytes;
}
