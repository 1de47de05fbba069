/*
 * test_path_table.c - callers of samples: each chain has one number, comes back from the trace, and there is a ceiling.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/tables/path_table.h"
#include "trace/format.h"
#include "trace_folder.h"

enum { CHAINS = 5000 };

static void a_chain_has_one_number(void **state) {
  (void)state;
  struct prof_path_table table = {0};
  uint32_t outer = prof_paths_add(&table, 0, 0x100), inner = prof_paths_add(&table, outer, 0x200);
  assert_int_equal(outer, 1);
  assert_int_equal(inner, 2);
  assert_int_equal(prof_paths_add(&table, 0, 0x200), 3); /* the same address, called from elsewhere */
  assert_int_equal(prof_paths_add(&table, inner, 0x200), 4);
  for (uint32_t i = 0; i < CHAINS; i++)
    assert_int_equal(prof_paths_add(&table, i % 5, 0x1000 + i), 5 + i);
  for (uint32_t i = 0; i < CHAINS; i++)
    assert_int_equal(prof_paths_add(&table, i % 5, 0x1000 + i), 5 + i);
  assert_int_equal(prof_paths_add(&table, outer, 0x200), inner);
  prof_paths_fini(&table);
  assert_int_equal(prof_paths_add(&table, 0, 0x300), 1); /* empty again */
  prof_paths_fini(&table);
}

static void chains_come_back(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_path_table table = {0};
  trace_folder_make(&folder);
  prof_writer *writer = NULL;
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  for (uint32_t i = 1; i <= CHAINS; i++) {
    assert_int_equal(prof_paths_add(&table, i / 2, i * 0x9e3779b97f4a7c15u), i);
    if (i % 1000 == 0) {
      uint64_t before = prof_writer_bytes(writer), most = prof_paths_waiting_bytes(&table);
      prof_paths_write(&table, writer);
      assert_true(prof_writer_bytes(writer) - before <= most);
      assert_int_equal(prof_paths_waiting_bytes(&table), 0);
      uint64_t after = prof_writer_bytes(writer);
      prof_paths_write(&table, writer); /* nothing is new */
      assert_int_equal(prof_writer_bytes(writer), after);
    }
  }
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  size_t count;
  const struct prof_path *paths = prof_trace_paths(trace, &count);
  assert_int_equal(count, CHAINS + 1);
  for (uint32_t i = 1; i <= CHAINS; i++) {
    assert_int_equal(paths[i].parent, i / 2);
    assert_int_equal(paths[i].address, i * 0x9e3779b97f4a7c15u);
  }
  prof_trace_close(trace);
  prof_paths_fini(&table);
  trace_folder_remove(&folder);
}

static void a_full_table_knows_only_the_old(void **state) {
  (void)state;
  struct prof_path_table table = {0};
  for (uint32_t i = 1; i <= PROF_PATHS_MAX; i++)
    assert_int_equal(prof_paths_add(&table, 0, i), i);
  assert_int_equal(prof_paths_add(&table, 0, PROF_PATHS_MAX + 1), 0);
  assert_int_equal(prof_paths_add(&table, 1, 1), 0);
  assert_int_equal(prof_paths_add(&table, 0, 77), 77);
  prof_paths_fini(&table);
}

static void a_table_begins_anew(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_path_table table = {0};
  trace_folder_make(&folder);
  prof_writer *writer = NULL;
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  uint32_t next = 1, number;
  while ((number = prof_paths_add(&table, next % 2 == 0 ? next - 1 : 0, next * UINT64_C(16))) != 0) {
    assert_int_equal(number, next);
    if (++next % 100001 == 0) {
      prof_paths_write(&table, writer);
      assert_in_range(table.paths.count, 0, PROF_PATHS_MAX / 2);
    }
  }
  assert_int_equal(next, PROF_FORMAT_PATHS_LIMIT); /* numbers are used up */
  assert_int_equal(prof_paths_add(&table, 0, (next - 3) / 2 * 2 * UINT64_C(16) + 16), (next - 3) / 2 * 2 + 1);
  prof_paths_write(&table, writer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  size_t count;
  const struct prof_path *paths = prof_trace_paths(trace, &count);
  assert_int_equal(count, PROF_FORMAT_PATHS_LIMIT);
  for (uint32_t i = 1; i < count; i++)
    if (paths[i].address != i * UINT64_C(16) || paths[i].parent != (i % 2 == 0 ? i - 1 : 0))
      fail_msg("path %u: %llu, parent %u", i, (unsigned long long)paths[i].address, paths[i].parent);
  prof_trace_close(trace);
  prof_paths_fini(&table);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_has_one_number),
      cmocka_unit_test(chains_come_back),
      cmocka_unit_test(a_full_table_knows_only_the_old),
      cmocka_unit_test(a_table_begins_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
