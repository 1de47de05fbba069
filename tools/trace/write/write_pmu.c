/*
 * tools/trace/write/write_pmu.c - see write_pmu.h.
 */
#include "write_pmu.h"

#include "trace/bytes.h"
#include "write_tables.h"

prof_status prof_writer_pmus(prof_writer *writer, const struct prof_pmu *pmus, size_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PMU};
  prof_payload_u32(&payload, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    struct prof_span name = prof_span(pmus[i].name), reason = prof_span(pmus[i].reason);
    prof_payload_u32s(&payload, pmus[i].number, pmus[i].flags);
    prof_payload_u64s(&payload, pmus[i].value, pmus[i].enabled_ns, pmus[i].running_ns);
    prof_payload_string(&payload, name.text, name.bytes);
    prof_payload_string(&payload, reason.text, reason.bytes);
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_pmu_samples(prof_writer *writer, const struct prof_pmu_samples_record *samples) {
  const struct prof_pmu_record *records = samples->records;
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PMU_SAMPLES,
                                   .thread = samples->thread,
                                   .events = samples->count,
                                   .first_time = records[0].time,
                                   .last_time = records[samples->count - 1].time};
  uint64_t time = records[0].time, address = 0;
  prof_payload_u32s(&payload, samples->process, samples->tid, samples->pmu, samples->count);
  for (uint32_t i = 0; i < samples->count; i++) {
    prof_payload_varint(&payload, records[i].time - time);
    prof_payload_varint(&payload, prof_zigzag(records[i].address - address));
    prof_payload_varint(&payload, records[i].flags);
    prof_payload_varint(&payload, records[i].weight);
    time = records[i].time;
    address = records[i].address;
  }
  return prof_writer_payload(writer, &head, &payload);
}
