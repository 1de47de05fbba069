/*
 * tools/record/size_limit.c - see size_limit.h.
 */
#include "record/size_limit.h"

#define CLOSING_BYTES 16384u /* of the last records */
#define THREAD_BYTES 1024u   /* of a thread's last record and the head of its last chunk */
#define UNSEEN_EVENTS (PROF_SIZE_LIMIT_RING + PROF_SIZE_LIMIT_LOOK) /* may come in before it is asked again */

static uint32_t records_used(const struct prof_region *region) {
  uint32_t used = __atomic_load_n(&region->control->threads_used, __ATOMIC_ACQUIRE);
  return used < region->thread_count ? used : region->thread_count;
}

static uint64_t waiting_events(const struct prof_pump *pump) {
  uint64_t waiting = 0;
  for (uint32_t i = 0; i < records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      waiting += prof_encoder_waiting(pump->channels[i].encoder);
  return waiting;
}

static uint64_t thread_bytes(const struct prof_pump *pump) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      bytes += THREAD_BYTES + pump->channels[i].samples.count * PROF_SAMPLE_BYTES;
  return bytes;
}

/* Last records, and a chunk for each thread, packed about as well as before. */
static uint64_t closing_bytes(struct prof_pump *pump, uint64_t bytes) {
  uint64_t events = prof_writer_events(pump->options.writer);
  double each = events > 0 ? (double)bytes / (double)events : 1;
  return CLOSING_BYTES + (uint64_t)(1.5 * each * (double)(waiting_events(pump) + UNSEEN_EVENTS)) + thread_bytes(pump) +
         prof_sampling_waiting_bytes(pump->options.sampling) + prof_light_waiting_bytes(&pump->light) +
         prof_count_table_bytes(&pump->counts) + prof_gpu_streams_waiting_bytes(&pump->gpu);
}

static bool is_near(struct prof_pump *pump) {
  uint64_t bytes = prof_writer_bytes(pump->options.writer);
  return bytes + closing_bytes(pump, bytes) >= pump->options.max_bytes;
}

/* Many threads may hold more than the trace has room for, long before it is full. */
static void write_waiting(struct prof_pump *pump) {
  for (uint32_t i = 0; i < records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      prof_channel_flush(&pump->channels[i], &pump->source, i);
}

bool prof_size_limit_met(struct prof_pump *pump) {
  if (pump->options.max_bytes == 0 || !is_near(pump))
    return false;
  if (waiting_events(pump) < UNSEEN_EVENTS)
    return true;
  write_waiting(pump);
  return is_near(pump);
}
