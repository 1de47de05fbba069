/*
 * test/unit/test_trace_progress.c - a trace without END is in progress or cut short: also if its writer ends while it
 * is being opened.
 *
 * fcntl is the linker's --wrap: the test does something at the moment when the reader looks for the writer's lock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "trace_folder.h"

static struct trace_folder folder;
static prof_writer *writer;
static void (*at_look)(void);

int __real_fcntl(int fd, int command, void *argument);
int __wrap_fcntl(int fd, int command, void *argument);

int __wrap_fcntl(int fd, int command, void *argument) {
  void (*now)(void) = command == F_OFD_GETLK ? at_look : NULL;
  if (now != NULL) {
    at_look = NULL;
    now();
  }
  return __real_fcntl(fd, command, argument);
}

static int begin(void **state) {
  (void)state;
  trace_folder_make(&folder);
  const struct prof_writer_options options = {.start_realtime_ns = 1};
  return prof_writer_open(folder.path, &options, NULL, &writer) == PROF_OK ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  if (writer != NULL)
    (void)!prof_writer_close(writer, NULL);
  writer = NULL;
  at_look = NULL;
  trace_folder_remove(&folder);
  return 0;
}

static void leave(void) {
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  writer = NULL;
}

static void finish(void) {
  assert_int_equal(prof_writer_end(writer, &(struct prof_end_record){.reason = 1}), PROF_OK);
  leave();
}

static struct prof_trace_info info(void) {
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  struct prof_trace_info got = *prof_trace_info(trace);
  prof_trace_close(trace);
  return got;
}

static void is_being_written(void **state) {
  (void)state;
  struct prof_trace_info got = info();
  assert_true(got.in_progress && !got.complete);
}

static void was_left(void **state) {
  (void)state;
  leave();
  struct prof_trace_info got = info();
  assert_false(got.in_progress || got.complete);
}

static void ended(void **state) {
  (void)state;
  finish();
  struct prof_trace_info got = info();
  assert_true(got.complete && !got.in_progress);
}

/* It must not seem to be cut short. */
static void ends_meanwhile(void **state) {
  (void)state;
  at_look = finish;
  struct prof_trace_info got = info();
  assert_null(writer);
  assert_true(got.complete || got.in_progress);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(is_being_written, begin, end),
      cmocka_unit_test_setup_teardown(was_left, begin, end),
      cmocka_unit_test_setup_teardown(ended, begin, end),
      cmocka_unit_test_setup_teardown(ends_meanwhile, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
