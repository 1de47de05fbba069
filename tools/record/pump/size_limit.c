/*
 * tools/record/pump/size_limit.c - see size_limit.h.
 */
#include "record/pump/size_limit.h"

#include "record/sampling/sampling_write.h"

#define CLOSING_BYTES 2048u /* CLOCK, SAMPLER, END */
#define LEAST_PART 64u      /* of the limit: with less room the recording ends */

/* Of all threads: waiting data, and their last records. */
static uint64_t thread_bytes(const struct prof_pump *pump) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      bytes += PROF_CHANNEL_THREAD_BYTES + prof_encoder_waiting_bytes(pump->channels[i].encoder) +
               pump->channels[i].samples.count * PROF_SAMPLE_BYTES;
  return bytes;
}

/* Size of what is written after the samples. */
static uint64_t last_bytes(struct prof_pump *pump) {
  return CLOSING_BYTES + thread_bytes(pump) + prof_light_waiting_bytes(&pump->light) +
         prof_rates_waiting_bytes(&pump->rates) + prof_governor_waiting_bytes(&pump->governor) +
         prof_count_table_bytes(&pump->counts) + prof_slices_waiting_bytes(&pump->slices) +
         prof_gpu_streams_waiting_bytes(&pump->gpu);
}

static uint64_t room_now(struct prof_pump *pump) {
  uint64_t bytes =
      prof_writer_bytes(pump->options.writer) + last_bytes(pump) + prof_sampling_waiting_bytes(pump->options.sampling);
  return bytes < pump->options.max_bytes ? pump->options.max_bytes - bytes : 0;
}

static void write_waiting(struct prof_pump *pump) {
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0) {
      prof_channel_flush(&pump->channels[i], &pump->source, i);
      prof_light_write(&pump->light, pump->options.writer, i, &pump->channels[i], PROF_LIGHT_ENDED);
    }
  prof_gpu_streams_flush(&pump->gpu);
  if (prof_count_table_bytes(&pump->counts) > pump->options.max_bytes / LEAST_PART)
    prof_count_table_try(&pump->counts, pump->options.writer);
}

static void set_room(struct prof_pump *pump, uint64_t bytes) {
  uint64_t kept = pump->options.max_bytes / LEAST_PART / 2; /* for small data that is written in between */
  pump->room = (struct prof_room){.bytes = bytes > kept ? bytes - kept : 0};
}

bool prof_size_limit_met(struct prof_pump *pump) {
  if (pump->options.max_bytes == 0)
    return false;
  uint64_t room = room_now(pump), least = pump->options.max_bytes / LEAST_PART;
  bool was_exhausted = pump->room.exhausted;
  if (room < least || was_exhausted) {
    write_waiting(pump);
    room = room_now(pump);
    /* Nothing was written since, and the room is still too small: it will not grow. */
    if (room < least || (was_exhausted && prof_writer_bytes(pump->options.writer) == pump->room_bytes))
      return true;
  }
  set_room(pump, room);
  pump->room_bytes = prof_writer_bytes(pump->options.writer);
  return prof_writer_left_out(pump->options.writer) > 0;
}

void prof_size_limit_make_room(struct prof_pump *pump) {
  if (pump->options.max_bytes == 0 || pump->room.bytes >= pump->options.max_bytes / 2)
    return;
  write_waiting(pump);
  set_room(pump, room_now(pump));
}

uint64_t prof_size_limit_of_names(const struct prof_pump *pump) {
  uint64_t slack = pump->options.max_bytes < PROF_SIZE_LIMIT_SLACK_BELOW ? PROF_SIZE_LIMIT_SLACK_BYTES : 0;
  if (pump->options.max_bytes == 0)
    return UINT64_MAX;
  return prof_writer_bytes(pump->options.writer) + pump->room.bytes + slack;
}

uint64_t prof_size_limit_of_samples(struct prof_pump *pump) {
  uint64_t last = last_bytes(pump);
  if (pump->options.max_bytes == 0)
    return UINT64_MAX;
  return last < pump->options.max_bytes ? pump->options.max_bytes - last : 0;
}
