/*
 * tools/trace/write/write_pack.c - see write_pack.h.
 */
#include "write_pack.h"

#include <stdlib.h>
#include <string.h>

#include "write_tables.h"

struct numbered { /* texts with a number, by open addressing on their pointers */
  const char **slots;
  uint32_t *numbers;
  size_t room, count;
  struct prof_payload texts;
  bool failed;
};

static size_t slot_of(const struct numbered *numbered, const char *text) {
  size_t slot = (size_t)((uintptr_t)text * 0x9e3779b97f4a7c15ull >> 20) & (numbered->room - 1);
  while (numbered->slots[slot] && numbered->slots[slot] != text)
    slot = (slot + 1) & (numbered->room - 1);
  return slot;
}

/* Makes room for `most` texts. */
static bool prepare(struct numbered *numbered, size_t most) {
  for (numbered->room = 64; numbered->room < 2 * most;)
    numbered->room *= 2;
  numbered->slots = calloc(numbered->room, sizeof *numbered->slots);
  numbered->numbers = calloc(numbered->room, sizeof *numbered->numbers);
  return numbered->slots && numbered->numbers;
}

/* From 1 on; 0 for NULL. */
static uint32_t number_of(struct numbered *numbered, const char *text) {
  if (!text)
    return 0;
  size_t slot = slot_of(numbered, text);
  if (!numbered->slots[slot]) {
    numbered->slots[slot] = text;
    numbered->numbers[slot] = (uint32_t)++numbered->count;
    prof_payload_string(&numbered->texts, text, strlen(text));
  }
  return numbered->numbers[slot];
}

static void put_addresses(struct prof_payload *to, const struct prof_packed_lines *lines, struct numbered *numbered) {
  prof_payload_u32s(to, lines->address_count, lines->frame_count);
  for (uint32_t i = 0; i < lines->address_count; i++) {
    const struct prof_packed_address *at = &lines->addresses[i];
    prof_payload_varint(to, at->address - (i ? lines->addresses[i - 1].address : 0));
    prof_payload_varint(to, at->frame_count);
    for (uint32_t j = 0; j < at->frame_count; j++) {
      const struct prof_packed_frame *frame = &lines->frames[at->first_frame + j];
      prof_payload_varint(to, number_of(numbered, frame->function));
      prof_payload_varint(to, number_of(numbered, frame->file));
      prof_payload_varint(to, frame->line);
      prof_payload_varint(to, frame->column);
    }
  }
  prof_payload_u32(to, lines->extent_count);
  for (uint32_t i = 0; i < lines->extent_count; i++) {
    const struct prof_packed_extent *extent = &lines->extents[i];
    prof_payload_varint(to, extent->address - (i ? lines->extents[i - 1].address : 0));
    prof_payload_varint(to, number_of(numbered, extent->file));
    prof_payload_varint(to, extent->first);
    prof_payload_varint(to, extent->last);
  }
}

prof_status prof_writer_packed_lines(prof_writer *writer, uint32_t module_number,
                                     const struct prof_packed_lines *lines) {
  struct numbered numbered = {0};
  struct prof_payload payload = {0}, tables = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PACK};
  bool prepared = prepare(&numbered, 2 * (size_t)lines->frame_count + lines->extent_count + 1);
  if (prepared) {
    put_addresses(&tables, lines, &numbered);
    prof_payload_u32s(&payload, PROF_FORMAT_PACK_LINES, module_number, lines->flags, lines->splits_missing);
    prof_payload_u64(&payload, (uint64_t)lines->built);
    prof_payload_string(&payload, lines->reason, strlen(lines->reason));
    prof_payload_string(&payload, lines->remedy, strlen(lines->remedy));
    prof_payload_u32(&payload, (uint32_t)numbered.count);
    prof_payload_bytes(&payload, numbered.texts.items, numbered.texts.count);
    prof_payload_bytes(&payload, tables.items, tables.count);
    payload.failed |= tables.failed || numbered.texts.failed;
  }
  free(numbered.slots);
  free(numbered.numbers);
  free(numbered.texts.items);
  free(tables.items);
  if (prepared)
    return prof_writer_payload(writer, &head, &payload);
  free(payload.items);
  return prof_writer_memory(writer);
}

prof_status prof_writer_packed_source(prof_writer *writer, const struct prof_packed_source *source) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PACK};
  prof_payload_u32(&payload, PROF_FORMAT_PACK_SOURCE);
  prof_payload_string(&payload, source->path, strlen(source->path));
  prof_payload_u64(&payload, (uint64_t)source->changed);
  prof_payload_string(&payload, source->text, source->bytes);
  return prof_writer_payload(writer, &head, &payload);
}
