/*
 * tools/export/name_cache.c - each function's name, escaped once in the way of a format.
 */
#include "name_cache.h"

#include <stdlib.h>

#include "base/diag.h"
#include "model/loop_frames.h"

prof_status prof_name_cache_init(struct prof_name_cache *cache, const prof_trace *trace, struct prof_names *names,
                                 prof_name_write *write, struct prof_diag *diag) {
  *cache = (struct prof_name_cache){.names = names, .write = write};
  cache->count = prof_frame_count(trace);
  cache->slots = calloc(cache->count + 1, sizeof *cache->slots);
  return cache->slots ? PROF_OK : prof_diag_memory(diag);
}

void prof_name_cache_fini(struct prof_name_cache *cache) {
  for (size_t i = 0; cache->slots && i <= cache->count; i++)
    free(cache->slots[i].text);
  free(cache->slots);
  cache->slots = NULL;
}

int prof_name_cache_put(struct prof_name_cache *cache, FILE *file, uint32_t function) {
  size_t slot = function < cache->count ? function : cache->count;
  if (!cache->slots[slot].text) {
    FILE *memory = open_memstream(&cache->slots[slot].text, &cache->slots[slot].bytes);
    if (!memory)
      return 0;
    cache->write(memory, prof_names_function(cache->names, function));
    if (fclose(memory)) {
      free(cache->slots[slot].text);
      cache->slots[slot].text = NULL;
      return 0;
    }
  }
  fwrite(cache->slots[slot].text, 1, cache->slots[slot].bytes, file);
  return 1;
}
