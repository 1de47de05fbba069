/*
 * tools/estimate/burst/paths.c - see paths.h.
 */
#include "estimate/burst/paths.h"

#include "base/order.h"

void prof_burst_paths_fini(struct prof_burst_paths *paths) {
  prof_index_fini(&paths->known);
  prof_vec_fini(&paths->addresses);
  prof_vec_fini(&paths->links);
  prof_vec_fini(&paths->found);
}

/* Of code at a link-time address. */
static uint32_t function_of(const struct prof_burst_paths *paths, uint32_t module, uint64_t address) {
  uint32_t twin = paths->modules[module].twin;
  return paths->modules[module].has_probes ? prof_code_function_at(paths->code, twin, address) : PROF_NONE;
}

/* Of the call that returns to a run-time address. */
static struct prof_burst_address place_before(struct prof_burst_paths *paths, uint32_t process, uint64_t address,
                                              uint64_t time) {
  uint32_t hash = prof_index_hash(address, process);
  uint32_t at =
      prof_index_find(&paths->known, hash, i,
                      paths->addresses.items[i].address == address && paths->addresses.items[i].process == process);
  if (at != UINT32_MAX)
    return paths->addresses.items[at];
  struct prof_place place;
  struct prof_burst_address found = {address, process, PROF_NONE, PROF_NONE, 0};
  if (address && prof_trace_place(paths->trace, process, address - 1, time, &place) && !place.own) {
    found.function = function_of(paths, place.module, place.address);
    found.module = found.function != PROF_NONE ? paths->modules[place.module].twin : PROF_NONE;
    found.place = place.address;
  }
  if (prof_vec_push(&paths->addresses, found))
    (void)prof_index_add(&paths->known, hash, (uint32_t)paths->addresses.count - 1); /* a cache: it may lack some */
  return found;
}

uint32_t prof_burst_place_function(const struct prof_burst_paths *paths, uint32_t module, uint64_t address) {
  return function_of(paths, module, address - 1);
}

struct prof_burst_from prof_burst_caller(struct prof_burst_paths *paths, uint32_t process, uint32_t caller) {
  uint32_t module;
  uint64_t address;
  if (!caller || !prof_trace_caller(paths->trace, process, caller, &module, &address) || address == 0)
    return (struct prof_burst_from){PROF_NONE, PROF_NONE, 0};
  uint32_t function = prof_burst_place_function(paths, module, address);
  return function == PROF_NONE ? (struct prof_burst_from){PROF_NONE, PROF_NONE, 0}
                               : (struct prof_burst_from){function, module, address};
}

uint32_t prof_burst_site_function(struct prof_burst_paths *paths, uint32_t site) {
  const uint32_t process = PROF_NONE; /* a site is in the cache as an address of none */
  uint32_t hash = prof_index_hash(site, process), function = PROF_NONE;
  uint32_t at =
      prof_index_find(&paths->known, hash, i,
                      paths->addresses.items[i].address == site && paths->addresses.items[i].process == process);
  if (at != UINT32_MAX)
    return paths->addresses.items[at].function;
  size_t count;
  const struct prof_load *loads = prof_trace_loads(paths->trace, &count);
  for (size_t i = 0; i < count && function == PROF_NONE; i++)
    if (site - loads[i].first_site < loads[i].site_count)
      function = prof_code_function_at(paths->code, loads[i].module, prof_trace_site(paths->trace, site).address);
  if (prof_vec_push(&paths->addresses, ((struct prof_burst_address){site, process, function, PROF_NONE, 0})))
    (void)prof_index_add(&paths->known, hash, (uint32_t)paths->addresses.count - 1);
  return function;
}

static bool add_link(struct prof_burst_paths *paths, uint32_t frame, uint8_t kind) {
  return prof_vec_push(&paths->links, ((struct prof_burst_link){frame, kind}));
}

/* Links of the zones around a place that are in bursts: those in the function's own code, or those in which it was
 * inlined. */
static bool add_zones(struct prof_burst_paths *paths, uint32_t function, bool own, uint32_t module, uint64_t address,
                      uint64_t time) {
  if (paths->zones == NULL)
    return true;
  size_t at = paths->zones->items.count;
  const struct prof_code_zone *zone;
  bool done = true;
  while (done && at > 0 && (zone = prof_code_zones_next(paths->zones, module, address, &at)) != NULL)
    if ((zone->host == function) == own && prof_burst_state_at(paths->states, zone->zone, time) != PROF_RECORD_ALWAYS)
      done = add_link(paths, zone->zone, own ? PROF_SUMMARY_LINK_BURST : PROF_SUMMARY_LINK_AROUND);
  return done;
}

/* Links of a place, from the innermost out. */
static bool add_place(struct prof_burst_paths *paths, uint32_t function, uint32_t module, uint64_t address,
                      uint64_t time) {
  bool always = function != PROF_NONE && prof_burst_state_at(paths->states, function, time) == PROF_RECORD_ALWAYS;
  return add_zones(paths, function, true, module, address, time) &&
         (function == PROF_NONE ||
          add_link(paths, function, always ? PROF_SUMMARY_LINK_ALWAYS : PROF_SUMMARY_LINK_BURST)) &&
         add_zones(paths, function, false, module, address, time);
}

static bool add_call(struct prof_burst_paths *paths, uint32_t process, uint64_t address, uint64_t time) {
  const struct prof_burst_address place = place_before(paths, process, address, time);
  return add_place(paths, place.function, place.module, place.place, time);
}

/* Links of where a sample lies. */
static bool add_sample(struct prof_burst_paths *paths, const struct prof_sample *sample) {
  if (sample->where == PROF_WHERE_PROBED)
    return add_place(paths, prof_code_function_running(paths->code, sample->module, sample->address), sample->module,
                     sample->address, sample->time);
  if (sample->where == PROF_WHERE_KERNEL && sample->address) /* where the kernel was entered */
    return add_call(paths, sample->process, sample->address + 1, sample->time);
  return true;
}

/* A link of the path, from the innermost out. */
static bool take(struct prof_burst_paths *paths, struct prof_burst_link link) {
  if (paths->end != PROF_NONE || link.kind == PROF_SUMMARY_LINK_OUTSIDE)
    return true;
  if (link.kind != PROF_SUMMARY_LINK_ALWAYS)
    return prof_vec_push(&paths->found, link.frame);
  if (paths->wanted == PROF_NONE || paths->wanted == link.frame)
    paths->end = link.frame;
  return true;
}

static bool take_links(struct prof_burst_paths *paths) {
  bool done = true;
  for (size_t i = 0; i < paths->links.count && done; i++)
    done = take(paths, paths->links.items[i]);
  paths->links.count = 0;
  return done;
}

/* Outermost first, and no more than PROF_BURST_LEVELS of a function that calls itself. */
static void turn(struct prof_burst_paths *paths) {
  uint32_t *items = paths->found.items;
  size_t count = paths->found.count, kept = 0;
  for (size_t i = 0; i < count / 2; i++) {
    uint32_t inner = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = inner;
  }
  for (size_t i = 0, levels = 0; i < count; i++) {
    levels = i > 0 && items[i] == items[i - 1] ? levels + 1 : 1;
    if (levels <= PROF_BURST_LEVELS)
      items[kept++] = items[i];
  }
  paths->found.count = kept;
}

/* From chain number `from` on. */
static bool follow_chain(struct prof_burst_paths *paths, uint32_t from) {
  const struct prof_burst_chain *at = prof_burst_chains_at(paths->chains, from);
  bool done = true;
  paths->above = from;
  for (; done && at != NULL; at = prof_burst_chains_at(paths->chains, at->around)) {
    if (paths->end != PROF_NONE && at->link.kind != PROF_SUMMARY_LINK_AROUND)
      break;
    done = take(paths, at->link);
    paths->above = at->around;
  }
  turn(paths);
  return done;
}

/* From path number `from` on. */
static bool follow(struct prof_burst_paths *paths, uint32_t process, uint32_t from, uint64_t time) {
  size_t path_count;
  const struct prof_path *chain = prof_trace_paths(paths->trace, &path_count);
  bool done = true;
  paths->above = from;
  for (uint32_t at = from; done && paths->end == PROF_NONE && at && at < path_count; at = chain[at].parent) {
    done = add_call(paths, process, chain[at].address, time) && take_links(paths);
    paths->above = chain[at].parent;
    if (chain[at].parent >= at) /* of a damaged file */
      break;
  }
  turn(paths);
  return done;
}

static void begin(struct prof_burst_paths *paths, uint32_t wanted) {
  paths->links.count = 0;
  paths->found.count = 0;
  paths->wanted = wanted;
  paths->end = PROF_NONE;
  paths->above = 0;
}

bool prof_burst_paths_above(struct prof_burst_paths *paths, uint32_t process, uint32_t from, uint64_t time) {
  begin(paths, PROF_NONE);
  return paths->chains != NULL ? follow_chain(paths, from) : follow(paths, process, from, time);
}

bool prof_burst_paths_find(struct prof_burst_paths *paths, const struct prof_sample *sample, uint32_t anchor) {
  begin(paths, anchor);
  if (paths->chains != NULL)
    return follow_chain(paths, sample->path);
  return add_sample(paths, sample) && take_links(paths) && follow(paths, sample->process, sample->path, sample->time);
}

bool prof_burst_paths_chain(struct prof_burst_paths *paths, const struct prof_sample *sample,
                            struct prof_burst_chains *chains, uint32_t *out) {
  size_t path_count, known;
  const struct prof_path *chain = prof_trace_paths(paths->trace, &path_count);
  begin(paths, PROF_NONE);
  bool done = add_sample(paths, sample);
  known = paths->links.count;
  for (uint32_t at = sample->path; done && at && at < path_count; at = chain[at].parent) {
    known = paths->links.count;
    done = add_call(paths, sample->process, chain[at].address, sample->time);
    if (chain[at].parent >= at)
      break;
  }
  *out = 0;
  if (done && known == paths->links.count && sample->path) /* the outermost call is in code without probes */
    done = add_link(paths, PROF_NONE, PROF_SUMMARY_LINK_OUTSIDE);
  for (size_t i = paths->links.count; i > 0 && done; i--) {
    *out = prof_burst_chains_add(chains, *out, paths->links.items[i - 1]);
    done = *out != 0;
  }
  paths->links.count = 0;
  return done;
}
