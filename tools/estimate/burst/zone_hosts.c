/*
 * tools/estimate/burst/zone_hosts.c - see zone_hosts.h.
 */
#include "estimate/burst/zone_hosts.h"

#include "base/order.h"
#include "row.h"

#define ANY_NAMED PROF_NONE /* a function with a gate may begin any zone that was named at run time */

static int by_zone(const void *left, const void *right) {
  const struct prof_zone_host *a = left, *b = right;
  return prof_order(a->zone, b->zone) ?: prof_order(a->function, b->function);
}

static bool take_load(struct prof_zone_hosts *hosts, const prof_trace *trace, const struct prof_code_functions *code,
                      const struct prof_load *load) {
  for (uint32_t i = 0; i < load->site_count; i++) {
    const struct prof_site_info site = prof_trace_site(trace, load->first_site + i);
    uint32_t kind = site.kind & PROF_SITE_KIND_MASK;
    if (kind != PROF_PROBE_GATE && (kind != PROF_SITE_ENTRY || !prof_zone_hosts_is_zone(hosts, site.function)))
      continue;
    const struct prof_zone_host pair = {kind == PROF_PROBE_GATE ? ANY_NAMED : site.function,
                                        prof_code_function_at(code, load->module, site.address)};
    if (pair.function != PROF_NONE && !prof_vec_push(&hosts->pairs, pair))
      return false;
  }
  return true;
}

bool prof_zone_hosts_init(struct prof_zone_hosts *hosts, const prof_trace *trace,
                          const struct prof_code_functions *code) {
  size_t count, any = 0;
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  hosts->functions = prof_trace_functions(trace, &hosts->function_count);
  while (any < hosts->function_count && !(hosts->functions[any].flags & PROF_FUNCTION_ZONE))
    any++;
  for (size_t i = 0; any < hosts->function_count && i < count; i++)
    if (!take_load(hosts, trace, code, &loads[i]))
      return false;
  prof_vec_sort(&hosts->pairs, by_zone);
  return true;
}

void prof_zone_hosts_fini(struct prof_zone_hosts *hosts) {
  prof_vec_fini(&hosts->pairs);
}

bool prof_zone_hosts_is_zone(const struct prof_zone_hosts *hosts, uint32_t frame) {
  return frame < hosts->function_count && (hosts->functions[frame].flags & PROF_FUNCTION_ZONE);
}

bool prof_zone_hosts_has(const struct prof_zone_hosts *hosts, uint32_t zone, uint32_t function) {
  bool named = hosts->functions[zone].flags & PROF_FUNCTION_NAMED;
  const struct prof_zone_host *pairs = hosts->pairs.items, wanted = {named ? ANY_NAMED : zone, function};
  size_t at = prof_search(0, hosts->pairs.count, middle, by_zone(&pairs[middle], &wanted) < 0);
  return at < hosts->pairs.count && by_zone(&pairs[at], &wanted) == 0;
}
