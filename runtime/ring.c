/*
 * ring.c - a thread's chain of segments.
 *
 * In: a cell whose reservation failed: its segment is full, prof_start kicked it, or it is new.  Out: a cursor at free
 * slots of a segment or, if none is free, of a private discard area, whose events are counted and dropped.  Owner: the
 * cell's thread, with all signals blocked.  A handler may have used the cell after the failed reservation and before
 * signals were blocked, so the code assumes nothing about it.
 */
#include "ring.h"
#include "api.h"
#include "clock.h"
#include "control_map.h"
#include "pause.h"
#include "segments.h"
#include "system.h"
#include "usage.h"
#include "wait.h"
#include "windows.h"

#define SLOT_BYTES ((uint32_t)sizeof(struct prof_event))
#define SLACK_BYTES ((size_t)PROF_SEGMENT_SLACK_SLOTS * SLOT_BYTES) /* behind a segment's slots (wire/control.h) */
#define DISCARD_BYTES ((size_t)16384)                               /* slack included */

/* Appends an event; there is room: a segment was just taken, or cursor < limit. */
static void event_append(struct prof_cell *cell, uint64_t time, uint32_t kind, uint32_t aux) {
  prof_event_store((struct prof_event *)cell->cursor, time, prof_event_what(0, kind), aux);
  cell->cursor += sizeof(struct prof_event);
}

/* The end of a slice closes frames; after prof_stop they stay open. */
static void stop_append(struct prof_cell *cell) {
  event_append(cell, cell->held_stop, PROF_EVENT_STOP, prof_runtime.bounded ? 0 : PROF_EVENT_STOP_PAUSE);
}

/* Slots of its next segment that the thread uses. */
static uint32_t segment_slots(const struct prof_thread *record, uint32_t number) {
  uint32_t least = prof_segment_part_slots(PROF_SEGMENT_FIRST_BYTES), most = prof_runtime.slot_bytes / SLOT_BYTES;
  const struct prof_control *control = prof_runtime.control;
  uint32_t allowed = __atomic_load_n(&control->segment_slots, __ATOMIC_RELAXED);
  uint32_t budget = control->budget_segments, small = prof_segment_part_slots(PROF_SEGMENT_SMALL_BYTES);
  bool is_small = record->taken == 1 || (!allowed && budget && number > budget);
  if (record->taken == 0)
    allowed = least;
  else if (is_small && (!allowed || allowed > small))
    allowed = small;
  if (!allowed || allowed > most)
    return most;
  return allowed > least ? allowed : least < most ? least : most;
}

static bool is_closed(void) {
  return __atomic_load_n(&prof_runtime.control->recorder_state, __ATOMIC_RELAXED) == PROF_RECORDER_CLOSED;
}

/* Replaces the promised count. */
static void dropped_add(struct prof_cell *cell, uint64_t count) {
  count = is_closed() ? 0 : count;
  cell->dropped += count;
  if (cell->record)
    __atomic_fetch_add(&cell->record->lost, count - cell->promised, __ATOMIC_RELAXED);
  cell->promised = 0;
}

/* A thread that is killed can't count its discard area: so a full one is counted beforehand. */
static void dropped_promise(struct prof_cell *cell) {
  if (!cell->discard || !cell->record || is_closed())
    return;
  cell->promised = DISCARD_BYTES / sizeof(struct prof_event);
  __atomic_fetch_add(&cell->record->lost, cell->promised, __ATOMIC_RELAXED);
}

/* Counts the events of the discard area, and empties it; without memory there is none. */
static void discard_count(struct prof_cell *cell) {
  uint64_t dropped = 0;
  for (char *slot = cell->discard; slot && slot < cell->cursor && slot < cell->discard + DISCARD_BYTES;
       slot += sizeof(struct prof_event)) {
    struct prof_event *event = (struct prof_event *)slot;
    uint32_t kind = prof_event_kind(event->what);
    dropped += event->time != 0 && kind != PROF_EVENT_FRAME && kind != PROF_EVENT_STACK && kind != PROF_EVENT_OPERAND;
    event->time = 0;
  }
  dropped_add(cell, dropped);
}

static void discard_begin(struct prof_cell *cell) {
  if (!cell->discard)
    cell->discard = prof_memory_map(DISCARD_BYTES);
  cell->discarding = 1;
  cell->cursor = cell->discard;
  cell->limit = cell->discard ? cell->discard + DISCARD_BYTES - SLACK_BYTES : NULL;
  dropped_promise(cell);
  if (cell->record && !cell->segment && !is_closed()) /* its losses count, although it has no segment */
    __atomic_store_n(&cell->record->state, PROF_THREAD_LIVE, __ATOMIC_RELEASE);
}

/* Makes segment `number`, which is all zeros, the current one. */
static void segment_begin(struct prof_cell *cell, uint32_t number) {
  struct prof_thread *record = cell->record;
  struct prof_segment *segment = prof_segment_at(number);
  uint32_t slots = segment_slots(record, number);
  __atomic_store_n(&segment->next, 0, __ATOMIC_RELAXED);
  segment->thread = cell->number;
  segment->slots = slots;
  segment->over = 0;
  __atomic_store_n(&record->slots, record->slots + slots, __ATOMIC_RELAXED);
  __atomic_store_n(&record->taken, record->taken + 1, __ATOMIC_RELAXED);
  cell->cursor = (char *)(segment + 1);
  cell->limit = cell->cursor + (size_t)slots * SLOT_BYTES;
  cell->discarding = 0;
  cell->impatient = 0;
}

/* Publishes segment `number` to the recorder. */
static void segment_publish(struct prof_cell *cell, uint32_t number) {
  struct prof_thread *record = cell->record;
  if (cell->segment) {
    __atomic_store_n(&prof_segment_at(cell->segment)->next, number, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(&record->first_segment, number, __ATOMIC_RELEASE);
    __atomic_store_n(&record->state, PROF_THREAD_LIVE, __ATOMIC_RELEASE);
  }
  cell->segment = number;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  uint32_t unread = record->taken - __atomic_load_n(&record->released, __ATOMIC_ACQUIRE) - 1;
  if (unread >= prof_runtime.control->wake_segments)
    prof_bell_ring();
}

static void wait_over(struct prof_cell *cell, uint64_t begin) {
  if (begin)
    __atomic_store_n(&cell->record->wait_begin, 0, __ATOMIC_RELEASE);
}

/* The thread leaves its segment: what is reserved behind its end belongs to probes that were interrupted, or is a
 * FRAME. */
static void segment_leave(const struct prof_cell *cell) {
  if (cell->segment && cell->limit && cell->cursor > cell->limit)
    prof_segment_at(cell->segment)->over = (uint32_t)((size_t)(cell->cursor - cell->limit) / SLOT_BYTES);
}

/* Moves to the next segment, or to the discard area again. */
static void ring_next(struct prof_cell *cell) {
  struct prof_control *control = prof_runtime.control;
  prof_pause_check();
  if (cell->discarding)
    discard_count(cell);
  else
    segment_leave(cell);
  bool open = __atomic_load_n(&control->recorder_state, __ATOMIC_RELAXED) == PROF_RECORDER_RUNNING;
  uint32_t number = 0;
  uint64_t stall_begin = 0, stall_end = 0;
  if (open && cell->record) {
    prof_thread_usage_note(cell);
    number = prof_segment_take(cell->record);
    if (!number && control->when_full == PROF_WHEN_FULL_WAIT && !prof_wait_is_hopeless(cell)) {
      stall_begin = prof_clock_ticks();
      __atomic_store_n(&cell->record->wait_begin, stall_begin, __ATOMIC_RELEASE);
      number = prof_wait_segment(cell);
      stall_end = prof_clock_ticks();
      __atomic_fetch_add(&cell->record->stalled, stall_end - stall_begin, __ATOMIC_RELAXED);
      cell->line_time += stall_end - stall_begin;
    }
  }
  if (!number) {
    wait_over(cell, stall_begin);
    discard_begin(cell);
    if (__atomic_load_n(&control->recorder_state, __ATOMIC_RELAXED) == PROF_RECORDER_CLOSED)
      prof_api_closed();
    return;
  }
  segment_begin(cell, number);
  if (cell->held_stop)
    stop_append(cell);
  cell->held_stop = 0;
  if (stall_begin) {
    event_append(cell, stall_begin, PROF_EVENT_STALL_BEGIN, 0);
    event_append(cell, stall_end, PROF_EVENT_STALL_END, 0);
  }
  if (cell->dropped)
    event_append(cell, prof_clock_ticks(), PROF_EVENT_GAP,
                 cell->dropped > UINT32_MAX ? UINT32_MAX : (uint32_t)cell->dropped);
  cell->dropped = 0;
  segment_publish(cell, number);
  wait_over(cell, stall_begin);
}

/* Prepares a cell for events: writes pending stops, takes a segment if there is no room. */
static void ring_settle(struct prof_cell *cell) {
  for (;;) {
    uint64_t stop = __atomic_exchange_n(&cell->stop, 0, __ATOMIC_SEQ_CST);
    if (stop) {
      cell->held_stop = cell->held_stop ? cell->held_stop : stop;
      if (cell->record)
        __atomic_store_n(&cell->record->stopped, 0, __ATOMIC_RELAXED);
    }
    if (cell->cursor >= cell->limit)
      ring_next(cell);
    if (cell->held_stop && !cell->discarding) {
      stop_append(cell);
      cell->held_stop = 0;
    }
    cell->mark = 0; /* the next event reads the clock */
    /* Either a kick sees this store and overwrites it, or the load sees the kick's stop (Dekker). */
    __atomic_store_n(&cell->end, cell->limit, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&cell->stop, __ATOMIC_SEQ_CST) && (cell->cursor < cell->limit || !cell->limit))
      return;
  }
}

static bool has_room(struct prof_cell *cell) {
  ring_settle(cell);
  return !cell->discarding && cell->cursor < cell->limit;
}

void prof_ring_ready(struct prof_cell *cell) {
  ring_settle(cell);
}

void prof_ring_bottom(struct prof_cell *cell) {
  if (has_room(cell))
    event_append(cell, prof_clock_ticks(), PROF_EVENT_BOTTOM, 0);
}

uint32_t prof_ring_fork(struct prof_cell *cell) {
  if (!has_room(cell))
    return 0;
  uint32_t number = __atomic_add_fetch(&prof_runtime.control->forks, 1, __ATOMIC_RELAXED);
  event_append(cell, prof_clock_ticks(), PROF_EVENT_FORK, number);
  return number;
}

void prof_ring_forget(struct prof_cell *cell) {
  prof_syscall(SYS_madvise, (long)cell->discard, DISCARD_BYTES, MADV_DONTNEED, 0, 0, 0);
}

void prof_ring_leave(struct prof_cell *cell) {
  if (cell->discarding)
    discard_count(cell);
  if (cell->discard)
    prof_syscall(SYS_munmap, (long)cell->discard, DISCARD_BYTES, 0, 0, 0, 0);
  cell->discard = NULL;
}

/* Later events, of exit handlers, begin a new count. */
void prof_ring_count(struct prof_cell *cell) {
  if (!cell->discarding)
    return;
  prof_ring_leave(cell);
  cell->cursor = NULL;
  cell->limit = NULL;
  __atomic_store_n(&cell->end, NULL, __ATOMIC_RELAXED);
}

/* Drops a slot of a segment: the recorder skips it. */
static void slot_bury(char *slot, uint32_t bytes) {
  size_t at;
  if (!prof_segment_has(slot, &at))
    return;
  const struct prof_segment *segment = (const struct prof_segment *)(slot - at);
  size_t used = (size_t)segment->slots * SLOT_BYTES;
  if (at < sizeof *segment || at >= sizeof *segment + used + SLACK_BYTES || used > prof_runtime.slot_bytes)
    return;
  uint64_t now = prof_clock_ticks();
  for (uint32_t i = 0; i < bytes; i += sizeof(struct prof_event))
    prof_event_store((struct prof_event *)(slot + i), now, prof_event_what(0, PROF_EVENT_NONE), 0);
}

/* Gives up a failed reservation.  Unless a handler has reserved slots since, it is as if it had never been. */
static void slot_return(struct prof_cell *cell, char *slot, uint32_t bytes) {
  if (cell->cursor == slot + bytes)
    cell->cursor = slot;
  else
    slot_bury(slot, bytes);
}

bool prof_ring_retry(struct prof_cell *cell, char *slot, uint32_t bytes) {
  slot_return(cell, slot, bytes);
  ring_settle(cell);
  if (cell->limit)
    return true;
  dropped_add(cell, 1);
  return false;
}
