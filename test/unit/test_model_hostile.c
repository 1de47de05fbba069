/*
 * test/unit/test_model_hostile.c - event chunks with right checksums and wrong contents.
 *
 * Bytes of unpacked payloads are changed at random and packed anew, so that the fold and the walk meet what no encoder
 * writes: exits without entries, far edges that aren't there, waits that never began, side columns that end too early.
 * Nothing may be read or written out of bounds (run it with the sanitizers), both must come to an end, and worker
 * counts agree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

#include "estimate/profile_build.h"
#include "fold/walk.h"
#include "model_streams.h"

/* One byte of a column, other than that of lengths: a reader sees at once when they don't add up. */
static void change_byte(unsigned char *raw, uint64_t *seed) {
  struct prof_format_events head;
  memcpy(&head, raw, sizeof head);
  const uint32_t sizes[] = {head.edge_bytes,   head.frame_bytes, head.op_bytes,
                            head.length_bytes, head.delta_bytes, head.side_bytes};
  static const int columns[] = {0, 1, 2, 2, 2, 2, 4, 5, 5, 5};
  int column = columns[case_random(seed) % 10];
  size_t at = sizeof head;
  for (int i = 0; i < column; i++)
    at += sizes[i];
  if (sizes[column] == 0)
    return;
  at += case_random(seed) % sizes[column];
  raw[at] = case_random(seed) % 2 ? 254 + raw[at] % 2 : (unsigned char)(case_random(seed) % 10);
}

/* One chunk of `data` at `at`, an EVENTS chunk with `changes` bytes behind its 64 bytes of header changed; the next
 * one. */
static size_t copy_chunk(prof_writer *writer, const unsigned char *data, size_t at, uint64_t *seed, int changes) {
  struct prof_format_chunk head;
  memcpy(&head, data + at, sizeof head);
  size_t next = at + sizeof head + (head.packed_bytes + 7) / 8 * 8;
  unsigned char *raw = malloc(head.raw_bytes);
  if (head.codec == PROF_FORMAT_ZSTD)
    assert_int_equal(ZSTD_decompress(raw, head.raw_bytes, data + at + sizeof head, head.packed_bytes), head.raw_bytes);
  else
    memcpy(raw, data + at + sizeof head, head.raw_bytes);
  bool changed = head.kind == PROF_FORMAT_EVENTS && case_random(seed) % 8 == 0;
  for (int i = 0; changed && i < changes; i++)
    change_byte(raw, seed);
  head.codec = PROF_FORMAT_STORED;
  head.packed_bytes = head.raw_bytes;
  assert_int_equal(prof_writer_append(writer, &head, raw), PROF_OK);
  free(raw);
  return next;
}

static void change(struct trace_folder *to, const struct trace_folder *from, uint64_t *seed, int changes) {
  size_t bytes;
  unsigned char *data = trace_folder_read(from, &bytes);
  prof_writer *writer;
  trace_folder_make(to);
  assert_int_equal(prof_writer_open(to->path, NULL, NULL, &writer), PROF_OK);
  for (size_t at = sizeof(struct prof_format_file); at + sizeof(struct prof_format_chunk) <= bytes;)
    at = copy_chunk(writer, data, at, seed, changes);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  free(data);
}

static bool count_events(void *context, const struct prof_walk_event *event) {
  (void)event;
  return ++*(uint64_t *)context < 10000000;
}

/* Returns whether all of it could be folded. */
static bool look(const prof_trace *trace, const struct prof_filter *filter) {
  struct prof_profile *one = NULL, *two = NULL;
  prof_status status = prof_profile_fold(trace, filter, &(struct prof_fold_options){.workers = 1}, NULL, &one);
  assert_int_equal(prof_profile_fold(trace, filter, &(struct prof_fold_options){.workers = 2}, NULL, &two), status);
  assert_true(status == PROF_OK || status == PROF_EMPTY);
  bool whole = status == PROF_OK && one->coverage.chunks_damaged == 0;
  if (status == PROF_OK) {
    assert_int_equal(one->node_count, two->node_count);
    assert_memory_equal(one->nodes, two->nodes, one->node_count * sizeof *one->nodes);
  }
  prof_profile_free(one);
  prof_profile_free(two);
  uint64_t events = 0;
  status = prof_walk(trace, filter, PROF_WALK_BY_TIME, count_events, &events, NULL);
  assert_int_equal(status, events ? PROF_OK : PROF_EMPTY);
  assert_true(events < 10000000);
  return whole;
}

static void changed_bytes(void **state) {
  (void)state;
  static const char *const only[] = {"f1"};
  int whole = 0, rounds = 600;
  for (int round = 0; round < rounds; round++) {
    uint64_t seed = seed_of((uint64_t)round + 9000);
    struct trace_folder good, bad;
    case_write(&good, threads, random_threads(&seed));
    change(&bad, &good, &seed, 1 + round % 6);
    prof_trace *trace = case_open(&bad);
    struct prof_filter filter;
    struct prof_filter_spec spec = {.only = only, .only_count = 1, .min_ns = 3, .begin_ns = 100, .end_ns = 5000000000};
    assert_int_equal(prof_filter_init(&filter, trace, &spec, NULL), PROF_OK);
    whole += look(trace, NULL);
    look(trace, &filter);
    prof_filter_fini(&filter);
    prof_trace_close(trace);
    trace_folder_remove(&good);
    trace_folder_remove(&bad);
  }
  /* Neither all refused by the reader's checks nor all harmless. */
  print_message("%d of %d traces were folded as a whole\n", whole, rounds);
  assert_true(whole > rounds / 20 && whole < rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changed_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
