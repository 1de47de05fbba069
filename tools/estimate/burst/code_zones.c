/*
 * tools/estimate/burst/code_zones.c - see code_zones.h.
 */
#include "estimate/burst/code_zones.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/zone_ranges.h"
#include "row.h"

struct sleds { /* of a module */
  struct prof_zone_sled *items;
  size_t count, capacity;
};

static bool take_site(struct sleds *sleds, const struct prof_site_info *site, uint32_t host) {
  uint32_t kind = site->kind & PROF_SITE_KIND_MASK;
  bool of_zone = (site->kind & PROF_ROW_ZONE) != 0;
  if (site->address == 0 || (kind != PROF_PROBE_EXIT && !(kind == PROF_PROBE_ENTRY && of_zone)))
    return true;
  struct prof_zone_sled sled = {site->address, site->function, host, PROF_ZONE_SLED_END};
  if (!of_zone) {
    sled.host = site->function;
    sled.kind = PROF_ZONE_SLED_EXIT;
  } else if (kind == PROF_PROBE_ENTRY) {
    sled.kind = PROF_ZONE_SLED_BEGIN;
  }
  return prof_vec_push(sleds, sled);
}

static int by_address(const void *left, const void *right) {
  const struct prof_zone_sled *a = left, *b = right;
  return prof_order(a->address, b->address);
}

static bool take_load(struct prof_code_zones *zones, const prof_trace *trace, const struct prof_code_functions *code,
                      const struct prof_load *load) {
  struct sleds sleds = {0};
  struct prof_zone_ranges ranges = {0};
  bool done = true;
  for (uint32_t i = 0; i < load->site_count && done; i++) {
    struct prof_site_info site = prof_trace_site(trace, load->first_site + i);
    done = take_site(&sleds, &site, prof_code_function_at(code, load->module, site.address));
  }
  prof_vec_sort(&sleds, by_address);
  done = done && prof_zone_ranges_find(&ranges, sleds.items, sleds.count);
  for (size_t i = 0; i < ranges.count && done; i++) {
    const struct prof_zone_range *range = &ranges.items[i];
    done = prof_vec_push(&zones->items, ((struct prof_code_zone){.begin = range->begin,
                                                                 .end = range->end,
                                                                 .module = load->module,
                                                                 .zone = range->zone,
                                                                 .host = range->host}));
  }
  prof_vec_fini(&sleds);
  prof_vec_fini(&ranges);
  return done;
}

static int by_place(const void *left, const void *right) {
  const struct prof_code_zone *a = left, *b = right;
  return prof_order(a->module, b->module) ?: prof_order(a->begin, b->begin);
}

static bool has_zones(const prof_trace *trace) {
  size_t count, at = 0;
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  while (at < count && !(functions[at].flags & PROF_FUNCTION_ZONE))
    at++;
  return at < count;
}

bool prof_code_zones_init(struct prof_code_zones *zones, const prof_trace *trace,
                          const struct prof_code_functions *code) {
  size_t load_count, module_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  prof_trace_modules(trace, &module_count);
  *zones = (struct prof_code_zones){0};
  if (!has_zones(trace))
    return true;
  bool *taken = calloc(module_count + 1, sizeof *taken), done = taken != NULL;
  for (size_t i = 0; i < load_count && done; i++) {
    done = taken[loads[i].module] || take_load(zones, trace, code, &loads[i]);
    taken[loads[i].module] = true;
  }
  free(taken);
  prof_vec_sort(&zones->items, by_place);
  for (size_t i = 0; i < zones->items.count; i++) {
    struct prof_code_zone *zone = &zones->items.items[i];
    bool first = i == 0 || zone[-1].module != zone->module;
    zone->reach = first || zone->end > zone[-1].reach ? zone->end : zone[-1].reach;
  }
  return done;
}

void prof_code_zones_fini(struct prof_code_zones *zones) {
  prof_vec_fini(&zones->items);
}

const struct prof_code_zone *prof_code_zones_next(const struct prof_code_zones *zones, uint32_t module,
                                                  uint64_t address, size_t *at) {
  const struct prof_code_zone *items = zones->items.items;
  if (*at == zones->items.count)
    *at = prof_search(0, *at, i, items[i].module != module ? items[i].module < module : items[i].begin <= address);
  while (*at > 0 && items[*at - 1].module == module && items[*at - 1].reach > address)
    if (items[--*at].end > address)
      return &items[*at];
  *at = 0;
  return NULL;
}
