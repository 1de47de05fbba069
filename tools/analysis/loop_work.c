/*
 * tools/analysis/loop_work.c - see loop_work.h.
 */
#include "analysis/loop_work.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/count_bytes.h"
#include "analysis/lines/line_times.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"
#include "row.h"
#include "work.h"

enum { PIECE_LEAST_BYTES = 9, KEY_BYTES = 8 };

struct keyed { /* a loop or function of the trace */
  uint64_t key;
  uint32_t module, index;
};

struct loop_sum {
  struct prof_work_sum sum;
  bool has_pieces;
};

struct work {
  const prof_trace *trace;
  const struct prof_loop *loops;
  const struct prof_function *functions;
  size_t loop_count, function_count;
  struct keyed *keys, *function_keys; /* by key and module */
  struct loop_sum *sums;              /* by loop: its own code */
  PROF_VEC(uint32_t) of;              /* loops of an object; PROF_NONE: unknown */
  struct prof_loop_works *out;
};

static int compare_keys(const void *left, const void *right) {
  const struct keyed *a = left, *b = right;
  return prof_order(a->key, b->key) ?: prof_order(a->module, b->module);
}

static uint32_t find(const struct keyed *keys, size_t count, uint32_t module, uint64_t key) {
  const struct keyed wanted = {.key = key, .module = module},
                     *found = bsearch(&wanted, keys, count, sizeof wanted, compare_keys);
  return found ? found->index : PROF_NONE;
}

/* At the most UINT64_MAX, here and below. */
static uint64_t product(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static void add_range(struct prof_work_range *to, const struct prof_work_range *more) {
  to->low = plus(to->low, more->low);
  to->high = plus(to->high, more->high);
}

static void add_sum(struct prof_work_sum *to, const struct prof_work_sum *more) {
  add_range(&to->flops, &more->flops);
  add_range(&to->loaded, &more->loaded);
  add_range(&to->stored, &more->stored);
  to->flops_open |= more->flops_open;
  to->bytes_open |= more->bytes_open;
}

static struct prof_work_range take_range(struct prof_count_bytes *bytes, uint64_t times) {
  uint64_t least = prof_count_bytes_u64(bytes), more = prof_count_bytes_u64(bytes);
  return (struct prof_work_range){product(least, times), product(plus(least, more), times)};
}

/* Takes one piece of code; its counter says how often it ran. */
static struct prof_work_sum take_piece(struct prof_count_bytes *bytes, uint64_t times) {
  struct prof_work_sum sum;
  sum.flops = take_range(bytes, times);
  sum.loaded = take_range(bytes, times);
  sum.stored = take_range(bytes, times);
  sum.flops_open = prof_count_bytes_u64(bytes) > 0 && times > 0;
  sum.bytes_open = prof_count_bytes_u64(bytes) > 0 && times > 0;
  return sum;
}

static bool take_loops(struct work *work, uint32_t module, struct prof_count_bytes *bytes) {
  uint32_t count = prof_count_bytes_items(bytes, KEY_BYTES);
  work->of.count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!prof_vec_push(&work->of, find(work->keys, work->loop_count, module, prof_count_bytes_key(bytes))))
      return false;
  return true;
}

/* Takes the pieces of a function; PROF_NONE: one that the trace doesn't know. */
static prof_status take_object(struct work *work, uint32_t module, struct prof_count_object *object) {
  struct prof_count_bytes *bytes = &object->bytes;
  uint32_t function = find(work->function_keys, work->function_count, module, prof_count_bytes_key(bytes));
  bool changes = prof_count_bytes_u64(bytes) & PROF_WORK_CHANGES;
  if (!take_loops(work, module, bytes))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < object->counter_count && !bytes->bad; i++) {
    uint64_t times, of = prof_count_bytes_u64(bytes);
    memcpy(&times, object->counters + 8 * (size_t)i, sizeof times);
    struct prof_work_sum sum = take_piece(bytes, times);
    if (bytes->bad || of > work->of.count)
      return PROF_CORRUPT;
    sum.flops_open |= changes;
    sum.bytes_open |= changes;
    if (function != PROF_NONE) {
      add_sum(&work->out->of[function].all, &sum);
      work->out->of[function].known = true;
    }
    if (of == 0 || work->of.items[of - 1] == PROF_NONE)
      continue;
    struct loop_sum *loop = &work->sums[work->of.items[of - 1]];
    add_sum(&loop->sum, &sum);
    loop->has_pieces = true;
  }
  return bytes->bad ? PROF_CORRUPT : PROF_OK;
}

static prof_status take_block(struct work *work, const struct prof_count_block *block) {
  for (size_t at = 0, next;; at = next) {
    struct prof_count_object object;
    prof_status status = prof_count_object_find(block, PROF_WORK_MAGIC, at, &object, &next);
    if (status == PROF_NOT_FOUND)
      return PROF_OK;
    if (status == PROF_OK)
      status = take_object(work, block->module, &object);
    if (status == PROF_NO_MEMORY)
      return status;
    work->out->damaged += status != PROF_OK;
    work->out->functions += status == PROF_OK;
  }
}

static prof_status take_blocks(struct work *work) {
  size_t count;
  const struct prof_count_block *blocks = prof_trace_counts(work->trace, &count);
  prof_status status = PROF_OK;
  for (size_t i = 0; i < count && status == PROF_OK; i++)
    status = prof_line_times_are(&blocks[i]) ? PROF_OK : take_block(work, &blocks[i]);
  return status;
}

static void find_intensity(struct prof_loop_work *item) {
  uint64_t bytes = plus(item->all.loaded.low, item->all.stored.low);
  const struct prof_work_sum *all = &item->all;
  item->is_inexact = !prof_work_is_exact(&all->flops, all->flops_open) ||
                     !prof_work_is_exact(&all->loaded, all->bytes_open) ||
                     !prof_work_is_exact(&all->stored, all->bytes_open);
  item->has_intensity = item->known && !item->is_inexact && bytes > 0;
  if (item->has_intensity)
    item->intensity = (double)item->all.flops.low / (double)bytes;
}

static void find_rate(struct prof_loop_work *item, const struct prof_loop_row *row) {
  item->has_rate = item->known && row->has_times && row->self.running > 0 && !item->own.flops_open;
  if (item->has_rate)
    item->rate = (double)item->own.flops.low / (double)row->self.running;
}

/* Inner loops come after outer ones: from the last row on, each adds itself to the loop around it. */
static void fill_rows(struct work *work, const struct prof_loop_rows *rows) {
  for (size_t i = rows->count; i > 0; i--) {
    const struct prof_loop_row *row = &rows->rows[i - 1];
    const struct loop_sum *sum = &work->sums[row->loop];
    struct prof_loop_work *item = &work->out->items[i - 1];
    bool is_part = row->flags & PROF_LOOP_GONE && !sum->has_pieces; /* its code is the outer loop's */
    uint32_t function = work->loops[row->loop].function;
    item->known = function != PROF_NONE && work->out->of[function].known && !is_part;
    add_sum(&item->all, &sum->sum);
    add_sum(&item->own, &sum->sum);
    find_intensity(item);
    find_rate(item, row);
    if (row->parent == PROF_NONE)
      continue;
    struct prof_loop_work *outer = &work->out->items[row->parent];
    add_sum(&outer->all, &item->all);
    if (!row->has_times)
      add_sum(&outer->own, &item->own);
  }
}

static bool allocate(struct work *work, size_t row_count) {
  work->keys = malloc((work->loop_count + 1) * sizeof *work->keys);
  work->function_keys = malloc((work->function_count + 1) * sizeof *work->function_keys);
  work->sums = calloc(work->loop_count + 1, sizeof *work->sums);
  work->out->items = calloc(row_count + 1, sizeof *work->out->items);
  work->out->of = calloc(work->function_count + 1, sizeof *work->out->of);
  work->out->function_count = work->function_count;
  return work->keys && work->function_keys && work->sums && work->out->items && work->out->of;
}

static prof_status make(struct work *work, const struct prof_loop_rows *rows) {
  if (!allocate(work, rows->count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < work->loop_count; i++)
    work->keys[i] = (struct keyed){work->loops[i].key, work->loops[i].module, i};
  for (uint32_t i = 0; i < work->function_count; i++)
    work->function_keys[i] = (struct keyed){work->functions[i].key, work->functions[i].module, i};
  qsort(work->keys, work->loop_count, sizeof *work->keys, compare_keys);
  qsort(work->function_keys, work->function_count, sizeof *work->function_keys, compare_keys);
  prof_status status = take_blocks(work);
  if (status != PROF_OK)
    return status;
  fill_rows(work, rows);
  for (size_t i = 0; i < work->function_count; i++)
    find_intensity(&work->out->of[i]);
  return PROF_OK;
}

prof_status prof_loop_works_make(const prof_trace *trace, const struct prof_loop_rows *rows, struct prof_diag *diag,
                                 struct prof_loop_works *out) {
  struct work work = {.trace = trace, .out = out};
  *out = (struct prof_loop_works){0};
  work.loops = prof_trace_loops(trace, &work.loop_count);
  work.functions = prof_trace_functions(trace, &work.function_count);
  prof_status status = make(&work, rows);
  prof_vec_fini(&work.of);
  free(work.keys);
  free(work.function_keys);
  free(work.sums);
  if (status == PROF_OK)
    return PROF_OK;
  prof_loop_works_free(out);
  return prof_diag_memory(diag);
}

void prof_loop_works_free(struct prof_loop_works *works) {
  free(works->items);
  free(works->of);
  *works = (struct prof_loop_works){0};
}

bool prof_work_is_exact(const struct prof_work_range *range, bool open) {
  return range->low == range->high && !open;
}
