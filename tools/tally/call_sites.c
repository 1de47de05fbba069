/*
 * tools/tally/call_sites.c - see call_sites.h.
 */
#include "tally/call_sites.h"

uint32_t prof_call_site_meet(struct prof_call_sites *sites, const struct prof_call_site *site) {
  const struct prof_call_site *items = sites->items.items;
  const uint64_t place = (uint64_t)site->process << 32 | site->node;
  return prof_index_meet(&sites->known, &sites->items, prof_index_hash(site->caller, place), i,
                         items[i].caller == site->caller && items[i].node == site->node &&
                             items[i].process == site->process && items[i].operation == site->operation,
                         *site);
}

uint32_t prof_call_site_of(struct prof_call_sites *sites, const struct prof_measured *event) {
  const struct prof_call_site site = {event->process,   event->node,   event->function,
                                      event->operation, event->caller, event->time_ticks};
  return prof_call_site_meet(sites, &site);
}

void prof_call_sites_fini(struct prof_call_sites *sites) {
  prof_vec_fini(&sites->items);
  prof_index_fini(&sites->known);
}
