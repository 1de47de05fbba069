/*
 * test/unit/test_summary.c - a summary as bytes and back; its coldest paths become [other].
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fold/summary/summary.h"
#include "trace/bytes.h"

enum { FUNCTIONS = 40, WIDTH = 30 };

/* A thread, main, WIDTH callees of it, of each WIDTH of its own; each one with samples and a pause. */
static void make(struct prof_summary *summary) {
  uint32_t keys[FUNCTIONS];
  assert_int_equal(prof_summary_init(summary), PROF_OK);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    struct prof_summary_key key = {.kind = i == 7 ? PROF_SUMMARY_LOOP : PROF_SUMMARY_FUNCTION, .module = 1, .index = i};
    keys[i] = prof_summary_key(summary, key);
    assert_int_equal(keys[i], i);
  }
  struct prof_fold_core *core = &summary->core;
  uint32_t thread = prof_fold_child(core, 0, 5), main = prof_fold_child(core, thread, keys[0]);
  core->nodes[main].calls = 1;
  core->nodes[main].total = 1000000000;
  for (uint32_t i = 1; i <= WIDTH; i++) {
    uint32_t outer = prof_fold_child(core, main, keys[i]);
    core->nodes[outer].calls = i;
    core->nodes[outer].total = 1000 * i * WIDTH;
    for (uint32_t j = 0; j < WIDTH; j++) {
      uint32_t node = prof_fold_child(core, outer, keys[j % 2 ? i : j]); /* some recursion */
      core->nodes[node].calls += 10;
      core->nodes[node].total += 100 * i;
      assert_true(prof_summary_add_sample(summary, (struct prof_summary_sample){.node = node, .tid = 9, .count = 3}));
      assert_true(prof_summary_add_pause(summary, (struct prof_summary_pause){node, 1, 1, 5}));
    }
    assert_true(prof_summary_add_inherited(summary, outer, 4));
    prof_histogram_add(&core->histograms, &core->functions[keys[i]], 1000 * i);
  }
  assert_true(
      prof_summary_add_thread(summary, (struct prof_summary_thread){.number = 5, .events = 1000, .untimed = 3}));
  summary->sums.events = 1000;
}

struct sums {
  uint64_t calls, uncounted, samples, pauses, inherited;
  int64_t self;
};

/* Over all; self: of all calls. */
static struct sums sums_of(const struct prof_summary *summary) {
  struct sums sums = {0};
  const struct prof_fold_core *core = &summary->core;
  for (uint32_t i = 1; i < core->node_count; i++) {
    sums.calls += core->nodes[i].calls + core->nodes[i].uncounted;
    if (core->nodes[i].function != PROF_FOLD_OTHER && core->nodes[i].parent != 0)
      sums.self += (int64_t)core->nodes[i].total;
    if (core->nodes[i].parent != 0 && core->nodes[core->nodes[i].parent].parent != 0)
      sums.self -= (int64_t)core->nodes[i].total;
  }
  for (size_t i = 0; i < summary->cold.count; i++)
    sums.self += summary->cold.items[i].self;
  for (size_t i = 0; i < summary->samples.count; i++)
    sums.samples += summary->samples.items[i].count;
  for (size_t i = 0; i < summary->pauses.count; i++)
    sums.pauses += summary->pauses.items[i].ticks;
  for (size_t i = 0; i < core->opens.count; i++)
    sums.inherited += core->opens.items[i].ticks;
  return sums;
}

static void there_and_back(void **state) {
  (void)state;
  struct prof_summary summary, again;
  struct prof_payload first = {0}, second = {0};
  make(&summary);
  assert_int_equal(prof_summary_prune(&summary, prof_summary_bytes(&summary) / 2), PROF_OK);
  prof_summary_write(&summary, &first);
  assert_int_equal(prof_summary_read(first.items, first.count, &again), PROF_OK);
  prof_summary_write(&again, &second);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.items, second.items, first.count);
  prof_summary_fini(&again);
  for (size_t bytes = 0; bytes < first.count; bytes += 1 + bytes / 64)
    assert_int_equal(prof_summary_read(first.items, bytes, &again), PROF_CORRUPT);
  prof_vec_fini(&first);
  prof_vec_fini(&second);
  prof_summary_fini(&summary);
}

static void sums_stay(void **state) {
  (void)state;
  struct prof_summary summary;
  make(&summary);
  const struct sums before = sums_of(&summary);
  const uint64_t bytes = prof_summary_bytes(&summary);
  const uint32_t nodes = summary.core.node_count;
  assert_int_equal(prof_summary_prune(&summary, 0), PROF_OK);
  assert_int_equal(prof_summary_prune(&summary, bytes), PROF_OK);
  assert_int_equal(summary.core.node_count, nodes);
  for (int turn = 1; turn <= 3; turn++) {
    assert_int_equal(prof_summary_prune(&summary, bytes >> turn), PROF_OK);
    assert_true(prof_summary_bytes(&summary) <= bytes >> turn);
    const struct sums now = sums_of(&summary);
    assert_memory_equal(&now, &before, sizeof now);
    assert_true(summary.cold_paths > 0);
  }
  prof_summary_fini(&summary);
}

/* However cold it is: it counts where it is when it ends. */
static void what_is_open_stays(void **state) {
  (void)state;
  struct prof_summary summary;
  make(&summary);
  struct prof_fold_core *core = &summary.core;
  uint32_t outer = prof_fold_child(core, 2, 39), node = prof_fold_child(core, outer, 38);
  assert_true(prof_vec_push(&summary.going, ((struct prof_summary_ticks){node, 5, 1})));
  assert_int_equal(prof_summary_prune(&summary, prof_summary_bytes(&summary) / 8), PROF_OK);
  node = summary.going.items[0].node;
  assert_int_equal(core->nodes[node].function, 38);
  assert_int_equal(core->nodes[core->nodes[node].parent].function, 39);
  prof_summary_fini(&summary);
}

/* A function's time beneath itself is in `total` once, wherever the calls came from. */
static void recursion_is_counted_once(void **state) {
  (void)state;
  struct prof_summary summary;
  assert_int_equal(prof_summary_init(&summary), PROF_OK);
  for (uint32_t i = 0; i < 2; i++) /* one function, called from two places */
    (void)prof_summary_key(&summary, (struct prof_summary_key){PROF_SUMMARY_FUNCTION, 1, 3, 1, 16 * i});
  uint32_t warm = prof_summary_key(&summary, (struct prof_summary_key){PROF_SUMMARY_FUNCTION, 1, 4, 0, 0});
  struct prof_fold_core *core = &summary.core;
  uint32_t thread = prof_fold_child(core, 0, 1), main = prof_fold_child(core, thread, warm);
  uint32_t outer = prof_fold_child(core, main, 0), inner = prof_fold_child(core, outer, 1);
  core->nodes[main] = (struct prof_fold_node){1, 1000000, thread, warm, 0};
  core->nodes[outer].calls = core->nodes[inner].calls = 1;
  core->nodes[outer].total = 50;
  core->nodes[inner].total = 20;
  assert_int_equal(prof_summary_prune(&summary, prof_summary_bytes(&summary) - 1), PROF_OK);
  assert_int_equal(core->node_count, 4); /* the root, the thread, main, [other] */
  const struct prof_fold_cold *cold = summary.cold.items;
  assert_true(cold[0].total == 50 && cold[0].sum == 50 && cold[0].self == 30);
  assert_true(cold[1].total == 0 && cold[1].sum == 20 && cold[1].self == 20 && cold[1].calls == 1);
  prof_summary_fini(&summary);
}

/* A process with an ended thread of each number, and one that lives; each has calls of every function. */
static void make_bursts(struct prof_summary *summary, uint32_t threads) {
  make(summary);
  summary->bursts.used = true;
  for (uint32_t thread = 1; thread <= threads; thread++) {
    const struct prof_summary_window_thread in_windows = {.thread = thread, .events = 1, .life = 10, .met = {1, 2}};
    assert_true(prof_summary_add_window_thread(&summary->bursts, &in_windows));
    summary->bursts.threads.items[thread - 1].process = 1;
    summary->bursts.threads.items[thread - 1].over = thread < threads;
    for (uint32_t key = 0; key < FUNCTIONS; key++) {
      const struct prof_summary_frame frame = {.thread = thread, .key = key, .ran = 3, .on = {1, 1}};
      const struct prof_summary_rate rate = {
          .thread = thread, .key = key, .caller = PROF_SUMMARY_CALLERS + key, .counted = 1 + thread, .sums = {1, 1, 1}};
      assert_true(prof_summary_add_frame(&summary->bursts, &frame) && prof_summary_add_rate(&summary->bursts, &rate));
    }
  }
  for (uint32_t i = 0; i < summary->samples.count; i++) {
    struct prof_summary_sample *sample = &summary->samples.items[i];
    sample->times = (double)sample->count;
    for (uint32_t level = 0; level < 20; level++) {
      const struct prof_summary_chain link = {sample->chain, (i + level) % FUNCTIONS, PROF_SUMMARY_LINK_BURST};
      sample->chain = prof_summary_chain(&summary->bursts, link);
      assert_true(sample->chain > 0);
    }
  }
}

struct burst_sums {
  double ran, calls, life, times;
  uint64_t counted;
};

static struct burst_sums burst_sums_of(const struct prof_summary *summary) {
  struct burst_sums sums = {0};
  for (size_t i = 0; i < summary->bursts.frames.count; i++)
    sums.ran += summary->bursts.frames.items[i].ran;
  for (size_t i = 0; i < summary->bursts.rates.count; i++) {
    sums.calls += summary->bursts.rates.items[i].sums[0];
    sums.counted += summary->bursts.rates.items[i].counted;
  }
  for (size_t i = 0; i < summary->bursts.threads.count; i++)
    sums.life += summary->bursts.threads.items[i].life;
  for (size_t i = 0; i < summary->samples.count; i++)
    sums.times += summary->samples.items[i].times;
  return sums;
}

static void bursts_there_and_back(void **state) {
  (void)state;
  struct prof_summary summary, again;
  struct prof_payload first = {0}, second = {0};
  make_bursts(&summary, 3);
  prof_summary_write(&summary, &first);
  assert_int_equal(prof_summary_read(first.items, first.count, &again), PROF_OK);
  prof_summary_write(&again, &second);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.items, second.items, first.count);
  prof_summary_fini(&again);
  for (size_t cut = first.count - 40; cut < first.count; cut++) /* the last rows are cut */
    assert_int_equal(prof_summary_read(first.items, cut, &again), PROF_CORRUPT);
  prof_vec_fini(&first);
  prof_vec_fini(&second);
  prof_summary_fini(&summary);
}

static void bursts_become_fewer(void **state) {
  (void)state;
  struct prof_summary summary;
  make_bursts(&summary, 500);
  const struct burst_sums before = burst_sums_of(&summary);
  const uint64_t limit = 256 << 10;
  assert_true(prof_summary_bytes(&summary) > 4 * limit);
  assert_int_equal(prof_summary_prune(&summary, limit), PROF_OK);
  assert_true(prof_summary_bytes(&summary) <= limit);
  const struct burst_sums after = burst_sums_of(&summary);
  assert_float_equal(after.ran, before.ran, 1e-6);
  assert_float_equal(after.calls, before.calls, 1e-6);
  assert_float_equal(after.life, before.life, 1e-6);
  assert_float_equal(after.times, before.times, 1e-6);
  assert_int_equal(after.counted, before.counted);
  assert_int_equal(summary.bursts.pooled, 498);
  assert_int_equal(summary.bursts.threads.count, 2); /* one of those that are over, and the one that lives */
  for (size_t i = 0; i < summary.samples.count; i++)
    assert_true(summary.samples.items[i].chain <= summary.bursts.chains.count);
  prof_summary_fini(&summary);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),        cmocka_unit_test(sums_stay),
      cmocka_unit_test(what_is_open_stays),    cmocka_unit_test(recursion_is_counted_once),
      cmocka_unit_test(bursts_there_and_back), cmocka_unit_test(bursts_become_fewer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
