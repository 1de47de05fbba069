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

static uint32_t slot_of(const struct prof_line_parts *parts, const char *file, uint32_t line, const char *function) {
  uint64_t hash = hash_text(0xcbf29ce484222325ull, file);
  if (line == 0)
    hash = hash_text(hash, function);
  return (uint32_t)((hash + line) * 0x9e3779b97f4a7c15ull >> (64 - parts->bits));
}

static const char *first_function(const struct prof_line_parts *parts, const struct prof_line *line) {
  return parts->parts.items[line->first_part].function;
}

static uint32_t *find(const struct prof_line_parts *parts, const char *file, uint32_t line, const char *function) {
  uint32_t mask = (1u << parts->bits) - 1, slot = slot_of(parts, file, line, function);
  for (; parts->slots[slot]; slot = (slot + 1) & mask) {
    const struct prof_line *at = &parts->lines.items[parts->slots[slot] - 1];
    if (at->line == line && strcmp(at->file, file) == 0 &&
        (line != 0 || strcmp(first_function(parts, at), function) == 0))
      break;
  }
  return &parts->slots[slot];
}

static bool grow(struct prof_line_parts *parts, uint32_t bits) {
  uint32_t *slots = bits < 31 ? calloc((size_t)1 << bits, sizeof *slots) : NULL;
  if (!slots)
    return false;
  free(parts->slots);
  parts->slots = slots;
  parts->bits = bits;
  for (uint32_t i = 0; i < parts->lines.count; i++) {
    const struct prof_line *line = &parts->lines.items[i];
    *find(parts, line->file, line->line, first_function(parts, line)) = i + 1;
  }
  return true;
}

bool prof_line_parts_init(struct prof_line_parts *parts) {
  memset(parts, 0, sizeof *parts);
  return grow(parts, 8);
}

void prof_line_parts_fini(struct prof_line_parts *parts) {
  prof_vec_fini(&parts->lines);
  prof_vec_fini(&parts->parts);
  free(parts->slots);
  parts->slots = NULL;
}

uint32_t prof_line_part_of(struct prof_line_parts *parts, const char *file, uint32_t line, const char *function) {
  if (2 * (parts->lines.count + 1) > (size_t)1 << parts->bits && !grow(parts, parts->bits + 1))
    return UINT32_MAX;
  uint32_t *slot = find(parts, file, line, function), part = (uint32_t)parts->parts.count;
  uint32_t at = *slot ? parts->lines.items[*slot - 1].first_part : UINT32_MAX;
  for (; at != UINT32_MAX; at = parts->parts.items[at].next)
    if (strcmp(parts->parts.items[at].function, function) == 0)
      return at;
  uint32_t index = *slot ? *slot - 1 : (uint32_t)parts->lines.count;
  struct prof_line_part made = {
      .function = function, .line = index, .next = *slot ? parts->lines.items[index].first_part : UINT32_MAX};
  if (!prof_vec_push(&parts->parts, made))
    return UINT32_MAX;
  if (!*slot) {
    struct prof_line fresh = {.file = file, .line = line, .first_part = part};
    if (!prof_vec_push(&parts->lines, fresh)) {
      parts->parts.count--;
      return UINT32_MAX;
    }
    *slot = index + 1;
  }
  parts->lines.items[index].first_part = part;
  return part;
}
