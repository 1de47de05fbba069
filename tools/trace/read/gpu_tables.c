/*
 * tools/trace/read/gpu_tables.c - takes sources, names and counts of GPU collectors into a trace, and answers questions
 * about them.
 *
 * As in tables.c: a payload is taken as a whole or not at all, and counts are compared with the payload's size.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "trace.h"
#include "trace/bytes.h"

#define TEXT_LEAST_BYTES 8
#define FIGURE_BYTES 12

static uint32_t source_of(struct prof_trace *trace, uint32_t number) {
  const struct prof_gpu_source source = {.number = number, .process = PROF_NONE, .library = ""};
  return prof_index_meet(&trace->gpu_source_index, &trace->gpu_sources, number, index, true, source);
}

prof_status prof_trace_take_gpu_source(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_gpu_source source = {.number = prof_byte_reader_u32(reader)};
  uint32_t process = prof_byte_reader_u32(reader);
  source.pid = prof_byte_reader_u32(reader);
  source.library_version = prof_byte_reader_u32(reader);
  source.driver_version = prof_byte_reader_u32(reader);
  source.own_clock = prof_byte_reader_u32(reader) & PROF_FORMAT_GPU_SOURCE_OWN_CLOCK;
  source.start_ticks = prof_byte_reader_u64(reader);
  source.library = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad || source.number == 0)
    return PROF_CORRUPT;
  source.process = process ? prof_trace_process(trace, process) : PROF_NONE;
  uint32_t index = source_of(trace, source.number);
  if (source.library == NULL || index == PROF_NONE || (process && source.process == PROF_NONE))
    return PROF_NO_MEMORY;
  memcpy(source.figures, trace->gpu_sources.items[index].figures, sizeof source.figures);
  trace->gpu_sources.items[index] = source;
  return PROF_OK;
}

prof_status prof_trace_take_gpu_text(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t number = prof_byte_reader_u32(reader), count = prof_byte_reader_u32(reader);
  if (reader->bad || number == 0 || !prof_byte_reader_fits(reader, count, TEXT_LEAST_BYTES))
    return PROF_CORRUPT;
  uint32_t source = source_of(trace, number);
  if (source == PROF_NONE || !prof_vec_reserve(&trace->gpu_texts, count))
    return PROF_NO_MEMORY;
  size_t before = trace->gpu_texts.count;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_gpu_text text = {.source = source, .number = prof_byte_reader_u32(reader)};
    text.name = prof_trace_take_text(&trace->arena, reader);
    if (reader->bad) {
      trace->gpu_texts.count = before;
      return PROF_CORRUPT;
    }
    if (text.name == NULL)
      return PROF_NO_MEMORY;
    trace->gpu_texts.items[trace->gpu_texts.count++] = text;
  }
  return PROF_OK;
}

prof_status prof_trace_take_gpu_status(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t number = prof_byte_reader_u32(reader), count = prof_byte_reader_u32(reader);
  uint64_t figures[PROF_GPU_FIGURE_COUNT] = {0};
  if (reader->bad || number == 0 || !prof_byte_reader_fits(reader, count, FIGURE_BYTES))
    return PROF_CORRUPT;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t which = prof_byte_reader_u32(reader);
    uint64_t value = prof_byte_reader_u64(reader);
    if (which < PROF_GPU_FIGURE_COUNT)
      figures[which] = value;
  }
  uint32_t source = source_of(trace, number);
  if (source == PROF_NONE)
    return PROF_NO_MEMORY;
  memcpy(trace->gpu_sources.items[source].figures, figures, sizeof figures);
  return PROF_OK;
}

prof_status prof_trace_take_gpu_records(struct prof_trace *trace, uint64_t offset,
                                        const struct prof_format_chunk *head) {
  uint32_t source = source_of(trace, head->thread);
  struct prof_gpu_chunk_ref ref = {.offset = offset,
                                   .first_time = head->first_time,
                                   .last_time = head->last_time,
                                   .source = source,
                                   .record = head->sequence,
                                   .count = head->events};
  return source != PROF_NONE && prof_vec_push(&trace->gpu_chunks, ref) ? PROF_OK : PROF_NO_MEMORY;
}

struct cubin_payload {
  uint32_t source, byte_count;
  uint64_t cubin;
  const uint8_t *bytes;
};

static bool read_cubin(const uint8_t *payload, size_t bytes, struct cubin_payload *out) {
  struct prof_byte_reader reader = {payload, payload + bytes, false};
  out->source = prof_byte_reader_u32(&reader);
  out->cubin = prof_byte_reader_u64(&reader);
  out->byte_count = prof_byte_reader_u32(&reader);
  out->bytes = prof_byte_reader_bytes(&reader, out->byte_count);
  return !reader.bad && out->source != 0;
}

prof_status prof_trace_take_gpu_cubin(struct prof_trace *trace, uint64_t offset, const uint8_t *payload, size_t bytes) {
  struct cubin_payload cubin;
  if (!read_cubin(payload, bytes, &cubin))
    return PROF_CORRUPT;
  uint32_t source = source_of(trace, cubin.source);
  struct prof_gpu_cubin_ref ref = {.offset = offset, .cubin = cubin.cubin, .source = source};
  return source != PROF_NONE && prof_vec_push(&trace->gpu_cubins, ref) ? PROF_OK : PROF_NO_MEMORY;
}

prof_status prof_gpu_cubin_load(const prof_trace *trace, size_t index, struct prof_diag *diag, uint8_t **bytes,
                                size_t *byte_count) {
  const uint64_t offset = trace->gpu_cubins.items[index].offset;
  struct prof_unpacker unpacker = {0};
  struct prof_format_chunk head;
  struct cubin_payload cubin = {0};
  const uint8_t *payload;
  *bytes = NULL;
  prof_status status = prof_unpack_at(&unpacker, trace, offset, &head, diag, &payload);
  if (status == PROF_OK && !read_cubin(payload, head.raw_bytes, &cubin))
    status = prof_unpack_wrong(trace, offset, PROF_CORRUPT, diag, "a GPU program");
  if (status == PROF_OK && (*bytes = malloc((size_t)cubin.byte_count + 1)) == NULL)
    status = prof_diag_memory(diag);
  if (status == PROF_OK && cubin.byte_count > 0)
    memcpy(*bytes, cubin.bytes, cubin.byte_count);
  *byte_count = cubin.byte_count;
  prof_unpacker_fini(&unpacker);
  return status;
}

static int compare_texts(const void *left, const void *right) {
  const struct prof_gpu_text *a = left, *b = right;
  return prof_order(a->source, b->source) ?: prof_order(a->number, b->number);
}

void prof_trace_gpu_index(struct prof_trace *trace) {
  prof_vec_sort(&trace->gpu_texts, compare_texts);
}

void prof_trace_gpu_fini(struct prof_trace *trace) {
  prof_vec_fini(&trace->gpu_sources);
  prof_vec_fini(&trace->gpu_texts);
  prof_vec_fini(&trace->gpu_chunks);
  prof_vec_fini(&trace->gpu_cubins);
  prof_index_fini(&trace->gpu_source_index);
}

const char *prof_trace_gpu_text(const prof_trace *trace, uint32_t source, uint64_t text) {
  struct prof_gpu_text key = {.source = source, .number = (uint32_t)text};
  if (text == 0 || text > UINT32_MAX || trace->gpu_texts.count == 0)
    return "";
  const struct prof_gpu_text *found =
      bsearch(&key, trace->gpu_texts.items, trace->gpu_texts.count, sizeof key, compare_texts);
  return found != NULL ? found->name : "";
}

PROF_TRACE_GIVE(prof_trace_gpu_sources, struct prof_gpu_source, gpu_sources)
PROF_TRACE_GIVE(prof_trace_gpu_cubins, struct prof_gpu_cubin_ref, gpu_cubins)
PROF_TRACE_GIVE(prof_trace_gpu_chunks, struct prof_gpu_chunk_ref, gpu_chunks)
