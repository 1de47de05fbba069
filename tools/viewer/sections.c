/*
 * tools/viewer/sections.c - see sections.h.
 *
 * A failure of memory is kept, and reported by prof_sections_take alone.
 */
#include "viewer/sections.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/vec.h"

#define GZIP_WINDOW (15 + 16) /* of zlib: the largest, with gzip's header */
#define ROOM 65536

struct prof_sections {
  bool packs;
  z_stream packer;
  PROF_VEC(uint8_t) packed; /* or plain */
  bool failed;
  const char *open; /* name of the section that is written as text */
  FILE *text;
  char *bytes;
  size_t count;
};

static void put_plain(struct prof_sections *sections, const void *bytes, size_t count) {
  if (sections->failed || !prof_vec_reserve(&sections->packed, count + 1)) {
    sections->failed = true;
    return;
  }
  memcpy(sections->packed.items + sections->packed.count, bytes, count);
  sections->packed.count += count;
}

static void pack(struct prof_sections *sections, const void *bytes, size_t count, int flush) {
  if (!sections->packs) {
    put_plain(sections, bytes, count);
    return;
  }
  z_stream *packer = &sections->packer;
  packer->next_in = (Bytef *)(uintptr_t)bytes;
  while (!sections->failed) {
    size_t part = count < (1u << 30) ? count : 1u << 30;
    packer->avail_in = (uInt)part;
    int result = Z_OK;
    do {
      if (!prof_vec_reserve(&sections->packed, ROOM)) {
        sections->failed = true;
        return;
      }
      packer->next_out = sections->packed.items + sections->packed.count;
      packer->avail_out = ROOM;
      result = deflate(packer, part == count ? flush : Z_NO_FLUSH);
      sections->packed.count += ROOM - packer->avail_out;
    } while (packer->avail_out == 0 || (flush == Z_FINISH && part == count && result == Z_OK));
    count -= part;
    if (count == 0)
      return;
  }
}

struct prof_sections *prof_sections_new(bool packs) {
  struct prof_sections *sections = calloc(1, sizeof *sections);
  const uint32_t head[] = {PROF_VIEW_VERSION, 0};
  if (!sections)
    return NULL;
  sections->packs = packs;
  if (packs && deflateInit2(&sections->packer, 6, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    free(sections);
    return NULL;
  }
  pack(sections, "PROFVIEW", 8, Z_NO_FLUSH);
  pack(sections, head, sizeof head, Z_NO_FLUSH);
  return sections;
}

void prof_sections_free(struct prof_sections *sections) {
  if (!sections)
    return;
  if (sections->text)
    fclose(sections->text);
  free(sections->bytes);
  if (sections->packs)
    deflateEnd(&sections->packer);
  prof_vec_fini(&sections->packed);
  free(sections);
}

void prof_sections_add(struct prof_sections *sections, const char *name, const void *bytes, size_t count) {
  char head[PROF_VIEW_NAME_BYTES] = "";
  uint32_t sizes[] = {(uint32_t)count, 0};
  if (count > UINT32_MAX - 4) {
    sections->failed = true;
    return;
  }
  strncpy(head, name, sizeof head - 1);
  pack(sections, head, sizeof head, Z_NO_FLUSH);
  pack(sections, sizes, sizeof sizes, Z_NO_FLUSH);
  pack(sections, bytes, count, Z_NO_FLUSH);
  pack(sections, "\0\0\0", -count & 3, Z_NO_FLUSH);
}

FILE *prof_sections_begin(struct prof_sections *sections, const char *name) {
  sections->open = name;
  sections->text = open_memstream(&sections->bytes, &sections->count);
  sections->failed |= !sections->text;
  return sections->text;
}

void prof_sections_end(struct prof_sections *sections) {
  if (!sections->text)
    return;
  bool failed = ferror(sections->text) != 0;
  failed |= fclose(sections->text) != 0;
  sections->text = NULL;
  sections->failed |= failed;
  if (!sections->failed)
    prof_sections_add(sections, sections->open, sections->bytes, sections->count);
  free(sections->bytes);
  sections->bytes = NULL;
}

bool prof_sections_take(struct prof_sections *sections, uint8_t **bytes, size_t *count) {
  prof_sections_add(sections, "end", "", 0);
  pack(sections, "", 0, Z_FINISH);
  *bytes = NULL;
  if (sections->failed)
    return false;
  *bytes = sections->packed.items;
  *count = sections->packed.count;
  sections->packed.items = NULL;
  sections->packed.count = sections->packed.capacity = 0;
  return true;
}
