/*
 * tools/record/tables/module_units.c - see module_units.h.
 */
#include "record/tables/module_units.h"

#include <stdlib.h>

#include "match/matcher.h"
#include "row.h"
#include "version.h"

/* An end that names its zone by the line. */
static bool is_by_line(const struct prof_elf_site *site) {
  return (site->kind & PROF_ROW_KIND_MASK) == PROF_PROBE_EXIT && (site->kind & PROF_ROW_ZONE) &&
         (site->kind & PROF_ROW_HAS_VALUE);
}

/* Functions and loops share numbers: a file's loops follow its functions. */
static uint32_t identity_of(const struct prof_elf_module *file, const struct prof_elf_site *site) {
  if (site->loop != PROF_ELF_NO_LOOP)
    return (file->function_count + site->loop) | (site->kind & PROF_ROW_MAYBE ? PROF_MATCHER_MAYBE : 0);
  bool of_loop = (site->kind & PROF_ROW_KIND_MASK) >= PROF_PROBE_LOOP_ENTRY;
  if (is_by_line(site)) /* matchers go by the event's line */
    return PROF_MATCHER_NO_FUNCTION;
  return site->function != PROF_ELF_NO_FUNCTION && !of_loop ? site->function : PROF_MATCHER_NO_FUNCTION;
}

static uint32_t around_loop(const struct prof_elf_module *file, const struct prof_elf_loop *loop) {
  if (loop->parent != PROF_ELF_NO_LOOP)
    return file->function_count + loop->parent;
  return loop->function != PROF_ELF_NO_FUNCTION ? loop->function : PROF_MATCHER_NO_FUNCTION;
}

/* As in struct prof_site_map. */
static uint32_t zone_of(const struct prof_elf_module *file, const struct prof_elf_site *site) {
  uint32_t kind = site->kind & PROF_ROW_KIND_MASK;
  if (!(site->kind & PROF_ROW_ZONE) || (kind == PROF_PROBE_EXIT && !(site->kind & PROF_ROW_HAS_VALUE)))
    return 0;
  if (kind != PROF_PROBE_ENTRY)
    return kind == PROF_PROBE_EXIT ? PROF_MATCHER_ZONE : 0;
  bool iterates =
      site->function != PROF_ELF_NO_FUNCTION && (file->functions[site->function].flags & PROF_FUNCTION_ITERATION);
  if (iterates || site->function == PROF_ELF_NO_FUNCTION)
    return iterates ? PROF_MATCHER_ITERATION : PROF_MATCHER_ZONE | site->line;
  const struct prof_elf_function *zone = &file->functions[site->function];
  return PROF_MATCHER_ZONE | site->line | (zone->is_apart ? PROF_MATCHER_APART : 0) |
         (zone->by_name ? PROF_MATCHER_BY_NAME : 0);
}

static bool keep_zones(struct prof_module_entry *entry, const struct prof_elf_module *file) {
  uint32_t first = 0;
  while (first < file->site_count && zone_of(file, &file->sites[first]) == 0)
    first++;
  if (first == file->site_count)
    return true;
  entry->zones = malloc(((size_t)entry->site_count + 1) * sizeof *entry->zones);
  for (uint32_t i = 0; entry->zones != NULL && i < entry->site_count; i++)
    entry->zones[i] = zone_of(file, &file->sites[i]);
  return entry->zones != NULL;
}

/* The zone of an end; of one that may be of several, any of these: they change their states together. */
static uint32_t zone_of_end(const struct prof_elf_module *file, const struct prof_elf_site *end) {
  uint32_t zone = end->function;
  for (uint32_t i = 0; zone == PROF_ELF_NO_FUNCTION && end->host != PROF_ELF_NO_FUNCTION && i < file->tie_count; i++)
    if (file->ties[i].around == end->host)
      zone = file->ties[i].zone;
  return zone != PROF_ELF_NO_FUNCTION ? zone : PROF_MATCHER_NO_FUNCTION;
}

static bool keep_ties(struct prof_module_entry *entry, const struct prof_elf_module *file) {
  if (entry->zones == NULL)
    return true;
  entry->ends = malloc(((size_t)entry->site_count + 1) * sizeof *entry->ends);
  entry->ties = malloc(((size_t)file->tie_count + 1) * sizeof *entry->ties);
  entry->is_zone = calloc((size_t)entry->unit_count + 1, 1);
  if (entry->ends == NULL || entry->ties == NULL || entry->is_zone == NULL)
    return false;
  for (uint32_t i = 0; i < entry->site_count; i++)
    entry->ends[i] = is_by_line(&file->sites[i]) ? zone_of_end(file, &file->sites[i]) : PROF_MATCHER_NO_FUNCTION;
  for (uint32_t i = 0; i < file->tie_count; i++)
    entry->ties[i] = (struct prof_module_tie){file->ties[i].zone, file->ties[i].around};
  entry->tie_count = file->tie_count;
  for (uint32_t i = 0; i < file->function_count; i++)
    entry->is_zone[i] = (file->functions[i].flags & PROF_FUNCTION_ZONE) != 0;
  return true;
}

bool prof_module_units_keep(struct prof_module_entry *entry, const struct prof_elf_module *file,
                            struct prof_hints *hints) {
  if (file == NULL)
    return true;
  entry->functions = malloc(((size_t)entry->site_count + 1) * sizeof *entry->functions);
  entry->addresses = malloc(((size_t)entry->site_count + 1) * sizeof *entry->addresses);
  entry->kinds = malloc(((size_t)entry->site_count + 1) * sizeof *entry->kinds);
  entry->unit_count = file->function_count + file->loop_count;
  entry->around = malloc(((size_t)entry->unit_count + 1) * sizeof *entry->around);
  entry->hinted = calloc((size_t)entry->unit_count + 1, 1);
  entry->kept = calloc((size_t)entry->unit_count + 1, 1);
  if (entry->functions == NULL || entry->addresses == NULL || entry->kinds == NULL || entry->around == NULL ||
      entry->hinted == NULL || entry->kept == NULL)
    return false;
  for (uint32_t i = 0; i < entry->site_count; i++) {
    entry->functions[i] = identity_of(file, &file->sites[i]);
    entry->addresses[i] = (uint32_t)file->sites[i].address;
    entry->kinds[i] = file->sites[i].kind;
  }
  if (!keep_zones(entry, file) || !keep_ties(entry, file))
    return false;
  for (uint32_t i = 0; i < file->function_count; i++) {
    entry->around[i] = PROF_MATCHER_NO_FUNCTION;
    entry->kept[i] = file->functions[i].is_kept;
    entry->hinted[i] = prof_hints_have(hints, file->functions[i].name, file->functions[i].file);
  }
  for (uint32_t i = 0; i < file->loop_count; i++)
    entry->around[file->function_count + i] = around_loop(file, &file->loops[i]);
  return true;
}

void prof_module_units_free(struct prof_module_entry *entry) {
  free(entry->functions);
  free(entry->addresses);
  free(entry->kinds);
  free(entry->zones);
  free(entry->around);
  free(entry->hinted);
  free(entry->kept);
  free(entry->ends);
  free(entry->ties);
  free(entry->is_zone);
}
