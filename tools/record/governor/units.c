/*
 * tools/record/governor/units.c - see units.h.
 */
#include "record/governor/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "row.h"

void prof_units_fini(struct prof_units *units) {
  for (size_t i = 0; i < units->modules.count; i++) {
    free(units->modules.items[i].rows);
    prof_vec_fini(&units->modules.items[i].loads);
  }
  prof_vec_fini(&units->modules);
  prof_vec_fini(&units->items);
  prof_vec_fini(&units->changes);
  prof_vec_fini(&units->ties);
  prof_vec_fini(&units->counts_entries);
  prof_vec_fini(&units->ends);
}

static bool writes_events(uint32_t kind) {
  uint32_t probe = kind & PROF_ROW_KIND_MASK;
  return probe == PROF_PROBE_ENTRY || probe == PROF_PROBE_EXIT || probe == PROF_PROBE_LANDED ||
         probe == PROF_PROBE_LOOP_ENTRY || probe == PROF_PROBE_LOOP_EXIT || probe == PROF_PROBE_LOOP_COUNT;
}

static bool counts_calls(uint32_t kind) {
  uint32_t probe = kind & PROF_ROW_KIND_MASK;
  return writes_events(kind) && probe != PROF_PROBE_EXIT && probe != PROF_PROBE_LANDED;
}

static int by_unit(const void *a, const void *b) {
  const struct prof_unit_row *x = a, *y = b;
  if (x->unit != y->unit)
    return x->unit < y->unit ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static bool reach(struct prof_units *units, uint32_t end) {
  if (end <= units->items.count)
    return true;
  size_t more = end - units->items.count;
  if (!prof_vec_reserve(&units->items, more))
    return false;
  memset(units->items.items + units->items.count, 0, more * sizeof *units->items.items);
  units->items.count = end;
  return true;
}

static bool is_flagged(const uint8_t *flags, const struct prof_module_entry *entry, uint32_t unit) {
  return flags != NULL && unit < entry->unit_count && flags[unit];
}

/* The rows of a file that write events, by unit.  Zones that are kept have none: they are never switched. */
static size_t rows_fill(struct prof_unit_row *rows, const struct prof_module_entry *entry) {
  size_t count = 0;
  for (uint32_t i = 0; i < entry->site_count; i++) {
    uint32_t unit = entry->functions[i] & ~PROF_MATCHER_MAYBE;
    if (entry->ends != NULL && entry->ends[i] != PROF_MATCHER_NO_FUNCTION)
      unit = entry->ends[i];
    bool is_switched = !(is_flagged(entry->is_zone, entry, unit) && is_flagged(entry->kept, entry, unit));
    if (unit != PROF_MATCHER_NO_FUNCTION && writes_events(entry->kinds[i]) && is_switched)
      rows[count++] = (struct prof_unit_row){unit, i, entry->kinds[i]};
  }
  qsort(rows, count, sizeof *rows, by_unit);
  return count;
}

/* The row that names a unit: its first one that counts calls, else its first. */
static void unit_name(struct prof_governed_unit *unit, const struct prof_unit_row *rows, uint32_t first_site) {
  uint32_t at = 0;
  while (at < unit->row_count && !counts_calls(rows[at].kind))
    at++;
  unit->site = first_site + rows[at < unit->row_count ? at : 0].row;
}

static void units_make(struct prof_units *units, const struct prof_module_entry *entry, uint32_t module,
                       size_t row_count, uint32_t first_site) {
  const struct prof_unit_row *rows = units->modules.items[module].rows;
  for (size_t i = 0; i < row_count;) {
    uint32_t local = rows[i].unit, probe = rows[i].kind & PROF_ROW_KIND_MASK;
    struct prof_governed_unit *unit = &units->items.items[entry->first_function + local];
    size_t end = i;
    while (end < row_count && rows[end].unit == local)
      end++;
    *unit = (struct prof_governed_unit){.module = module, .first_row = (uint32_t)i, .row_count = (uint32_t)(end - i)};
    unit->is_loop = probe >= PROF_PROBE_LOOP_ENTRY;
    if (local < entry->unit_count && entry->around[local] != PROF_MATCHER_NO_FUNCTION)
      unit->around = entry->first_function + entry->around[local];
    for (size_t k = i; k < end; k++)
      unit->lands |= (rows[k].kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LANDED;
    unit->hinted = is_flagged(entry->hinted, entry, local);
    if (!is_flagged(entry->kept, entry, local))
      unit_name(unit, &rows[i], first_site);
    i = end;
  }
}

static bool module_make(struct prof_units *units, const struct prof_module_entry *entry, uint32_t first_site) {
  struct prof_unit_module module = {
      .number = entry->number, .first_unit = entry->first_function, .unit_count = entry->unit_count};
  module.rows = malloc(((size_t)entry->site_count + 1) * sizeof *module.rows);
  if (module.rows == NULL || !reach(units, entry->first_function + entry->unit_count) ||
      !prof_vec_push(&units->modules, module)) {
    free(module.rows);
    return false;
  }
  units_make(units, entry, (uint32_t)units->modules.count - 1, rows_fill(module.rows, entry), first_site);
  for (uint32_t i = 0; i < entry->unit_count; i++)
    units->items.items[entry->first_function + i].is_zone = is_flagged(entry->is_zone, entry, i);
  for (uint32_t i = 0; i < entry->tie_count; i++) /* numbers rise from module to module */
    if (!prof_vec_push(&units->ties, (struct prof_unit_tie){entry->first_function + entry->ties[i].zone,
                                                            entry->first_function + entry->ties[i].around}))
      return false;
  return true;
}

static bool note_sites(struct prof_units *units, const struct prof_module_entry *entry, uint32_t first_site) {
  size_t end = (size_t)first_site + entry->site_count, count = units->counts_entries.count;
  if (end > count) {
    if (!prof_vec_reserve(&units->counts_entries, end - count) || !prof_vec_reserve(&units->ends, end - count))
      return false;
    memset(units->counts_entries.items + count, 0, end - count);
    memset(units->ends.items + count, 0, (end - count) * sizeof *units->ends.items);
    units->counts_entries.count = units->ends.count = end;
  }
  for (uint32_t i = 0; i < entry->site_count; i++) {
    units->counts_entries.items[first_site + i] =
        (entry->kinds[i] & PROF_ROW_KIND_MASK) == PROF_PROBE_LOOP_COUNT && (entry->kinds[i] & PROF_ROW_COUNTS_ENTRIES);
    bool ends = entry->ends != NULL && entry->ends[i] != PROF_MATCHER_NO_FUNCTION;
    units->ends.items[first_site + i] = ends ? entry->first_function + entry->ends[i] : 0;
  }
  return true;
}

bool prof_units_load(struct prof_units *units, const struct prof_module_entry *entry,
                     const struct prof_log_module *record) {
  size_t at = 0;
  while (at < units->modules.count && units->modules.items[at].number != entry->number)
    at++;
  if (!note_sites(units, entry, record->first_site) ||
      (at == units->modules.count && !module_make(units, entry, record->first_site)))
    return false;
  return prof_vec_push(&units->modules.items[at].loads, (struct prof_unit_load){record->process, record->first_site});
}

void prof_units_unload(struct prof_units *units, uint32_t first_site) {
  for (size_t i = 0; i < units->modules.count; i++)
    for (size_t k = 0; k < units->modules.items[i].loads.count; k++)
      if (units->modules.items[i].loads.items[k].first_site == first_site) {
        struct prof_unit_module *module = &units->modules.items[i];
        module->loads.items[k] = module->loads.items[--module->loads.count];
        return;
      }
}

void prof_units_end(struct prof_units *units, uint32_t process) {
  for (size_t i = 0; i < units->modules.count; i++) {
    struct prof_unit_module *module = &units->modules.items[i];
    size_t kept = 0;
    for (size_t k = 0; k < module->loads.count; k++)
      if (module->loads.items[k].process != process)
        module->loads.items[kept++] = module->loads.items[k];
    module->loads.count = kept;
  }
}

bool prof_units_change(struct prof_units *units, uint32_t number, uint64_t time, enum prof_record_state state) {
  struct prof_governed_unit *unit = &units->items.items[number];
  if (!prof_vec_push(&units->changes, (struct prof_unit_change){time, number, unit->change, unit->state}))
    return false;
  unit->change = (uint32_t)units->changes.count;
  unit->since = time;
  unit->state = (uint8_t)state;
  return true;
}

static bool is_always(const struct prof_units *units, uint32_t number) {
  const struct prof_governed_unit *unit = number != 0 ? prof_unit_of(units, number) : NULL;
  return unit == NULL || unit->state == PROF_RECORD_ALWAYS;
}

bool prof_units_may_be_always(const struct prof_units *units, uint32_t number) {
  const struct prof_unit_tie *ties = units->ties.items;
  size_t at = prof_search(0, units->ties.count, i, ties[i].zone < number);
  bool may = is_always(units, units->items.items[number].around);
  for (; at < units->ties.count && ties[at].zone == number; at++)
    may &= is_always(units, ties[at].around);
  return may;
}

static bool is_among(enum prof_unit_sites which, uint32_t kind) {
  bool landing = (kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LANDED;
  return which == PROF_UNIT_COUNTS ? counts_calls(kind) : landing == (which == PROF_UNIT_LANDINGS);
}

bool prof_units_sites_of(const struct prof_units *units, const struct prof_governed_unit *unit,
                         const struct prof_unit_load *load, enum prof_unit_sites which, struct prof_site_list *out) {
  const struct prof_unit_row *rows = units->modules.items[unit->module].rows + unit->first_row;
  for (uint32_t i = 0; i < unit->row_count; i++)
    if (is_among(which, rows[i].kind) && !prof_vec_push(&out->sites, load->first_site + rows[i].row))
      return false;
  return true;
}

bool prof_units_sites(const struct prof_units *units, const struct prof_governed_unit *unit, enum prof_unit_sites which,
                      struct prof_site_list *out) {
  const struct prof_unit_module *module = &units->modules.items[unit->module];
  for (size_t i = 0; i < module->loads.count; i++)
    if (!prof_units_sites_of(units, unit, &module->loads.items[i], which, out))
      return false;
  return true;
}

const struct prof_unit_module *prof_units_module_of(const struct prof_units *units, uint32_t first_site,
                                                    struct prof_unit_load *load) {
  for (size_t i = 0; i < units->modules.count; i++)
    for (size_t k = 0; k < units->modules.items[i].loads.count; k++)
      if (units->modules.items[i].loads.items[k].first_site == first_site) {
        *load = units->modules.items[i].loads.items[k];
        return &units->modules.items[i];
      }
  return NULL;
}
