/*
 * tools/tally/sums_move.c - see sums_move.h.
 */
#include "tally/sums_move.h"

#include <string.h>

static uint32_t moved(const struct prof_tally_numbers *numbers, uint32_t number) {
  return numbers ? prof_index_of(&numbers->to, number) : number;
}

/* 0: none, or not known. */
static uint32_t process_of(const struct prof_tally_moving *moving, uint32_t process) {
  if (!moving->processes)
    return process;
  return process ? moved(moving->processes, process) : PROF_NONE;
}

/*
 * The site in `to` of site `at`, or that of [other]s; PROF_NONE: it is hidden.  False: no memory.
 */
static bool move_site(const struct prof_tally_moving *moving, const struct prof_call_sites *from,
                      struct prof_call_sites *to, uint32_t at, bool is_kept, uint32_t *out) {
  struct prof_call_site site = from->items.items[at];
  *out = PROF_NONE;
  if (!is_kept)
    site = (struct prof_call_site){.function = PROF_NONE, .operation = site.operation};
  site.node = moving->nodes[site.node];
  site.process = process_of(moving, site.process);
  if (site.node == PROF_NONE)
    return true;
  if (site.function != PROF_NONE && moving->functions)
    site.function = moving->functions[site.function];
  *out = prof_call_site_meet(to, &site);
  return *out != UINT32_MAX;
}

static bool is_gone(const struct prof_tally_moving *moving, uint32_t process) {
  return moving->processes && process != 0 && moved(moving->processes, process) == PROF_NONE;
}

/* ---- memory ---- */

static void add_figures(struct prof_memory_group *to, const struct prof_memory_group *from) {
  to->sum.calls += from->sum.calls;
  to->sum.bytes += from->sum.bytes;
  to->sum.live_calls += from->sum.live_calls;
  to->sum.live_bytes += from->sum.live_bytes;
  to->sum.peak_bytes += from->sum.peak_bytes;
  to->sum.temporary += from->sum.temporary;
  to->left_bytes += from->left_bytes;
  to->left_calls += from->left_calls;
}

static void renumber_blocks(struct prof_memory_tally *tally, const uint32_t *groups) {
  for (size_t i = 0; tally->live && i <= tally->process_count; i++)
    for (size_t mapped = 0; mapped < 2; mapped++)
      for (size_t k = 0; k < tally->live[i][mapped].capacity; k++) {
        struct prof_live_block *block = &tally->live[i][mapped].slots[k];
        if (block->address && block->site != UINT32_MAX)
          block->site = groups[block->site];
      }
  for (size_t i = 0; tally->threads && i <= tally->thread_count; i++)
    if (tally->threads[i].resizing.address && tally->threads[i].resizing.site != UINT32_MAX)
      tally->threads[i].resizing.site = groups[tally->threads[i].resizing.site];
}

/* Everything but groups and sites. */
static void take_rest(struct prof_memory_tally *to, struct prof_memory_tally *from) {
  struct prof_memory_tally rest = *from;
  memcpy(&rest.groups, &to->groups, sizeof rest.groups);
  rest.known = to->known;
  rest.sites = to->sites;
  memset(&rest.zones, 0, sizeof rest.zones);
  memset(&from->ends, 0, sizeof from->ends);
  from->live = NULL;
  from->threads = NULL;
  *to = rest;
}

bool prof_tally_move_memory(const struct prof_tally_moving *moving) {
  struct prof_memory_tally *from = &moving->from->memory, *to = &moving->to->memory;
  uint32_t *groups = malloc((from->groups.count + 1) * sizeof *groups);
  bool good = groups != NULL;
  for (size_t i = 0; i < from->groups.count && good; i++) {
    const struct prof_memory_group *group = &from->groups.items[i];
    const uint32_t site = (uint32_t)(group->key / 128);
    uint32_t at;
    groups[i] = UINT32_MAX;
    good = move_site(moving, &from->sites, &to->sites, site, !moving->kept.groups || moving->kept.groups[i], &at);
    if (!good || at == PROF_NONE || is_gone(moving, from->sites.items.items[site].process))
      continue;
    const struct prof_memory_group fresh = {.mapped = group->mapped,
                                            .key = (uint64_t)at * 128 + group->key % 128,
                                            .seen_peak = from->totals[group->mapped].peak_count};
    groups[i] = prof_memory_group_meet(to, &fresh);
    good = groups[i] != UINT32_MAX;
    if (good)
      add_figures(&to->groups.items[groups[i]], group);
  }
  if (good) {
    renumber_blocks(from, groups);
    take_rest(to, from);
  }
  free(groups);
  return good;
}

/* ---- locks ---- */

struct moving_lock {
  const struct prof_tally_moving *moving;
  const struct prof_call_sites *sites; /* of `from` */
  bool is_kept;
};

/* *site: in `to`; PROF_NONE stays.  False: no memory. */
static bool lock_site(const struct moving_lock *of, uint32_t *site) {
  return *site == PROF_NONE || move_site(of->moving, of->sites, &of->moving->to->locks.sites, *site, of->is_kept, site);
}

/* Who holds it, and who waits: only of a lock that is kept. */
static bool move_users(const struct moving_lock *of, const struct prof_lock *from, struct prof_lock *to) {
  bool good = true;
  for (size_t i = 0; i < from->holds.count && good; i++) {
    struct prof_lock_hold hold = from->holds.items[i];
    hold.thread = moved(of->moving->threads, hold.thread);
    good = lock_site(of, &hold.site) && (hold.thread == PROF_NONE || prof_vec_push(&to->holds, hold));
  }
  for (size_t i = 0; i < from->waiting.count && good; i++) {
    struct prof_lock_wait wait = from->waiting.items[i];
    wait.thread = moved(of->moving->threads, wait.thread);
    good = lock_site(of, &wait.site) && (wait.thread == PROF_NONE || prof_vec_push(&to->waiting, wait));
  }
  return good;
}

static bool move_parts(const struct moving_lock *of, const struct prof_lock *from, struct prof_lock *to) {
  bool good = true;
  for (size_t i = 0; i < from->parts.count && good; i++) {
    struct prof_lock_part part = from->parts.items[i], *sum;
    good = lock_site(of, &part.site) && (sum = prof_lock_part_of(to, part.site)) != NULL;
    if (good) {
      sum->held_ticks += part.held_ticks;
      sum->handover_ticks += part.handover_ticks;
    }
  }
  for (size_t i = 0; i < from->waited.count && good; i++) {
    uint32_t site = from->waited.items[i].site;
    good = lock_site(of, &site) && prof_lock_add_waited(to, site, from->waited.items[i].ticks);
  }
  for (size_t i = 0; i < from->waiters.threads.count && good; i++) {
    uint32_t thread = moved(of->moving->threads, from->waiters.threads.items[i]);
    good = thread == PROF_NONE || prof_thread_set_add(&to->waiters, thread);
  }
  return good;
}

static bool add_lock(const struct moving_lock *of, const struct prof_lock *from, struct prof_lock *to) {
  struct prof_lock_states *states = &of->moving->to->locks;
  uint32_t first = from->first_site, last = from->last_site, longest = from->longest_site;
  if (!lock_site(of, &first) || !lock_site(of, &last) || !lock_site(of, &longest))
    return false;
  if (longest != PROF_NONE && (to->longest_site == PROF_NONE || from->longest_ticks > to->longest_ticks)) {
    to->longest_ticks = from->longest_ticks;
    to->longest_site = longest;
  }
  to->first_site = to->first_site == PROF_NONE ? first : to->first_site;
  to->last_site = last;
  to->last_thread = last != PROF_NONE ? moved(of->moving->threads, from->last_thread) : 0;
  to->released = from->released;
  to->acquisitions += from->acquisitions;
  to->contended += from->contended;
  to->wait_ticks += from->wait_ticks;
  to->unknown_ticks += from->unknown_ticks;
  to->hold_ticks += from->hold_ticks;
  if (from->waits) {
    struct prof_histogram *waits = prof_lock_waits(states, to);
    if (!waits)
      return false;
    const struct prof_lock_states *old = &of->moving->from->locks;
    prof_histogram_merge(&states->pool, waits, &old->pool, &old->histograms.items[from->waits - 1]);
  }
  return !states->pool.failed && move_users(of, from, to) && move_parts(of, from, to);
}

bool prof_tally_move_locks(const struct prof_tally_moving *moving) {
  struct prof_lock_states *from = &moving->from->locks, *to = &moving->to->locks;
  for (size_t i = 0; i < from->locks.count; i++) {
    const struct prof_lock *lock = &from->locks.items[i];
    const struct moving_lock of = {moving, &from->sites, !moving->kept.locks || moving->kept.locks[i]};
    const uint32_t process = of.is_kept ? lock->process : 0;
    if (is_gone(moving, process))
      continue;
    const uint64_t address = of.is_kept ? lock->address : PROF_TALLY_OTHER_LOCK;
    struct prof_lock *sum = prof_lock_states_meet(to, process_of(moving, process), lock->kind, address);
    if (!sum || !add_lock(&of, lock, sum))
      return false;
  }
  return true;
}

/* ---- input and output, statements ---- */

bool prof_tally_move_io(const struct prof_tally_moving *moving) {
  struct prof_io_tally *from = &moving->from->io, *to = &moving->to->io;
  bool good = true;
  for (size_t i = 0; i < from->sums.count && good; i++) {
    struct prof_io_sum sum = from->sums.items[i];
    const bool is_kept = !moving->kept.io || moving->kept.io[i];
    struct prof_thread_set threads = {.threads = {NULL, 0, 0}};
    good = move_site(moving, &from->sites, &to->sites, sum.site, is_kept, &sum.site);
    if (!good || sum.site == PROF_NONE || is_gone(moving, sum.process))
      continue;
    for (size_t k = 0; k < sum.threads.threads.count && good; k++) {
      const uint32_t thread = moved(moving->threads, sum.threads.threads.items[k]);
      good = thread == PROF_NONE || prof_thread_set_add(&threads, thread);
    }
    sum.process = to->sites.items.items[sum.site].process;
    sum.file = is_kept ? sum.file : 0;
    memcpy(&sum.threads, &threads, sizeof sum.threads);
    good = good && prof_io_tally_add(to, &sum, &from->pool);
    prof_thread_set_fini(&threads);
  }
  to->recorded |= from->sums.count > 0;
  return good;
}

bool prof_tally_move_queries(const struct prof_tally_moving *moving) {
  struct prof_query_tally *from = &moving->from->queries, *to = &moving->to->queries;
  bool good = true;
  for (size_t i = 0; i < from->sums.count && good; i++) {
    struct prof_query_sum sum = from->sums.items[i];
    const bool is_kept = !moving->kept.queries || moving->kept.queries[i];
    good = move_site(moving, &from->sites, &to->sites, sum.site, is_kept, &sum.site);
    if (!good || sum.site == PROF_NONE || is_gone(moving, sum.process))
      continue;
    sum.process = to->sites.items.items[sum.site].process;
    sum.text = is_kept ? sum.text : 0;
    good = prof_query_tally_add(to, &sum, &from->pool);
  }
  to->recorded |= from->sums.count > 0;
  return good;
}

/* ---- parallel regions ---- */

/* Runs that go on, of sites that are kept. */
static bool move_runs(const struct prof_tally_moving *moving) {
  struct prof_openmp_tally *from = &moving->from->regions, *to = &moving->to->regions;
  for (size_t i = 0; i < from->runs.count; i++)
    if (!move_site(moving, &from->sites, &to->sites, from->runs.items[i].site, true, &from->runs.items[i].site))
      return false;
  memcpy(&to->runs, &from->runs, sizeof to->runs);
  memcpy(&to->threads, &from->threads, sizeof to->threads);
  memset(&from->runs, 0, sizeof from->runs);
  memset(&from->threads, 0, sizeof from->threads);
  return true;
}

bool prof_tally_move_regions(const struct prof_tally_moving *moving) {
  struct prof_openmp_tally *from = &moving->from->regions, *to = &moving->to->regions;
  bool good = true;
  for (size_t i = 0; i < from->sums.count && good; i++) {
    struct prof_openmp_sum sum = from->sums.items[i];
    const bool is_kept = !moving->kept.regions || moving->kept.regions[i];
    const bool has_thread = sum.thread != PROF_NONE, is_other = sum.thread == PROF_OPENMP_OTHER_THREAD;
    const uint32_t process = from->sites.items.items[sum.site].process;
    good = move_site(moving, &from->sites, &to->sites, sum.site, is_kept, &sum.site);
    if (!good || sum.site == PROF_NONE || is_gone(moving, process))
      continue;
    if (has_thread && !is_other)
      sum.thread = is_kept ? moved(moving->threads, sum.thread) : PROF_OPENMP_OTHER_THREAD;
    if (!has_thread || sum.thread != PROF_NONE)
      good = prof_openmp_tally_add(to, &sum);
  }
  to->recorded |= from->recorded || from->sums.count > 0;
  return good && move_runs(moving);
}
