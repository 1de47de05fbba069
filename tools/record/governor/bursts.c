/*
 * tools/record/governor/bursts.c - see bursts.h.
 */
#include "record/governor/bursts.h"

#include "match/matcher.h"

#define FIRST_USE_NS 200.0 /* of a site after a switch: neither its code nor its trampoline is in a cache */
#define OPENING_NS 10000.0 /* of a window, for stores into code that runs */
#define HINTED_RATE 0.002  /* calls per nanosecond, until windows tell */
#define HINTED_NS 1e9
#define MEMORY 0.9        /* of what windows showed, from one housekeeping to the next */
#define MOST_RATE 0.3     /* calls per nanosecond of a thread: no program does more */
#define LANDINGS_PART 0.1 /* of the part for functions in state always, for the LANDED events of one in state burst */
#define FEW_LANDINGS 100u
#define STRAY_EVENTS 20000u
#define WINDOW_EVENTS 5000u /* more than any window has */

static void switch_sites(struct prof_governor *governor, enum prof_site_state state) {
  struct prof_text_set *texts = &governor->opener.texts;
  const struct prof_site_list *list = &governor->sites;
  for (size_t i = 0; i < list->sites.count; i++)
    prof_texts_state(texts, list->sites.items[i], state);
  (void)prof_texts_switch(texts, list->sites.items, list->sites.count, state == PROF_SITE_ALWAYS);
  governor->sites.sites.count = 0;
}

void prof_bursts_list(struct prof_governor *governor) {
  struct prof_opener *opener = &governor->opener;
  const struct prof_units *units = &governor->sieve.units;
  opener->bursts.count = opener->sites.sites.count = 0;
  for (size_t i = 0; i < units->items.count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[i];
    uint32_t first = (uint32_t)opener->sites.sites.count;
    if (unit->site == 0 || unit->state != PROF_RECORD_BURST ||
        !prof_units_sites(units, unit, PROF_UNIT_COUNTS, &opener->sites))
      continue;
    uint32_t count = (uint32_t)opener->sites.sites.count - first;
    if (count > 0)
      (void)prof_vec_push(&opener->bursts, (struct prof_burst){unit->site, first, count, unit->is_loop});
  }
}

/* ---- demotion ---- */

static void change(struct prof_governor *governor, uint32_t number, uint64_t time, enum prof_record_state state) {
  struct prof_units *units = &governor->sieve.units;
  if (!prof_units_change(units, number, time, state))
    return;
  (void)prof_vec_push(&governor->states, (struct prof_state_change){
                                             .time = time, .site = units->items.items[number].site, .state = state});
  (void)prof_units_sites(units, &units->items.items[number], PROF_UNIT_ALL, &governor->sites);
}

static void demote_one(struct prof_governor *governor, uint32_t number, uint64_t time, double plain_ns) {
  struct prof_governed_unit *unit = &governor->sieve.units.items.items[number];
  unit->demotions++;
  unit->called = true;
  governor->sieve.lands |= unit->lands;
  unit->seen_calls = unit->seen_ns = 0;
  unit->fits_ns = 0;
  unit->rate = (double)unit->count / 2 / plain_ns; /* a call has two events */
  change(governor, number, time, PROF_RECORD_BURST);
}

/* Events of a loop or zone mean nothing without the frame around it. */
static void demote_inner(struct prof_governor *governor, uint64_t time, double plain_ns) {
  struct prof_units *units = &governor->sieve.units;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < units->items.count; i++) {
      const struct prof_governed_unit *unit = &units->items.items[i];
      if (!(unit->is_loop || unit->is_zone) || unit->site == 0 || unit->state != PROF_RECORD_ALWAYS ||
          prof_units_may_be_always(units, (uint32_t)i))
        continue;
      demote_one(governor, (uint32_t)i, time, plain_ns);
      again |= units->items.items[i].state != PROF_RECORD_ALWAYS;
    }
  }
}

static void write_states(struct prof_governor *governor) {
  if (governor->states.count > 0)
    (void)prof_writer_states(governor->options.writer, governor->states.items, governor->states.count);
  governor->states.count = 0;
}

/* Functions of a new module that an earlier recording found dense. */
static void demote_hinted(struct prof_governor *governor, const struct prof_unit_module *module) {
  struct prof_units *units = &governor->sieve.units;
  uint64_t time = prof_ticks_now(governor->options.clock);
  bool any = false;
  for (uint32_t i = module->first_unit; i < module->first_unit + module->unit_count; i++) {
    struct prof_governed_unit *unit = &units->items.items[i];
    if (!unit->hinted || unit->site == 0 || unit->change != 0)
      continue;
    if (!any && !prof_vec_push(&governor->sieve.leavings, time))
      return;
    any = true;
    demote_one(governor, i, time, HINTED_NS);
    unit->rate = HINTED_RATE;
  }
  if (any)
    demote_inner(governor, time, HINTED_NS);
  write_states(governor);
}

void prof_bursts_begin_in(struct prof_governor *governor, uint32_t first_site) {
  struct prof_units *units = &governor->sieve.units;
  struct prof_unit_load load;
  const struct prof_unit_module *module = prof_units_module_of(units, first_site, &load);
  governor->sites.sites.count = 0;
  if (module != NULL)
    demote_hinted(governor, module);
  for (uint32_t i = 0; module != NULL && i < module->unit_count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[module->first_unit + i];
    if (unit->site != 0 && unit->state != PROF_RECORD_ALWAYS)
      (void)prof_units_sites_of(units, unit, &load, PROF_UNIT_ALL, &governor->sites);
  }
  if (governor->sites.sites.count == 0)
    return;
  switch_sites(governor, PROF_SITE_BURST);
  prof_bursts_list(governor);
}

void prof_bursts_demote(struct prof_governor *governor, const struct prof_rated *rated, size_t count, double plain_ns) {
  pthread_mutex_lock(&governor->opener.beat.lock);
  uint64_t time = prof_ticks_now(governor->options.clock);
  governor->sites.sites.count = 0;
  governor->opener.spoiled = true;
  if (prof_vec_push(&governor->sieve.leavings, time)) {
    for (size_t i = 0; i < count; i++)
      demote_one(governor, rated[i].unit, time, plain_ns);
    demote_inner(governor, time, plain_ns);
    switch_sites(governor, PROF_SITE_BURST);
    prof_bursts_list(governor);
  }
  pthread_mutex_unlock(&governor->opener.beat.lock);
  write_states(governor);
  prof_bursts_plan(governor);
}

void prof_bursts_again(struct prof_governor *governor, uint64_t dropped, uint64_t windows) {
  struct prof_units *units = &governor->sieve.units;
  if (dropped < STRAY_EVENTS + windows * WINDOW_EVENTS)
    return;
  pthread_mutex_lock(&governor->opener.beat.lock);
  governor->sites.sites.count = 0;
  for (size_t i = 0; !governor->opener.is_open && i < units->items.count; i++)
    if (units->items.items[i].site != 0 && units->items.items[i].state == PROF_RECORD_BURST)
      (void)prof_units_sites(units, &units->items.items[i], PROF_UNIT_ALL, &governor->sites);
  switch_sites(governor, PROF_SITE_BURST);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

void prof_bursts_landings(struct prof_governor *governor, double cpu_ns) {
  struct prof_units *units = &governor->sieve.units;
  double most = LANDINGS_PART * prof_governor_always(governor) * cpu_ns / prof_governor_event_ns(governor);
  pthread_mutex_lock(&governor->opener.beat.lock);
  governor->sites.sites.count = 0;
  for (size_t i = 0; i < units->items.count; i++) {
    struct prof_governed_unit *unit = &units->items.items[i];
    if (unit->landings > most && unit->landings > FEW_LANDINGS && unit->state != PROF_RECORD_ALWAYS)
      (void)prof_units_sites(units, unit, PROF_UNIT_LANDINGS, &governor->sites);
    unit->landings = 0;
  }
  switch_sites(governor, PROF_SITE_BURST);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

/* ---- promotion ---- */

void prof_bursts_promote(struct prof_governor *governor, uint64_t now_ns, double left) {
  struct prof_units *units = &governor->sieve.units;
  pthread_mutex_lock(&governor->opener.beat.lock);
  governor->rated.count = 0;
  for (size_t i = 0; i < units->items.count; i++) {
    struct prof_governed_unit *unit = &units->items.items[i];
    if (unit->site == 0 || unit->state != PROF_RECORD_BURST)
      continue;
    struct prof_comeback candidate = {.seen_calls = unit->seen_calls,
                                      .seen_ns = unit->seen_ns,
                                      .now_ns = (double)now_ns,
                                      .fits_ns = (double)unit->fits_ns,
                                      .demotions = unit->demotions};
    bool ready = prof_comeback_promote(&candidate, prof_governor_event_ns(governor), left);
    unit->fits_ns = (uint64_t)candidate.fits_ns;
    unit->seen_calls *= MEMORY;
    unit->seen_ns *= MEMORY;
    if (ready && !governor->opener.is_open && prof_units_may_be_always(units, (uint32_t)i))
      (void)prof_vec_push(&governor->rated, (struct prof_rated){(uint32_t)i, prof_comeback_rate(&candidate)});
  }
  /* Twice their cost must fit, of all together. */
  size_t count =
      prof_choice_keep(governor->rated.items, governor->rated.count, 2 * prof_governor_event_ns(governor), left);
  governor->sites.sites.count = 0;
  for (size_t i = 0; i < count; i++) {
    const struct prof_governed_unit *unit = &units->items.items[governor->rated.items[i].unit];
    (void)prof_units_sites(units, unit, PROF_UNIT_ALL, &governor->sites);
    (void)prof_units_sites(units, unit, PROF_UNIT_LANDINGS, &governor->sites);
  }
  if (count > 0) {
    switch_sites(governor, PROF_SITE_ALWAYS);
    uint64_t time = prof_ticks_now(governor->options.clock);
    for (size_t i = 0; i < count; i++)
      change(governor, governor->rated.items[i].unit, time, PROF_RECORD_ALWAYS);
    prof_bursts_list(governor);
  }
  pthread_mutex_unlock(&governor->opener.beat.lock);
  write_states(governor);
}

/* ---- windows ---- */

void prof_bursts_learn(struct prof_governor *governor, const struct prof_site_map *map,
                       const struct prof_booked *booked, double ticks_per_ns) {
  struct prof_units *units = &governor->sieve.units;
  const struct prof_window *window = &booked->window;
  double cpu_ns = (double)(window->end - window->begin) / ticks_per_ns * governor->cpus;
  for (size_t i = 0; i < units->items.count; i++) {
    struct prof_governed_unit *unit = &units->items.items[i];
    if (unit->site != 0 && unit->state == PROF_RECORD_BURST && unit->since <= window->begin &&
        prof_window_has(window->seed, window->part, unit->site))
      unit->seen_ns += cpu_ns;
  }
  for (size_t i = 0; i < booked->rows.count; i++) {
    uint32_t site = booked->rows.items[i].site;
    uint32_t number = site < map->count ? map->functions[site] : PROF_MATCHER_NO_FUNCTION;
    struct prof_governed_unit *unit =
        number < PROF_MATCHER_NO_FUNCTION ? prof_unit_of(units, number & ~PROF_MATCHER_BITS) : NULL;
    if (unit != NULL)
      unit->seen_calls += (double)booked->rows.items[i].calls;
  }
}

double prof_bursts_ticks_per_ns(const struct prof_governor *governor) {
  uint64_t ns = prof_steady_ns() - governor->first_ns;
  uint64_t ticks = prof_ticks_now(governor->options.clock) - governor->first_ticks;
  return ns > 0 && ticks > 0 ? (double)ticks / (double)ns : 1;
}

void prof_bursts_plan(struct prof_governor *governor) {
  const struct prof_units *units = &governor->sieve.units;
  double rate = 0;
  for (size_t i = 0; i < units->items.count; i++) {
    struct prof_governed_unit *unit = &units->items.items[i];
    if (unit->site == 0 || unit->state != PROF_RECORD_BURST)
      continue;
    if (unit->seen_ns > 0 && (unit->seen_ns * unit->rate > 10 || unit->seen_calls > 10)) /* the demotion told less */
      unit->rate = unit->seen_calls / unit->seen_ns;
    rate += unit->rate;
  }
  rate = rate < MOST_RATE ? rate : MOST_RATE;
  double share = prof_window_share(rate);
  pthread_mutex_lock(&governor->opener.beat.lock);
  if (governor->opener.gap_ns == 0 || (governor->opener.had_none && governor->opener.bursts.count > 0)) {
    prof_beat_hurry(&governor->opener.beat);
  }
  governor->opener.had_none = governor->opener.bursts.count == 0;
  governor->is_dense = governor->opener.bursts.count > 0;
  governor->opener.lead_ticks = (uint64_t)(PROF_WINDOW_LEAD_NS * prof_bursts_ticks_per_ns(governor));
  governor->opener.part = share < 1 ? (uint32_t)(share * 4294967296.0) : UINT32_MAX;
  governor->opener.gap_ns =
      prof_window_gap_ns(governor->window_ns, prof_governor_windows(governor), governor->cpus, governor->own.scale,
                         governor->options.limits_own ? governor->options.budget : 0);
  pthread_mutex_unlock(&governor->opener.beat.lock);
}

double prof_bursts_window_cost(const struct prof_governor *governor, uint64_t windows, uint64_t events, uint64_t rows) {
  double event_ns = governor->event_ns, running = governor->cpus < 1 ? governor->cpus : 1;
  return (double)windows * running * OPENING_NS + (double)events * event_ns + (double)rows * FIRST_USE_NS;
}
