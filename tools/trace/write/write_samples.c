/*
 * tools/trace/write/write_samples.c - see write_samples.h.
 */
#include "write_samples.h"

#include "trace/bytes.h"
#include "write_tables.h"

prof_status prof_writer_map(prof_writer *writer, const struct prof_map_record *map) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_MAP};
  prof_payload_u32s(&payload, map->process, map->module, map->flags, 0);
  prof_payload_u64s(&payload, map->start_ticks, map->begin, map->end, map->bias);
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_sampler(prof_writer *writer, const struct prof_sampler *sampler) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_SAMPLER};
  prof_payload_u32s(&payload, sampler->method, sampler->asked_hz);
  prof_payload_u64(&payload, sampler->period_ns);
  prof_payload_u32(&payload, (sampler->kernel ? PROF_FORMAT_SAMPLER_KERNEL : 0) |
                                 (sampler->switches ? PROF_FORMAT_SAMPLER_SWITCHES : 0));
  prof_payload_u32(&payload, sampler->error_ticks);
  prof_payload_u64s(&payload, sampler->lost, sampler->throttled, sampler->foreign, sampler->unsampled);
  struct prof_span reason = prof_span(sampler->reason);
  prof_payload_string(&payload, reason.text, reason.bytes);
  prof_payload_u64(&payload, sampler->extra_period_ns);
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_light(prof_writer *writer, uint32_t thread, uint32_t spacing,
                              const struct prof_light_slice *slices, size_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_LIGHT};
  prof_payload_u32s(&payload, thread, spacing, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    prof_payload_u64s(&payload, slices[i].begin, slices[i].end, slices[i].events);
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_rates(prof_writer *writer, const struct prof_rate_change *changes, size_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_RATES};
  prof_payload_u32(&payload, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    prof_payload_u64(&payload, changes[i].time);
    prof_payload_u32(&payload, changes[i].rate | (changes[i].lacks_switches ? PROF_FORMAT_RATE_LACKS_SWITCHES : 0));
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_samples(prof_writer *writer, const struct prof_samples_record *samples) {
  const struct prof_sample_record *records = samples->records;
  struct prof_format_samples fixed = {
      .process = samples->process, .tid = samples->tid, .record_count = samples->count, .flag_bytes = samples->count};
  struct prof_format_chunk head = {.kind = (uint16_t)samples->kind,
                                   .thread = samples->thread,
                                   .events = samples->count,
                                   .first_time = records[0].time,
                                   .last_time = records[samples->count - 1].time};
  struct prof_payload payload = {0};
  uint64_t time = records[0].time, address = 0;
  prof_payload_bytes(&payload, &fixed, sizeof fixed);
  for (uint32_t i = 0; i < samples->count; i++) {
    prof_payload_varint(&payload, records[i].time - time);
    time = records[i].time;
  }
  fixed.time_bytes = (uint32_t)(payload.count - sizeof fixed);
  for (uint32_t i = 0; i < samples->count && samples->kind == PROF_SAMPLE_SAMPLES; i++) {
    prof_payload_varint(&payload, prof_zigzag(records[i].address - address));
    address = records[i].address;
  }
  fixed.address_bytes = (uint32_t)(payload.count - sizeof fixed - fixed.time_bytes);
  for (uint32_t i = 0; i < samples->count; i++)
    prof_payload_bytes(&payload, &records[i].flags, 1);
  size_t before = payload.count;
  for (uint32_t i = 0; i < samples->count; i++)
    prof_payload_varint(&payload, records[i].processor);
  fixed.processor_bytes = (uint32_t)(payload.count - before);
  bool any_path = false;
  for (uint32_t i = 0; i < samples->count; i++)
    any_path |= records[i].path != 0;
  before = payload.count;
  for (uint32_t i = 0; i < samples->count && any_path; i++)
    prof_payload_varint(&payload, records[i].path);
  fixed.path_bytes = (uint32_t)(payload.count - before);
  if (!payload.failed)
    memcpy(payload.items, &fixed, sizeof fixed);
  return prof_writer_payload(writer, &head, &payload);
}
