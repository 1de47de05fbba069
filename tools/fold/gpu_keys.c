/*
 * tools/fold/gpu_keys.c - see gpu_keys.h.
 *
 * A hash table from (source, text) to the name's index, so that the names themselves are compared once per text.
 */
#include "fold/gpu_keys.h"

#include <stdlib.h>
#include <string.h>

struct key {
  uint64_t text; /* source << 32 | text */
  uint32_t name; /* index + 1; 0: free */
};

struct prof_gpu_text_keys {
  struct key *slots; /* open addressing, at most half full */
  size_t count, slot_count;
};

static struct key *find(struct key *slots, size_t slot_count, uint64_t text) {
  for (size_t at = (text * 0x9e3779b97f4a7c15ull >> 32) & (slot_count - 1);; at = (at + 1) & (slot_count - 1))
    if (slots[at].name == 0 || slots[at].text == text)
      return &slots[at];
}

static bool grow(struct prof_gpu_text_keys *keys) {
  size_t slot_count = keys->slot_count != 0 ? 2 * keys->slot_count : 64;
  struct key *slots = calloc(slot_count, sizeof *slots);
  if (slots == NULL)
    return false;
  for (size_t i = 0; i < keys->slot_count; i++)
    if (keys->slots[i].name != 0)
      *find(slots, slot_count, keys->slots[i].text) = keys->slots[i];
  free(keys->slots);
  keys->slots = slots;
  keys->slot_count = slot_count;
  return true;
}

uint32_t prof_gpu_timeline_kernel(const struct prof_gpu_timeline *timeline, uint32_t source, uint64_t text) {
  const struct prof_gpu_text_keys *keys = timeline->keys;
  uint64_t wanted = (uint64_t)source << 32 | (uint32_t)text;
  const struct key *key = keys != NULL && keys->slot_count > 0 ? find(keys->slots, keys->slot_count, wanted) : NULL;
  return key != NULL && key->name != 0 ? key->name - 1 : PROF_NONE;
}

uint32_t prof_gpu_keys_add(struct prof_gpu_timeline *timeline, const prof_trace *trace, uint32_t source,
                           uint64_t text) {
  uint32_t known = prof_gpu_timeline_kernel(timeline, source, text);
  if (known != PROF_NONE)
    return known;
  if (timeline->keys == NULL)
    timeline->keys = calloc(1, sizeof *timeline->keys);
  struct prof_gpu_text_keys *keys = timeline->keys;
  if (keys == NULL || (2 * (keys->count + 1) > keys->slot_count && !grow(keys)))
    return PROF_NONE;
  const char *name = prof_trace_gpu_text(trace, source, text);
  uint32_t index = 0;
  while (index < timeline->kernel_names.count && strcmp(timeline->kernel_names.items[index], name) != 0)
    index++;
  if (index == timeline->kernel_names.count && !prof_vec_push(&timeline->kernel_names, name))
    return PROF_NONE;
  uint64_t wanted = (uint64_t)source << 32 | (uint32_t)text;
  *find(keys->slots, keys->slot_count, wanted) = (struct key){wanted, index + 1};
  keys->count++;
  return index;
}

void prof_gpu_keys_free(struct prof_gpu_timeline *timeline) {
  if (timeline->keys != NULL)
    free(timeline->keys->slots);
  free(timeline->keys);
  timeline->keys = NULL;
}
