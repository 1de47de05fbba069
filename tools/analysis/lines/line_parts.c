/*
 * tools/analysis/lines/line_parts.c - see line_parts.h.
 */
#include "analysis/lines/line_parts.h"

#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++) /* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) */
    hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
  return hash;
}

static uint32_t find(const struct prof_line_parts *parts, uint32_t hash, const char *file, uint32_t line,
                     const char *function) {
  const struct prof_line *lines = parts->lines.items;
  return prof_index_find(&parts->known, hash, i,
                         lines[i].line == line && strcmp(lines[i].file, file) == 0 &&
                             (line != 0 || strcmp(parts->parts.items[lines[i].first_part].function, function) == 0));
}

void prof_line_parts_fini(struct prof_line_parts *parts) {
  prof_vec_fini(&parts->lines);
  prof_vec_fini(&parts->parts);
  prof_index_fini(&parts->known);
}

static uint32_t hash_of(const char *file, uint32_t line, const char *function) {
  uint64_t text_hash = hash_text(0xcbf29ce484222325ull, file);
  return prof_index_hash(line == 0 ? hash_text(text_hash, function) : text_hash, line);
}

uint32_t prof_line_parts_find(const struct prof_line_parts *parts, const char *file, uint32_t line,
                              const char *function) {
  return find(parts, hash_of(file, line, function), file, line, function);
}

uint32_t prof_line_part_of(struct prof_line_parts *parts, const char *file, uint32_t line, const char *function) {
  uint32_t hash = hash_of(file, line, function);
  uint32_t index = find(parts, hash, file, line, function), part = (uint32_t)parts->parts.count;
  bool known = index != UINT32_MAX;
  uint32_t at = known ? parts->lines.items[index].first_part : UINT32_MAX;
  for (; at != UINT32_MAX; at = parts->parts.items[at].next)
    if (strcmp(parts->parts.items[at].function, function) == 0)
      return at;
  index = known ? index : (uint32_t)parts->lines.count;
  struct prof_line_part made = {
      .function = function, .line = index, .next = known ? parts->lines.items[index].first_part : UINT32_MAX};
  if (!prof_vec_push(&parts->parts, made))
    return UINT32_MAX;
  if (!known) {
    struct prof_line fresh = {.file = file, .line = line, .first_part = part};
    if (!prof_vec_push(&parts->lines, fresh) || !prof_index_add(&parts->known, hash, index))
      return UINT32_MAX;
  }
  parts->lines.items[index].first_part = part;
  return part;
}
