/*
 * tools/record/region/channel.c - see channel.h.
 *
 * Order of reading: a segment's `next`, then how far its slots are finished, then the log, then the slots.  So
 * everything that a slot names has been taken from the log before the slot is decoded.
 */
#include "record/region/channel.h"

#include <string.h>

#include "record/keep/quiet.h"
#include "record/region/channel_thread.h"

/* How long the reader waits for an unfinished slot: until the handler that runs meanwhile needs the space, or seems not
 * to return. */
#define HOLE_PRESSED_NS 50000000u
#define HOLE_NS 1000000000u
enum {
  LOOK_AHEAD = 64,    /* a finished slot within this many after an empty one shows a hole */
  WAKE_EVERY = 16,    /* segments given back before waiting threads are woken */
  STEP_LEAST = 16,    /* slots handed on at once, with little room */
  TURN_SEGMENTS = 64, /* segments read at once, so that a busy thread doesn't delay the others */
};

/* Takes a SAMPLE event of the thread; see wire/event.h. */
static void take_sample(void *context, uint64_t time, uint32_t site, uint32_t low) {
  struct prof_channel *channel = context;
  struct prof_sample_record sample = {
      .time = time,
      .address = (uint64_t)(site & ~PROF_EVENT_SAMPLE_PROBE) << 32 | low,
      .flags = site & PROF_EVENT_SAMPLE_PROBE ? PROF_SAMPLE_PROBE : 0,
  };
  channel->sample_count += prof_vec_push(&channel->samples, sample);
  channel->sampled = time > channel->sampled ? time : channel->sampled;
}

/* Samples are in the ring's order; a nested handler's may be earlier. */
void prof_channel_write_samples(struct prof_channel *channel, const struct prof_channel_source *source) {
  struct prof_sample_record *samples = channel->samples.items;
  for (size_t i = 1; i < channel->samples.count; i++)
    if (samples[i].time < samples[i - 1].time)
      samples[i].time = samples[i - 1].time;
  if (channel->samples.count > 0)
    prof_sampling_own(source->sampling, &(struct prof_samples_record){
                                            .kind = PROF_SAMPLE_SAMPLES,
                                            .thread = channel->number,
                                            .process = channel->process,
                                            .tid = (uint32_t)channel->tid,
                                            .records = samples,
                                            .count = (uint32_t)channel->samples.count,
                                        });
  channel->samples.count = 0;
}

bool prof_channel_open(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                       uint32_t number, prof_packer *packer) {
  const struct prof_thread *record = prof_channel_record(source, index);
  prof_matcher *matcher = prof_matcher_new(packer, number);
  if (matcher == NULL)
    return false;
  *channel = (struct prof_channel){
      .number = number,
      .process = record->process,
      .pid = record->pid,
      .tid = record->tid,
      .start_ticks = record->start,
      .matcher = matcher,
      .encoder = prof_matcher_encoder(matcher),
      .segment = __atomic_load_n(&record->first_segment, __ATOMIC_ACQUIRE),
      .flushed_ns = source->now_ns,
  };
  if (source->keep != NULL && !prof_matcher_keep(matcher, source->keep)) {
    prof_matcher_free(matcher);
    return false;
  }
  prof_matcher_watch(matcher, source->watch);
  prof_matcher_keep_forks(matcher, source->forks);
  prof_matcher_take_samples(matcher, take_sample, channel);
  const struct prof_fork_stack *stack = record->fork ? prof_fork_stacks_find(source->forks, record->fork) : NULL;
  if (stack != NULL && prof_matcher_inherit(matcher, stack) && stack->time < channel->start_ticks)
    channel->start_ticks = stack->time;
  prof_channel_write_thread(channel, source, index, false);
  if (source->sieve != NULL) {
    prof_matcher_excuse(matcher, prof_sieve_was_off, source->sieve);
    prof_sieve_begin(source->sieve, &channel->sieved, number, channel->start_ticks);
  }
  if (source->heals || (source->sieve != NULL && source->sieve->lands))
    prof_matcher_heal(matcher);
  return true;
}

static bool is_finished(const struct prof_event *event) {
  return __atomic_load_n(&event->time, __ATOMIC_ACQUIRE) != 0;
}

static uint32_t count_finished(const struct prof_event *events, uint32_t from, uint32_t to) {
  uint32_t at = from;
  while (at < to && is_finished(&events[at]))
    at++;
  return at - from;
}

/* Of `count` slots, those up to the first one that is empty or of `until_ticks` or later. */
static uint32_t count_before(const struct prof_event *events, uint32_t count, uint64_t until_ticks) {
  uint32_t at = 0;
  while (at < count && is_finished(&events[at]) &&
         (events[at].time < until_ticks || !prof_event_has_time(prof_event_kind(events[at].what))))
    at++;
  return at;
}

/* Will the thread soon wait for segments? */
static bool is_pressed(const struct prof_channel_source *source, uint32_t index) {
  const struct prof_thread *record = prof_channel_record(source, index);
  uint32_t held = __atomic_load_n(&record->taken, __ATOMIC_RELAXED) - record->released;
  return held + 2 >= source->region->control->thread_segments;
}

/* The number of slots up to the first finished one after `from`; 0: none found. */
static uint32_t hole_length(const struct prof_event *events, uint32_t from, uint32_t to) {
  for (uint32_t at = from; at < to && at - from < LOOK_AHEAD; at++)
    if (is_finished(&events[at]))
      return at - from;
  return 0;
}

/* Has the reader waited long enough for the empty slot? */
static bool is_given_up(struct prof_channel *channel, const struct prof_channel_source *source,
                        enum prof_channel_depth depth) {
  if (depth == PROF_CHANNEL_LAST)
    return true;
  if (channel->hole_since_ns == 0)
    channel->hole_since_ns = source->now_ns;
  return source->now_ns - channel->hole_since_ns >= channel->hole_patience_ns;
}

/* Bytes that the channel has written and holds. */
static uint64_t bytes_so_far(const struct prof_channel *channel, const struct prof_channel_source *source) {
  return prof_writer_bytes(source->writer) + prof_encoder_waiting_bytes(channel->encoder) +
         channel->samples.count * PROF_SAMPLE_BYTES;
}

/* Size of a chunk's first slot with the open frames; 0: a chunk has begun. */
static uint64_t begin_bytes(struct prof_channel *channel, const struct prof_room *room) {
  if (prof_encoder_waiting(channel->encoder) > 0)
    return 0;
  uint64_t most = prof_matcher_begin_bytes(channel->matcher);
  bool is_short = most + STEP_LEAST * PROF_ENCODER_SLOT_BYTES > room->bytes;
  return is_short ? prof_matcher_begin_packed_bytes(channel->matcher) : most;
}

/* Hands slots to the matcher as far as there is room for them in the worst case.  Returns the number. */
static uint32_t match_slots(struct prof_channel *channel, const struct prof_channel_source *source,
                            struct prof_event *events, uint32_t count, const struct prof_site_map *map, bool skip) {
  if (source->room == NULL)
    return (uint32_t)prof_matcher_drain(channel->matcher, events, count, map, skip);
  uint32_t done = 0;
  while (done < count) {
    uint64_t begin = begin_bytes(channel, source->room);
    if (!prof_room_has(source->room, begin + STEP_LEAST * PROF_ENCODER_SLOT_BYTES))
      break;
    uint64_t step = (source->room->bytes - begin) / PROF_ENCODER_SLOT_BYTES, before = bytes_so_far(channel, source);
    if (step > count - done)
      step = count - done;
    uint32_t passed = (uint32_t)prof_matcher_drain(channel->matcher, events + done, (size_t)step, map, skip);
    uint64_t after = bytes_so_far(channel, source);
    prof_room_use(source->room, after > before ? after - before : 0);
    done += passed;
    if (passed < step)
      break;
  }
  return done;
}

struct leaving {
  const struct prof_sieve *sieve;
  uint64_t time;
};

static bool is_gone(void *context, uint32_t function) {
  const struct leaving *leaving = context;
  return prof_sieve_is_gone(leaving->sieve, function, leaving->time);
}

/* Functions left state always at `time`. */
static void leave(struct prof_channel *channel, const struct prof_channel_source *source, uint64_t time) {
  struct leaving leaving = {source->sieve, time};
  prof_matcher_leave(channel->matcher, time, is_gone, &leaving);
  if (source->sieve->lands)
    prof_matcher_heal(channel->matcher);
  prof_sieve_left(&channel->sieved);
}

/* Filters slots, in a recording with a budget, and hands them to the matcher.  Returns the number handed on. */
static uint32_t take_slots(struct prof_channel *channel, const struct prof_channel_source *source,
                           struct prof_event *events, uint32_t count, const struct prof_site_map *map, bool skip) {
  uint32_t done = 0;
  if (source->heals && source->keep != NULL)
    prof_quiet_slots(source->keep, map, events, count);
  if (source->sieve == NULL)
    return match_slots(channel, source, events, count, map, skip);
  while (done < count) {
    struct prof_sieve_thread *sieved = &channel->sieved;
    uint64_t leaving = 0;
    uint32_t ready = sieved->ahead < count - done ? (uint32_t)sieved->ahead : count - done;
    if (ready == 0)
      ready = (uint32_t)prof_sieve_slots(source->sieve, sieved, events + done, count - done, map, skip, &leaving);
    else
      sieved->ahead -= ready;
    uint32_t passed = ready > 0 ? match_slots(channel, source, events + done, ready, map, skip) : 0;
    done += passed;
    sieved->ahead += ready - passed;
    if (leaving != 0 && passed == ready)
      leave(channel, source, leaving);
    else if (passed < ready || ready == 0)
      break;
  }
  return done;
}

static bool is_exhausted(const struct prof_channel_source *source) {
  return source->reading_ended || (source->room != NULL && source->room->exhausted);
}

/* Reads one segment from channel->slot on, as far as possible.  True: it is fully read, and its thread has left it.
 * `next` was loaded before: if it is set, everything that the thread's own control flow wrote is there. */
static bool read_segment(struct prof_channel *channel, const struct prof_channel_source *source,
                         struct prof_segment *segment, bool left, enum prof_channel_depth depth, uint64_t *passed) {
  struct prof_event *events = prof_segment_events(segment);
  uint32_t slots = prof_region_used_slots(source->region, segment);
  if (slots < channel->slot) /* the program has overwritten it */
    slots = channel->slot;
  uint32_t end = prof_region_over_slots(segment) > 0 ? slots : slots - 1; /* else the last may stay empty */
  for (;;) {
    uint32_t count = left ? slots - channel->slot : count_finished(events, channel->slot, slots);
    struct prof_site_map map = source->catch_up(source->context);
    if (is_exhausted(source))
      return false;
    if (source->until_ticks != 0)
      count = count_before(events + channel->slot, count, source->until_ticks);
    count = take_slots(channel, source, events + channel->slot, count, &map, false);
    if (count > 0)
      channel->hole_since_ns = 0;
    channel->slot += count;
    *passed += count;
    if (is_exhausted(source))
      return false;
    if (channel->slot >= end && (left || depth == PROF_CHANNEL_LAST))
      return left;
    if (source->until_ticks != 0 && channel->slot < slots && is_finished(&events[channel->slot]))
      return false;
    uint32_t hole = hole_length(events, channel->slot, slots);
    if (hole == 0 && !left)
      return false;
    if (!is_given_up(channel, source, depth))
      return false;
    channel->hole_since_ns = 0;
    channel->has_hole = true;
    /* Includes the finished slot after a hole: it shows the matcher that the slots before it were begun, and so it
     * counts them. */
    uint32_t skip = hole > 0 ? hole + 1 : slots - channel->slot;
    skip = take_slots(channel, source, events + channel->slot, skip, &map, true);
    *passed += skip;
    channel->slot += skip;
    if (is_exhausted(source))
      return false;
    if (channel->slot >= end)
      return left;
  }
}

static void give_back(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index) {
  struct prof_thread *record = prof_channel_record(source, index);
  if (!channel->has_hole || !prof_vec_push(&channel->kept, channel->segment))
    prof_region_give_back(source->region, channel->segment);
  channel->has_hole = false;
  __atomic_store_n(&record->released, record->released + 1, __ATOMIC_SEQ_CST); /* see prof_region_wake_waiters */
}

static void wake(const struct prof_channel_source *source, uint32_t index, uint32_t given) {
  prof_region_wake_owner(prof_channel_record(source, index));
  prof_region_wake_waiters(source->region, given);
}

uint64_t prof_channel_drain(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                            enum prof_channel_depth depth) {
  uint64_t passed = 0;
  uint32_t given = 0;
  if (channel->segment == 0) /* it had none when the channel was opened */
    channel->segment = __atomic_load_n(&prof_channel_record(source, index)->first_segment, __ATOMIC_ACQUIRE);
  if (channel->segment == 0)
    return 0;
  while (!channel->broken && !is_exhausted(source) && (given < TURN_SEGMENTS || depth == PROF_CHANNEL_LAST)) {
    struct prof_segment *segment = prof_region_segment(source->region, channel->segment);
    if (segment == NULL || given > source->region->segment_count) {
      channel->broken = true; /* the program has overwritten the region: an invalid number, a cycle of segments */
      break;
    }
    uint32_t next = __atomic_load_n(&segment->next, __ATOMIC_ACQUIRE);
    if (next == 0 && depth == PROF_CHANNEL_LEFT)
      break;
    channel->hole_patience_ns = is_pressed(source, index) ? HOLE_PRESSED_NS : HOLE_NS;
    if (!read_segment(channel, source, segment, next != 0, depth, &passed))
      break;
    give_back(channel, source, index);
    channel->segment = next;
    channel->slot = 0;
    if (++given % WAKE_EVERY == 0)
      wake(source, index, WAKE_EVERY);
  }
  if (given % WAKE_EVERY != 0)
    wake(source, index, given % WAKE_EVERY);
  channel->passed += passed;
  return passed;
}

static void flush(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index, bool events) {
  struct prof_matcher_figures figures;
  channel->flushed_ns = source->now_ns;
  prof_channel_write_samples(channel, source);
  if (events && prof_encoder_waiting(channel->encoder) > 0)
    (void)prof_encoder_flush(channel->encoder, false);
  prof_matcher_figures(channel->matcher, &figures);
  channel->flushed_chunks = figures.chunks;
  uint64_t lost = __atomic_load_n(&prof_channel_record(source, index)->lost, __ATOMIC_RELAXED) + figures.dropped;
  /* A recording that ends here then knows about how long the thread ran. */
  if (lost != channel->written_lost || figures.events > 2 * channel->written_events)
    prof_channel_write_thread(channel, source, index, false);
}

void prof_channel_flush(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index) {
  flush(channel, source, index, true);
}

void prof_channel_flush_old(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                            uint64_t before_ns) {
  struct prof_matcher_figures figures;
  if (channel->flushed_ns > before_ns)
    return;
  prof_matcher_figures(channel->matcher, &figures);
  /* Full chunks were written meanwhile: the waiting events are recent. */
  flush(channel, source, index, figures.chunks == channel->flushed_chunks);
}

static void wipe(struct prof_region *region, uint32_t number) {
  struct prof_segment *segment = prof_region_segment(region, number);
  if (segment != NULL)
    memset(prof_segment_events(segment), 0, PROF_REGION_SEGMENT_BYTES - sizeof *segment);
}

bool prof_channel_has_frames(const struct prof_channel *channel) {
  struct prof_matcher_figures figures;
  prof_matcher_figures(channel->matcher, &figures);
  return figures.events > 0 && figures.depth > 0 && !channel->broken;
}

/* Frames that are open after the last event ended when the process stopped recording, else with the thread: it may have
 * run long in one function until it was killed. */
static void close_frames(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                         struct prof_sampling_end end) {
  uint64_t stopped = __atomic_load_n(&prof_channel_record(source, index)->stopped, __ATOMIC_ACQUIRE);
  struct prof_matcher_figures figures;
  prof_matcher_figures(channel->matcher, &figures);
  bool by_end = stopped == 0;
  if (by_end)
    stopped = end.ticks > channel->sampled ? end.ticks : channel->sampled;
  if (stopped == 0 || !prof_channel_has_frames(channel) || source->reading_ended)
    return;
  if (by_end)
    channel->end = end;
  struct prof_event stop = {.time = stopped > figures.last_ticks ? stopped : figures.last_ticks,
                            .what = prof_event_what(0, PROF_EVENT_STOP)};
  struct prof_site_map map = source->catch_up(source->context);
  (void)prof_matcher_drain(channel->matcher, &stop, 1, &map, true);
}

/* The thread writes no more: its last window ends, and its frames are left as those of others. */
static void end_sieve(struct prof_channel *channel, const struct prof_channel_source *source) {
  uint64_t time;
  if (source->sieve == NULL)
    return;
  prof_sieve_settle(source->sieve, &channel->sieved, UINT64_MAX);
  while (!source->reading_ended && (time = prof_sieve_next_leaving(source->sieve, &channel->sieved)) != 0)
    leave(channel, source, time);
  prof_sieve_thread_fini(&channel->sieved);
}

void prof_channel_close(struct prof_channel *channel, const struct prof_channel_source *source, uint32_t index,
                        bool ended, struct prof_sampling_end end, struct prof_channel_sums *sums) {
  prof_channel_drain(channel, source, index, PROF_CHANNEL_LAST);
  end_sieve(channel, source);
  prof_matcher_settle(channel->matcher);
  close_frames(channel, source, index, end);
  (void)prof_encoder_flush(channel->encoder, ended);
  struct prof_matcher_figures figures = prof_channel_write_thread(channel, source, index, ended);
  prof_channel_write_samples(channel, source);
  prof_sampling_own_time(source->sampling,
                         __atomic_load_n(&prof_channel_record(source, index)->cpu_ns, __ATOMIC_RELAXED),
                         channel->sample_count);
  prof_vec_fini(&channel->samples);
  sums->events += figures.events;
  sums->untimed += figures.untimed;
  sums->calls += figures.calls;
  sums->loop_entries += figures.loop_entries;
  sums->left_out += figures.left_out;
  sums->operations |= figures.operations;
  sums->lost += channel->written_lost;
  sums->stalled_ticks += figures.stalled_ticks;
  sums->torn += figures.torn;
  sums->unmatched += figures.unmatched;
  sums->skipped += figures.skipped;
  sums->inversions += figures.inversions;
  sums->line_readings += __atomic_load_n(&prof_channel_record(source, index)->line_readings, __ATOMIC_RELAXED);
  prof_matcher_free(channel->matcher);
  if (ended) {
    /* The thread writes no more, so no slot can be finished late. */
    if (!channel->broken && channel->segment != 0)
      give_back(channel, source, index);
    for (size_t i = 0; i < channel->kept.count; i++) {
      wipe(source->region, channel->kept.items[i]);
      prof_region_give_back(source->region, channel->kept.items[i]);
    }
    prof_region_wake_waiters(source->region, 1 + (uint32_t)channel->kept.count);
    __atomic_store_n(&prof_channel_record(source, index)->state, PROF_THREAD_FREE, __ATOMIC_RELEASE);
  }
  prof_vec_fini(&channel->kept);
  *channel = (struct prof_channel){0};
}
