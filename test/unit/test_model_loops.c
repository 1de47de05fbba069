/*
 * test/unit/test_model_loops.c - loops in fold and walk.
 *
 * A made-up program is written twice: with the events of its loops, and without.  By default both must give the same
 * profile and the same walk; asked for, loops must have the figures that the program's maker kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/functions.h"
#include "estimate/profile_build.h"
#include "fold/walk.h"
#include "names/loop_frames.h"
#include "names/names.h"
#include "trace_folder.h"
#include "tracetext.h"

enum { FUNCTIONS = 4, LOOPS = 6, TEXT_BYTES = 1 << 20 };

struct text {
  char *bytes;
  size_t count;
};

struct figures {
  uint64_t entries, total, self, known, empty, iterations, min, max, counted_entries, counted_iterations;
  uint32_t inside; /* how often it is open now */
};

struct maker {
  struct text with, without;
  struct figures loops[LOOPS];
  uint64_t now, calls, loop_entries, seed;
  uint32_t budget; /* of frames */
};

static uint32_t below(struct maker *maker, uint32_t limit) { /* xorshift64, G. Marsaglia 2003 */
  maker->seed ^= maker->seed << 13;
  maker->seed ^= maker->seed >> 7;
  maker->seed ^= maker->seed << 17;
  return (uint32_t)((maker->seed >> 20) % limit);
}

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text->count += (size_t)vsnprintf(text->bytes + text->count, TEXT_BYTES - text->count, format, arguments);
  va_end(arguments);
  assert_true(text->count < TEXT_BYTES);
}

static void put_both(struct maker *maker, const char *what, uint32_t function) {
  put(&maker->with, "t @%llu %s f%u\n", (unsigned long long)maker->now, what, function);
  put(&maker->without, "t @%llu %s f%u\n", (unsigned long long)maker->now, what, function);
}

/* Chunks may end anywhere: in both traces, or in the one with loops only. */
static void maybe_flush(struct maker *maker) {
  if (below(maker, 12) == 0)
    put(&maker->with, "t flush\n");
  if (below(maker, 12) == 0)
    put(&maker->without, "t flush\n");
}

static uint64_t make_function(struct maker *maker, uint32_t depth);

/* Time passes, functions are called.  Returns how much of it was theirs. */
static uint64_t make_body(struct maker *maker, uint32_t depth) {
  uint64_t inner = 0;
  for (uint32_t i = below(maker, 4); i > 0 && maker->budget > 0 && depth < 12; i--) {
    maker->now += below(maker, 50);
    inner += make_function(maker, depth + 1);
  }
  maker->now += below(maker, 50);
  return inner;
}

static void know(struct figures *figures, uint64_t iterations) {
  if (iterations == 0) {
    figures->empty++;
    return;
  }
  figures->min = figures->known && figures->min < iterations ? figures->min : iterations;
  figures->max = figures->max > iterations ? figures->max : iterations;
  figures->known++;
  figures->iterations += iterations;
}

/* Loop l: of 0 to 2 iterations known at the entry, 3 and 4 at the exit, 5 never; 1 has an inner one, counted. */
static uint64_t make_loop(struct maker *maker, uint32_t loop, uint32_t depth) {
  struct figures *figures = &maker->loops[loop];
  uint64_t begin = maker->now, iterations = below(maker, 5) * 100;
  char value[64] = "";
  snprintf(value, sizeof value, " iterations=%llu", (unsigned long long)iterations);
  put(&maker->with, "t @%llu loop l%u%s\n", (unsigned long long)begin, loop, loop < 3 ? value : "");
  maybe_flush(maker);
  figures->inside++;
  uint64_t inner = make_body(maker, depth);
  if (loop == 0 && below(maker, 2)) {
    uint64_t inner_begin = maker->now, inside = make_loop(maker, 3, depth);
    inner += maker->now - inner_begin;
    (void)inside;
  }
  figures->inside--;
  maker->now += below(maker, 20);
  put(&maker->with, "t @%llu endloop l%u%s\n", (unsigned long long)maker->now, loop,
      loop == 3 || loop == 4 ? value : "");
  if (loop == 1) {
    put(&maker->with, "t +0 count inner iterations=%llu\nt +0 count inner entries=2\n", (unsigned long long)iterations);
    figures->counted_iterations += iterations;
    figures->counted_entries += 2;
  }
  if (loop < 5)
    know(figures, iterations);
  figures->entries++;
  maker->loop_entries++;
  figures->total += figures->inside == 0 ? maker->now - begin : 0;
  figures->self += maker->now - begin - inner;
  return inner;
}

static uint64_t make_function(struct maker *maker, uint32_t depth) {
  uint32_t function = below(maker, FUNCTIONS);
  uint64_t begin = maker->now;
  maker->budget -= maker->budget > 0;
  maker->calls++;
  put_both(maker, "enter", function);
  maybe_flush(maker);
  for (uint32_t i = below(maker, 3); i > 0; i--) {
    maker->now += below(maker, 30);
    if (below(maker, 2))
      make_loop(maker, function + (function == 3 ? 1 + below(maker, 2) : 0), depth);
    else
      make_body(maker, depth);
  }
  maker->now += below(maker, 30);
  put_both(maker, "exit", function);
  return maker->now - begin;
}

static void make(struct maker *maker, uint64_t seed) {
  *maker = (struct maker){.seed = seed * 0x9e3779b97f4a7c15ull + 1, .budget = 300, .now = 100};
  maker->with.bytes = malloc(TEXT_BYTES);
  maker->without.bytes = malloc(TEXT_BYTES);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    put(&maker->with, "function f%u\n", i);
    put(&maker->without, "function f%u\n", i);
  }
  put(&maker->with, "loop l0 f0\nloop l1 f1\nloop l2 f2\nloop l3 f0 parent=l0\nloop l4 f3\nloop l5 f3\n"
                    "loop inner f1 parent=l1 flags=counted\nthread t\n");
  put(&maker->without, "thread t\n");
  make_function(maker, 0);
  while (maker->budget > 0)
    make_function(maker, 0);
}

struct opened {
  struct trace_folder folder;
  prof_trace *trace;
};

static void open_text(const struct text *text, struct opened *out) {
  struct prof_diag diag;
  trace_folder_make(&out->folder);
  if (prof_tracetext_write(text->bytes, "made", out->folder.path, &diag) != PROF_OK)
    fail_msg("%s: line %llu", diag.what, (unsigned long long)diag.offset);
  assert_int_equal(prof_trace_open(out->folder.path, &diag, &out->trace), PROF_OK);
}

static void close_text(struct opened *opened) {
  prof_trace_close(opened->trace);
  trace_folder_remove(&opened->folder);
}

static struct prof_profile *fold(const struct opened *opened, bool loops, uint32_t depth) {
  struct prof_filter filter;
  struct prof_filter_spec spec = {.end_ns = UINT64_MAX, .depth = depth, .loops = loops};
  struct prof_fold_options options = {.workers = 2, .places = depth == 0 && !loops};
  struct prof_profile *profile;
  struct prof_diag diag;
  assert_int_equal(prof_filter_init(&filter, opened->trace, &spec, &diag), PROF_OK);
  assert_int_equal(prof_profile_fold(opened->trace, &filter, &options, &diag, &profile), PROF_OK);
  prof_filter_fini(&filter);
  return profile;
}

static void compare_nodes(const struct prof_profile *a, const struct prof_profile *b) {
  assert_int_equal(a->node_count, b->node_count);
  assert_int_equal(a->coverage.calls, b->coverage.calls);
  assert_int_equal(a->coverage.thread_ticks, b->coverage.thread_ticks);
  assert_int_equal(a->coverage.hidden, b->coverage.hidden);
  for (uint32_t i = 0; i < a->node_count; i++) {
    assert_int_equal(a->nodes[i].function, b->nodes[i].function);
    assert_int_equal(a->nodes[i].parent, b->nodes[i].parent);
    assert_int_equal(a->nodes[i].calls, b->nodes[i].calls);
    assert_int_equal(a->nodes[i].total_ticks, b->nodes[i].total_ticks);
    assert_int_equal(a->nodes[i].self_ticks, b->nodes[i].self_ticks);
  }
}

static void compare_figures(const struct maker *maker, const struct prof_profile *profile) {
  assert_non_null(profile->loops);
  for (uint32_t i = 0; i < LOOPS; i++) {
    const struct figures *wanted = &maker->loops[i];
    const struct prof_function_figures *got = &profile->loops[i];
    const struct prof_loop_values *values = &profile->loop_values[i];
    assert_int_equal(got->calls, wanted->entries);
    assert_int_equal(got->total_ticks, wanted->total);
    assert_int_equal(got->self_ticks, wanted->self);
    assert_int_equal(values->known_entries, wanted->known);
    assert_int_equal(values->empty_entries, wanted->empty);
    assert_int_equal(values->iterations, wanted->iterations);
    assert_int_equal(values->min_iterations, wanted->min);
    assert_int_equal(values->max_iterations, wanted->max);
  }
  assert_int_equal(profile->loop_values[LOOPS].counted_iterations, maker->loops[1].counted_iterations);
  assert_int_equal(profile->loop_values[LOOPS].counted_entries, maker->loops[1].counted_entries);
}

/* What functions cost is the same, whether loops were told apart or not. */
static void compare_functions(const struct opened *with, const struct opened *without, uint32_t depth) {
  const struct opened *opened[2] = {with, without};
  struct prof_profile *profiles[2];
  struct prof_function_rows rows[2];
  struct prof_names *names[2];
  for (int i = 0; i < 2; i++) {
    struct prof_filter filter;
    struct prof_filter_spec spec = {.end_ns = UINT64_MAX, .depth = depth};
    struct prof_fold_options options = {.workers = 1, .loops = i == 0};
    struct prof_diag diag;
    assert_int_equal(prof_filter_init(&filter, opened[i]->trace, &spec, &diag), PROF_OK);
    assert_int_equal(prof_profile_fold(opened[i]->trace, &filter, &options, &diag, &profiles[i]), PROF_OK);
    assert_int_equal(prof_names_new(opened[i]->trace, PROF_DEMANGLE_FULL, &names[i]), PROF_OK);
    assert_int_equal(prof_functions_rank(profiles[i], NULL, names[i], PROF_BY_FUNCTION, PROF_TIME_ELAPSED,
                                         PROF_SORT_NAME, &diag, &rows[i]),
                     PROF_OK);
    prof_filter_fini(&filter);
  }
  assert_non_null(profiles[0]->loops);
  assert_int_equal(rows[0].count, rows[1].count);
  assert_int_equal(profiles[0]->coverage.calls, profiles[1]->coverage.calls);
  assert_int_equal(profiles[0]->coverage.hidden, profiles[1]->coverage.hidden);
  for (size_t i = 0; i < rows[0].count; i++) {
    assert_int_equal(rows[0].rows[i].calls, rows[1].rows[i].calls);
    assert_int_equal(rows[0].rows[i].total.elapsed, rows[1].rows[i].total.elapsed);
    assert_int_equal(rows[0].rows[i].self_ns, rows[1].rows[i].self_ns);
    assert_int_equal(rows[0].rows[i].min_ns, rows[1].rows[i].min_ns);
    assert_int_equal(rows[0].rows[i].avg_ns, rows[1].rows[i].avg_ns);
  }
  for (int i = 0; i < 2; i++) {
    prof_functions_free(&rows[i]);
    prof_names_free(names[i]);
    prof_profile_free(profiles[i]);
  }
}

struct walked {
  uint64_t events, loops, sum;
  const prof_trace *trace;
};

static bool visit(void *context, const struct prof_walk_event *event) {
  struct walked *walked = context;
  bool loop = prof_frame_loop(walked->trace, event->function) != PROF_NONE;
  walked->events += !loop;
  walked->loops += loop;
  walked->sum = (walked->sum ^ (event->time_ns * 31 + event->function * 7 + event->depth)) * 0x9e3779b97f4a7c15ull;
  return true;
}

static struct walked walk(const struct opened *opened, bool loops) {
  struct prof_filter filter;
  struct prof_filter_spec spec = {.end_ns = UINT64_MAX, .loops = loops};
  struct walked walked = {.trace = opened->trace};
  struct prof_diag diag;
  assert_int_equal(prof_filter_init(&filter, opened->trace, &spec, &diag), PROF_OK);
  assert_int_equal(prof_walk(opened->trace, &filter, PROF_WALK_BY_THREAD, visit, &walked, &diag), PROF_OK);
  prof_filter_fini(&filter);
  return walked;
}

static void both_ways(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    struct maker maker;
    struct opened with, without;
    make(&maker, seed);
    open_text(&maker.with, &with);
    open_text(&maker.without, &without);
    struct prof_profile *plain = fold(&without, false, 0), *quiet = fold(&with, false, 0);
    struct prof_profile *slow = fold(&with, false, 100000), *shown = fold(&with, true, 0);
    struct prof_profile *slow_shown = fold(&with, true, 100000);
    assert_int_equal(plain->coverage.calls, maker.calls);
    compare_nodes(quiet, plain);
    compare_nodes(slow, plain);
    compare_nodes(slow_shown, shown);
    assert_int_equal(shown->coverage.calls, maker.calls);
    assert_null(quiet->loops);
    compare_figures(&maker, shown);
    compare_figures(&maker, slow_shown);
    compare_functions(&with, &without, 0);
    compare_functions(&with, &without, 2);
    struct walked of_plain = walk(&without, false), of_quiet = walk(&with, false), of_shown = walk(&with, true);
    assert_int_equal(of_quiet.sum, of_plain.sum);
    assert_int_equal(of_quiet.loops, 0);
    assert_int_equal(of_shown.events, of_plain.events);
    assert_int_equal(of_shown.loops, 2 * maker.loop_entries);
    struct prof_profile *all[] = {plain, quiet, slow, shown, slow_shown};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      prof_profile_free(all[i]);
    close_text(&with);
    close_text(&without);
    free(maker.with.bytes);
    free(maker.without.bytes);
  }
}

static void names_of_loops(void **state) {
  (void)state;
  static char text[] = "function f file=src/app.c line=3\nfunction g\nthread t\n"
                       "loop a f line=7\nloop b f line=9 file=/x/list.h in=_ZN4List4findEi\nloop c g line=0\n"
                       "t +1 enter f\nt +1 exit f\n";
  const struct text bytes = {text, sizeof text - 1};
  struct opened opened;
  struct prof_names *names;
  open_text(&bytes, &opened);
  assert_int_equal(prof_names_new(opened.trace, PROF_DEMANGLE_FULL, &names), PROF_OK);
  uint32_t a = prof_frame_of_loop(opened.trace, 0);
  assert_string_equal(prof_names_function(names, a), "loop app.c:7");
  assert_string_equal(prof_names_file(names, a), "src/app.c");
  assert_int_equal(prof_names_line(names, a), 7);
  assert_string_equal(prof_names_module(names, a), "/bin/app");
  assert_string_equal(prof_names_function(names, a + 1), "loop list.h:9 (List::find(int))");
  assert_string_equal(prof_names_function(names, a + 2), "loop of g");
  assert_string_equal(prof_names_function(names, a + 3), "[unknown]");
  assert_string_equal(prof_names_function(names, a - 1), "[unknown]");
  assert_string_equal(prof_names_function(names, PROF_NONE), "[unknown]");
  prof_names_free(names);
  close_text(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways),
      cmocka_unit_test(names_of_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
