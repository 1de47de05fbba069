/*
 * test/unit/test_gaps.c - a whole recording has no losses; a byte that changed in any chunk, or is missing, is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/gaps.h"
#include "trace/format.h"
#include "trace_folder.h"
#include "tracetext.h"

/* Chunks of every kind that is read late: events, samples, switches, windows, GPU records. */
static const char text[] = "clock hz=1000000000 start=1000\n"
                           "sampler hz=1000 period=1000000 switches=1\n"
                           "function main\nfunction work\nfunction tiny\n"
                           "state tiny @10 burst\n"
                           "thread a\n"
                           "a +1 enter main\na +2 enter work caller=main\na +1 sample work\na +2 waits\na +9 on\n"
                           "a +3 exit work\na +50 exit main\n"
                           "window @20 for=10\nin a\ncounted tiny calls=3 caller=main\n"
                           "gpu source\ngpu call for=10 correlation=1\ngpu kernel for=10 correlation=1 name=k\n"
                           "end\n";

struct whole {
  struct trace_folder folder;
  unsigned char *data;
  size_t bytes;
};

static int setup(void **state) {
  struct whole *whole = calloc(1, sizeof *whole);
  struct prof_diag diag = {0};
  trace_folder_make(&whole->folder);
  if (prof_tracetext_write(text, "text", whole->folder.path, &diag) != PROF_OK) {
    print_error("%s\n", diag.what);
    return -1;
  }
  whole->data = trace_folder_read(&whole->folder, &whole->bytes);
  *state = whole;
  return 0;
}

static int teardown(void **state) {
  struct whole *whole = *state;
  trace_folder_remove(&whole->folder);
  free(whole->data);
  free(whole);
  return 0;
}

/* The gaps of what the folder holds now; false: it can't be opened. */
static bool find(const struct whole *whole, struct prof_gaps *gaps) {
  prof_trace *trace;
  if (prof_trace_open(whole->folder.path, NULL, &trace) != PROF_OK)
    return false;
  assert_int_equal(prof_gaps_find(trace, NULL, NULL, gaps), PROF_OK);
  prof_trace_close(trace);
  return true;
}

static uint64_t count_of(const struct prof_gaps *gaps, enum prof_gap_kind kind) {
  for (uint32_t i = 0; i < gaps->count; i++)
    if (gaps->list[i].kind == kind)
      return gaps->list[i].count;
  return 0;
}

static void a_whole_one(void **state) {
  struct whole *whole = *state;
  struct prof_gaps gaps;
  trace_folder_write(&whole->folder, whole->data, whole->bytes);
  assert_true(find(whole, &gaps));
  assert_int_equal(gaps.losses, 0);
  assert_int_equal(gaps.count, 1);
  assert_int_equal(gaps.list[0].kind, PROF_GAP_BURSTS); /* a note */
}

static void a_changed_byte(void **state) {
  struct whole *whole = *state;
  for (size_t at = sizeof(struct prof_format_file); at < whole->bytes;) {
    struct prof_format_chunk head;
    struct prof_gaps gaps;
    memcpy(&head, whole->data + at, sizeof head);
    for (size_t byte = at; byte < at + sizeof head + head.packed_bytes; byte += 3) {
      whole->data[byte] ^= 0x10;
      trace_folder_write(&whole->folder, whole->data, whole->bytes);
      assert_true(!find(whole, &gaps) || gaps.losses > 0);
      whole->data[byte] ^= 0x10;
    }
    at = (at + sizeof head + head.packed_bytes + 7) & ~(size_t)7;
  }
}

static void a_short_file(void **state) {
  struct whole *whole = *state;
  for (size_t bytes = sizeof(struct prof_format_file); bytes + 8 < whole->bytes; bytes += 7) {
    struct prof_gaps gaps;
    trace_folder_write(&whole->folder, whole->data, bytes);
    assert_true(find(whole, &gaps));
    assert_int_equal(count_of(&gaps, PROF_GAP_CUT_SHORT) + count_of(&gaps, PROF_GAP_IN_PROGRESS), 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_one),
      cmocka_unit_test(a_changed_byte),
      cmocka_unit_test(a_short_file),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
