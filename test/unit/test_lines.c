/*
 * test/unit/test_lines.c - costs of lines on random profiles, against sums made the slow way; files found by their
 * names' ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/annotate.h"
#include "analysis/lines/lines.h"
#include "estimate/profile_build.h"
#include "model_streams.h"

static const struct prof_profile *profile;
static struct prof_names *names;
static enum prof_time_kind shown;

/* Calls come from 0x2010, 0x2020, 0x2030: line 1 in two chains, line 2 inlined into line 9, and nothing known. */
static prof_status find(void *context, uint32_t module, uint64_t address, const struct prof_line_frame **frames,
                        uint32_t *count) {
  static const struct prof_line_frame plain[] = {{"plain", "/src/a.c", 1}},
                                      inlined[] = {{"inner", "/src/b.h", 2}, {"outer", "/src/a.c", 9}};
  *(uint32_t *)context += 1;
  assert_int_equal(module, 0);
  *count = 0;
  if (address == 0x200f) {
    *frames = plain;
    *count = 1;
  } else if (address == 0x201f) {
    *frames = inlined;
    *count = 2;
  } else {
    assert_int_equal(address, 0x202f);
    return PROF_NOT_FOUND;
  }
  return PROF_OK;
}

/* 1, 2: the place of these lines; 0: not known. */
static int line_at(const struct prof_node *node) {
  uint64_t address = profile->places[node->place].address;
  return address == 0x2010 ? 1 : address == 0x2020 ? 2 : 0;
}

struct sum {
  uint64_t calls, ticks;
};

/* Calls from a line, those below another call from it only in number. */
static struct sum sum_line(int line) {
  struct sum sum = {0};
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    if (node->parent == 0 || line_at(node) != line)
      continue;
    bool outermost = true;
    for (uint32_t at = node->parent; profile->nodes[at].parent != 0; at = profile->nodes[at].parent)
      outermost &= line_at(&profile->nodes[at]) != line;
    sum.calls += node->calls;
    sum.ticks += outermost ? prof_node_total(node, shown) : 0;
  }
  return sum;
}

static const struct prof_line_row *row_of(const struct prof_line_rows *rows, const char *file, uint32_t line) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->rows[i].line == line && strcmp(rows->rows[i].file, file) == 0)
      return &rows->rows[i];
  return NULL;
}

static void check_row(const struct prof_line_rows *rows, const char *file, uint32_t line, const char *function,
                      struct sum sum) {
  const struct prof_line_row *row = row_of(rows, file, line);
  assert_int_equal(row != NULL, sum.calls > 0);
  if (!row)
    return;
  assert_int_equal(row->calls, sum.calls);
  assert_int_equal(row->calls_ns, sum.ticks); /* 1 GHz */
  assert_string_equal(row->function, function);
}

static void check_profile(void) {
  uint32_t asked = 0;
  struct prof_line_source source = {.context = &asked, .find = find};
  for (int inlined_at = 0; inlined_at < 2; inlined_at++) {
    struct prof_line_options options = {.inlined_at = inlined_at, .time = shown, .sort = PROF_LINE_SORT_CALLS_TIME};
    struct prof_line_rows rows;
    uint64_t calls = 0, outermost = 0, waiting = 0, preempted = 0;
    assert_int_equal(prof_lines_rank(profile, NULL, names, &source, &options, NULL, &rows), PROF_OK);
    check_row(&rows, "/src/a.c", 1, "plain", sum_line(1));
    if (inlined_at)
      check_row(&rows, "/src/a.c", 9, "outer", sum_line(2));
    else
      check_row(&rows, "/src/b.h", 2, "inner", sum_line(2));
    for (size_t i = 0; i < rows.count; i++) {
      assert_true(i == 0 || rows.rows[i].calls_ns <= rows.rows[i - 1].calls_ns);
      calls += rows.rows[i].calls;
      waiting += rows.rows[i].self.waiting;
      preempted += rows.rows[i].self.preempted;
      assert_true(rows.rows[i].self.waiting + rows.rows[i].self.preempted == 0 || rows.rows[i].line == 0);
    }
    assert_int_equal(waiting, profile->nodes[0].off.waiting);
    assert_int_equal(preempted, profile->nodes[0].off.preempted);
    assert_int_equal(rows.self.elapsed, waiting + preempted); /* without samples */
    for (uint32_t i = 1; i < profile->node_count; i++)        /* called by nothing that we see */
      if (profile->nodes[i].parent != 0 && profile->nodes[profile->nodes[i].parent].parent == 0 &&
          line_at(&profile->nodes[i]) == 0)
        outermost += profile->nodes[i].calls;
    assert_int_equal(calls + outermost, profile->coverage.calls);
    prof_lines_free(&rows);
  }
  assert_true(asked <= 2 * profile->place_count);
}

/* Pauses at random in own times, summed up as the fold does it. */
static void make_pauses(struct prof_profile *folded, uint64_t *seed) {
  struct prof_node *nodes = prof_profile_nodes_of(folded);
  for (uint32_t i = folded->node_count - 1; i > 0; i--) {
    struct prof_off_ticks *off = &nodes[i].self_off;
    off->waiting = case_random(seed) % (nodes[i].self_ticks + 1);
    off->preempted = case_random(seed) % (nodes[i].self_ticks - off->waiting + 1);
    prof_off_add(&nodes[i].off, off);
    prof_off_add(&nodes[nodes[i].parent].off, &nodes[i].off);
  }
}

static void random_profiles(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 60; round++) {
    uint64_t seed = seed_of(round + 9000);
    struct trace_folder folder;
    case_write(&folder, threads, random_threads(&seed));
    prof_trace *trace = case_open(&folder);
    struct prof_profile *folded;
    struct prof_fold_options options = {.workers = 1, .places = true};
    assert_int_equal(prof_profile_fold(trace, NULL, &options, NULL, &folded), PROF_OK);
    assert_int_equal(prof_names_new(trace, PROF_DEMANGLE_FULL, &names), PROF_OK);
    profile = folded;
    if (round % 2)
      make_pauses(folded, &seed);
    for (shown = PROF_TIME_RUNNING; shown < PROF_TIME_KINDS; shown++)
      check_profile();
    prof_names_free(names);
    prof_profile_free(folded);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

static void annotated_stretch(void **state) {
  (void)state;
  struct prof_line_row items[] = {
      {.file = "/src/a.c", .line = 3, .calls = 5, .calls_ns = 50},
      {.file = "/src/a.c",
       .line = 7,
       .samples = 25,
       .self = {2500, 2500, 0, 0},
       .self_share = 0.25,
       .share_interval = {0.2, 0.3}},
      {.file = "/src/a.c", .line = 0, .calls = 1},
      {.file = "/src/sub/a.c", .line = 4, .count = 9},
      {.file = "/src/ba.c", .line = 4, .calls = 1},
  };
  struct prof_line_rows rows = {
      .rows = items, .count = 5, .samples = 100, .self = {.elapsed = 10000, .running = 10000}};
  struct prof_annotated annotated;
  assert_int_equal(prof_annotate_select(&rows, "/src/a.c", 2, 7, NULL, &annotated), PROF_OK);
  assert_int_equal(annotated.count, 6);
  assert_true(annotated.has_samples && annotated.has_counts);
  for (uint32_t i = 0; i < 6; i++) {
    assert_int_equal(annotated.lines[i].line, 2 + i);
    assert_int_equal(annotated.lines[i].costs, i == 1 || i == 5);
  }
  assert_int_equal(annotated.lines[1].calls_ns, 50);
  assert_int_equal(annotated.lines[5].self_low_ns, 2000);
  assert_int_equal(annotated.lines[5].self_high_ns, 3000);
  prof_annotated_free(&annotated);
  uint32_t first;
  assert_int_equal(prof_annotate_extent(&rows, "/src/a.c", &first), 7);
  assert_int_equal(first, 3);
  bool ambiguous;
  assert_string_equal(prof_annotate_file(&rows, "sub/a.c", &ambiguous), "/src/sub/a.c");
  assert_string_equal(prof_annotate_file(&rows, "ba.c", &ambiguous), "/src/ba.c");
  assert_string_equal(prof_annotate_file(&rows, "/src/a.c", &ambiguous), "/src/a.c");
  assert_false(ambiguous);
  assert_null(prof_annotate_file(&rows, "a.c", &ambiguous));
  assert_true(ambiguous);
  assert_null(prof_annotate_file(&rows, "b.c", &ambiguous));
  assert_false(ambiguous);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_profiles),
      cmocka_unit_test(annotated_stretch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
