/*
 * test/unit/test_series.c - which parts of a recording stay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/parts/series.h"
#include "trace/part_names.h"
#include "trace/write/encode.h"
#include "trace_folder.h"

struct made {
  struct trace_folder folder;
  struct prof_series parts;
  prof_writer *writer;
  prof_packer *packer;
  prof_encoder *encoder;
};

static void begin(struct made *made, uint32_t keep) {
  const struct prof_series_wish wish = {.split_ns = 1, .keep = keep, .mode = PROF_SERIES_STREAM};
  trace_folder_make(&made->folder);
  assert_int_equal(prof_series_begin(&made->parts, &wish, made->folder.path, NULL), PROF_OK);
  assert_int_equal(
      prof_writer_open(made->parts.folder, &(struct prof_writer_options){.keeps_facts = true}, NULL, &made->writer),
      PROF_OK);
  made->packer = prof_packer_new(made->writer);
  made->encoder = prof_encoder_new(made->packer, 1);
}

static void call(struct made *made) {
  const uint64_t time = 1000;
  const struct prof_open_stack none = {0};
  assert_true(prof_encoder_reserve(made->encoder, 2));
  assert_true(prof_encoder_begin(made->encoder, time, &none));
  assert_non_null(prof_encoder_edge(made->encoder, 1, 0));
  prof_encoder_put(made->encoder, &(struct prof_step){.op = PROF_OP_ENTRY, .value = 0, .time = time});
  prof_encoder_put(made->encoder, &(struct prof_step){.op = PROF_OP_EXIT, .time = time});
  assert_int_equal(prof_encoder_flush(made->encoder, false), PROF_OK);
  prof_series_trim(&made->parts, made->writer);
}

/* The parts that are there, as digits, and how many the series says. */
static void check(const struct made *made, const char *expected) {
  char there[16] = "", path[PATH_MAX + 32];
  for (uint32_t number = 1; number < 10; number++) {
    snprintf(path, sizeof path, "%s/" PROF_PART_FORMAT "/trace", made->folder.path, number);
    if (access(path, F_OK) == 0)
      snprintf(there + strlen(there), 2, "%u", number);
  }
  assert_string_equal(there, expected);
  assert_int_equal(made->parts.number - made->parts.deleted, strlen(expected));
}

static void next(struct made *made, const char *expected) {
  assert_int_equal(prof_series_next(&made->parts, made->writer, 1), PROF_OK);
  check(made, expected);
}

static void end(struct made *made) {
  char path[PATH_MAX + 32];
  prof_encoder_free(made->encoder);
  prof_packer_free(made->packer);
  assert_int_equal(prof_writer_close(made->writer, NULL), PROF_OK);
  for (uint32_t number = 1; number < 10; number++) {
    snprintf(path, sizeof path, "%s/" PROF_PART_FORMAT "/trace", made->folder.path, number);
    unlink(path);
    *strrchr(path, '/') = 0;
    rmdir(path);
  }
  trace_folder_remove(&made->folder);
}

static void the_last_ones_are_kept(void **state) {
  (void)state;
  struct made made = {0};
  begin(&made, 3);
  for (const char *const *expected = (const char *const[]){"12", "123", "234", "345", NULL}; *expected; expected++) {
    call(&made);
    next(&made, *expected);
  }
  end(&made);
}

static void those_without_calls_push_out_none_with(void **state) {
  (void)state;
  struct made made = {0};
  begin(&made, 3);
  call(&made);
  next(&made, "12");
  next(&made, "123");
  next(&made, "124");
  next(&made, "125");
  call(&made);
  next(&made, "256");
  call(&made);
  next(&made, "567");
  next(&made, "678");
  next(&made, "679");
  end(&made);
}

static void a_series_without_calls_is_short_too(void **state) {
  (void)state;
  struct made made = {0};
  begin(&made, 2);
  next(&made, "12");
  next(&made, "23");
  next(&made, "34");
  call(&made);
  next(&made, "45");
  next(&made, "46");
  end(&made);
}

static void one_stays_until_the_next_has_calls(void **state) {
  (void)state;
  struct made made = {0};
  begin(&made, 1);
  call(&made);
  next(&made, "12");
  next(&made, "13");
  call(&made);
  check(&made, "3");
  next(&made, "34");
  call(&made);
  check(&made, "4");
  end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_ones_are_kept),
      cmocka_unit_test(those_without_calls_push_out_none_with),
      cmocka_unit_test(a_series_without_calls_is_short_too),
      cmocka_unit_test(one_stays_until_the_next_has_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
