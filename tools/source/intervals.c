/*
 * tools/source/intervals.c - see intervals.h.
 *
 * A sweep over the ranges in order of their low ends, with a heap of those that are open, the holder on top.  A range
 * that has ended stays in the heap until it comes to the top.
 */
#include "source/intervals.h"
#include "base/order.h"

struct sweep {
  struct prof_intervals *all;
  uint32_t *heap; /* indices of ranges */
  size_t open;
  uint64_t at; /* everything below is done */
};

bool prof_intervals_add(struct prof_intervals *intervals, uint64_t low, uint64_t high, uint32_t rank, uint32_t value) {
  if (low >= high)
    return true;
  return intervals->ranges.count < UINT32_MAX &&
         prof_vec_push(&intervals->ranges, (struct prof_ranked_range){low, high, rank, value});
}

/* Values grow in the order of adding, so they decide among equals: the order is total. */
static int compare_low(const void *left, const void *right) {
  const struct prof_ranked_range *a = left, *b = right;
  return prof_order(a->low, b->low) ?: prof_order(a->rank, b->rank) ?: prof_order(a->value, b->value);
}

static bool holds_over(const struct sweep *sweep, uint32_t left, uint32_t right) {
  const struct prof_ranked_range *a = &sweep->all->ranges.items[left], *b = &sweep->all->ranges.items[right];
  return a->rank != b->rank ? a->rank > b->rank : a->value > b->value;
}

static void heap_push(struct sweep *sweep, uint32_t index) {
  size_t hole = sweep->open++;
  for (size_t up; hole > 0 && holds_over(sweep, index, sweep->heap[up = (hole - 1) / 2]); hole = up)
    sweep->heap[hole] = sweep->heap[up];
  sweep->heap[hole] = index;
}

static void heap_pop(struct sweep *sweep) {
  uint32_t last = sweep->heap[--sweep->open];
  size_t hole = 0;
  for (size_t down; (down = 2 * hole + 1) < sweep->open; hole = down) {
    if (down + 1 < sweep->open && holds_over(sweep, sweep->heap[down + 1], sweep->heap[down]))
      down++;
    if (!holds_over(sweep, sweep->heap[down], last))
      break;
    sweep->heap[hole] = sweep->heap[down];
  }
  sweep->heap[hole] = last;
}

static bool emit(struct prof_intervals *all, uint64_t low, uint64_t high, uint32_t value) {
  if (all->segments.count > 0) {
    struct prof_disjoint_range *last = &all->segments.items[all->segments.count - 1];
    if (last->high == low && last->value == value) {
      last->high = high;
      return true;
    }
  }
  return prof_vec_push(&all->segments, (struct prof_disjoint_range){low, high, value});
}

/* Emits what the open ranges hold below `limit`. */
static bool advance(struct sweep *sweep, uint64_t limit) {
  while (sweep->open > 0 && sweep->at < limit) {
    const struct prof_ranked_range *top = &sweep->all->ranges.items[sweep->heap[0]];
    if (top->high <= sweep->at) {
      heap_pop(sweep);
      continue;
    }
    uint64_t end = top->high < limit ? top->high : limit;
    if (!emit(sweep->all, sweep->at, end, top->value))
      return false;
    sweep->at = end;
  }
  return true;
}

bool prof_intervals_flatten(struct prof_intervals *intervals) {
  size_t count = intervals->ranges.count;
  struct sweep sweep = {.all = intervals, .heap = malloc((count + 1) * sizeof *sweep.heap)};
  bool done = sweep.heap != NULL;
  if (count > 1)
    qsort(intervals->ranges.items, count, sizeof *intervals->ranges.items, compare_low);
  for (size_t i = 0; done && i < count; i++) {
    uint64_t low = intervals->ranges.items[i].low;
    done = advance(&sweep, low);
    sweep.at = low;
    heap_push(&sweep, (uint32_t)i);
  }
  done = done && advance(&sweep, UINT64_MAX);
  free(sweep.heap);
  prof_vec_fini(&intervals->ranges);
  return done && prof_jumps_make(&intervals->jumps, intervals->segments.items, intervals->segments.count,
                                 sizeof *intervals->segments.items);
}

const struct prof_disjoint_range *prof_intervals_find(const struct prof_intervals *intervals, uint64_t address) {
  const struct prof_disjoint_range *items = intervals->segments.items;
  size_t upto = prof_jumps_upto(&intervals->jumps, items, intervals->segments.count, sizeof *items, address);
  return upto == 0 || address >= items[upto - 1].high ? NULL : &items[upto - 1];
}

bool prof_intervals_clip(const struct prof_intervals *intervals, uint64_t low, uint64_t *high) {
  const struct prof_disjoint_range *segment = prof_intervals_find(intervals, low);
  if (segment != NULL && *high > segment->high)
    *high = segment->high;
  return segment != NULL;
}

void prof_intervals_fini(struct prof_intervals *intervals) {
  prof_vec_fini(&intervals->ranges);
  prof_vec_fini(&intervals->segments);
  prof_jumps_fini(&intervals->jumps);
}
