/*
 * tools/viewer/view_bursts.c - see view_bursts.h.
 */
#include "viewer/view_bursts.h"

#include <stdlib.h>

#include "base/order.h"
#include "estimate/burst/states.h"

struct step { /* a function leaves state always (+1) or comes back (-1) */
  uint64_t time;
  int by;
};

static int by_time(const void *left, const void *right) {
  const struct step *a = left, *b = right;
  return prof_order(a->time, b->time) ?: prof_order(b->by, a->by); /* no gap between two that take turns */
}

static size_t find_steps(const struct prof_burst_states *states, struct step *steps) {
  size_t count = 0;
  for (uint32_t i = 0; i < states->frame_count; i++) {
    const struct prof_burst_change *changes = states->changes + states->frames[i].first;
    bool away = false;
    for (uint32_t j = 0; j < states->frames[i].count; j++) {
      bool leaves = changes[j].state != PROF_RECORD_ALWAYS;
      if (leaves != away)
        steps[count++] = (struct step){changes[j].time, leaves ? 1 : -1};
      away = leaves;
    }
  }
  if (count > 0)
    qsort(steps, count, sizeof *steps, by_time);
  return count;
}

bool prof_view_bursts_init(struct prof_view_bursts *bursts, const prof_trace *trace) {
  struct prof_burst_states states;
  struct step *steps = NULL;
  size_t changes = 0;
  *bursts = (struct prof_view_bursts){.edges = NULL};
  bool done = prof_burst_states_init(&states, trace);
  for (uint32_t i = 0; done && i < states.frame_count; i++)
    changes += states.frames[i].count;
  if (done && changes > 0) {
    steps = malloc(changes * sizeof *steps);
    bursts->edges = malloc((changes + 1) * sizeof *bursts->edges);
    done = steps && bursts->edges;
  }
  size_t count = done && changes > 0 ? find_steps(&states, steps) : 0, edges = 0;
  int away = 0;
  for (size_t i = 0; i < count; i++) {
    if (away == 0 || away + steps[i].by == 0)
      bursts->edges[edges++] = steps[i].time;
    away += steps[i].by;
  }
  if (edges % 2 == 1)
    bursts->edges[edges++] = UINT64_MAX;
  bursts->count = edges / 2;
  free(steps);
  prof_burst_states_fini(&states);
  if (!done)
    prof_view_bursts_fini(bursts);
  return done;
}

void prof_view_bursts_fini(struct prof_view_bursts *bursts) {
  free(bursts->edges);
  *bursts = (struct prof_view_bursts){.edges = NULL};
}
