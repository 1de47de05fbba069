/*
 * test_runtime_patch.c - what the runtime does to code: only sleds as expected, and by another way where one is
 * forbidden.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"
#include "rows.h"

static struct ring_double ring;
static struct prof_hooks hooks;

static const uint8_t *sled_of(const struct prof_row *row) {
  return (const uint8_t *)&row->sled + row->sled;
}

static const struct prof_log_head *log_find(uint32_t kind) {
  uint64_t offset = 0;
  const struct prof_log_head *head;
  while ((head = ring_double_log(&ring, &offset)) && head->kind != kind)
    ;
  return head;
}

static void start(const struct prof_row *rows, size_t count) {
  ring_double_open(&ring, 64, 16, PROF_WHEN_FULL_DROP);
  struct prof_module_start module = {PROF_WIRE_VERSION, rows, rows + count, &hooks};
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

/* Rows that point at anything but a sled are left alone and counted; the good ones among them work. */
static uint8_t no_code[64] = {0x90, 0x90, 0x90};
static struct prof_row rows[6];

static void point(struct prof_row *row, const void *sled, uint32_t kind) {
  row->sled = (int32_t)((intptr_t)sled - (intptr_t)&row->sled);
  row->kind = kind;
}

static void foreign_bytes(void) {
  uint8_t *crossing =
      (uint8_t *)(((uintptr_t)no_code + 15) & ~(uintptr_t)7) + 5; /* right bytes, but over a word's end */
  memcpy(crossing, "\x0f\x1f\x44\0\0", 5);
  point(&rows[0], no_code, PROF_PROBE_ENTRY);
  point(&rows[1], sled_of(&prof_test_rows_begin[0]), prof_test_rows_begin[0].kind);
  point(&rows[2], crossing, PROF_PROBE_ENTRY);
  point(&rows[3], sled_of(&prof_test_rows_begin[1]), 9); /* no such kind */
  point(&rows[4], sled_of(&prof_test_rows_begin[1]), prof_test_rows_begin[1].kind);
  rows[5] = (struct prof_row){INT32_MIN, PROF_PROBE_ENTRY}; /* outside the module */
  start(rows, 6);
  const struct prof_log_module *module = (const void *)log_find(PROF_LOG_MODULE);
  CHECK(module != NULL);
  CHECK_EQUAL(module->skipped, 4);
  CHECK_EQUAL(module->site_count, 6);
  CHECK_EQUAL(no_code[0], 0x90);
  CHECK_EQUAL(crossing[0], 0x0f);
  CHECK_EQUAL(tree(3), 15);
  CHECK_EQUAL(leaf(3), 3);
  size_t count;
  free(ring_double_events(&ring, 0, &count));
  CHECK_EQUAL(count, 30);
}

/* Every address of a body maps back to its sled, others to none. */
static void bodies_map_back(void) {
  size_t count = (size_t)(prof_test_rows_end - prof_test_rows_begin);
  start(prof_test_rows_begin, count);
  for (size_t i = 0; i < count; i++) {
    const uint8_t *sled = sled_of(&prof_test_rows_begin[i]);
    int32_t distance;
    memcpy(&distance, sled + 1, sizeof distance);
    CHECK_EQUAL(sled[0], 0xe9);
    const uint8_t *body = sled + 5 + distance;
    CHECK(prof_sled_of_trampoline(body) == sled);
    CHECK(prof_sled_of_trampoline(body + 60) == sled);
    CHECK(prof_sled_of_trampoline(sled) == NULL);
  }
}

/* In this process and its children system call `number` fails with EPERM if argument `at` has all of `bits`. */
static void forbid(int number, unsigned at, uint32_t bits) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) + 8 * at)),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  CHECK_EQUAL(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  CHECK_EQUAL(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static void check_recording(void) {
  CHECK_EQUAL(tree(4), 31);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_STOP, NULL), 0);
  CHECK_EQUAL(tree(4), 31);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  CHECK_EQUAL(tree(4), 31);
  size_t count;
  free(ring_double_events(&ring, 0, &count));
  CHECK_EQUAL(count, 62 + 1 + 62);
}

static void without_self_mem(void) {
  forbid(SYS_pwrite64, 0, 0);
  start(prof_test_rows_begin, (size_t)(prof_test_rows_end - prof_test_rows_begin));
  check_recording();
  CHECK(log_find(PROF_LOG_ERROR) == NULL);
}

static void without_self_mem_later(void) {
  start(prof_test_rows_begin, (size_t)(prof_test_rows_end - prof_test_rows_begin));
  forbid(SYS_pwrite64, 0, 0);
  check_recording();
}

/* Nothing may change code: the program runs as it would, and the recording says why it is empty. */
static void without_any_way(void) {
  forbid(SYS_pwrite64, 0, 0);
  forbid(SYS_mprotect, 2, PROT_WRITE | PROT_EXEC);
  start(prof_test_rows_begin, (size_t)(prof_test_rows_end - prof_test_rows_begin));
  CHECK_EQUAL(tree(4), 31);
  CHECK_EQUAL(ring.control->threads_used, 0);
  CHECK(log_find(PROF_LOG_ERROR) != NULL);
}

/* Memory that was written may not become code, as some systems have it. */
static void without_generated_code(void) {
  forbid(SYS_mprotect, 2, PROT_EXEC);
  start(prof_test_rows_begin, (size_t)(prof_test_rows_end - prof_test_rows_begin));
  CHECK_EQUAL(tree(4), 31);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_STOP, NULL), 0);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  CHECK_EQUAL(tree(4), 31);
  CHECK_EQUAL(ring.control->threads_used, 0);
  CHECK(log_find(PROF_LOG_ERROR) != NULL);
}

PROF_TEST_CHILD(where_code_may_not_be_made_nothing_is_patched, without_generated_code)
PROF_TEST_CHILD(what_is_no_sled_is_left_alone, foreign_bytes)
PROF_TEST_CHILD(a_body_maps_to_its_sled, bodies_map_back)
PROF_TEST_CHILD(without_proc_self_mem_pages_are_unlocked, without_self_mem)
PROF_TEST_CHILD(proc_self_mem_may_be_forbidden_later, without_self_mem_later)
PROF_TEST_CHILD(code_that_must_not_change_runs_on, without_any_way)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_sled_is_left_alone),
      cmocka_unit_test(where_code_may_not_be_made_nothing_is_patched),
      cmocka_unit_test(a_body_maps_to_its_sled),
      cmocka_unit_test(without_proc_self_mem_pages_are_unlocked),
      cmocka_unit_test(proc_self_mem_may_be_forbidden_later),
      cmocka_unit_test(code_that_must_not_change_runs_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
