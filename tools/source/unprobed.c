/*
 * tools/source/unprobed.c - see unprobed.h.
 */
#include "source/unprobed.h"

#include <stdio.h>

#include "source/facts.h"
#include "version.h"

void prof_elf_unprobed_read(struct prof_elf *file, struct prof_elf_unprobed *out) {
  struct prof_elf_section section;
  *out = (struct prof_elf_unprobed){0};
  if (!prof_elf_section(file, PROF_LTO_SECTION, &section))
    return;
  struct prof_fact_walk walk = prof_fact_walk_begin(section.bytes, section.size);
  for (struct prof_fact_view view; prof_fact_walk_next(&walk, &view);) {
    struct prof_fact_lto unit;
    const char *compiler, *source;
    if (!prof_fact_lto_read(&view, &unit, &compiler, &source))
      continue;
    if (out->units++ == 0)
      snprintf(out->first, sizeof out->first, "%s", source);
  }
}

bool prof_elf_unprobed_find(const char *path, struct prof_elf_unprobed *out) {
  struct prof_elf *file;
  *out = (struct prof_elf_unprobed){0};
  if (prof_elf_open(path, NULL, &file) != PROF_OK)
    return false;
  prof_elf_unprobed_read(file, out);
  prof_elf_close(file);
  return out->units > 0;
}
