/*
 * flow.c - see flow.h.
 *
 * The spanning tree is Kruskal's with the costliest arcs first; an arc from EXIT to ENTRY closes the flow.
 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#define ARC_DROPPED 0x100u /* FAKE, and would close a circle; not in the bytes */

/* Makes room for one more than `count`; returns the items' new address.  NULL: out of memory, `items` stays valid. */
static void *grown(struct prof_flow *flow, void *items, uint32_t count, uint32_t *room, size_t item_bytes) {
  if (flow->failed)
    return NULL;
  if (count < *room)
    return items;
  uint32_t more = *room ? *room * 2 : 16;
  void *moved = realloc(items, (size_t)more * item_bytes);
  if (moved)
    *room = more;
  flow->failed = !moved;
  return moved;
}

#define GROW(flow, name)                                                                                               \
  ({                                                                                                                   \
    void *moved = grown(flow, (flow)->name##s, (flow)->name##_count, &(flow)->name##_room, sizeof *(flow)->name##s);   \
    if (moved)                                                                                                         \
      (flow)->name##s = moved;                                                                                         \
    moved != NULL;                                                                                                     \
  })

void prof_flow_init(struct prof_flow *flow) {
  *flow = (struct prof_flow){.node_count = 2};
}

uint32_t prof_flow_node(struct prof_flow *flow) {
  return flow->node_count++;
}

uint32_t prof_flow_arc(struct prof_flow *flow, uint32_t from, uint32_t to, enum prof_arc_cost cost) {
  if (!GROW(flow, arc))
    return 0;
  uint32_t flags = cost == PROF_ARC_IMPOSSIBLE ? PROF_ARC_FAKE : 0;
  flow->arcs[flow->arc_count] = (struct prof_flow_arc){from, to, flags, (uint32_t)cost, PROF_FLOW_NO_COUNTER};
  return flow->arc_count++;
}

void prof_flow_within(struct prof_flow *flow, uint32_t index) {
  if (!flow->failed)
    flow->arcs[index].flags |= PROF_ARC_WITHIN;
}

static uint32_t file_of(struct prof_flow *flow, const char *path) {
  for (uint32_t i = flow->file_count; i > 0; i--)
    if (!strcmp(flow->files[i - 1], path))
      return i - 1;
  if (!GROW(flow, file))
    return 0;
  char *copy = strdup(path);
  if (!copy) {
    flow->failed = true;
    return 0;
  }
  flow->files[flow->file_count] = copy;
  return flow->file_count++;
}

void prof_flow_place(struct prof_flow *flow, const char *path, uint32_t line) {
  uint32_t node = flow->node_count - 1, file = file_of(flow, path);
  for (uint32_t i = flow->place_count; i > 0 && flow->places[i - 1].node == node; i--)
    if (flow->places[i - 1].file == file && flow->places[i - 1].line == line)
      return;
  if (GROW(flow, place))
    flow->places[flow->place_count++] = (struct prof_flow_place){node, file, line};
}

static uint32_t root_of(uint32_t *roots, uint32_t node) {
  while (roots[node] != node)
    node = roots[node] = roots[roots[node]];
  return node;
}

/* Adds arcs of this cost to the tree, or gives them counters. */
static void take_arcs(struct prof_flow *flow, uint32_t *roots, uint32_t cost) {
  for (uint32_t i = 0; i < flow->arc_count; i++) {
    struct prof_flow_arc *arc = &flow->arcs[i];
    uint32_t from = root_of(roots, arc->from), to = root_of(roots, arc->to);
    if (arc->cost == cost && from != to)
      roots[from] = to;
    else if (arc->cost == cost)
      arc->flags |= cost == PROF_ARC_IMPOSSIBLE ? ARC_DROPPED : PROF_ARC_COUNTED;
  }
}

void prof_flow_solve(struct prof_flow *flow) {
  uint32_t *roots = malloc(flow->node_count * sizeof *roots), kept = 0;
  flow->failed |= !roots;
  if (flow->failed) {
    free(roots);
    return;
  }
  for (uint32_t i = 0; i < flow->node_count; i++)
    roots[i] = i;
  roots[PROF_FLOW_EXIT] = PROF_FLOW_ENTRY;
  for (uint32_t cost = PROF_ARC_IMPOSSIBLE + 1; cost-- > PROF_ARC_CHEAP;)
    take_arcs(flow, roots, cost);
  for (uint32_t i = 0; i < flow->arc_count; i++) {
    if (flow->arcs[i].flags & PROF_ARC_COUNTED)
      flow->arcs[i].counter = flow->counter_count++;
    kept += !(flow->arcs[i].flags & ARC_DROPPED);
  }
  flow->kept_arc_count = kept;
  free(roots);
}

/* Only counts bytes if `at` is NULL. */
struct writer {
  uint8_t *at;
  size_t count;
};

static void put_byte(struct writer *writer, uint8_t byte) {
  if (writer->at)
    writer->at[writer->count] = byte;
  writer->count++;
}

static void put_number(struct writer *writer, uint32_t value) {
  for (; value >= 0x80; value >>= 7)
    put_byte(writer, (uint8_t)(value | 0x80));
  put_byte(writer, (uint8_t)value);
}

static void put_string(struct writer *writer, const char *string) {
  do
    put_byte(writer, (uint8_t)*string);
  while (*string++);
}

static void put_flow(struct writer *writer, const struct prof_flow *flow, const char *name, uint32_t line) {
  put_string(writer, name);
  put_number(writer, line);
  put_number(writer, flow->file_count);
  for (uint32_t i = 0; i < flow->file_count; i++)
    put_string(writer, flow->files[i]);
  put_number(writer, flow->node_count);
  put_number(writer, flow->kept_arc_count);
  put_number(writer, flow->last_node);
  put_number(writer, flow->lines_by);
  for (uint32_t i = 0; i < flow->arc_count; i++) {
    if (flow->arcs[i].flags & ARC_DROPPED)
      continue;
    put_number(writer, flow->arcs[i].from);
    put_number(writer, flow->arcs[i].to);
    put_number(writer, flow->arcs[i].flags);
  }
  for (uint32_t node = 0, at = 0; node < flow->node_count; node++) {
    uint32_t end = at;
    while (end < flow->place_count && flow->places[end].node == node)
      end++;
    put_number(writer, end - at);
    for (; at < end; at++) {
      put_number(writer, flow->places[at].file);
      put_number(writer, flow->places[at].line);
    }
  }
}

uint64_t *prof_flow_object(const struct prof_flow *flow, const char *name, uint32_t line, size_t *word_count) {
  struct writer size = {NULL, 0};
  put_flow(&size, flow, name, line);
  size_t flow_at = sizeof(struct prof_counts_object) + (size_t)flow->counter_count * 8;
  *word_count = (flow_at + size.count + 7) / 8;
  uint64_t *words = flow->failed ? NULL : calloc(*word_count, 8);
  if (!words)
    return NULL;
  struct prof_counts_object head = {PROF_COUNTS_MAGIC, flow->counter_count, (uint32_t)size.count};
  memcpy(words, &head, sizeof head);
  struct writer writer = {(uint8_t *)words + flow_at, 0};
  put_flow(&writer, flow, name, line);
  return words;
}

void prof_flow_fini(struct prof_flow *flow) {
  for (uint32_t i = 0; i < flow->file_count; i++)
    free(flow->files[i]);
  free(flow->files);
  free(flow->places);
  free(flow->arcs);
}
