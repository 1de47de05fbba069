/*
 * tools/tally/lock_state.c - see lock_state.h.
 *
 * Each event that changes a lock's holders first attributes what its waiting threads waited since the last change.
 */
#include "tally/lock_state.h"

#include <stdlib.h>

#include "base/order.h"

#define NO_SITE UINT32_MAX

bool prof_lock_is_shared(uint64_t kind) {
  return kind != PROF_MEASURE_SLEEP && kind != PROF_MEASURE_POLL && kind != PROF_MEASURE_INPUT &&
         kind != PROF_MEASURE_CHILD;
}

static uint32_t kind_of(const struct prof_measured *event) {
  return event->first == PROF_MEASURE_READER ? PROF_MEASURE_WRITER : (uint32_t)event->first;
}

static uint32_t hash_of(uint32_t process, uint32_t kind, uint64_t address) {
  return prof_index_hash(address, (uint64_t)process << 32 | kind);
}

static bool is_of(const struct prof_lock *lock, uint32_t process, uint32_t kind, uint64_t address) {
  return lock->address == address && lock->process == process && lock->kind == kind;
}

struct prof_lock *prof_lock_states_meet(struct prof_lock_states *states, uint32_t process, uint32_t kind,
                                        uint64_t address) {
  const struct prof_lock *locks = states->locks.items;
  const struct prof_lock fresh = {.process = process,
                                  .kind = kind,
                                  .address = address,
                                  .first_site = NO_SITE,
                                  .last_site = NO_SITE,
                                  .longest_site = NO_SITE};
  uint32_t at = prof_index_meet(&states->known, &states->locks, hash_of(process, kind, address), i,
                                is_of(&locks[i], process, kind, address), fresh);
  return at == UINT32_MAX ? NULL : &states->locks.items[at];
}

uint32_t prof_lock_states_find(const struct prof_lock_states *states, const struct prof_measured *event) {
  const struct prof_lock *locks = states->locks.items;
  const uint32_t kind = kind_of(event);
  return prof_index_find(&states->known, hash_of(event->process, kind, event->second), i,
                         is_of(&locks[i], event->process, kind, event->second));
}

struct prof_lock_part *prof_lock_part_of(struct prof_lock *lock, uint32_t site) {
  for (size_t i = 0; i < lock->parts.count; i++)
    if (lock->parts.items[i].site == site)
      return &lock->parts.items[i];
  const struct prof_lock_part fresh = {.site = site};
  return prof_vec_push(&lock->parts, fresh) ? &lock->parts.items[lock->parts.count - 1] : NULL;
}

/* Attributes `ticks` of waiting to those who hold the lock, or held it last. */
static bool attribute(struct prof_lock *lock, uint64_t ticks) {
  const size_t count = lock->holds.count;
  struct prof_lock_part *part;
  for (size_t i = 0; i < count; i++) {
    if (!(part = prof_lock_part_of(lock, lock->holds.items[i].site)))
      return false;
    part->held_ticks += ticks / count + (i < ticks % count);
  }
  if (count > 0)
    return true;
  if (lock->last_site == NO_SITE) {
    lock->unknown_ticks += ticks;
    return true;
  }
  if (!(part = prof_lock_part_of(lock, lock->last_site)))
    return false;
  part->handover_ticks += ticks;
  return true;
}

static bool advance(struct prof_lock *lock, uint64_t now) {
  bool good = true;
  for (size_t i = 0; i < lock->waiting.count; i++) {
    struct prof_lock_wait *wait = &lock->waiting.items[i];
    uint64_t upto = now < wait->until ? now : wait->until;
    if (wait->shown && upto > wait->since)
      good &= attribute(lock, upto - wait->since);
    wait->since = upto > wait->since ? upto : wait->since;
  }
  return good;
}

bool prof_lock_add_waited(struct prof_lock *lock, uint32_t site, uint64_t ticks) {
  for (size_t i = 0; i < lock->waited.count; i++)
    if (lock->waited.items[i].site == site) {
      lock->waited.items[i].ticks += ticks;
      return true;
    }
  return prof_vec_push(&lock->waited, (struct prof_lock_waited){.site = site, .ticks = ticks});
}

struct prof_histogram *prof_lock_waits(struct prof_lock_states *states, struct prof_lock *lock) {
  const struct prof_histogram fresh = {0};
  if (!lock->waits && prof_vec_push(&states->histograms, fresh))
    lock->waits = (uint32_t)states->histograms.count;
  return lock->waits ? &states->histograms.items[lock->waits - 1] : NULL;
}

static bool add_wait(struct prof_lock_states *states, struct prof_lock *lock, const struct prof_lock_wait *wait,
                     uint64_t now) {
  const uint64_t ticks = now > wait->begin ? now - wait->begin : 0;
  struct prof_histogram *waits = prof_lock_waits(states, lock);
  if (!waits)
    return false;
  prof_histogram_add(&states->pool, waits, ticks);
  lock->contended++;
  lock->wait_ticks += ticks;
  return !states->pool.failed && prof_thread_set_add(&lock->waiters, wait->thread) &&
         prof_lock_add_waited(lock, wait->site, ticks);
}

static int by_length(const void *left, const void *right) {
  const struct prof_lock_ended *a = left, *b = right;
  return prof_order(b->end - b->begin, a->end - a->begin) ?: prof_order(a->begin, b->begin);
}

static void keep_longest(struct prof_lock_states *states) {
  if (states->ended.count > 0)
    qsort(states->ended.items, states->ended.count, sizeof *states->ended.items, by_length);
  states->ended.count = states->ended.count < states->most_ended ? states->ended.count : states->most_ended;
}

/* Those who hold it now, or held it last, were waited for. */
static bool keep_wait(struct prof_lock_states *states, const struct prof_lock *lock, const struct prof_lock_wait *wait,
                      uint64_t now) {
  const struct prof_lock_hold *hold = lock->holds.count > 0 ? &lock->holds.items[0] : NULL;
  const bool known = hold || (lock->last_site != NO_SITE && lock->released >= wait->begin);
  if (states->ended.count >= 2 * states->most_ended)
    keep_longest(states);
  return prof_vec_push(&states->ended, (struct prof_lock_ended){.thread = wait->thread,
                                                                .lock = (uint32_t)(lock - states->locks.items),
                                                                .begin = wait->begin,
                                                                .end = now > wait->begin ? now : wait->begin,
                                                                .holder = hold    ? hold->thread
                                                                          : known ? lock->last_thread
                                                                                  : UINT32_MAX,
                                                                .site = hold    ? hold->site
                                                                        : known ? lock->last_site
                                                                                : UINT32_MAX,
                                                                .released = hold || !known ? 0 : lock->released});
}

/* The thread no longer waits. */
static bool end_wait(struct prof_lock_states *states, struct prof_lock *lock, uint32_t thread, uint64_t now) {
  for (size_t i = 0; i < lock->waiting.count; i++) {
    const struct prof_lock_wait wait = lock->waiting.items[i];
    if (wait.thread != thread)
      continue;
    lock->waiting.items[i] = lock->waiting.items[--lock->waiting.count];
    now = now < wait.until ? now : wait.until;
    if (wait.shown && states->most_ended && prof_lock_is_shared(lock->kind) && !keep_wait(states, lock, &wait, now))
      return false;
    return !wait.shown || add_wait(states, lock, &wait, now);
  }
  return true;
}

static struct prof_lock_hold *hold_of(const struct prof_lock *lock, uint32_t thread) {
  for (size_t i = 0; i < lock->holds.count; i++)
    if (lock->holds.items[i].thread == thread)
      return &lock->holds.items[i];
  return NULL;
}

static void end_hold(struct prof_lock *lock, struct prof_lock_hold *hold, uint64_t now) {
  uint64_t ticks = now > hold->since ? now - hold->since : 0;
  lock->hold_ticks += ticks;
  if (ticks > lock->longest_ticks || lock->longest_site == NO_SITE) {
    lock->longest_ticks = ticks;
    lock->longest_site = hold->site;
  }
  lock->last_site = hold->site;
  lock->last_thread = hold->thread;
  lock->released = now;
  *hold = lock->holds.items[--lock->holds.count];
}

static bool is_shared(const struct prof_measured *event) {
  return event->first == PROF_MEASURE_READER;
}

static bool take(struct prof_lock_states *states, struct prof_lock *lock, const struct prof_measured *event) {
  uint32_t site = prof_call_site_of(&states->sites, event);
  struct prof_lock_hold *hold = hold_of(lock, event->thread);
  if (site == UINT32_MAX || !end_wait(states, lock, event->thread, event->time_ticks))
    return false;
  lock->acquisitions += event->shown;
  lock->first_site = lock->first_site == NO_SITE ? site : lock->first_site;
  if (hold) { /* recursive */
    hold->depth++;
    return true;
  }
  while (!is_shared(event) && lock->holds.count > 0) /* their releases were not seen */
    end_hold(lock, &lock->holds.items[0], event->time_ticks);
  const struct prof_lock_hold fresh = {.thread = event->thread, .site = site, .depth = 1, .since = event->time_ticks};
  return prof_vec_push(&lock->holds, fresh);
}

static bool begin_wait(struct prof_lock_states *states, struct prof_lock *lock, const struct prof_measured *event) {
  const uint32_t site = prof_call_site_of(&states->sites, event);
  const struct prof_lock_wait fresh = {.thread = event->thread,
                                       .site = site,
                                       .shown = event->shown,
                                       .begin = event->time_ticks,
                                       .since = event->time_ticks,
                                       .until = event->ends_ticks};
  if (site == UINT32_MAX)
    return false;
  lock->first_site = lock->first_site == NO_SITE ? site : lock->first_site;
  for (size_t i = 0; i < lock->waiting.count; i++)
    if (lock->waiting.items[i].thread == event->thread) { /* its end was not seen: a signal handler jumped out */
      lock->waiting.items[i] = fresh;
      return true;
    }
  return prof_vec_push(&lock->waiting, fresh);
}

bool prof_lock_states_take(struct prof_lock_states *states, const struct prof_measured *event) {
  if (event->operation < PROF_MEASURE_WAITS || event->operation > PROF_MEASURE_GOES_ON || event->first > UINT8_MAX)
    return true;
  struct prof_lock *lock = prof_lock_states_meet(states, event->process, kind_of(event), event->second);
  if (!lock || !advance(lock, event->time_ticks))
    return false;
  struct prof_lock_hold *hold;
  switch (event->operation) {
  case PROF_MEASURE_WAITS:
    return begin_wait(states, lock, event);
  case PROF_MEASURE_TAKEN:
    return take(states, lock, event);
  case PROF_MEASURE_RELEASED:
    hold = hold_of(lock, event->thread);
    if (hold && --hold->depth == 0)
      end_hold(lock, hold, event->time_ticks);
    return true;
  default: /* GOES_ON */
    lock->acquisitions += event->shown && !prof_measure_is_held(event->first);
    return end_wait(states, lock, event->thread, event->time_ticks);
  }
}

bool prof_lock_states_end(struct prof_lock_states *states, uint64_t now) {
  bool good = true;
  for (size_t i = 0; i < states->locks.count; i++) {
    struct prof_lock *lock = &states->locks.items[i];
    good &= advance(lock, now);
    for (size_t j = 0; j < lock->waiting.count && !prof_measure_is_held(lock->kind); j++)
      lock->acquisitions += lock->waiting.items[j].shown;
    while (good && lock->waiting.count > 0)
      good = end_wait(states, lock, lock->waiting.items[0].thread, now);
    while (lock->holds.count > 0)
      end_hold(lock, &lock->holds.items[0], now);
  }
  keep_longest(states);
  return good;
}

void prof_lock_states_fini(struct prof_lock_states *states) {
  for (size_t i = 0; i < states->locks.count; i++) {
    prof_vec_fini(&states->locks.items[i].holds);
    prof_vec_fini(&states->locks.items[i].waiting);
    prof_vec_fini(&states->locks.items[i].parts);
    prof_vec_fini(&states->locks.items[i].waited);
    prof_thread_set_fini(&states->locks.items[i].waiters);
  }
  prof_vec_fini(&states->locks);
  prof_index_fini(&states->known);
  prof_call_sites_fini(&states->sites);
  prof_vec_fini(&states->histograms);
  prof_vec_fini(&states->ended);
  prof_histogram_pool_free(&states->pool);
}
