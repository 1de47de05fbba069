/*
 * tools/analysis/compare/comparison.c - two profiles merged path by path.
 */
#include "analysis/compare/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

struct side { /* a profile while it is merged */
  const struct prof_path_sums *paths;
  uint32_t *keys; /* of each frame */
};

void prof_comparison_free(struct prof_comparison *comparison) {
  prof_key_table_fini(&comparison->keys);
  prof_vec_fini(&comparison->nodes);
  prof_index_fini(&comparison->known);
}

static bool give_keys(struct prof_comparison *comparison, struct side *side) {
  const size_t count = side->paths->frames.count;
  side->keys = calloc(count + 1, sizeof *side->keys);
  for (size_t i = 0; side->keys && i < count; i++) {
    side->keys[i] = prof_key_table_add(&comparison->keys, side->paths->frames.items[i].name);
    if (side->keys[i] == UINT32_MAX)
      return false;
  }
  return side->keys != NULL;
}

/* The child of a merged node for a frame; 0: no memory. */
static uint32_t child(struct prof_comparison *comparison, uint32_t parent, const struct side *side, uint32_t frame) {
  const char *name = side->paths->frames.items[frame].name;
  const uint32_t key = side->keys[frame];
  const struct prof_merged_node *nodes = comparison->nodes.items;
  const struct prof_merged_node node = {.parent = parent, .key = key, .depth = nodes[parent].depth + 1, .name = name};
  uint32_t found = prof_index_meet(&comparison->known, &comparison->nodes, prof_index_hash(parent, key), i,
                                   nodes[i].parent == parent && nodes[i].key == key, node);
  return found != UINT32_MAX ? found : 0;
}

/* A node has the name of the later side; of several different ones its key tells more. */
static void meet_name(struct prof_merged_node *node, enum prof_side which, const char *name) {
  const bool first = !node->met[which];
  node->met[which] = true;
  if (which == PROF_BEFORE && node->met[PROF_AFTER])
    return;
  if (first) {
    node->name = name;
    node->several = false;
  }
  node->several |= strcmp(node->name, name) != 0;
}

/* ---- callers above callees ---- */

static bool merge_paths(struct prof_comparison *comparison, enum prof_side which, const struct side *side) {
  const struct prof_path_sums *paths = side->paths;
  uint32_t *place = calloc(paths->nodes.count, sizeof *place);
  bool done = place != NULL;
  for (size_t i = 1; done && i < paths->nodes.count; i++) {
    const struct prof_path_sums_node *node = &paths->nodes.items[i];
    place[i] = child(comparison, place[node->parent], side, node->frame);
    done = place[i] != 0;
    struct prof_merged_node *merged = &comparison->nodes.items[place[i]];
    meet_name(merged, which, paths->frames.items[node->frame].name);
    merged->self[which] += node->self;
    merged->total[which] += node->self;
    merged->self_estimated[which] |= node->estimated;
    merged->estimated[which] |= node->estimated;
  }
  free(place);
  return done;
}

static void sum_up(struct prof_comparison *comparison) {
  struct prof_merged_node *nodes = comparison->nodes.items;
  for (size_t i = comparison->nodes.count; i-- > 1;) /* parents come before their children */
    for (int side = 0; side < PROF_SIDES; side++) {
      nodes[nodes[i].parent].total[side] += nodes[i].total[side];
      nodes[nodes[i].parent].estimated[side] |= nodes[i].estimated[side];
    }
}

/* ---- functions with their callers below ---- */

struct climber {  /* weight of a path that moves up to its callers */
  uint32_t above; /* the next caller, a node of its side; 0: none */
  uint32_t at;    /* its place among the merged nodes */
  uint8_t which;
  bool estimated;
  double weight;
};

static bool is_large(const struct prof_comparison *comparison, const double weight[PROF_SIDES]) {
  const double least = comparison->options.min_share;
  return prof_comparison_part(comparison, PROF_BEFORE, weight[PROF_BEFORE]) >= least ||
         prof_comparison_part(comparison, PROF_AFTER, weight[PROF_AFTER]) >= least;
}

static struct climber first_step(const struct prof_path_sums_node *node, uint32_t index, uint8_t which) {
  return (struct climber){.above = index, .which = which, .estimated = node->estimated, .weight = node->self};
}

static size_t start(const struct side *sides, struct climber *climbers) {
  size_t count = 0;
  for (uint8_t which = 0; which < PROF_SIDES; which++)
    for (uint32_t i = 1; i < sides[which].paths->nodes.count; i++)
      if (sides[which].paths->nodes.items[i].self > 0)
        climbers[count++] = first_step(&sides[which].paths->nodes.items[i], i, which);
  return count;
}

/* One level: all branches grow at once; climbers of branches that are too small stop, so memory stays bounded. */
static bool climb(struct prof_comparison *comparison, const struct side *sides, struct climber *climbers, size_t *count,
                  bool last) {
  for (size_t i = 0; i < *count; i++) {
    struct climber *it = &climbers[i];
    const struct side *side = &sides[it->which];
    const struct prof_path_sums_node *from = &side->paths->nodes.items[it->above];
    it->at = child(comparison, it->at, side, from->frame);
    if (!it->at)
      return false;
    struct prof_merged_node *node = &comparison->nodes.items[it->at];
    meet_name(node, (enum prof_side)it->which, side->paths->frames.items[from->frame].name);
    node->total[it->which] += it->weight;
    node->estimated[it->which] |= it->estimated;
    it->above = from->parent;
    if (!it->above || last) {
      node->self[it->which] += it->weight;
      node->self_estimated[it->which] |= it->estimated;
    }
  }
  size_t left = 0;
  for (size_t i = 0; i < *count; i++)
    if (climbers[i].above && is_large(comparison, comparison->nodes.items[climbers[i].at].total))
      climbers[left++] = climbers[i];
  *count = left;
  return true;
}

static bool merge_reverse(struct prof_comparison *comparison, const struct side *sides) {
  struct climber *climbers = malloc((sides[0].paths->nodes.count + sides[1].paths->nodes.count + 1) * sizeof *climbers);
  const uint32_t levels = comparison->options.form == PROF_COMPARISON_FLAT ? 1 : comparison->options.depth;
  size_t count = climbers ? start(sides, climbers) : 0;
  bool done = climbers != NULL;
  for (uint32_t level = 1; done && count && (!levels || level <= levels); level++)
    done = climb(comparison, sides, climbers, &count, comparison->options.form == PROF_COMPARISON_FLAT);
  free(climbers);
  return done;
}

/* What is only before, summed up along paths. */
static void find_gone(struct prof_comparison *comparison) {
  struct prof_merged_node *nodes = comparison->nodes.items;
  for (size_t i = comparison->nodes.count; i-- > 1;) {
    if (nodes[i].total[PROF_AFTER] == 0)
      nodes[i].gone = nodes[i].total[PROF_BEFORE];
    nodes[nodes[i].parent].gone += nodes[i].gone;
  }
}

prof_status prof_comparison_make(const struct prof_path_sums *before, const struct prof_path_sums *after,
                                 const struct prof_comparison_options *options, struct prof_diag *diag,
                                 struct prof_comparison *out) {
  struct side sides[PROF_SIDES] = {{.paths = before}, {.paths = after}};
  const struct prof_merged_node whole = {.parent = UINT32_MAX, .name = "all"};
  *out = (struct prof_comparison){.options = *options,
                                  .total = {prof_path_sums_total(before), prof_path_sums_total(after)}};
  bool done = prof_vec_push(&out->nodes, whole);
  for (int side = 0; done && side < PROF_SIDES; side++)
    done = give_keys(out, &sides[side]);
  if (done && options->form == PROF_COMPARISON_PATHS) {
    done = merge_paths(out, PROF_BEFORE, &sides[0]) && merge_paths(out, PROF_AFTER, &sides[1]);
    if (done)
      sum_up(out);
  } else if (done) {
    done = merge_reverse(out, sides);
  }
  if (done) {
    memcpy(out->nodes.items[0].total, out->total, sizeof out->total);
    find_gone(out);
  }
  free(sides[0].keys);
  free(sides[1].keys);
  if (done)
    return PROF_OK;
  prof_comparison_free(out);
  return prof_diag_memory(diag);
}
