/*
 * test/unit/test_tally_sums.c - sums of measures as bytes and back; the coldest rows become [other]; forgetting them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "tally/sums.h"
#include "trace/bytes.h"

enum { PATHS = 60, THREADS = 3, WAITED = 100 };

struct making {
  struct prof_tally_sums *sums;
  uint64_t time;
};

static struct prof_measured event_of(struct making *making, uint32_t thread, uint32_t node, uint32_t operation,
                                     uint64_t first, uint64_t second) {
  return (struct prof_measured){.thread = thread,
                                .process = 1,
                                .node = node,
                                .function = making->sums->paths.nodes.items[node].function,
                                .operation = operation,
                                .shown = true,
                                .time_ticks = making->time += 10,
                                .ends_ticks = UINT64_MAX,
                                .caller = 0x1000 + node,
                                .first = first,
                                .second = second};
}

static void take(struct making *making, uint32_t node, uint32_t operation, uint64_t first, uint64_t second) {
  struct prof_tally_sums *sums = making->sums;
  const struct prof_measured event = event_of(making, 1 + node % THREADS, node, operation, first, second);
  assert_true(prof_memory_tally_take(&sums->memory, &event));
  assert_true(prof_lock_states_take(&sums->locks, &event));
  assert_true(prof_io_tally_take(&sums->io, &event));
  assert_true(prof_query_tally_take(&sums->queries, &event));
}

static void take_in(struct making *making, uint32_t thread, uint32_t node, uint32_t operation, uint64_t first) {
  const struct prof_measured event = event_of(making, thread, node, operation, first, 0);
  assert_true(prof_openmp_tally_take(&making->sums->regions, &event));
}

/* A run of a parallel region of all threads, which work `more` ticks; the second waits for a critical section. */
static void begin_region(struct making *making, uint32_t node, uint64_t run, uint64_t more) {
  take_in(making, 1, node, PROF_MEASURE_REGION_BEGINS, run);
  for (uint32_t thread = 1; thread <= THREADS; thread++)
    take_in(making, thread, node, PROF_MEASURE_WORK_BEGINS, run);
  take_in(making, 2, node, PROF_MEASURE_WAITS, PROF_MEASURE_CRITICAL);
  making->time += 5;
  take_in(making, 2, node, PROF_MEASURE_TAKEN, PROF_MEASURE_CRITICAL);
  take_in(making, 2, node, PROF_MEASURE_RELEASED, PROF_MEASURE_CRITICAL);
  making->time += more;
}

static void end_region(struct making *making, uint32_t node, uint64_t run) {
  for (uint32_t thread = 1; thread <= THREADS; thread++)
    take_in(making, thread, node, PROF_MEASURE_WORK_ENDS, run);
  take_in(making, 1, node, PROF_MEASURE_REGION_ENDS, run);
}

static uint64_t with_file(uint64_t file, uint64_t bytes) {
  return file << PROF_MEASURE_IO_BYTES | bytes;
}

/* On each path two blocks, one of which is given back, a lock with a wait for its holder, operations and a statement.
 */
static void make(struct prof_tally_sums *sums) {
  struct making making = {sums, 0};
  struct prof_process_ends ends = {0};
  static const struct prof_process processes[2] = {{.parent = PROF_NONE}, {.number = 1, .parent = PROF_NONE}};
  assert_int_equal(prof_tally_sums_init(sums), PROF_OK);
  assert_true(prof_memory_tally_go_on(&sums->memory, processes, 2, THREADS + 1, &ends));
  for (uint32_t i = 0; i < PATHS; i++) {
    const struct prof_summary_key key = {.kind = PROF_SUMMARY_FUNCTION, .module = 1, .index = i};
    assert_true(prof_vec_push(&sums->keys, key));
    const uint32_t node = prof_measured_path_below(&sums->paths, i / 2, i);
    take(&making, node, PROF_MEASURE_ALLOC, 100 * i, 0x10000 + i * 64);
    take(&making, node, PROF_MEASURE_ALLOC, 8, 0x90000 + i * 64);
    take(&making, node, PROF_MEASURE_FREE, 0, 0x90000 + i * 64);
    take(&making, node, PROF_MEASURE_TAKEN, PROF_MEASURE_MUTEX, 0x5000 + i * 8);
    take(&making, i ? node - 1 : node + 0, PROF_MEASURE_WAITS, PROF_MEASURE_MUTEX, 0x5000 + i * 8);
    making.time += WAITED * i;
    take(&making, node, PROF_MEASURE_RELEASED, PROF_MEASURE_MUTEX, 0x5000 + i * 8);
    if (i % 8) /* the others still wait */
      take(&making, i ? node - 1 : node + 0, PROF_MEASURE_TAKEN, PROF_MEASURE_MUTEX, 0x5000 + i * 8);
    take(&making, node, PROF_MEASURE_READ, with_file(i % 5, 1000), 50 * i);
    take(&making, node, PROF_MEASURE_WRITE, with_file(3, PROF_MEASURE_IO_FAILED - 28), 7);
    take(&making, node, PROF_MEASURE_SQLITE_RUN, with_file(9, 3), 30 * i);
    begin_region(&making, node, i, 10 * i);
    end_region(&making, node, i);
  }
  begin_region(&making, 0, PATHS, 0); /* it goes on */
}

static void free_all(struct prof_tally_sums *sums) {
  memset(&sums->memory.processes, 0, sizeof sums->memory.processes);
  prof_tally_sums_fini(sums);
}

static void there_and_back(void **state) {
  (void)state;
  struct prof_tally_sums sums, again;
  struct prof_payload first = {0}, second = {0};
  make(&sums);
  prof_tally_sums_write(&sums, &first);
  assert_int_equal(prof_tally_sums_read(first.items, first.count, &again), PROF_OK);
  assert_int_equal(again.memory.live_processes, 1);
  prof_tally_sums_write(&again, &second);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.items, second.items, first.count);
  prof_tally_sums_fini(&again);
  sums.regions.sites.items.count = sums.regions.sums.count = 0;
  second.count = 0;
  prof_tally_sums_write(&sums, &second);
  const size_t older = second.count - 8; /* without regions: two empty lists less */
  assert_int_equal(prof_tally_sums_read(first.items, older, &again), PROF_OK);
  assert_int_equal(again.regions.sums.count, 0);
  assert_int_equal(again.queries.sums.count, sums.queries.sums.count);
  prof_tally_sums_fini(&again);
  for (size_t bytes = 0; bytes < first.count; bytes += 1 + bytes / 64) {
    if (bytes == older)
      continue;
    uint8_t *cut = malloc(bytes + 1); /* so that a sanitizer sees what lies behind */
    memcpy(cut, first.items, bytes);
    assert_int_equal(prof_tally_sums_read(cut, bytes, &again), PROF_CORRUPT);
    free(cut);
  }
  prof_vec_fini(&first);
  prof_vec_fini(&second);
  free_all(&sums);
}

/* Any byte may be another one: a number that can't be is found, or it is another recording's. */
static void damaged(void **state) {
  (void)state;
  struct prof_tally_sums sums, again;
  struct prof_payload payload = {0};
  make(&sums);
  prof_tally_sums_write(&sums, &payload);
  for (size_t i = 0; i < payload.count; i += 7) {
    const uint8_t was = payload.items[i];
    payload.items[i] = (uint8_t)(was ^ 0x3f);
    if (prof_tally_sums_read(payload.items, payload.count, &again) == PROF_OK)
      prof_tally_sums_fini(&again);
    payload.items[i] = was;
  }
  prof_vec_fini(&payload);
  free_all(&sums);
}

struct figures {
  uint64_t calls, bytes, live_bytes, peak_bytes, acquisitions, contended, wait, parts, waited, reads, ticks, failed,
      rows, runs, work, critical, ends, longest, mean, thread_runs, thread_work, thread_critical, thread_ends;
};

static struct figures figures_of(const struct prof_tally_sums *sums) {
  struct figures out = {0};
  for (size_t i = 0; i < sums->memory.groups.count; i++) {
    struct prof_memory_group group = sums->memory.groups.items[i];
    prof_memory_group_settle(&sums->memory, &group);
    out.calls += group.sum.calls;
    out.bytes += group.sum.bytes;
    out.live_bytes += group.sum.live_bytes;
    out.peak_bytes += group.sum.peak_bytes;
  }
  for (size_t i = 0; i < sums->locks.locks.count; i++) {
    const struct prof_lock *lock = &sums->locks.locks.items[i];
    out.acquisitions += lock->acquisitions;
    out.contended += lock->contended;
    out.wait += lock->wait_ticks;
    for (size_t k = 0; k < lock->parts.count; k++)
      out.parts += lock->parts.items[k].held_ticks + lock->parts.items[k].handover_ticks;
    for (size_t k = 0; k < lock->waited.count; k++)
      out.waited += lock->waited.items[k].ticks;
  }
  for (size_t i = 0; i < sums->io.sums.count; i++) {
    out.reads += sums->io.sums.items[i].calls;
    out.ticks += sums->io.sums.items[i].ticks;
    out.failed += sums->io.sums.items[i].failed;
  }
  for (size_t i = 0; i < sums->queries.sums.count; i++)
    out.rows += sums->queries.sums.items[i].rows;
  for (size_t i = 0; i < sums->regions.sums.count; i++) {
    const struct prof_openmp_sum *sum = &sums->regions.sums.items[i];
    const bool all = sum->thread == PROF_NONE;
    *(all ? &out.runs : &out.thread_runs) += sum->runs;
    *(all ? &out.work : &out.thread_work) += sum->work;
    *(all ? &out.critical : &out.thread_critical) += sum->waits[PROF_OPENMP_LOCK];
    *(all ? &out.ends : &out.thread_ends) += sum->end;
    out.longest += all ? sum->longest : 0;
    out.mean += all ? sum->mean : 0;
    assert_int_equal(sum->threads, THREADS);
  }
  return out;
}

static void sums_stay(void **state) {
  (void)state;
  struct prof_tally_sums sums;
  make(&sums);
  const struct figures before = figures_of(&sums);
  const uint64_t bytes = prof_tally_sums_bytes(&sums);
  assert_int_equal(prof_tally_sums_prune(&sums, 0), PROF_OK);
  assert_int_equal(prof_tally_sums_prune(&sums, bytes), PROF_OK);
  assert_int_equal(sums.cold, 0);
  for (int turn = 1; turn <= 3; turn++) {
    assert_int_equal(prof_tally_sums_prune(&sums, bytes >> turn), PROF_OK);
    const struct figures now = figures_of(&sums);
    assert_memory_equal(&now, &before, sizeof now);
    assert_true(sums.cold > 0);
    assert_true(prof_tally_sums_bytes(&sums) < bytes);
  }
  struct making making = {&sums, 1000000}; /* blocks and waits go on in the rows that they are in now */
  for (uint32_t i = 0; i < PATHS; i++)
    take(&making, 0, PROF_MEASURE_FREE, 0, 0x10000 + i * 64);
  assert_int_equal(figures_of(&sums).live_bytes, 0);
  assert_int_equal(sums.memory.unknown_frees, 0);
  assert_true(prof_lock_states_end(&sums.locks, 2000000));
  end_region(&making, 0, PATHS); /* a region that went on */
  assert_int_equal(sums.regions.runs.count, 0);
  const struct figures after = figures_of(&sums);
  assert_int_equal(after.runs, PATHS + 1);
  assert_int_equal(after.thread_runs, THREADS * (PATHS + 1));
  assert_int_equal(after.work, after.thread_work);
  assert_int_equal(after.ends, after.thread_ends);
  assert_int_equal(after.critical, after.thread_critical);
  assert_int_equal(after.contended, PATHS);
  assert_int_equal(after.wait, after.waited);
  free_all(&sums);
}

/* What is forgotten has no rows; a block from before can be given back. */
static void cleared(void **state) {
  (void)state;
  struct prof_tally_sums sums;
  make(&sums);
  assert_int_equal(prof_tally_sums_clear(&sums), PROF_OK);
  struct making making = {&sums, 1000000};
  take(&making, 0, PROF_MEASURE_FREE, 0, 0x10000 + 64);
  take(&making, 0, PROF_MEASURE_ALLOC, 32, 0x10000 + 64);
  const struct figures now = figures_of(&sums);
  const struct figures expected = {.calls = 1, .bytes = 32, .live_bytes = 32, .peak_bytes = 32};
  assert_memory_equal(&now, &expected, sizeof now);
  assert_int_equal(sums.memory.unknown_frees, 0);
  free_all(&sums);
}

/* Beyond the room for blocks allocations are counted, and no more. */
static void unfollowed(void **state) {
  (void)state;
  struct prof_tally_sums sums;
  make(&sums);
  const uint64_t bytes = figures_of(&sums).live_bytes;
  sums.memory.most_blocks = sums.memory.block_count;
  struct making making = {&sums, 1000000};
  take(&making, 0, PROF_MEASURE_ALLOC, 77, 0xf0000);
  assert_int_equal(sums.memory.unfollowed_calls, 1);
  assert_int_equal(sums.memory.unfollowed_bytes, 77);
  assert_int_equal(figures_of(&sums).live_bytes, bytes);
  take(&making, 0, PROF_MEASURE_FREE, 0, 0x10000 + 64);
  take(&making, 0, PROF_MEASURE_ALLOC, 1, 0xf0000);
  assert_int_equal(sums.memory.unfollowed_calls, 1);
  free_all(&sums);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(damaged),
                                     cmocka_unit_test(sums_stay), cmocka_unit_test(cleared),
                                     cmocka_unit_test(unfollowed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
