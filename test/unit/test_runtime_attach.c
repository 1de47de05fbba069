/*
 * test_runtime_attach.c - regions and objects that don't fit: one clear line, and the program as if nothing had been.
 * What attaching costs is in the log.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"

static struct ring_double ring;
static struct prof_hooks hooks;
static int words[2]; /* pipe that takes standard error */

static int descriptor_count(void) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++)
    count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static void listen_to_stderr(void) {
  CHECK_EQUAL(pipe(words), 0);
  dup2(words[1], 2);
  close(words[1]);
}

/* Attaches twice; then exactly one line was said, with `expected` in it, and nothing else happened. */
static void check_refused(uint64_t version, const char *expected) {
  static char text[4096];
  struct prof_module_start module = prof_test_start(&hooks);
  module.wire_version = version;
  listen_to_stderr();
  int before = descriptor_count();
  errno = 77;
  prof_runtime_attach_v1(&module);
  prof_runtime_attach_v1(&module);
  int error = errno;
  prof_runtime_detach_v1(&module);
  int after = descriptor_count();
  close(2);
  dup2(1, 2); /* for what CHECK says */
  ssize_t got = read(words[0], text, sizeof text - 1);
  text[got > 0 ? got : 0] = 0;
  CHECK_EQUAL(error, 77);
  CHECK_EQUAL(before, after);
  CHECK_EQUAL(hooks.wire_version, 0);
  CHECK_EQUAL(tree(3), 15);
  if (!expected) {
    CHECK_EQUAL(got, 0);
    return;
  }
  if (strncmp(text, "prof: ", 6) != 0 || !strstr(text, expected) || strchr(text, '\n') != text + strlen(text) - 1) {
    fprintf(stderr, "said: %s\n", text);
    _exit(1);
  }
}

static void open_region(void) {
  ring_double_open(&ring, 8, 4, PROF_WHEN_FULL_DROP);
}

static void other_object(void) {
  open_region();
  check_refused(PROF_WIRE_VERSION + 1, "compile it again");
}

static void other_recorder(void) {
  open_region();
  ring.control->version--;
  check_refused(PROF_WIRE_VERSION, "different versions");
}

static void no_region(void) {
  open_region();
  setenv("PROF_RING", "/nowhere/ring",
         1); /* in /proc it would be that of a recorder that has ended: no word about it */
  check_refused(PROF_WIRE_VERSION, "can't be opened");
}

static void recorder_has_ended(void) {
  open_region();
  setenv("PROF_RING", "/proc/self/fd/987", 1);
  check_refused(PROF_WIRE_VERSION, NULL);
}

static void foreign_file(void) {
  open_region();
  setenv("PROF_RING", "/proc/self/exe", 1); /* not even writable, or busy */
  check_refused(PROF_WIRE_VERSION, "prof record");
}

static void unfinished_region(void) {
  open_region();
  ring.control->magic = 0;
  check_refused(PROF_WIRE_VERSION, "doesn't name a recording region");
}

/* What it took is in the log, once for each program or library; the first one is marked. */
static void cost_is_told(void) {
  static struct prof_hooks other;
  struct prof_module_start program = prof_test_start(&hooks), library = prof_test_start(&other);
  const struct prof_log_head *head;
  uint64_t at = 0, cpu_ns = 0;
  int count = 0;
  open_region();
  prof_runtime_attach_v1(&program);
  prof_runtime_attach_v1(&library);
  while ((head = ring_double_log(&ring, &at)) != NULL) {
    const struct prof_log_attached *told = (const void *)head;
    if (head->kind != PROF_LOG_ATTACHED)
      continue;
    CHECK_EQUAL(told->first, count == 0);
    cpu_ns += told->cpu_ns;
    count++;
  }
  CHECK_EQUAL(count, 2);
  CHECK(cpu_ns > 0 && cpu_ns < 600000000000);
}

static void not_wanted(void) {
  open_region();
  setenv("PROF_RECORD", "0", 1);
  check_refused(PROF_WIRE_VERSION, NULL);
}

/* A header that leads out of the file, in any of its fields. */
static void check_damage(size_t field, uint64_t value, size_t bytes) {
  open_region();
  memcpy((char *)ring.control + field, &value, bytes);
  check_refused(PROF_WIRE_VERSION, "damaged");
}

#define DAMAGE(field, value)                                                                                           \
  static void damaged_##field(void) {                                                                                  \
    check_damage(offsetof(struct prof_control, field), value, sizeof((struct prof_control *)0)->field);                \
  }                                                                                                                    \
  PROF_TEST_CHILD(field##_out_of_the_file, damaged_##field)
DAMAGE(region_bytes, 1ull << 40)
DAMAGE(threads_offset, ~0ull - 7)
DAMAGE(thread_count, UINT32_MAX)
DAMAGE(log_offset, 1ull << 50)
DAMAGE(log_bytes, ~0ull)
DAMAGE(segments_offset, 1ull << 50)
DAMAGE(segment_count, UINT32_MAX)
DAMAGE(segment_bytes, 65537)

PROF_TEST_CHILD(an_object_of_another_version, other_object)
PROF_TEST_CHILD(a_recorder_of_another_version, other_recorder)
PROF_TEST_CHILD(a_region_that_is_not_there, no_region)
PROF_TEST_CHILD(a_region_of_a_recorder_that_has_ended, recorder_has_ended)
PROF_TEST_CHILD(a_file_of_something_else, foreign_file)
PROF_TEST_CHILD(a_region_without_magic, unfinished_region)
PROF_TEST_CHILD(recording_not_wanted, not_wanted)
PROF_TEST_CHILD(the_cost_of_attaching_is_told, cost_is_told)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_object_of_another_version),
      cmocka_unit_test(a_recorder_of_another_version),
      cmocka_unit_test(a_region_of_a_recorder_that_has_ended),
      cmocka_unit_test(a_region_that_is_not_there),
      cmocka_unit_test(a_file_of_something_else),
      cmocka_unit_test(a_region_without_magic),
      cmocka_unit_test(recording_not_wanted),
      cmocka_unit_test(the_cost_of_attaching_is_told),
      cmocka_unit_test(region_bytes_out_of_the_file),
      cmocka_unit_test(threads_offset_out_of_the_file),
      cmocka_unit_test(thread_count_out_of_the_file),
      cmocka_unit_test(log_offset_out_of_the_file),
      cmocka_unit_test(log_bytes_out_of_the_file),
      cmocka_unit_test(segments_offset_out_of_the_file),
      cmocka_unit_test(segment_count_out_of_the_file),
      cmocka_unit_test(segment_bytes_out_of_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
