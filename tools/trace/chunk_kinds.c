/*
 * tools/trace/chunk_kinds.c - see chunk_kinds.h.
 */
#include "chunk_kinds.h"

#include "bytes.h"

const char *prof_chunk_kind_name(uint32_t kind) {
  static const char *const names[PROF_FORMAT_KINDS] = {
      [PROF_FORMAT_SETTINGS] = "SETTINGS",
      [PROF_FORMAT_CLOCK] = "CLOCK",
      [PROF_FORMAT_PROCESS] = "PROCESS",
      [PROF_FORMAT_MODULE] = "MODULE",
      [PROF_FORMAT_LOAD] = "LOAD",
      [PROF_FORMAT_THREAD] = "THREAD",
      [PROF_FORMAT_EVENTS] = "EVENTS",
      [PROF_FORMAT_END] = "END",
      [PROF_FORMAT_NOTE] = "NOTE",
      [PROF_FORMAT_SITES] = "SITES",
      [PROF_FORMAT_LOOPS] = "LOOPS",
      [PROF_FORMAT_MAP] = "MAP",
      [PROF_FORMAT_SAMPLER] = "SAMPLER",
      [PROF_FORMAT_LIGHT] = "LIGHT",
      [PROF_FORMAT_SLICES] = "SLICES",
      [PROF_FORMAT_SAMPLES] = "SAMPLES",
      [PROF_FORMAT_SWITCHES] = "SWITCHES",
      [PROF_FORMAT_COUNTS] = "COUNTS",
      [PROF_FORMAT_PACK] = "PACK",
      [PROF_FORMAT_FILE] = "FILE",
      [PROF_FORMAT_PMU] = "PMU",
      [PROF_FORMAT_PMU_SAMPLES] = "PMU_SAMPLES",
      [PROF_FORMAT_MEASURES] = "MEASURES",
      [PROF_FORMAT_GPU_SOURCE] = "GPU_SOURCE",
      [PROF_FORMAT_GPU_TEXT] = "GPU_TEXT",
      [PROF_FORMAT_GPU_RECORDS] = "GPU_RECORDS",
      [PROF_FORMAT_GPU_STATUS] = "GPU_STATUS",
      [PROF_FORMAT_GPU_CUBIN] = "GPU_CUBIN",
      [PROF_FORMAT_STATES] = "STATES",
      [PROF_FORMAT_WINDOWS] = "WINDOWS",
      [PROF_FORMAT_PATHS] = "PATHS",
      [PROF_FORMAT_PART] = "PART",
      [PROF_FORMAT_POINTS] = "POINTS",
      [PROF_FORMAT_RATES] = "RATES",
      [PROF_FORMAT_CONTROL] = "CONTROL",
      [PROF_FORMAT_READINGS] = "READINGS",
      [PROF_FORMAT_SUMMARY] = "SUMMARY",
      [PROF_FORMAT_NAMED] = "NAMED",
      [PROF_FORMAT_TRACKS] = "TRACKS",
      [PROF_FORMAT_PMU_SUMS] = "PMU_SUMS",
  };
  return kind < PROF_FORMAT_KINDS && names[kind] ? names[kind] : "unknown";
}

void prof_chunk_kinds_put(struct prof_payload *payload, const uint32_t counts[PROF_FORMAT_KINDS]) {
  uint32_t used = 0;
  for (uint32_t kind = 0; kind < PROF_FORMAT_KINDS; kind++)
    used += counts[kind] > 0;
  prof_payload_u32(payload, used);
  for (uint32_t kind = 0; kind < PROF_FORMAT_KINDS; kind++)
    if (counts[kind] > 0) {
      prof_payload_u32s(payload, kind, counts[kind]);
    }
}

void prof_chunk_kinds_take(struct prof_chunk_kinds *kinds, struct prof_byte_reader *reader) {
  if (reader->bad || reader->at >= reader->end)
    return;
  for (uint32_t left = prof_byte_reader_u32(reader); left > 0 && !reader->bad; left--) {
    uint32_t kind = prof_byte_reader_u32(reader), count = prof_byte_reader_u32(reader);
    if (!reader->bad && kind < PROF_FORMAT_KINDS)
      kinds->written[kind] = count;
  }
}

void prof_chunk_kinds_settle(struct prof_chunk_kinds *kinds) {
  for (uint32_t kind = 0; kind < PROF_FORMAT_KINDS; kind++)
    if (kinds->found[kind] < kinds->written[kind])
      kinds->lacking[kinds->lacking_count++] = (struct prof_lacking){
          prof_chunk_kind_name(kind), kinds->written[kind] - kinds->found[kind], kinds->written[kind]};
}
