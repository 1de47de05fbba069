/*
 * tools/estimate/wait_places.c - see wait_places.h.
 */
#include "estimate/wait_places.h"

#include <stdlib.h>

#include "names/loop_frames.h"

#define SURE_SHARE 0.9

struct known { /* of a node, or of a function in one thread */
  double events;
  double waits; /* that are known to be its own */
};

struct settling {
  const struct prof_wait_places *places;
  struct known *nodes;
  struct known *functions;            /* of the present thread; the last one: frames of no function */
  struct prof_fold_mark *begin, *end; /* marks of the present thread */
};

/* The function that a node is in, its loops' too. */
static uint32_t function_of(const struct prof_wait_places *places, uint32_t node) {
  const struct prof_node *nodes = places->nodes;
  while (node != PROF_NONE && nodes[node].function != PROF_NONE &&
         prof_frame_loop(places->trace, nodes[node].function) != PROF_NONE)
    node = nodes[node].parent;
  if (node == PROF_NONE || node == 0 || nodes[node].parent == 0 || nodes[node].forker)
    return places->unknown + 1;
  return nodes[node].function < places->unknown ? nodes[node].function : places->unknown;
}

static bool is_loop(const struct prof_wait_places *places, uint32_t node) {
  uint32_t function = places->nodes[node].function;
  return function != PROF_NONE && prof_frame_loop(places->trace, function) != PROF_NONE;
}

/* After an entry the function is open, after an exit its caller. */
static void count_events(const struct settling *settling, uint32_t thread_node) {
  const struct prof_wait_places *places = settling->places;
  const struct prof_node *nodes = places->nodes;
  uint32_t end = nodes[thread_node].next_sibling != PROF_NONE ? nodes[thread_node].next_sibling : places->count;
  for (uint32_t i = thread_node; i < end; i++)
    settling->functions[function_of(places, i)] = (struct known){0};
  for (uint32_t i = thread_node + 1; i < end; i++) {
    double calls = (double)nodes[i].calls;
    settling->nodes[i].events += calls;
    settling->nodes[nodes[i].parent].events += calls;
    if (is_loop(places, i)) /* it counts where loops are shown only */
      continue;
    settling->functions[function_of(places, i)].events += calls;
    settling->functions[function_of(places, nodes[i].parent)].events += calls;
  }
}

static bool is_wait(const struct prof_fold_mark *mark) {
  return mark->off_ticks > 0 && mark->waits && mark->state == PROF_MARK_PLACED && mark->node != PROF_NONE;
}

/* Are all frames that it may lie in one function's? */
static bool is_of_one_function(const struct prof_wait_places *places, const struct prof_fold_mark *mark) {
  const struct prof_mark_option *options = places->options + mark->options_begin;
  for (uint32_t i = 1; i < mark->options_count; i++)
    if (function_of(places, options[i].node) != function_of(places, options[0].node))
      return false;
  return true;
}

/* Waits that are known; false: all are. */
static bool count_waits(const struct settling *settling) {
  bool any = false;
  for (const struct prof_fold_mark *mark = settling->begin; mark < settling->end; mark++) {
    any |= mark->options_count > 0;
    if (!is_wait(mark) || mark->choice != PROF_MARK_NO_CHOICE)
      continue;
    if (mark->options_count == 0)
      settling->nodes[mark->node].waits++;
    if (mark->options_count == 0 || is_of_one_function(settling->places, mark))
      settling->functions[function_of(settling->places, mark->node)].waits++;
  }
  return any;
}

static double likelihood(const struct known *known, double times) {
  return times * (known->waits + 0.5) / (known->events + 1);
}

/* The function that has nine tenths of the likelihood; PROF_NONE: none has. */
static uint32_t waiting_function(const struct settling *settling, const struct prof_mark_option *options,
                                 uint32_t count) {
  double sum = 0, most = 0;
  uint32_t likeliest = PROF_NONE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t function = function_of(settling->places, options[i].node), first = i, times = 0;
    for (uint32_t j = 0; j < count; j++) {
      bool same = function_of(settling->places, options[j].node) == function;
      times += same ? options[j].times : 0;
      first = same && j < first ? j : first;
    }
    if (first < i)
      continue;
    double likely = likelihood(&settling->functions[function], times);
    sum += likely;
    if (likely > most) {
      most = likely;
      likeliest = function;
    }
  }
  return most >= SURE_SHARE * sum ? likeliest : PROF_NONE;
}

static void choose(const struct settling *settling, struct prof_fold_mark *mark) {
  const struct prof_mark_option *options = settling->places->options + mark->options_begin;
  uint32_t function = waiting_function(settling, options, mark->options_count), at = 0;
  double most = 0;
  for (uint32_t i = 0; i < mark->options_count && function != PROF_NONE; i++) {
    if (function_of(settling->places, options[i].node) != function)
      continue;
    double likely = likelihood(&settling->nodes[options[i].node], options[i].times);
    at = likely > most ? i : at;
    most = likely > most ? likely : most;
  }
  mark->unplaced = function == PROF_NONE;
  mark->node = options[at].node;
  mark->choice = (uint8_t)options[at].behind;
}

/* Parents stand before their children: the node that stands behind goes up until both meet. */
static void move(struct prof_node *nodes, const struct prof_fold_mark *mark) {
  uint32_t from = mark->charged, to = mark->node;
  uint64_t ticks = mark->counted_ticks;
  while (from != to && from != PROF_NONE && to != PROF_NONE) {
    if (from > to) {
      nodes[from].total_ticks -= ticks < nodes[from].total_ticks ? ticks : nodes[from].total_ticks;
      from = nodes[from].parent;
    } else {
      nodes[to].total_ticks += ticks;
      to = nodes[to].parent;
    }
  }
}

static void settle_thread(const struct settling *settling, uint32_t thread_node) {
  count_events(settling, thread_node);
  bool any = count_waits(settling);
  for (struct prof_fold_mark *mark = settling->begin; mark < settling->end; mark++) {
    if (!is_wait(mark))
      continue;
    if (any && mark->options_count > 0)
      choose(settling, mark);
    if (mark->node != mark->charged)
      move(settling->places->nodes, mark);
  }
}

bool prof_wait_places_settle(const struct prof_wait_places *places) {
  size_t thread_count;
  prof_trace_threads(places->trace, &thread_count);
  const struct prof_fold_marks *marks = places->marks;
  struct settling settling = {.places = places};
  settling.nodes = calloc(places->count, sizeof *settling.nodes);
  settling.functions = calloc((size_t)places->unknown + 2, sizeof *settling.functions);
  bool ready = settling.nodes && settling.functions;
  for (uint32_t i = places->nodes[0].first_child; ready && i != PROF_NONE; i = places->nodes[i].next_sibling) {
    uint32_t thread = places->nodes[i].thread;
    settling.begin = marks->items + marks->first[thread];
    settling.end = marks->items + marks->first[thread + 1];
    bool light = false;
    for (const struct prof_fold_mark *mark = settling.begin; mark < settling.end && !light; mark++)
      light = is_wait(mark) && (mark->options_count > 0 || mark->choice != PROF_MARK_NO_CHOICE);
    if (light)
      settle_thread(&settling, i);
  }
  free(settling.nodes);
  free(settling.functions);
  return ready;
}
