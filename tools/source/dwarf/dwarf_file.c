/*
 * tools/source/dwarf/dwarf_file.c - see dwarf_file.h.
 */
#include "source/dwarf/dwarf_file.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>

/* A sound file uses about once its size: each list once, each line program once. */
enum { BUDGET_SIZES = 16, BUDGET_LEAST = 1 << 20 };

static const char *const names[PROF_DWARF_SECTIONS] = {
    [PROF_DWARF_INFO] = ".debug_info",         [PROF_DWARF_ABBREV] = ".debug_abbrev",
    [PROF_DWARF_LINE] = ".debug_line",         [PROF_DWARF_STR] = ".debug_str",
    [PROF_DWARF_LINE_STR] = ".debug_line_str", [PROF_DWARF_STR_OFFSETS] = ".debug_str_offsets",
    [PROF_DWARF_ADDR] = ".debug_addr",         [PROF_DWARF_RANGES] = ".debug_ranges",
    [PROF_DWARF_RNGLISTS] = ".debug_rnglists",
};

static bool load(struct prof_elf *elf, bool split, enum prof_dwarf_section which, struct prof_elf_section *out) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", names[which], split ? ".dwo" : "");
  if (split && which == PROF_DWARF_INFO) /* GCC gives each type of a split unit a section of this name */
    return prof_elf_joined_sections(elf, name, out);
  return prof_elf_debug_section(elf, name, out) && out->size > 0;
}

bool prof_dwarf_file_has_info(struct prof_elf *elf, bool split) {
  return prof_elf_has_prefix(elf, split ? ".debug_info.dwo" : ".debug_info") ||
         (!split && prof_elf_has_prefix(elf, ".zdebug_info"));
}

struct prof_dwarf_file *prof_dwarf_file_new(struct prof_elf *elf, bool split) {
  struct prof_dwarf_file *file = calloc(1, sizeof *file);
  if (file == NULL) {
    prof_elf_close(elf);
    return NULL;
  }
  file->elf = elf;
  file->split = split;
  file->budget = BUDGET_LEAST;
  return file;
}

void prof_dwarf_file_free(struct prof_dwarf_file *file) {
  if (file == NULL)
    return;
  prof_vec_fini(&file->abbrevs);
  prof_arena_fini(&file->arena);
  prof_elf_close(file->elf);
  free(file);
}

const struct prof_elf_section *prof_dwarf_section(struct prof_dwarf_file *file, enum prof_dwarf_section which) {
  struct prof_elf_section *section = &file->sections[which];
  if ((file->loaded & 1u << which) != 0)
    return section;
  file->loaded |= 1u << which;
  if (!load(file->elf, file->split, which, section))
    *section = (struct prof_elf_section){0};
  file->budget += (uint64_t)section->size * BUDGET_SIZES;
  uint64_t limit = section->size;
  while (limit > 0 && section->bytes[limit - 1] != 0)
    limit--;
  file->text_limits[which] = limit;
  return section;
}

const char *prof_dwarf_text(struct prof_dwarf_file *file, enum prof_dwarf_section which, uint64_t offset) {
  const struct prof_elf_section *section = prof_dwarf_section(file, which);
  if (offset < file->text_limits[which])
    return (const char *)section->bytes + offset;
  file->damaged = true;
  return NULL;
}

const struct prof_dwarf_abbrevs *prof_dwarf_file_abbrevs(struct prof_dwarf_file *file, uint64_t offset) {
  size_t low = prof_search(0, file->abbrevs.count, middle, file->abbrevs.items[middle]->offset < offset);
  if (low < file->abbrevs.count && file->abbrevs.items[low]->offset == offset)
    return file->abbrevs.items[low];
  const struct prof_elf_section *section = prof_dwarf_section(file, PROF_DWARF_ABBREV);
  if (!prof_dwarf_spend(file, 1) || !prof_vec_reserve(&file->abbrevs, 1))
    return NULL;
  uint64_t used;
  bool damaged;
  struct prof_dwarf_abbrevs *table = prof_dwarf_abbrevs_read(prof_bytes_from(section->bytes, section->size, offset),
                                                             offset, &file->arena, &used, &damaged);
  file->damaged |= damaged;
  if (table == NULL || !prof_dwarf_spend(file, used))
    return NULL;
  memmove(file->abbrevs.items + low + 1, file->abbrevs.items + low,
          (file->abbrevs.count - low) * sizeof *file->abbrevs.items);
  file->abbrevs.items[low] = table;
  file->abbrevs.count++;
  return table;
}

bool prof_dwarf_spend(struct prof_dwarf_file *file, uint64_t bytes) {
  if (bytes > file->budget) {
    file->budget = 0;
    file->damaged = true;
    return false;
  }
  file->budget -= bytes;
  return true;
}
