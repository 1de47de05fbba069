/*
 * tools/export/name_cache.c - see name_cache.h.
 */
#include "name_cache.h"

#include <stdlib.h>

#include "base/diag.h"
#include "names/loop_frames.h"

prof_status prof_name_cache_init(struct prof_name_cache *cache, const prof_trace *trace, struct prof_names *names,
                                 const struct prof_line_leaves *leaves, const struct prof_process_groups *groups,
                                 prof_name_write *write, void *context, struct prof_diag *diag) {
  *cache = (struct prof_name_cache){.names = names, .leaves = leaves, .write = write, .context = context};
  cache->count = prof_frame_count(trace) + (leaves ? leaves->count : 0);
  cache->slot_count = cache->count + 1 + (groups ? groups->count : 0);
  cache->slots = calloc(cache->slot_count, sizeof *cache->slots);
  return cache->slots ? PROF_OK : prof_diag_memory(diag);
}

void prof_name_cache_fini(struct prof_name_cache *cache) {
  for (size_t i = 0; cache->slots && i < cache->slot_count; i++)
    free(cache->slots[i].text);
  free(cache->slots);
  cache->slots = NULL;
}

int prof_name_cache_put(struct prof_name_cache *cache, FILE *file, uint32_t function) {
  size_t slot = function < cache->count ? function : cache->count;
  if (prof_frame_is_group(function) && function - PROF_FRAME_GROUPS < cache->slot_count - cache->count - 1)
    slot = cache->count + 1 + function - PROF_FRAME_GROUPS;
  if (!cache->slots[slot].text) {
    FILE *memory = open_memstream(&cache->slots[slot].text, &cache->slots[slot].bytes);
    if (!memory)
      return 0;
    const char *leaf = prof_line_leaf_name(cache->leaves, function);
    cache->write(cache->context, memory, leaf ? leaf : prof_names_function(cache->names, function), function);
    if (fclose(memory)) {
      free(cache->slots[slot].text);
      cache->slots[slot].text = NULL;
      return 0;
    }
  }
  fwrite(cache->slots[slot].text, 1, cache->slots[slot].bytes, file);
  return 1;
}
