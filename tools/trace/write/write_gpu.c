/*
 * tools/trace/write/write_gpu.c - see write_gpu.h.
 *
 * A column gets the shorter one of two codings; zstd then packs repetitions.
 */
#include "write_gpu.h"

#include "trace/bytes.h"
#include "write_tables.h"

prof_status prof_writer_gpu_source(prof_writer *writer, const struct prof_gpu_source_record *source) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_GPU_SOURCE};
  prof_payload_u32s(&payload, source->source, source->process, source->pid, source->library_version,
                    source->driver_version, source->flags);
  prof_payload_u64(&payload, source->start_ticks);
  prof_payload_string(&payload, source->library.text, source->library.bytes);
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_gpu_texts(prof_writer *writer, uint32_t source, const struct prof_gpu_text_record *texts,
                                  uint32_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_GPU_TEXT};
  prof_payload_u32s(&payload, source, count);
  for (uint32_t i = 0; i < count; i++) {
    prof_payload_u32(&payload, texts[i].text);
    prof_payload_string(&payload, texts[i].name.text, texts[i].name.bytes);
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_gpu_status(prof_writer *writer, uint32_t source,
                                   const uint64_t figures[PROF_GPU_FIGURE_COUNT]) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_GPU_STATUS};
  uint32_t count = 0;
  for (uint32_t which = 0; which < PROF_GPU_FIGURE_COUNT; which++)
    count += figures[which] != 0;
  prof_payload_u32s(&payload, source, count);
  for (uint32_t which = 0; which < PROF_GPU_FIGURE_COUNT; which++)
    if (figures[which] != 0) {
      prof_payload_u32(&payload, which);
      prof_payload_u64(&payload, figures[which]);
    }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_gpu_cubin(prof_writer *writer, uint32_t source, uint64_t cubin, const void *bytes,
                                  uint32_t byte_count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_GPU_CUBIN};
  prof_payload_u32(&payload, source);
  prof_payload_u64(&payload, cubin);
  prof_payload_string(&payload, bytes, byte_count);
  return prof_writer_payload(writer, &head, &payload);
}

/* ---- records ---- */

static size_t varint_bytes(uint64_t value) {
  size_t bits = 64 - (size_t)__builtin_clzll(value | 1);
  return (bits + 6) / 7;
}

static enum prof_format_gpu_coding choose(const uint64_t *values, uint32_t count) {
  size_t plain = 0, difference = 0;
  uint64_t before = 0, other = 0;
  for (uint32_t i = 0; i < count; i++) {
    other |= values[i] ^ values[0];
    plain += varint_bytes(values[i]);
    difference += varint_bytes(prof_zigzag(values[i] - before));
    before = values[i];
  }
  return other == 0 ? PROF_FORMAT_GPU_SAME : difference < plain ? PROF_FORMAT_GPU_DIFFERENCE : PROF_FORMAT_GPU_PLAIN;
}

static void put_column(struct prof_payload *bytes, const uint64_t *values, uint32_t count,
                       enum prof_format_gpu_coding coding) {
  uint64_t before = 0;
  for (uint32_t i = 0; i < (coding == PROF_FORMAT_GPU_SAME ? 1 : count); i++) {
    prof_payload_varint(bytes, coding == PROF_FORMAT_GPU_DIFFERENCE ? prof_zigzag(values[i] - before) : values[i]);
    before = values[i];
  }
}

static bool is_zero(const uint64_t *values, uint32_t count) {
  uint64_t all = 0;
  for (uint32_t i = 0; values != NULL && i < count; i++)
    all |= values[i];
  return all == 0;
}

/* Earliest start and latest end of the records that have a time. */
static void find_span(const uint64_t *const columns[PROF_GPU_COLUMN_COUNT], uint32_t count,
                      struct prof_format_chunk *head) {
  const uint64_t *starts = columns[PROF_GPU_START], *durations = columns[PROF_GPU_DURATION];
  for (uint32_t i = 0; starts != NULL && i < count; i++) {
    uint64_t end = starts[i] + (durations != NULL ? durations[i] : 0);
    if (starts[i] == 0)
      continue;
    if (head->first_time == 0 || starts[i] < head->first_time)
      head->first_time = starts[i];
    if (end > head->last_time)
      head->last_time = end;
  }
}

prof_status prof_writer_gpu_records(prof_writer *writer, uint32_t source, enum prof_gpu_record record,
                                    const uint64_t *const columns[PROF_GPU_COLUMN_COUNT], uint32_t count) {
  struct prof_format_chunk head = {
      .kind = PROF_FORMAT_GPU_RECORDS, .thread = source, .sequence = record, .events = count};
  struct prof_payload payload = {0}, bytes = {0};
  struct prof_format_gpu_records records = {.source = source, .record = (uint16_t)record, .record_count = count};
  struct prof_format_gpu_column heads[PROF_GPU_COLUMN_COUNT];
  for (uint16_t column = 0; column < PROF_GPU_COLUMN_COUNT; column++) {
    if (is_zero(columns[column], count))
      continue;
    enum prof_format_gpu_coding coding = choose(columns[column], count);
    size_t before = bytes.count;
    put_column(&bytes, columns[column], count, coding);
    heads[records.column_count++] =
        (struct prof_format_gpu_column){column, (uint16_t)coding, (uint32_t)(bytes.count - before)};
  }
  find_span(columns, count, &head);
  prof_payload_bytes(&payload, &records, sizeof records);
  prof_payload_bytes(&payload, heads, records.column_count * sizeof *heads);
  prof_payload_bytes(&payload, bytes.items, bytes.count);
  payload.failed |= bytes.failed;
  prof_vec_fini(&bytes);
  return prof_writer_payload(writer, &head, &payload);
}
