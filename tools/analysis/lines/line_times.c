/*
 * tools/analysis/lines/line_times.c - see line_times.h.
 */
#include "analysis/lines/line_times.h"

#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "times.h"

bool prof_line_times_are(const struct prof_count_block *block) {
  uint64_t magic = 0;
  if (block->bytes >= sizeof magic)
    memcpy(&magic, block->objects, sizeof magic);
  return magic == PROF_TIMES_MAGIC;
}

/* Returns a copy in which function and path are separate strings; NULL: no memory. */
static char *keep_texts(struct prof_line_times *out, const uint8_t *texts, size_t bytes) {
  char *kept = malloc(bytes + 1);
  if (!kept || !prof_vec_push(&out->texts, kept)) {
    free(kept);
    return NULL;
  }
  memcpy(kept, texts, bytes);
  kept[bytes] = 0;
  for (char *at = kept; (at = memchr(at, '\n', (size_t)(kept + bytes - at))) != NULL;)
    *at++ = 0;
  return kept;
}

static struct prof_line_time item_of(const struct prof_times_slot *slot, const struct prof_times_place *place,
                                     const struct prof_times_object *head) {
  return (struct prof_line_time){.line = place->line,
                                 .in_calls = (place->kind & PROF_ROW_LINE_CALLS) != 0,
                                 .ticks = slot->ticks,
                                 .begun = place->kind & PROF_ROW_LINE_BEGINS ? slot->visits : 0,
                                 .readings = slot->visits,
                                 .cost_ticks = (double)slot->visits * head->among_cost_ticks_x1000 / 1000,
                                 .most_ticks = (double)slot->visits * head->cost_ticks_x1000 / 1000};
}

prof_status prof_line_times_add(struct prof_line_times *out, const struct prof_count_block *block) {
  struct prof_times_object head;
  if (block->bytes < sizeof head)
    return PROF_CORRUPT;
  memcpy(&head, block->objects, sizeof head);
  if (head.magic != PROF_TIMES_MAGIC)
    return PROF_CORRUPT;
  size_t slots = sizeof(struct prof_times_slot) * (size_t)head.slot_count;
  size_t places = sizeof(struct prof_times_place) * (size_t)head.slot_count;
  size_t left = block->bytes - sizeof head;
  if (slots + places > left || head.text_bytes > left - slots - places)
    return PROF_CORRUPT;
  const uint8_t *slot_at = block->objects + sizeof head, *place_at = slot_at + slots;
  const char *texts = keep_texts(out, place_at + places, head.text_bytes);
  if (!texts)
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < head.slot_count; i++) {
    struct prof_times_slot slot;
    struct prof_times_place place;
    memcpy(&slot, slot_at + i * sizeof slot, sizeof slot);
    memcpy(&place, place_at + i * sizeof place, sizeof place);
    if (place.text >= head.text_bytes)
      return PROF_CORRUPT;
    struct prof_line_time item = item_of(&slot, &place, &head);
    item.function = texts + place.text;
    size_t bytes = strlen(item.function) + 1;
    item.file = bytes < head.text_bytes - place.text ? item.function + bytes : "";
    out->readings += slot.visits;
    out->cost_ticks += item.most_ticks;
    if (!prof_vec_push(&out->items, item))
      return PROF_NO_MEMORY;
  }
  return PROF_OK;
}

prof_status prof_line_times_make(const prof_trace *trace, struct prof_line_times *out) {
  size_t count;
  const struct prof_count_block *blocks = prof_trace_counts(trace, &count);
  prof_status status = PROF_OK;
  *out = (struct prof_line_times){0};
  for (size_t i = 0; i < count && status != PROF_NO_MEMORY; i++)
    if (prof_line_times_are(&blocks[i])) {
      status = prof_line_times_add(out, &blocks[i]);
      out->damaged += status == PROF_CORRUPT;
    }
  if (status != PROF_NO_MEMORY)
    return PROF_OK;
  prof_line_times_fini(out);
  return status;
}

void prof_line_times_fini(struct prof_line_times *times) {
  for (size_t i = 0; i < times->texts.count; i++)
    free(times->texts.items[i]);
  prof_vec_fini(&times->texts);
  prof_vec_fini(&times->items);
}
