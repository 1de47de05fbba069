/*
 * tools/fold/call_places.c - see call_places.h.
 *
 * Two tables.  One has the edges of chunks by process, so that a known edge costs one look-up; with many processes it
 * is emptied now and then.  The other has the places, so that processes with the same module share them.
 */
#include "fold/call_places.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/index_map.h"
#include "base/order.h"
#include "base/vec.h"
#include "names/loop_frames.h"
#include "row.h"

#define MOST_EDGES 262144u /* known at a time: 8 MB */

struct edge { /* of a process, as its chunks have it */
  uint32_t process, caller, site;
  uint32_t place; /* number */
};

struct prof_call_places {
  const prof_trace *trace;
  bool loops;
  pthread_mutex_t lock;
  PROF_VEC(struct edge) edges;
  PROF_VEC(struct prof_call_place) places;
  struct prof_index_map known_edges, known_places;
};

uint32_t prof_call_places_add(struct prof_call_places *places, struct prof_call_place place) {
  const struct prof_call_place *all = places->places.items;
  uint32_t hash = prof_index_hash((uint64_t)place.module << 32 | place.function, place.address);
  return prof_index_meet(
      &places->known_places, &places->places, hash, i,
      all[i].function == place.function && all[i].module == place.module && all[i].address == place.address, place);
}

static bool is_zone(const prof_trace *trace, uint32_t site) {
  const struct prof_site_info info = prof_trace_site(trace, site);
  size_t count;
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  return info.function != PROF_NONE && (functions[info.function].flags & PROF_FUNCTION_ZONE);
}

/* A zone has no caller: it begins where its sled is.  Lines are looked up one byte before a place. */
static void place_zone(const prof_trace *trace, uint32_t site, struct prof_call_place *place) {
  const struct prof_site_info info = prof_trace_site(trace, site);
  place->module = prof_trace_functions(trace, NULL)[info.function].module;
  place->address = info.address + 1;
}

static bool number_edge(struct prof_call_places *places, uint32_t process, const struct prof_edge *edge,
                        uint32_t *out) {
  const struct edge *all = places->edges.items;
  uint32_t hash = prof_index_hash((uint64_t)process << 32 | edge->caller, edge->site);
  uint32_t known =
      prof_index_find(&places->known_edges, hash, i,
                      all[i].process == process && all[i].caller == edge->caller && all[i].site == edge->site);
  if (known != UINT32_MAX) {
    *out = all[known].place;
    return true;
  }
  const struct prof_site_frame frame = prof_frame_of_site(places->trace, edge->site, places->loops);
  struct prof_call_place place = {.function = frame.is_quiet ? PROF_NONE : frame.number};
  if (is_zone(places->trace, edge->site)) {
    place_zone(places->trace, edge->site, &place);
  } else if (!prof_trace_caller(places->trace, process, edge->caller, &place.module, &place.address)) {
    place.module = PROF_NONE;
    place.address = 0;
  }
  *out = prof_call_places_add(places, place);
  const struct edge made = {process, edge->caller, edge->site, *out};
  if (places->edges.count == MOST_EDGES) {
    places->edges.count = 0;
    prof_index_fini(&places->known_edges);
  }
  return *out != UINT32_MAX && prof_vec_push(&places->edges, made) &&
         prof_index_add(&places->known_edges, hash, (uint32_t)places->edges.count - 1);
}

struct prof_call_places *prof_call_places_new(const prof_trace *trace, bool loops) {
  struct prof_call_places *places = calloc(1, sizeof *places);
  if (!places)
    return NULL;
  places->trace = trace;
  places->loops = loops;
  pthread_mutex_init(&places->lock, NULL);
  if (prof_call_places_add(places, (struct prof_call_place){PROF_NONE, PROF_NONE, 0}) == 0)
    return places;
  prof_call_places_free(places);
  return NULL;
}

void prof_call_places_free(struct prof_call_places *places) {
  if (!places)
    return;
  prof_vec_fini(&places->edges);
  prof_vec_fini(&places->places);
  prof_index_fini(&places->known_edges);
  prof_index_fini(&places->known_places);
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
