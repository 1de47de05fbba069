/*
 * tools/source/source_path.c - see source_path.h.
 */
#include "source/source_path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 };

struct joined {
  char *text;
  size_t length;
  bool absolute, too_long;
};

/* Where the last part of what is joined begins. */
static size_t last_part(const struct joined *joined) {
  size_t at = joined->length;
  while (at > 0 && joined->text[at - 1] != '/')
    at--;
  return at;
}

static bool ends_with_parent(const struct joined *joined, size_t part) {
  return joined->length - part == 2 && memcmp(joined->text + part, "..", 2) == 0;
}

static void add_part(struct joined *joined, const char *part, size_t length) {
  if (length == 0 || (length == 1 && part[0] == '.'))
    return;
  if (length == 2 && memcmp(part, "..", 2) == 0) {
    size_t last = last_part(joined);
    bool nothing = joined->length == last; /* empty, or the root */
    if (nothing && joined->absolute)
      return;
    if (!nothing && !ends_with_parent(joined, last)) {
      joined->length = last > 1 || (last == 1 && !joined->absolute) ? last - 1 : last;
      return;
    }
  }
  size_t slash = joined->length > 0 && joined->text[joined->length - 1] != '/' ? 1 : 0;
  if (joined->length + slash + length >= PROF_SOURCE_PATH_BYTES) {
    joined->too_long = true;
    return;
  }
  if (slash == 1)
    joined->text[joined->length++] = '/';
  memcpy(joined->text + joined->length, part, length);
  joined->length += length;
}

bool prof_source_path_join(char out[PROF_SOURCE_PATH_BYTES], const char *folder, const char *directory,
                           const char *name) {
  const char *parts[] = {folder, directory, name};
  size_t first = 0;
  for (size_t i = 0; i < 3; i++)
    if (parts[i] != NULL && parts[i][0] == '/')
      first = i;
  struct joined joined = {.text = out};
  if (parts[first] != NULL && parts[first][0] == '/') {
    joined.absolute = true;
    out[joined.length++] = '/';
  }
  for (size_t i = first; i < 3; i++) {
    for (const char *at = parts[i]; at != NULL && *at != 0 && !joined.too_long;) {
      size_t length = strcspn(at, "/");
      add_part(&joined, at, length);
      at += length + (at[length] == '/');
    }
  }
  out[joined.length] = 0;
  return !joined.too_long;
}

static uint64_t hash(const char *text) { /* FNV-1a of Fowler, Noll and Vo */
  uint64_t value = 0xcbf29ce484222325u;
  for (; *text != 0; text++)
    value = (value ^ (uint8_t)*text) * 0x100000001b3u;
  return value;
}

static const char **slot_of(const char **slots, size_t slot_count, const char *path) {
  size_t at = hash(path) & (slot_count - 1);
  while (slots[at] != NULL && strcmp(slots[at], path) != 0)
    at = (at + 1) & (slot_count - 1);
  return &slots[at];
}

static bool grow(struct prof_source_paths *paths) {
  size_t slot_count = paths->slot_count == 0 ? FIRST_SLOTS : paths->slot_count * 2;
  const char **slots = calloc(slot_count, sizeof *slots);
  if (slots == NULL)
    return false;
  for (size_t i = 0; i < paths->slot_count; i++)
    if (paths->slots[i] != NULL)
      *slot_of(slots, slot_count, paths->slots[i]) = paths->slots[i];
  free(paths->slots);
  paths->slots = slots;
  paths->slot_count = slot_count;
  return true;
}

const char *prof_source_path_keep(struct prof_source_paths *paths, const char *path) {
  if (paths->count * 2 >= paths->slot_count && !grow(paths))
    return NULL;
  const char **slot = slot_of(paths->slots, paths->slot_count, path);
  if (*slot == NULL && (*slot = prof_arena_copy(&paths->arena, path, strlen(path))) != NULL)
    paths->count++;
  return *slot;
}

void prof_source_paths_fini(struct prof_source_paths *paths) {
  prof_arena_fini(&paths->arena);
  free(paths->slots);
  *paths = (struct prof_source_paths){0};
}
