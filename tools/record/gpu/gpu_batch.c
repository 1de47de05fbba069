/*
 * tools/record/gpu/gpu_batch.c - see gpu_batch.h.
 */
#include "record/gpu/gpu_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/gpu/gpu_fields.h"
#include "trace/format.h"

enum { MOST = PROF_FORMAT_GPU_CHUNK_RECORDS };

void prof_gpu_batch_init(struct prof_gpu_batch *batch, prof_writer *writer, uint32_t source) {
  *batch = (struct prof_gpu_batch){.writer = writer, .source = source};
}

static void flush_texts(struct prof_gpu_batch *batch) {
  struct prof_gpu_text_record *records = malloc(batch->texts.count * sizeof *records);
  if (batch->texts.count > 0 && records != NULL) {
    for (size_t i = 0; i < batch->texts.count; i++)
      records[i] = (struct prof_gpu_text_record){batch->texts.items[i].text, prof_span(batch->texts.items[i].name)};
    (void)prof_writer_gpu_texts(batch->writer, batch->source, records, (uint32_t)batch->texts.count);
  }
  free(records);
  for (size_t i = 0; i < batch->texts.count; i++)
    free(batch->texts.items[i].name);
  batch->texts.count = 0;
}

static void flush_records(struct prof_gpu_batch *batch, uint32_t record) {
  struct prof_gpu_columns *columns = &batch->records[record];
  const uint64_t *given[PROF_GPU_COLUMN_COUNT] = {0};
  const struct prof_gpu_layout *layout = &prof_gpu_layouts[record];
  if (columns->count == 0)
    return;
  for (size_t i = 0; i < layout->field_count; i++) {
    uint32_t column = layout->fields[i].column == PROF_GPU_FIELD_END ? PROF_GPU_DURATION : layout->fields[i].column;
    given[column] = columns->values + (size_t)column * MOST;
  }
  flush_texts(batch);
  (void)prof_writer_gpu_records(batch->writer, batch->source, record, given, columns->count);
  columns->count = 0;
}

static uint64_t field_value(const struct prof_gpu_field *field, const void *message) {
  uint64_t wide = 0;
  uint32_t narrow = 0;
  if (field->bytes == sizeof wide) {
    memcpy(&wide, (const char *)message + field->offset, sizeof wide);
    return wide;
  }
  memcpy(&narrow, (const char *)message + field->offset, sizeof narrow);
  return narrow;
}

/* Makes the function's name for the trace from a frame's file and address, or its range. */
static void name_frame(struct prof_gpu_batch *batch, struct prof_gpu_frame *frame) {
  char name[4096];
  const char *path = "";
  for (size_t i = batch->named.count; i > 0 && *path == 0; i--)
    if (batch->named.items[i - 1].text == frame->name)
      path = batch->named.items[i - 1].name;
  if (frame->is_range)
    snprintf(name, sizeof name, "range %s", path);
  else
    prof_gpu_symbols_name(&batch->symbols, path, frame->offset, name, sizeof name);
  frame->name = PROF_GPU_OWN_TEXTS + batch->own_texts++;
  char *copy = strdup(name);
  if (copy != NULL && !prof_vec_push(&batch->texts, (struct prof_gpu_waiting_text){frame->name, copy}))
    free(copy);
}

bool prof_gpu_batch_record(struct prof_gpu_batch *batch, uint32_t record, const void *message, uint32_t bytes) {
  const struct prof_gpu_layout *layout = record < PROF_GPU_RECORD_COUNT ? &prof_gpu_layouts[record] : NULL;
  if (layout == NULL || layout->bytes == 0 || bytes < layout->bytes)
    return false;
  struct prof_gpu_frame frame;
  if (record == PROF_GPU_FRAME) {
    memcpy(&frame, message, sizeof frame);
    name_frame(batch, &frame);
    message = &frame;
  }
  struct prof_gpu_columns *columns = &batch->records[record];
  if (columns->values == NULL) /* unused pages are never touched */
    columns->values = malloc((size_t)PROF_GPU_COLUMN_COUNT * MOST * sizeof *columns->values);
  if (columns->values == NULL) {
    batch->figures[PROF_GPU_LOST_RECORDS]++;
    return true;
  }
  uint64_t start = 0, end = 0;
  for (size_t i = 0; i < layout->field_count; i++) {
    const struct prof_gpu_field *field = &layout->fields[i];
    uint64_t value = field_value(field, message);
    if (field->column == PROF_GPU_FIELD_END) {
      end = value;
      continue;
    }
    if (field->column == PROF_GPU_START)
      start = value;
    columns->values[(size_t)field->column * MOST + columns->count] = value;
  }
  columns->values[(size_t)PROF_GPU_DURATION * MOST + columns->count] = end > start ? end - start : 0;
  batch->added[record]++;
  if (++columns->count == MOST)
    flush_records(batch, record);
  return true;
}

void prof_gpu_batch_text(struct prof_gpu_batch *batch, uint32_t text, const char *name) {
  char *copy = strdup(name), *kept = strdup(name);
  if (copy != NULL && !prof_vec_push(&batch->texts, (struct prof_gpu_waiting_text){text, copy}))
    free(copy);
  if (kept != NULL && !prof_vec_push(&batch->named, (struct prof_gpu_waiting_text){text, kept}))
    free(kept);
}

void prof_gpu_batch_figures(struct prof_gpu_batch *batch, const struct prof_gpu_figures *message) {
  for (uint32_t i = 0; i < PROF_GPU_FIGURE_COUNT; i++)
    batch->figures[i] = message->values[i];
}

bool prof_gpu_batch_cubin(struct prof_gpu_batch *batch, const struct prof_gpu_cubin_message *part, uint32_t bytes) {
  struct prof_gpu_parts *all = &batch->cubin;
  if (bytes < sizeof *part || part->part_bytes > bytes - sizeof *part || part->total_bytes > PROF_GPU_CUBIN_LIMIT ||
      part->part_bytes > part->total_bytes)
    return false;
  if (part->offset == 0) {
    free(all->bytes);
    *all = (struct prof_gpu_parts){
        .bytes = malloc(part->total_bytes + 1), .cubin = part->cubin, .total_bytes = part->total_bytes};
  }
  if (all->bytes == NULL || part->cubin != all->cubin || part->offset != all->have_bytes ||
      part->part_bytes > all->total_bytes - all->have_bytes)
    return true; /* an earlier part was lost: drop the rest */
  memcpy(all->bytes + all->have_bytes, part + 1, part->part_bytes);
  all->have_bytes += part->part_bytes;
  if (all->have_bytes == all->total_bytes) {
    (void)prof_writer_gpu_cubin(batch->writer, batch->source, all->cubin, all->bytes, (uint32_t)all->total_bytes);
    free(all->bytes);
    all->bytes = NULL;
  }
  return true;
}

uint64_t prof_gpu_batch_waiting_bytes(const struct prof_gpu_batch *batch) {
  enum { CHUNK_BYTES = 512, FIELD_BYTES = 2 }; /* most fields are equal or close to the previous record's */
  uint64_t bytes = CHUNK_BYTES;
  for (uint32_t record = 0; record < PROF_GPU_RECORD_COUNT; record++)
    if (batch->records[record].count > 0)
      bytes +=
          CHUNK_BYTES + (uint64_t)batch->records[record].count * prof_gpu_layouts[record].field_count * FIELD_BYTES;
  for (size_t i = 0; i < batch->texts.count; i++)
    bytes += strlen(batch->texts.items[i].name) + sizeof(uint64_t);
  return bytes + batch->cubin.total_bytes * (batch->cubin.bytes != NULL);
}

void prof_gpu_batch_flush(struct prof_gpu_batch *batch) {
  flush_texts(batch);
  for (uint32_t record = 0; record < PROF_GPU_RECORD_COUNT; record++)
    flush_records(batch, record);
  if (memcmp(batch->figures, batch->written, sizeof batch->figures) != 0)
    (void)prof_writer_gpu_status(batch->writer, batch->source, batch->figures);
  memcpy(batch->written, batch->figures, sizeof batch->figures);
}

void prof_gpu_batch_fini(struct prof_gpu_batch *batch) {
  for (uint32_t record = 0; record < PROF_GPU_RECORD_COUNT; record++)
    free(batch->records[record].values);
  for (size_t i = 0; i < batch->texts.count; i++)
    free(batch->texts.items[i].name);
  prof_vec_fini(&batch->texts);
  free(batch->cubin.bytes);
  for (size_t i = 0; i < batch->named.count; i++)
    free(batch->named.items[i].name);
  prof_vec_fini(&batch->named);
  prof_gpu_symbols_fini(&batch->symbols);
}
