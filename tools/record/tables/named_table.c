/*
 * tools/record/tables/named_table.c - see named_table.h.
 */
#include "record/tables/named_table.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "row.h"

static uint32_t hash_of(uint32_t entry, const char *name) {
  uint64_t hash = 14695981039346656037ull; /* FNV-1a */
  for (; *name != 0; name++)
    hash = (hash ^ (uint8_t)*name) * 1099511628211ull;
  return prof_index_hash(entry, hash);
}

/* NULL: no memory. */
static const struct prof_named_zone *zone_of(struct prof_modules *modules, uint32_t entry, const char *name) {
  const struct prof_named_zone *all = modules->named.items;
  uint32_t hash = hash_of(entry, name);
  uint32_t at =
      prof_index_find(&modules->named_index, hash, i, all[i].entry == entry && strcmp(all[i].name, name) == 0);
  if (at != UINT32_MAX)
    return &modules->named.items[at];
  struct prof_named_zone zone = {.name = strdup(name), .entry = entry, .number = modules->called.count};
  uint32_t id = modules->next_function;
  if (zone.name == NULL || !prof_vec_reserve(&modules->named, 1) || !prof_vec_push(&modules->called_ids, id)) {
    free(zone.name);
    return NULL;
  }
  modules->called.count++;
  modules->next_function++;
  modules->named.items[modules->named.count++] = zone;
  if (modules->kept != NULL)
    prof_kept_function(modules->kept, id,
                       &(struct prof_function){.name = zone.name, .file = "", .flags = PROF_FUNCTION_ZONE},
                       modules->entries.items[entry].path, 0);
  (void)prof_index_add(&modules->named_index, hash, (uint32_t)modules->named.count - 1); /* else it is named again */
  return &modules->named.items[modules->named.count - 1];
}

static void take_zone(struct prof_modules *modules, const struct prof_log_named *record, uint32_t entry,
                      const char *name) {
  const struct prof_named_zone *zone = zone_of(modules, entry, *name != 0 ? name : "(empty)");
  if (zone == NULL)
    return;
  modules->map.items[record->site] = modules->called_ids.items[zone->number];
  modules->zones.items[record->site] = PROF_MATCHER_ZONE | PROF_NAMED_LINE | (record->group & (PROF_NAMED_LINE - 1));
  const struct prof_called_record called = {.site = record->site,
                                            .number = zone->number,
                                            .function = {.key = zone->number,
                                                         .flags = PROF_FUNCTION_ZONE | PROF_FUNCTION_NAMED,
                                                         .name = prof_span(zone->name),
                                                         .file = prof_span("")}};
  (void)prof_writer_sites(modules->writer, &(struct prof_sites_record){.process = record->process,
                                                                       .module = modules->entries.items[entry].number,
                                                                       .called = &called,
                                                                       .count = 1});
}

static void take_point(struct prof_modules *modules, const struct prof_log_named *record, uint32_t entry,
                       const char *name) {
  (void)prof_writer_named(modules->writer,
                          &(struct prof_named_record){.process = record->process,
                                                      .module = modules->entries.items[entry].number,
                                                      .site = record->site,
                                                      .kind = record->kind,
                                                      .what = record->what,
                                                      .name = prof_span(*name != 0 ? name : "(empty)")});
}

void prof_modules_named(struct prof_modules *modules, const struct prof_log_named *record, const char *name) {
  size_t at = modules->callers.count;
  while (at > 0 && modules->callers.items[at - 1].site != record->module)
    at--;
  uint32_t kind = record->kind & PROF_ROW_KIND_MASK;
  if (at == 0 || record->site == 0 || record->site >= PROF_SITE_LIMIT ||
      !prof_modules_reach(modules, (uint64_t)record->site + 1))
    return;
  if (kind == PROF_PROBE_ENTRY)
    take_zone(modules, record, modules->callers.items[at - 1].entry, name);
  else if (kind == PROF_PROBE_EXIT)
    modules->zones.items[record->site] = PROF_MATCHER_ZONE;
  else
    take_point(modules, record, modules->callers.items[at - 1].entry, name);
}

void prof_named_fini(struct prof_modules *modules) {
  for (size_t i = 0; i < modules->named.count; i++)
    free(modules->named.items[i].name);
  prof_vec_fini(&modules->named);
  prof_index_fini(&modules->named_index);
}
