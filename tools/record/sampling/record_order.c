/*
 * tools/record/sampling/record_order.c - see record_order.h.
 */
#include "record/sampling/record_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

void prof_record_order_add(struct prof_record_order *order, const struct prof_perf_record *record, bool has_file) {
  struct prof_waiting_record waiting = {.record = *record};
  waiting.path = has_file ? strdup(record->path) : NULL;
  waiting.stack = record->stack != NULL ? prof_stack_copies_add(&order->copies, record->stack) : 0;
  waiting.record.path = NULL;
  waiting.record.stack = NULL;
  if (!prof_vec_push(&order->items, waiting))
    free(waiting.path);
}

static int by_time(const void *left, const void *right) {
  const struct prof_waiting_record *a = left, *b = right;
  return prof_order(a->record.time_ns, b->record.time_ns);
}

size_t prof_record_order_before(struct prof_record_order *order, uint64_t until_ns) {
  prof_vec_sort(&order->items, by_time);
  const struct prof_waiting_record *items = order->items.items;
  return prof_search(0, order->items.count, i, items[i].record.time_ns < until_ns);
}

/* Stacks that still wait move to the other store. */
static void move_stacks(struct prof_record_order *order) {
  struct prof_stack_copies full = order->copies;
  prof_stack_copies_clear(&order->spare);
  for (size_t i = 0; i < order->items.count; i++) {
    struct prof_waiting_record *waiting = &order->items.items[i];
    if (waiting->stack == 0)
      continue;
    struct prof_unwind_sample stack = prof_stack_copies_get(&order->copies, waiting->stack);
    waiting->stack = prof_stack_copies_add(&order->spare, &stack);
  }
  order->copies = order->spare;
  order->spare = full;
}

void prof_record_order_drop(struct prof_record_order *order, size_t count) {
  struct prof_waiting_record *items = order->items.items;
  for (size_t i = 0; i < count; i++)
    free(items[i].path);
  order->items.count -= count;
  if (order->items.count > 0)
    memmove(items, items + count, order->items.count * sizeof *items);
  move_stacks(order);
}

void prof_record_order_fini(struct prof_record_order *order) {
  prof_record_order_drop(order, order->items.count);
  prof_vec_fini(&order->items);
  prof_stack_copies_fini(&order->copies);
  prof_stack_copies_fini(&order->spare);
}
