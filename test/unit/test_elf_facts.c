/*
 * test_elf_facts.c - walking static facts: what compilers write, and what nobody should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "source/facts.h"

struct bytes {
  _Alignas(8) uint8_t at[512];
  size_t size;
};

static void append(struct bytes *bytes, const void *from, size_t size) {
  memcpy(bytes->at + bytes->size, from, size);
  bytes->size += size;
}

static void append_probe(struct bytes *bytes, uint64_t sled) {
  struct prof_fact_probe probe = {{sizeof probe, PROF_FACT_PROBE, PROF_FACT_VERSION}, sled, 7, PROF_PROBE_EXIT, 12};
  append(bytes, &probe, sizeof probe);
}

static void append_function(struct bytes *bytes, const char *texts, size_t text_bytes) {
  struct prof_fact_function function = {.head = {sizeof function + 16, PROF_FACT_FUNCTION, PROF_FACT_VERSION},
                                        .key = 9};
  char room[16] = {0};
  memcpy(room, texts, text_bytes);
  append(bytes, &function, sizeof function);
  append(bytes, room, sizeof room);
}

static void walks_over_gaps(void **state) {
  (void)state;
  struct bytes bytes = {.size = 0};
  static const uint8_t gap[24];
  append_probe(&bytes, 0x1000);
  append(&bytes, gap, sizeof gap);
  append_probe(&bytes, 0x2000);
  append(&bytes, gap, 8);
  struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size);
  struct prof_fact_view view;
  struct prof_fact_probe probe;
  assert_true(prof_fact_walk_next(&walk, &view));
  assert_true(prof_fact_probe_read(&view, &probe));
  assert_int_equal(probe.sled, 0x1000);
  assert_true(prof_fact_walk_next(&walk, &view));
  assert_true(prof_fact_probe_read(&view, &probe));
  assert_int_equal(probe.sled, 0x2000);
  assert_int_equal(probe.line, 12);
  assert_false(prof_fact_walk_next(&walk, &view));
  assert_false(walk.damaged);
}

static void reads_strings(void **state) {
  (void)state;
  struct bytes bytes = {.size = 0};
  append_function(&bytes, "main\0a/b.c", 11);
  struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size);
  struct prof_fact_view view;
  struct prof_fact_function function;
  const char *name, *file;
  assert_true(prof_fact_walk_next(&walk, &view));
  assert_true(prof_fact_function_read(&view, &function, &name, &file));
  assert_int_equal(function.key, 9);
  assert_string_equal(name, "main");
  assert_string_equal(file, "a/b.c");
  struct prof_fact_unit unit;
  assert_false(prof_fact_unit_read(&view, &unit, &name, &file));
}

static void append_loop(struct bytes *bytes, const char *texts, size_t text_bytes) {
  struct prof_fact_loop loop = {.head = {sizeof loop + 16, PROF_FACT_LOOP, PROF_FACT_VERSION}, .key = 11, .depth = 2};
  char room[16] = {0};
  memcpy(room, texts, text_bytes);
  append(bytes, &loop, sizeof loop);
  append(bytes, room, sizeof room);
}

static void reads_loops(void **state) {
  (void)state;
  struct bytes bytes = {.size = 0};
  struct prof_fact_loop_probe probe = {
      {{sizeof probe, PROF_FACT_PROBE, PROF_FACT_VERSION}, 0x1000, 7, PROF_PROBE_LOOP_ENTRY, 12}, 99};
  append(&bytes, &probe, sizeof probe);
  append_probe(&bytes, 0x2000); /* of a function: no key of a loop */
  append_loop(&bytes, "\0loop.c", 8);
  append_loop(&bytes, "f\0fourteen bytes", 16); /* no NUL at the end */
  struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size);
  struct prof_fact_view view;
  struct prof_fact_probe plain;
  struct prof_fact_loop loop;
  const char *name, *file;
  assert_true(prof_fact_walk_next(&walk, &view) && prof_fact_probe_read(&view, &plain));
  assert_int_equal(prof_fact_probe_loop(&view), 99);
  assert_true(prof_fact_walk_next(&walk, &view) && prof_fact_probe_read(&view, &plain));
  assert_int_equal(prof_fact_probe_loop(&view), 0);
  assert_true(prof_fact_walk_next(&walk, &view) && prof_fact_loop_read(&view, &loop, &name, &file));
  assert_int_equal(loop.key, 11);
  assert_int_equal(loop.depth, 2);
  assert_string_equal(name, "");
  assert_string_equal(file, "loop.c");
  assert_true(prof_fact_walk_next(&walk, &view));
  assert_false(prof_fact_loop_read(&view, &loop, &name, &file));
  assert_false(prof_fact_walk_next(&walk, &view));
}

static void strings_without_end(void **state) {
  (void)state;
  struct bytes bytes = {.size = 0};
  const char *name, *file;
  struct prof_fact_view view;
  struct prof_fact_function function;
  append_function(&bytes, "sixteen letters!", 16);  /* no NUL */
  append_function(&bytes, "name\0to the end!", 16); /* one NUL only */
  append(&bytes, "next record...", 8);
  struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size - 8);
  for (int i = 0; i < 2; i++) {
    assert_true(prof_fact_walk_next(&walk, &view));
    assert_false(prof_fact_function_read(&view, &function, &name, &file));
  }
}

static void unknown_is_passed(void **state) {
  (void)state;
  struct bytes bytes = {.size = 0};
  struct prof_fact_probe probe = {{sizeof probe, 77, PROF_FACT_VERSION}, 1, 2, 3, 4};
  append(&bytes, &probe, sizeof probe);
  probe.head = (struct prof_fact){sizeof probe, PROF_FACT_PROBE, PROF_FACT_VERSION + 1};
  append(&bytes, &probe, sizeof probe);
  append_probe(&bytes, 0x3000);
  struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size);
  struct prof_fact_view view;
  int records = 0, probes = 0;
  while (prof_fact_walk_next(&walk, &view)) {
    records++;
    probes += prof_fact_probe_read(&view, &probe);
  }
  assert_int_equal(records, 3);
  assert_int_equal(probes, 1);
}

static void bad_lengths_end_the_walk(void **state) {
  (void)state;
  static const uint32_t lengths[] = {4, 7, 12, 40, 0x80000000u, UINT32_MAX, UINT32_MAX - 7};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    struct bytes bytes = {.size = 0};
    append_probe(&bytes, 0x1000);
    struct prof_fact head = {lengths[i], PROF_FACT_PROBE, PROF_FACT_VERSION};
    append(&bytes, &head, sizeof head);
    append(&bytes, &head, sizeof head);
    struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, bytes.size);
    struct prof_fact_view view;
    assert_true(prof_fact_walk_next(&walk, &view));
    assert_false(prof_fact_walk_next(&walk, &view));
    assert_true(walk.damaged);
  }
}

static void any_bytes(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    struct bytes bytes = {.size = 0};
    append_probe(&bytes, 1);
    append_function(&bytes, "f\0c", 4);
    append_loop(&bytes, "f\0c", 4);
    append_probe(&bytes, 2);
    for (int flips = 0; flips < 3; flips++) {
      seed = seed * 1664525u + 1013904223u;
      bytes.at[(seed >> 8) % bytes.size] = (uint8_t)(seed >> 24);
    }
    size_t size = round % 3 ? bytes.size : (seed >> 4) % bytes.size;
    struct prof_fact_walk walk = prof_fact_walk_begin(bytes.at, size);
    struct prof_fact_view view;
    struct prof_fact_function function;
    const char *name, *file;
    while (prof_fact_walk_next(&walk, &view)) {
      assert_true(view.record >= bytes.at && view.record + view.length <= bytes.at + size);
      struct prof_fact_loop loop;
      if (prof_fact_function_read(&view, &function, &name, &file) || prof_fact_loop_read(&view, &loop, &name, &file))
        assert_true((const uint8_t *)file + strlen(file) < view.record + view.length);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_over_gaps),
      cmocka_unit_test(reads_strings),
      cmocka_unit_test(strings_without_end),
      cmocka_unit_test(unknown_is_passed),
      cmocka_unit_test(bad_lengths_end_the_walk),
      cmocka_unit_test(any_bytes),
      cmocka_unit_test(reads_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
