/*
 * tools/source/zones.c - see zones.h.
 */
#include "source/zones.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/vec.h"

bool prof_elf_zones_take(struct prof_elf_zones *zones, struct prof_elf *file, const struct prof_fact_view *view) {
  struct prof_fact_zone fact;
  if (!prof_fact_zone_read(view, &fact))
    return true;
  const char *name = prof_elf_string_at(file, fact.name), *source = prof_elf_string_at(file, fact.file);
  if (name == NULL)
    return true;
  struct prof_elf_zone zone = {.index = PROF_ELF_NO_FUNCTION};
  zone.function = (struct prof_elf_function){.key = fact.name,
                                             .line = fact.line,
                                             .flags = PROF_FUNCTION_ZONE,
                                             .language = fact.language,
                                             .name = *name != 0 ? name : "(empty)",
                                             .file = source != NULL ? source : ""};
  return prof_vec_push(zones, zone);
}

static int by_name(const void *left, const void *right) {
  const struct prof_elf_function *a = &((const struct prof_elf_zone *)left)->function;
  const struct prof_elf_function *b = &((const struct prof_elf_zone *)right)->function;
  return strcmp(a->name, b->name) ?: strcmp(a->file, b->file) ?: prof_order(a->line, b->line);
}

void prof_elf_zones_sort(struct prof_elf_zones *zones) {
  if (zones->count > 1)
    qsort(zones->items, zones->count, sizeof *zones->items, by_name);
}

struct prof_elf_zone *prof_elf_zones_find(struct prof_elf_zones *zones, struct prof_elf *file, uint64_t key) {
  const char *name = zones->count > 0 ? prof_elf_string_at(file, key) : NULL;
  if (name == NULL)
    return NULL;
  name = *name != 0 ? name : "(empty)";
  size_t at = prof_search(0, zones->count, middle, strcmp(zones->items[middle].function.name, name) < 0);
  bool found = at < zones->count && strcmp(zones->items[at].function.name, name) == 0;
  return found ? &zones->items[at] : NULL;
}
