/*
 * tools/record/governor/sieve.c - see sieve.h.
 */
#include "record/governor/sieve.h"

#include "match/matcher.h"

void prof_sieve_fini(struct prof_sieve *sieve) {
  prof_units_fini(&sieve->units);
  prof_window_book_fini(&sieve->book);
  prof_vec_fini(&sieve->leavings);
}

void prof_sieve_begin(const struct prof_sieve *sieve, struct prof_sieve_thread *thread, uint32_t number,
                      uint64_t start) {
  *thread = (struct prof_sieve_thread){.number = number, .last = start, .begun = true};
  while (thread->leaving < sieve->leavings.count && sieve->leavings.items[thread->leaving] <= start)
    thread->leaving++;
  thread->window = sieve->book.first;
}

void prof_sieve_thread_fini(struct prof_sieve_thread *thread) {
  prof_tally_fini(&thread->tally);
  thread->begun = false;
}

uint64_t prof_sieve_next_leaving(const struct prof_sieve *sieve, const struct prof_sieve_thread *thread) {
  return thread->leaving < sieve->leavings.count ? sieve->leavings.items[thread->leaving] : 0;
}

void prof_sieve_left(struct prof_sieve_thread *thread) {
  thread->leaving++;
}

bool prof_sieve_is_gone(const struct prof_sieve *sieve, uint32_t function, uint64_t time) {
  const struct prof_governed_unit *unit =
      function < PROF_MATCHER_NO_FUNCTION ? prof_unit_of(&sieve->units, function) : NULL;
  return unit != NULL && prof_unit_state_at(&sieve->units, unit, time) != PROF_RECORD_ALWAYS;
}

/* The zone that the end at a site is of; else the function. */
static uint32_t ended_by(const struct prof_units *units, uint32_t site, uint32_t function) {
  return site < units->ends.count && units->ends.items[site] != 0 ? units->ends.items[site] : function;
}

bool prof_sieve_was_off(void *sieve, uint32_t site, uint32_t function) {
  const struct prof_units *units = &((const struct prof_sieve *)sieve)->units;
  uint32_t number = ended_by(units, site, function);
  const struct prof_governed_unit *unit = number < PROF_MATCHER_NO_FUNCTION ? prof_unit_of(units, number) : NULL;
  return unit != NULL && unit->change != 0;
}

/* Finds the window around `time`, or the next one. */
static void window_find(struct prof_sieve *sieve, struct prof_sieve_thread *thread, uint64_t time) {
  const struct prof_booked *booked;
  if (thread->window < sieve->book.first) { /* it was written meanwhile */
    prof_tally_clear(&thread->tally);
    thread->inside = false;
    thread->window = sieve->book.first;
  }
  for (; (booked = prof_window_book_at(&sieve->book, thread->window)) != NULL; thread->window++) {
    uint64_t end = booked->window.end != 0 ? booked->window.end : UINT64_MAX;
    if (time < booked->window.begin) {
      thread->edge = booked->window.begin;
      return;
    }
    if (time < end) {
      thread->inside = true;
      thread->edge = end;
      return;
    }
    if (thread->inside)
      prof_window_book_add(&sieve->book, thread->window, thread->number, &thread->tally);
    thread->inside = false;
  }
  thread->edge = UINT64_MAX;
}

void prof_sieve_settle(struct prof_sieve *sieve, struct prof_sieve_thread *thread, uint64_t time) {
  const struct prof_booked *booked = prof_window_book_at(&sieve->book, thread->window);
  if (!thread->inside || booked == NULL || booked->window.end == 0 || booked->window.end > time)
    return;
  prof_window_book_add(&sieve->book, thread->window++, thread->number, &thread->tally);
  thread->inside = false;
  thread->edge = 0;
}

static uint32_t unit_number(const struct prof_sieve *sieve, const struct prof_site_map *map, uint32_t site) {
  uint32_t function = site < map->count ? map->functions[site] : PROF_MATCHER_NO_FUNCTION;
  function = ended_by(&sieve->units, site, function);
  return function < PROF_MATCHER_NO_FUNCTION ? function & ~PROF_MATCHER_BITS : PROF_MATCHER_NO_FUNCTION;
}

static void count_value(struct prof_sieve *sieve, struct prof_sieve_thread *thread,
                        const struct prof_governed_unit *unit, uint32_t site, uint64_t time) {
  uint64_t value = time & ~PROF_EVENT_VALUE_BIT;
  bool entries = site < sieve->units.counts_entries.count && sieve->units.counts_entries.items[site];
  value = value >> 62 ? 0 : value;
  prof_tally_add(
      &thread->tally,
      &(struct prof_window_row){.site = unit->site, .calls = entries ? value : 0, .iterations = entries ? 0 : value});
}

/* An event of a function that isn't in state always. */
static void drop(struct prof_sieve *sieve, struct prof_sieve_thread *thread, struct prof_governed_unit *unit,
                 struct prof_event *slot, uint64_t time) {
  uint32_t kind = prof_event_kind(slot->what), site = prof_event_site(slot->what);
  if (thread->inside && kind == PROF_EVENT_ENTRY)
    prof_tally_add(&thread->tally, &(struct prof_window_row){.site = site, .caller = slot->aux, .calls = 1});
  else if (thread->inside && kind == PROF_EVENT_LOOP_ENTRY)
    prof_tally_add(&thread->tally, &(struct prof_window_row){.site = unit->site, .calls = 1});
  else if (thread->inside && kind == PROF_EVENT_VALUE)
    count_value(sieve, thread, unit, site, time);
  if (kind == PROF_EVENT_LANDED) { /* frames of others are gone */
    slot->what = prof_event_what(0, PROF_EVENT_LANDED);
    sieve->dropped++;
    unit->landings++;
    return;
  }
  sieve->dropped += kind != PROF_EVENT_FRAME && kind != PROF_EVENT_VALUE;
  slot->what = prof_event_what(0, PROF_EVENT_NONE);
}

static bool is_of_unit(uint32_t kind) {
  const uint32_t kinds = 1u << PROF_EVENT_ENTRY | 1u << PROF_EVENT_EXIT | 1u << PROF_EVENT_LANDED |
                         1u << PROF_EVENT_FRAME | 1u << PROF_EVENT_LOOP_ENTRY | 1u << PROF_EVENT_LOOP_EXIT |
                         1u << PROF_EVENT_VALUE;
  return kind < 32 && (kinds >> kind & 1);
}

bool prof_sieve_frame_first(struct prof_event *slots) {
  struct prof_event entry = slots[0], frame = slots[1];
  if (frame.time == 0 || frame.aux == 0 || frame.what != prof_event_what(prof_event_site(entry.what), PROF_EVENT_FRAME))
    return false;
  slots[0] = (struct prof_event){entry.time, prof_event_what(prof_event_site(entry.what), PROF_EVENT_STACK),
                                 frame.aux & ~PROF_EVENT_STACK_INLINED};
  slots[1] = entry;
  return true;
}

size_t prof_sieve_slots(struct prof_sieve *sieve, struct prof_sieve_thread *thread, struct prof_event *slots,
                        size_t count, const struct prof_site_map *map, bool skip_empty, uint64_t *out_leaving) {
  uint64_t leaving = prof_sieve_next_leaving(sieve, thread);
  *out_leaving = 0;
  thread->edge = 0;
  if (sieve->look != NULL)
    sieve->look(sieve->context);
  for (size_t i = 0; i < count; i++) {
    struct prof_event *slot = &slots[i];
    uint64_t time = __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE);
    uint32_t kind = prof_event_kind(slot->what);
    bool timed = prof_event_has_time(kind);
    if (time == 0 && !skip_empty)
      return i;
    if (time == 0)
      continue;
    if (timed && leaving != 0 && time >= leaving) {
      *out_leaving = leaving;
      return i;
    }
    if (timed)
      thread->last = time;
    if (thread->last >= thread->edge)
      window_find(sieve, thread, thread->last);
    if (!is_of_unit(kind))
      continue;
    thread->tally.events += thread->inside && timed;
    uint32_t number = unit_number(sieve, map, prof_event_site(slot->what));
    struct prof_governed_unit *unit = number != PROF_MATCHER_NO_FUNCTION ? prof_unit_of(&sieve->units, number) : NULL;
    if (unit == NULL || prof_unit_state_at(&sieve->units, unit, thread->last) == PROF_RECORD_ALWAYS) {
      sieve->events += timed;
      if (unit != NULL)
        unit->count += timed;
      if (kind == PROF_EVENT_ENTRY && sieve->lands && i + 1 < count)
        i += prof_sieve_frame_first(slot);
    } else {
      drop(sieve, thread, unit, slot, time);
    }
  }
  return count;
}
