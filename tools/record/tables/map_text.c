/*
 * tools/record/tables/map_text.c - see map_text.h.
 */
#include "record/tables/map_text.h"

#include <stdlib.h>
#include <string.h>

#include "record/tables/map_table.h"

enum { PAGE_BYTES = 4096 };

void prof_map_span_take(struct prof_map_span *span, uint64_t begin, uint64_t offset, const char *path) {
  if (span->path != NULL && strcmp(span->path, path) == 0) /* a segment may begin in its first page again */
    return;
  prof_map_span_fini(span);
  *span = (struct prof_map_span){.begin = begin, .path = offset == 0 ? strdup(path) : NULL};
}

static void open_file(struct prof_map_span *span, pid_t pid) {
  struct prof_elf_load load;
  struct prof_elf *elf = prof_map_open(span->path, pid);
  span->is_opened = true;
  if (elf == NULL)
    return;
  if (prof_elf_load_first(elf, &load) && load.offset == 0) {
    span->bias = span->begin - load.address;
    for (size_t at = 0; prof_elf_load_next(elf, &at, &load);)
      (void)prof_vec_push(&span->loads, load); /* without memory its text stays unknown */
  }
  prof_elf_close(elf);
}

bool prof_map_span_has(struct prof_map_span *span, pid_t pid, uint64_t begin, uint64_t end, uint64_t *offset) {
  if (span->path == NULL)
    return false;
  if (!span->is_opened)
    open_file(span, pid);
  for (size_t i = 0; i < span->loads.count; i++) {
    const struct prof_elf_load *load = &span->loads.items[i];
    uint64_t first = (span->bias + load->address) & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t behind = (span->bias + load->address + load->bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (begin >= first && end <= behind) {
      *offset = begin - span->bias - load->address + load->offset;
      return true;
    }
  }
  return false;
}

void prof_map_span_fini(struct prof_map_span *span) {
  prof_vec_fini(&span->loads);
  free(span->path);
  *span = (struct prof_map_span){0};
}
