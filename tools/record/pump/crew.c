/*
 * tools/record/pump/crew.c - see crew.h.
 */
#include "record/pump/crew.h"

#include "base/hands.h"
#include "record/pump/budget.h"

#define FULL_BYTES (1u << 20)        /* that a ring holds, to be worth a thread's start */
#define LEAST_ROOM_BYTES (64u << 20) /* of the trace, for each hand */

struct hand { /* a thread of the crew */
  struct prof_pump *pump;
  uint32_t *next; /* of crew.rings, for all hands */
  enum prof_channel_depth depth;
  prof_packer *packer;
  struct prof_channel_source source;
  struct prof_room room; /* a part of the pump's */
  struct prof_site_map map;
  bool has_news;
  uint64_t passed;
};

static bool is_full(const struct prof_pump *pump, uint32_t index) {
  const struct prof_thread *record = &pump->options.region->threads[index];
  const struct prof_channel *channel = &pump->channels[index];
  uint32_t state = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
  uint32_t held = __atomic_load_n(&record->taken, __ATOMIC_RELAXED) - record->released;
  return channel->number != 0 && (state == PROF_THREAD_LIVE || state == PROF_THREAD_ENDED) &&
         record->content != PROF_THREAD_GPU && held <= pump->options.region->segment_count &&
         (uint64_t)held * pump->options.region->part_bytes >= FULL_BYTES;
}

static bool find_full(struct prof_pump *pump) {
  uint32_t used = prof_region_records_used(pump->options.region);
  pump->crew.rings.count = 0;
  for (uint32_t i = 0; i < used; i++)
    if (is_full(pump, i) && !prof_vec_push(&pump->crew.rings, i))
      break;
  return pump->crew.rings.count > 1;
}

/* A hand's channels call it before they read events. */
static struct prof_site_map look_at_log(void *context) {
  struct hand *hand = context;
  if (prof_log_waits(&hand->pump->log, hand->pump->options.region))
    hand->has_news = hand->room.exhausted = true; /* so the channel stops */
  return hand->map;
}

static void *work(void *context) {
  struct hand *hand = context;
  const struct prof_pump *pump = hand->pump;
  while (!hand->room.exhausted) {
    uint32_t at = __atomic_fetch_add(hand->next, 1, __ATOMIC_RELAXED);
    if (at >= pump->crew.rings.count)
      break;
    uint32_t index = pump->crew.rings.items[at];
    struct prof_channel *channel = &pump->channels[index];
    prof_encoder_use(channel->encoder, hand->packer);
    hand->passed += prof_channel_drain(channel, &hand->source, index, hand->depth);
    channel->is_read = !hand->room.exhausted;
  }
  return NULL;
}

/* How many hands there is work and room for; each has a packer. */
static uint32_t prepare(struct prof_pump *pump) {
  uint32_t most = prof_hands_most();
  if (pump->source.sieve != NULL || prof_kept_has_triggers(&pump->kept) || most < 2 || !find_full(pump))
    return 0;
  if (most > pump->crew.rings.count)
    most = (uint32_t)pump->crew.rings.count;
  if (most > PROF_CREW_MOST)
    most = PROF_CREW_MOST;
  if (pump->room.bytes / most < LEAST_ROOM_BYTES)
    return 0;
  for (uint32_t i = 0; i < most; i++)
    if (pump->crew.packers[i] == NULL && (pump->crew.packers[i] = prof_packer_new(pump->options.writer)) == NULL)
      return i;
  return most;
}

uint64_t prof_crew_read(struct prof_pump *pump, enum prof_channel_depth depth) {
  struct hand hands[PROF_CREW_MOST];
  uint32_t next = 0, count = prepare(pump);
  uint64_t passed = 0;
  if (count < 2)
    return 0;
  const uint64_t part = pump->room.bytes / count;
  for (uint32_t i = 0; i < count; i++) {
    hands[i] = (struct hand){.pump = pump,
                             .next = &next,
                             .depth = depth,
                             .packer = pump->crew.packers[i],
                             .source = pump->source,
                             .room = {.bytes = part},
                             .map = prof_modules_map(&pump->modules)};
    hands[i].source.room = &hands[i].room;
    hands[i].source.catch_up = look_at_log;
    hands[i].source.context = &hands[i];
  }
  prof_hands_run(hands, count, sizeof *hands, work);
  for (uint32_t i = 0; i < count; i++) {
    passed += hands[i].passed;
    prof_room_use(&pump->room, part - hands[i].room.bytes); /* too much: what the others wrote counts as well */
    pump->room.exhausted |= hands[i].room.exhausted && !hands[i].has_news;
  }
  for (size_t i = 0; i < pump->crew.rings.count; i++)
    prof_budget_note(pump, pump->crew.rings.items[i]);
  return passed;
}

void prof_crew_fini(struct prof_crew *crew) {
  for (uint32_t i = 0; i < PROF_CREW_MOST; i++)
    prof_packer_free(crew->packers[i]);
  prof_vec_fini(&crew->rings);
}
