/*
 * tools/fold/call_places.c - see call_places.h.
 *
 * Two tables: of edges as they stand in chunks of a process, so that a known one costs one look-up, and of places, so
 * that processes that loaded the same module have the same ones.
 */
#include "fold/call_places.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/vec.h"
#include "names/loop_frames.h"

struct key {
  uint64_t high, low;
};

struct key_table { /* open addressing: index + 1 into keys, 0 free; at most half full */
  PROF_VEC(struct key) keys;
  uint32_t *slots;
  uint32_t bits;
};

struct prof_call_places {
  const prof_trace *trace;
  bool loops;
  pthread_mutex_t lock;
  struct key_table edges, known;
  PROF_VEC(uint32_t) of_edge; /* place of each key of `edges` */
  PROF_VEC(struct prof_call_place) places;
};

static uint32_t slot_of(const struct key_table *table, struct key key) {
  return (uint32_t)((key.high * 0x9e3779b97f4a7c15ull ^ key.low * 0xd1b54a32d192ed03ull) * 0x94d049bb133111ebull >>
                    (64 - table->bits));
}

static uint32_t *find(const struct key_table *table, struct key key) {
  uint32_t mask = (1u << table->bits) - 1, slot = slot_of(table, key);
  for (; table->slots[slot]; slot = (slot + 1) & mask) {
    const struct key *other = &table->keys.items[table->slots[slot] - 1];
    if (other->high == key.high && other->low == key.low)
      break;
  }
  return &table->slots[slot];
}

static bool grow(struct key_table *table, uint32_t bits) {
  uint32_t *slots = bits < 31 ? calloc((size_t)1 << bits, sizeof *slots) : NULL;
  if (!slots)
    return false;
  free(table->slots);
  table->slots = slots;
  table->bits = bits;
  for (uint32_t i = 0; i < table->keys.count; i++)
    *find(table, table->keys.items[i]) = i + 1;
  return true;
}

/* Index of the key, which is added if need be; UINT32_MAX: no memory. */
static uint32_t index_of(struct key_table *table, struct key key) {
  if (2 * (table->keys.count + 1) > (size_t)1 << table->bits && !grow(table, table->bits + 1))
    return UINT32_MAX;
  uint32_t *slot = find(table, key);
  if (*slot)
    return *slot - 1;
  if (!prof_vec_push(&table->keys, key))
    return UINT32_MAX;
  *slot = (uint32_t)table->keys.count;
  return *slot - 1;
}

static uint32_t place_number(struct prof_call_places *places, struct prof_call_place place) {
  struct key key = {(uint64_t)place.module << 32 | place.function, place.address};
  uint32_t number = index_of(&places->known, key);
  if (number == places->places.count && !prof_vec_push(&places->places, place))
    return UINT32_MAX;
  return number;
}

static uint32_t function_of(const struct prof_call_places *places, uint32_t site) {
  struct prof_site_info info = prof_trace_site(places->trace, site);
  if (!prof_site_is_loop(&info))
    return info.function;
  return places->loops && info.loop != PROF_NONE ? prof_frame_of_loop(places->trace, info.loop) : PROF_NONE;
}

static bool number_edge(struct prof_call_places *places, uint32_t process, const struct prof_edge *edge,
                        uint32_t *out) {
  uint32_t index = index_of(&places->edges, (struct key){(uint64_t)process << 32 | edge->caller, edge->site});
  if (index == UINT32_MAX)
    return false;
  if (index == places->of_edge.count) {
    struct prof_call_place place = {.function = function_of(places, edge->site)};
    if (!prof_trace_caller(places->trace, process, edge->caller, &place.module, &place.address)) {
      place.module = PROF_NONE;
      place.address = 0;
    }
    uint32_t number = place_number(places, place);
    if (number == UINT32_MAX || !prof_vec_push(&places->of_edge, number))
      return false;
  }
  *out = places->of_edge.items[index];
  return true;
}

struct prof_call_places *prof_call_places_new(const prof_trace *trace, bool loops) {
  struct prof_call_places *places = calloc(1, sizeof *places);
  if (!places)
    return NULL;
  places->trace = trace;
  places->loops = loops;
  pthread_mutex_init(&places->lock, NULL);
  if (grow(&places->edges, 8) && grow(&places->known, 8) &&
      place_number(places, (struct prof_call_place){PROF_NONE, PROF_NONE, 0}) == 0)
    return places;
  prof_call_places_free(places);
  return NULL;
}

void prof_call_places_free(struct prof_call_places *places) {
  if (!places)
    return;
  free(places->edges.slots);
  prof_vec_fini(&places->edges.keys);
  free(places->known.slots);
  prof_vec_fini(&places->known.keys);
  prof_vec_fini(&places->of_edge);
  prof_vec_fini(&places->places);
  pthread_mutex_destroy(&places->lock);
  free(places);
}

bool prof_call_places_number(struct prof_call_places *places, uint32_t process, const struct prof_edge *edges,
                             uint32_t edge_count, uint32_t *numbers) {
  bool done = true;
  pthread_mutex_lock(&places->lock);
  for (uint32_t i = 0; i < edge_count && done; i++)
    done = number_edge(places, process, &edges[i], &numbers[i]);
  pthread_mutex_unlock(&places->lock);
  return done;
}

uint32_t prof_call_places_function(struct prof_call_places *places, uint32_t number) {
  pthread_mutex_lock(&places->lock);
  uint32_t function = places->places.items[number].function;
  pthread_mutex_unlock(&places->lock);
  return function;
}

uint32_t prof_call_places_count(struct prof_call_places *places) {
  pthread_mutex_lock(&places->lock);
  uint32_t count = (uint32_t)places->places.count;
  pthread_mutex_unlock(&places->lock);
  return count;
}

struct ordered {
  struct prof_call_place place;
  uint32_t number;
};

static int by_place(const void *a, const void *b) {
  const struct prof_call_place *left = &((const struct ordered *)a)->place,
                               *right = &((const struct ordered *)b)->place;
  int order = prof_order(left->function, right->function) ?: prof_order(left->module, right->module);
  return order ?: prof_order(left->address, right->address);
}

bool prof_call_places_finish(struct prof_call_places *places, struct prof_call_place **out, uint32_t **moved) {
  size_t count = places->places.count;
  struct ordered *ordered = malloc(count * sizeof *ordered);
  *out = malloc(count * sizeof **out);
  *moved = malloc(count * sizeof **moved);
  bool done = ordered && *out && *moved;
  for (uint32_t i = 0; i < count && done; i++)
    ordered[i] = (struct ordered){places->places.items[i], i};
  if (done)
    qsort(ordered, count, sizeof *ordered, by_place);
  for (uint32_t i = 0; i < count && done; i++) {
    (*out)[i] = ordered[i].place;
    (*moved)[ordered[i].number] = i;
  }
  free(ordered);
  if (!done) {
    free(*out);
    free(*moved);
    *out = NULL;
    *moved = NULL;
  }
  return done;
}
