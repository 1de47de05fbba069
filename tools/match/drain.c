/*
 * tools/match/drain.c - ring slots in, steps out: the fast path for plain events, and the functions that make and free
 * a matcher.  See matcher.h; matcher_rules.c has the rules.
 */
#include <stdlib.h>
#include <string.h>

#include "matcher_state.h"
#include "plain_events.h"

/* Slots taken between two checks of the room in the buffers. */
#define BATCH 512u
/* A chunk with more events is full. */
#define FULL_EVENTS (PROF_FORMAT_CHUNK_EVENTS - 2048u)

static inline bool is_operand(const struct prof_event *slot) {
  return slot->time && prof_event_kind(slot->what) == PROF_EVENT_OPERAND; /* finished before its MEASURE */
}

/* A MEASURE and its OPERAND; `key` holds the first one's `what` and `aux`. */
static inline uint8_t take_measure(struct prof_columns_end *end, uint64_t key, struct prof_event *operand) {
  const struct prof_event copy = *operand;
  memset(operand, 0, sizeof *operand);
  return prof_columns_measure(end, prof_measure_operation((uint32_t)key),
                              prof_measure_caller((uint32_t)key, (uint32_t)(key >> 32)),
                              copy.time & ~PROF_EVENT_VALUE_BIT, prof_measure_second(copy.what, copy.aux));
}

/* Not inlined: what they need fills the registers. */
static __attribute__((noinline)) size_t take_plain(struct prof_plain *plain, struct prof_event *slots, size_t count) {
  return prof_plain_take(plain, slots, count, false);
}

static __attribute__((noinline)) size_t take_plain_kept(struct prof_plain *plain, struct prof_event *slots,
                                                        size_t count) {
  return prof_plain_take(plain, slots, count, true);
}

/*
 * The fast loop: entries by known edges, exits of the innermost frame, values, addresses and measures.  The state of
 * matcher and encoder is in registers.  It must treat these events as prof_matcher_take does; unit.test_trace_encode
 * and test_trace_loops compare both with a simple model.  Returns how many slots it took: all, or those before the
 * first empty one.
 *
 * kept: of a thread with a filter that keeps all calls from here on; frames up to `floor` are the filter's.  An edge is
 * known only if its call was kept, so other functions' entries end the loop.  It ends at the first event of another
 * kind: the filter then learns which frames are open.  Long: a call would pass the state through memory on each event.
 */
static inline __attribute__((always_inline)) size_t take_events(struct prof_matcher *matcher, struct prof_event *slots,
                                                                size_t count, const bool kept, const uint32_t floor) {
  struct prof_encoder *encoder = matcher->encoder;
  size_t i = 0;
  while (i < count) {
    struct prof_open_frame *const first = matcher->stack + matcher->depth + (matcher->omitted ? 1 : 0);
    struct prof_plain at = {.end = prof_columns_end(encoder),
                            .last = kept ? encoder->last_time : matcher->last_time,
                            .top = first,
                            .low = first,
                            .lowest = matcher->stack + floor,
                            .limit = matcher->stack + matcher->stack_limit,
                            .table = encoder->table,
                            .table_shift = encoder->table_shift,
                            .map = matcher->map,
                            .stalled = matcher->figures.stalled_ticks};
    /* In a stall every event takes the slow path, because the frames' stalls grow with the time; so it does while the
     * exit of a loop or a zone waits. */
    const bool waits = matcher->stall_begin || matcher->loop_end.at || matcher->zone.time;
    const bool may_be_plain = !waits && at.last - 1 < INT64_MAX;
    const uint64_t too_long = waits ? 0 : (uint64_t)UINT32_MAX + 1;
    uint64_t time = 0, key = 0;
    uint32_t address = matcher->next_address, loop_entries = 0, values = 0;
    bool slow = false;
    for (; i < count; i++) {
      struct prof_event *slot = &slots[i];
      time = __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE);
      if (!time)
        break;
      memcpy(&key, &slot->what, sizeof key);
      uint32_t kind = prof_event_kind((uint32_t)key), site = prof_event_site((uint32_t)key);
      if (may_be_plain && !address && (kind == PROF_EVENT_ENTRY || kind == PROF_EVENT_EXIT)) {
        size_t taken = kept ? take_plain_kept(&at, slot, count - i) : take_plain(&at, slot, count - i);
        i += taken;
        if (taken > 0) {
          i--;
          continue;
        }
      }
      memset(slot, 0, sizeof *slot);
      uint64_t delta = time - at.last;
      uint8_t op = PROF_FORMAT_OP_EXIT;
      slow = true;
      if (kind == PROF_EVENT_VALUE) { /* has no time */
        if (site == matcher->ignored_site || !at.last || !too_long || (kept && at.top <= at.lowest))
          break;
        op = prof_columns_value(&at.end, site, prof_event_value(time));
        time = at.last;
        delta = 0;
        values++;
      } else if (delta >= too_long) {
        break;
      } else if (kind == PROF_EVENT_ENTRY || kind == PROF_EVENT_LOOP_ENTRY) {
        const struct prof_edge_slot *edge = &at.table[prof_edge_hash(key, at.table_shift)];
        if (edge->key != key && (++edge)->key != key) /* one more slot lies behind the last */
          break;
        if (at.top >= at.limit)
          break;
        if (kind == PROF_EVENT_LOOP_ENTRY) {
          if (prof_frame_open_loop(matcher->map, at.top, edge->function))
            break;
          *++at.top = (struct prof_open_frame){time, key, at.stalled, edge->function, 0};
          loop_entries++;
        } else {
          if (address && (prof_frame_is_loop(at.top) || prof_frame_is_gone(at.top, address)))
            break;
          *++at.top =
              (struct prof_open_frame){time, key, at.stalled, edge->function, address & ~PROF_EVENT_STACK_INLINED};
          address = 0;
        }
        op = prof_columns_entry(&at.end, edge->index);
      } else if (kind == PROF_EVENT_EXIT || kind == PROF_EVENT_LOOP_EXIT) {
        uint32_t aux = (uint32_t)(key >> 32);
        if (site >= at.map->count || at.map->functions[site] != at.top->function || (aux && aux != at.top->address) ||
            (kept && at.top <= at.lowest))
          break;
        at.top--;
        if (at.top < at.low)
          at.low = at.top;
      } else if (kind == PROF_EVENT_MEASURE && i + 1 < count && is_operand(&slots[i + 1])) {
        op = take_measure(&at.end, key, &slots[++i]);
        matcher->figures.operations |= 1ull << prof_measure_operation((uint32_t)key);
        values++;
      } else if (kind == PROF_EVENT_STACK) {
        address = (uint32_t)(key >> 32);
        slow = false;
        continue;
      } else if (kind == PROF_EVENT_FRAME && prof_event_site((uint32_t)at.top->key) == site && !matcher->omitted) {
        at.top->address = (uint32_t)(key >> 32);
        slow = false;
        continue;
      } else {
        break;
      }
      slow = false;
      at.last = time;
      prof_columns_put(&at.end, op, (uint32_t)delta);
    }
    prof_columns_take(encoder, &at.end, at.last);
    encoder->loop_entries += loop_entries;
    encoder->untimed += values;
    if (!kept || at.last > matcher->last_time)
      matcher->last_time = at.last;
    matcher->next_address = address;
    if (!matcher->omitted)
      matcher->depth = (uint32_t)(at.top - matcher->stack);
    if (kept && !prof_keep_follow(matcher->keep, matcher->stack, (uint32_t)(at.low - matcher->stack), matcher->depth))
      matcher->figures.dropped++;
    if (!slow)
      return i;
    prof_matcher_take(matcher, &(struct prof_event){time, (uint32_t)key, (uint32_t)(key >> 32)});
    i++;
    if (matcher->suspended_depth || kept)
      break;
  }
  return i;
}

static size_t take_batch(struct prof_matcher *matcher, struct prof_event *slots, size_t count) {
  return take_events(matcher, slots, count, false, 0);
}

/* Of a filter, where all calls are kept; 0: they aren't. */
static size_t take_kept_batch(struct prof_matcher *matcher, struct prof_event *slots, size_t count) {
  uint64_t time = __atomic_load_n(&slots->time, __ATOMIC_ACQUIRE);
  bool may = matcher->encoder->count && !matcher->stall_begin && !matcher->loop_end.at && !matcher->zone.time &&
             !matcher->omitted && !matcher->suspended_depth && matcher->figures.first_ticks &&
             time >= matcher->last_time;
  uint32_t levels;
  if (!may || !prof_keep_is_open(matcher->keep, matcher->depth, BATCH, &levels))
    return 0;
  return take_events(matcher, slots, count, true, matcher->depth - levels);
}

static size_t take_kept(struct prof_matcher *matcher, struct prof_event *slots, size_t count) {
  size_t taken = take_kept_batch(matcher, slots, count);
  return taken > 0 ? taken : prof_matcher_take_kept(matcher, slots, count);
}

/* Passes empty slots from `at` on; those before a finished slot are torn events. */
static size_t pass_empty(struct prof_matcher *matcher, struct prof_event *slots, size_t at, size_t count) {
  size_t next = at;
  while (next < count && !__atomic_load_n(&slots[next].time, __ATOMIC_ACQUIRE)) {
    memset(&slots[next], 0, sizeof slots[next]);
    next++;
  }
  if (next < count)
    matcher->figures.torn += next - at;
  return next;
}

/* Takes a chunk's first event: the fast loop would use the edges of the chunk before. */
static size_t take_first(struct prof_matcher *matcher, struct prof_event *slot) {
  struct prof_event event = {__atomic_load_n(&slot->time, __ATOMIC_ACQUIRE), slot->what, slot->aux};
  memset(slot, 0, sizeof *slot);
  prof_matcher_take(matcher, &event);
  return 1;
}

size_t prof_matcher_drain(struct prof_matcher *matcher, struct prof_event *slots, size_t count,
                          const struct prof_site_map *map, bool skip_empty) {
  size_t done = 0;
  matcher->map = map;
  while (done < count) {
    uint64_t time = __atomic_load_n(&slots[done].time, __ATOMIC_ACQUIRE);
    if (!time) {
      if (!skip_empty)
        break;
      done = pass_empty(matcher, slots, done, count);
      continue;
    }
    size_t batch = count - done < BATCH ? count - done : BATCH;
    if (matcher->suspended_depth && !prof_matcher_resume(matcher, &slots[done]))
      batch = 1;
    if (!prof_encoder_reserve(matcher->encoder, 2 * BATCH + 2)) {
      memset(&slots[done++], 0, sizeof *slots);
      matcher->figures.dropped++;
      continue;
    }
    if (matcher->keep)
      done += take_kept(matcher, slots + done, batch);
    else
      done += matcher->encoder->count ? take_batch(matcher, slots + done, batch) : take_first(matcher, slots + done);
    if (matcher->encoder->count > FULL_EVENTS)
      (void)prof_encoder_flush(matcher->encoder, false); /* the writer keeps the error */
  }
  return done;
}

prof_matcher *prof_matcher_new(prof_packer *packer, uint32_t thread) {
  struct prof_matcher *matcher = calloc(1, sizeof *matcher);
  if (!matcher)
    return NULL;
  matcher->encoder = prof_encoder_new(packer, thread);
  matcher->stack_limit = 30;
  matcher->stack = calloc(matcher->stack_limit + 2, sizeof *matcher->stack);
  if (!matcher->encoder || !matcher->stack) {
    prof_matcher_free(matcher);
    return NULL;
  }
  matcher->stack[0].function = PROF_MATCHES_NOTHING;
  return matcher;
}

bool prof_matcher_grow_stack(struct prof_matcher *matcher) {
  uint32_t limit = matcher->stack_limit * 2;
  if (limit > PROF_FORMAT_FRAME_LIMIT)
    limit = PROF_FORMAT_FRAME_LIMIT;
  struct prof_open_frame *stack = realloc(matcher->stack, (limit + 2) * sizeof *stack);
  if (!stack)
    return false;
  matcher->stack = stack;
  matcher->stack_limit = limit;
  return true;
}

void prof_matcher_free(prof_matcher *matcher) {
  if (!matcher)
    return;
  prof_keep_free(matcher->keep);
  prof_encoder_free(matcher->encoder);
  free(matcher->stack);
  free(matcher->suspended);
  free(matcher);
}

prof_encoder *prof_matcher_encoder(prof_matcher *matcher) {
  return matcher->encoder;
}

void prof_matcher_keep_forks(struct prof_matcher *matcher, prof_fork_stacks *forks) {
  matcher->forks = forks;
}

void prof_matcher_watch(struct prof_matcher *matcher, struct prof_matcher_watch *watch) {
  matcher->watch = watch;
}

void prof_matcher_heal(struct prof_matcher *matcher) {
  matcher->heals = true;
}

void prof_matcher_excuse(struct prof_matcher *matcher, bool (*was_off)(void *context, uint32_t site, uint32_t function),
                         void *context) {
  matcher->was_off = was_off;
  matcher->off_context = context;
}

void prof_matcher_take_samples(struct prof_matcher *matcher,
                               void (*take)(void *context, uint64_t time, uint32_t site, uint32_t aux), void *context) {
  matcher->take_sample = take;
  matcher->sample_context = context;
}

uint64_t prof_matcher_begin_bytes(const prof_matcher *matcher) {
  return prof_encoder_begin_bytes(matcher->encoder, matcher->depth);
}

uint64_t prof_matcher_begin_packed_bytes(prof_matcher *matcher) {
  if (!matcher->keep && !matcher->encoder->count && matcher->depth && prof_matcher_begin(matcher, matcher->last_time))
    prof_encoder_pack_frames(matcher->encoder);
  return prof_matcher_begin_bytes(matcher);
}

uint64_t prof_matcher_memory_bytes(const prof_matcher *matcher) {
  return sizeof *matcher + prof_encoder_memory_bytes(matcher->encoder) +
         (matcher->stack_limit + 2) * sizeof *matcher->stack;
}

void prof_matcher_figures(const prof_matcher *matcher, struct prof_matcher_figures *out) {
  const struct prof_encoder *encoder = matcher->encoder;
  *out = matcher->figures;
  out->events = encoder->written.events + encoder->count;
  out->untimed = encoder->written.untimed + encoder->untimed;
  out->calls = encoder->written.calls;
  out->loop_entries = encoder->written.loop_entries;
  out->left_out = matcher->left_out + (matcher->keep ? prof_keep_left_out(matcher->keep) : 0);
  out->dropped += encoder->written.dropped;
  out->last_ticks = matcher->last_time;
  out->depth = matcher->depth + matcher->omitted;
  out->chunks = encoder->sequence;
}
