/*
 * tools/analysis/measures/wait_leaves.c - see wait_leaves.h.
 */
#include "analysis/measures/wait_leaves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measures/lock_name.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/whole.h"
#include "names/loop_frames.h"

struct pending { /* a thread's wait; lock UINT32_MAX: none */
  uint32_t lock, node;
  uint64_t since, until; /* until: it ends there at the latest */
};

struct waited {
  uint32_t thread, path, lock; /* path: of the walk */
  uint32_t node, leaf;         /* of the profile; PROF_NONE: not in it */
  uint64_t count, ticks;
};

struct making {
  const struct prof_profile *profile;
  struct prof_lock_states states;
  struct pending *pending;
  PROF_VEC(struct waited) waits;
  struct prof_index_map known;
  struct prof_measured_paths paths;
  struct prof_index_map known_names;
  struct prof_line_leaves *out;
};

/* ---- waits by thread, path and lock ---- */

static bool end_wait(struct making *making, uint32_t thread, uint64_t now) {
  struct pending *pending = &making->pending[thread];
  const struct waited fresh = {.thread = thread, .path = pending->node, .lock = pending->lock},
                      *waits = making->waits.items;
  if (pending->lock == UINT32_MAX)
    return true;
  uint32_t at = prof_index_meet(
      &making->known, &making->waits, prof_index_hash((uint64_t)thread << 32 | fresh.path, fresh.lock), i,
      waits[i].thread == thread && waits[i].path == fresh.path && waits[i].lock == fresh.lock, fresh);
  pending->lock = UINT32_MAX;
  if (at == UINT32_MAX)
    return false;
  making->waits.items[at].count++;
  making->waits.items[at].ticks += now - pending->since;
  return true;
}

static bool take(void *context, const struct prof_measured *event) {
  struct making *making = context;
  struct pending *pending = &making->pending[event->thread];
  if (!prof_lock_states_take(&making->states, event))
    return false;
  switch (event->operation) {
  case PROF_MEASURE_WAITS:
    *pending = (struct pending){event->shown ? prof_lock_states_find(&making->states, event) : UINT32_MAX, event->node,
                                event->time_ticks, event->ends_ticks};
    return true;
  case PROF_MEASURE_TAKEN:
  case PROF_MEASURE_GOES_ON:
    return pending->lock != prof_lock_states_find(&making->states, event) ||
           end_wait(making, event->thread, event->time_ticks);
  default:
    return true;
  }
}

/* ---- where they are in the profile ---- */

/* Also below the calls that forked a parallel region's threads, which the walk doesn't know. */
static uint32_t child_of(const struct prof_profile *profile, uint32_t parent, uint32_t function) {
  const struct prof_node *nodes = profile->nodes;
  for (uint32_t i = nodes[parent].first_child; i != PROF_NONE; i = nodes[i].next_sibling)
    if (nodes[i].function == function)
      return i;
  uint32_t found = PROF_NONE;
  for (uint32_t i = nodes[parent].first_child; i != PROF_NONE && found == PROF_NONE; i = nodes[i].next_sibling)
    if (nodes[i].forker)
      found = child_of(profile, i, function);
  return found;
}

static uint32_t node_of(const struct making *making, uint32_t thread, uint32_t path) {
  const struct prof_profile *profile = making->profile;
  if (path == 0) {
    for (uint32_t i = profile->nodes[0].first_child; i != PROF_NONE; i = profile->nodes[i].next_sibling)
      if (profile->nodes[i].thread == thread)
        return i;
    return PROF_NONE;
  }
  const struct prof_measured_node *own = &making->paths.nodes.items[path];
  uint32_t parent = node_of(making, thread, own->parent);
  return parent == PROF_NONE ? PROF_NONE : child_of(profile, parent, own->function);
}

/* The number of a name's leaf, from 0; UINT32_MAX: no memory.  It takes the name over. */
static uint32_t leaf_of(struct making *making, char *name) {
  struct prof_line_leaves *out = making->out;
  uint64_t hash = prof_measured_text_hash(name);
  uint32_t at = prof_index_find(&making->known_names, hash, i, strcmp(out->names[i], name) == 0);
  if (at == UINT32_MAX && prof_index_add(&making->known_names, hash, out->count)) {
    out->names[out->count] = name;
    return out->count++;
  }
  free(name);
  return at;
}

/* "[mutex queue]", "[sleep at app.c:12]"; NULL: no memory. */
static char *reason(const struct prof_lock *lock, const char *name) {
  const char *kind = prof_lock_kind(lock->kind);
  char *text;
  bool has_kind = strncmp(name, kind, strlen(kind)) == 0;
  return asprintf(&text, has_kind ? "[%s%s]" : "[%s %s]", has_kind ? "" : kind, name) < 0 ? NULL : text;
}

static bool name_leaves(struct making *making, struct prof_names *names, struct prof_symbols *symbols) {
  const size_t locks = making->states.locks.count;
  struct prof_line_source source = prof_symbols_source(symbols);
  struct prof_lock_namer namer;
  uint32_t *leaf = malloc((locks + 1) * sizeof *leaf);
  bool good =
      prof_lock_namer_init(&namer, making->profile->trace, names, &source, symbols, &making->states.sites) && leaf;
  making->out->names = calloc(locks + 1, sizeof *making->out->names);
  for (size_t i = 0; good && i < locks; i++) {
    char *name = NULL, *text = NULL;
    good = making->out->names && prof_lock_name(&namer, &making->states.locks.items[i], &name) == PROF_OK &&
           (text = reason(&making->states.locks.items[i], name)) && (leaf[i] = leaf_of(making, text)) != UINT32_MAX;
    free(name);
  }
  for (size_t i = 0; good && i < making->waits.count; i++) {
    struct waited *wait = &making->waits.items[i];
    wait->leaf = leaf[wait->lock];
    wait->node = node_of(making, wait->thread, wait->path);
  }
  prof_lock_namer_fini(&namer);
  free(leaf);
  return good;
}

/* ---- leaves ---- */

static int by_node(const void *left, const void *right) {
  const struct waited *a = left, *b = right;
  return prof_order(a->node, b->node) ?: prof_order(a->leaf, b->leaf);
}

/* Of waits [begin, end) of one node. */
static void fill_node(const struct making *making, size_t begin, size_t end, uint64_t own, size_t *used) {
  const struct waited *waits = making->waits.items;
  uint64_t all = 0, before = 0, given = 0;
  for (size_t i = begin; i < end; i++)
    all += waits[i].ticks;
  const double scale = all > own ? (double)own / (double)all : 1;
  for (size_t i = begin, next; i < end; i = next) {
    struct prof_line_leaf leaf = {.number = making->out->first + waits[i].leaf, .under = PROF_NONE};
    for (next = i; next < end && waits[next].leaf == waits[i].leaf; next++) {
      leaf.samples += waits[next].count;
      before += waits[next].ticks;
    }
    uint64_t upto = prof_whole((double)before * scale);
    upto = upto < own ? upto : own;
    leaf.ticks = upto - given;
    given = upto;
    making->out->samples += leaf.samples;
    if (leaf.ticks > 0)
      making->out->items[(*used)++] = leaf;
  }
}

static bool fill(struct making *making) {
  struct prof_line_leaves *out = making->out;
  const struct prof_profile *profile = making->profile;
  struct waited *waits = making->waits.items;
  const size_t count = making->waits.count;
  size_t used = 0, at = 0;
  out->items = malloc((count + 1) * sizeof *out->items);
  out->begin = malloc(((size_t)profile->node_count + 1) * sizeof *out->begin);
  if (!out->items || !out->begin)
    return false;
  if (count > 0)
    qsort(waits, count, sizeof *waits, by_node);
  for (uint32_t node = 0; node < profile->node_count; node++) {
    size_t begin = at;
    while (at < count && waits[at].node == node)
      at++;
    out->begin[node] = (uint32_t)used;
    if (node > 0 && profile->nodes[node].parent != 0)
      fill_node(making, begin, at, profile->nodes[node].self_off.waiting, &used);
  }
  out->begin[profile->node_count] = (uint32_t)used;
  return true;
}

prof_status prof_wait_leaves_make(const struct prof_profile *profile, const struct prof_filter *filter,
                                  struct prof_names *names, struct prof_symbols *symbols, struct prof_diag *diag,
                                  struct prof_line_leaves *out) {
  size_t thread_count;
  prof_trace_threads(profile->trace, &thread_count);
  struct making making = {.profile = profile, .out = out};
  making.pending = malloc((thread_count + 1) * sizeof *making.pending);
  *out = (struct prof_line_leaves){.first = prof_frame_count(profile->trace)};
  for (size_t i = 0; making.pending && i < thread_count; i++)
    making.pending[i].lock = UINT32_MAX;
  prof_status status = making.pending ? prof_measured_walk(profile->trace, filter, take, &making, &making.paths, diag)
                                      : prof_diag_memory(diag);
  bool good = status == PROF_OK;
  for (uint32_t i = 0; good && i < thread_count; i++) /* waits without an end */
    good = end_wait(&making, i, making.pending[i].until);
  good = good && name_leaves(&making, names, symbols) && fill(&making);
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  free(making.pending);
  prof_vec_fini(&making.waits);
  prof_index_fini(&making.known);
  prof_index_fini(&making.known_names);
  prof_measured_paths_fini(&making.paths);
  prof_lock_states_fini(&making.states);
  if (status != PROF_OK)
    prof_line_leaves_free(out);
  return status;
}
