/*
 * test_runtime_cfa.c - the caller's address and the frame address in events, for all shapes of frames and options.
 */
#define _GNU_SOURCE
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cfa.h"
#include "cfa_cases.h"
#include "frames.h"
#include "ring_double.h"
#include "sled.h"

extern const char __executable_start, etext; /* the linker's */

uintptr_t cfa_return, cfa_frame;

__attribute__((noinline)) int cfa_opaque(int x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}

static struct ring_double ring;
static struct prof_hooks hooks;
static struct ring_reader reader;
static struct prof_event last[3]; /* of the latest case: ENTRY, FRAME, LANDED */
static unsigned count;

static void remember(void *context, uint32_t thread, const struct prof_event *event) {
  (void)context;
  (void)thread;
  last[0] = last[1];
  last[1] = last[2];
  last[2] = *event;
  count++;
}

static void check_case(const char *what) {
  uint32_t landed_kinds[3] = {PROF_EVENT_ENTRY, PROF_EVENT_FRAME, PROF_EVENT_LANDED};
  count = 0;
  ring_double_drain(&ring, &reader, ring_double_find(&ring, gettid()), false, remember, NULL);
  if (count != 3)
    fail_msg("%s: %u events", what, count);
  for (int i = 0; i < 3; i++)
    assert_int_equal(prof_event_kind(last[i].what), landed_kinds[i]);
  if (last[0].aux != (uint32_t)cfa_return)
    fail_msg("%s: return address %x, is %x", what, last[0].aux, (uint32_t)cfa_return);
  /* Where it is not known the return address vouches for it: it was read right below. */
  if (last[2].aux != last[1].aux || (cfa_frame && last[1].aux != (uint32_t)cfa_frame))
    fail_msg("%s: frame address %x and %x, is %x", what, last[1].aux, last[2].aux, (uint32_t)cfa_frame);
  assert_int_equal(last[0].time, last[1].time);
}

static int set_up(void **state) {
  (void)state;
  ring_double_open(&ring, 64, 32, PROF_WHEN_FULL_DROP);
  struct prof_module_start start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  return hooks.wire_version == PROF_WIRE_VERSION ? 0 : -1;
}

#define CFA_TEST(suffix)                                                                                               \
  static void addresses_are_right_##suffix(void **state) {                                                             \
    (void)state;                                                                                                       \
    cfa_cases_##suffix(check_case);                                                                                    \
  }
CFA_COMPILATIONS(CFA_TEST)

struct own_frames { /* of this program */
  const uint8_t *header, *begin, *end;
};

static int look(struct dl_phdr_info *info, size_t size, void *argument) {
  struct own_frames *own = argument;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const uint8_t *at = (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      own->header = at;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)at < (uintptr_t)own->begin)
      own->begin = at;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && at + info->dlpi_phdr[i].p_memsz > own->end)
      own->end = at + info->dlpi_phdr[i].p_memsz;
  }
  return 1; /* the program comes first */
}

/* A table that we make of the file's sections finds the same rules as the linker's. */
static void a_made_table_is_as_good_as_the_linkers(void **state) {
  (void)state;
  struct own_frames own = {.begin = (const uint8_t *)UINTPTR_MAX};
  dl_iterate_phdr(look, &own);
  assert_non_null(own.header);
  struct prof_frame_table table =
      prof_frame_table_make("/proc/self/exe", (uintptr_t)&__executable_start, (uintptr_t)own.begin, (uintptr_t)own.end);
  assert_non_null(table.header);
  uint32_t theirs, ours, rules = 0;
  memcpy(&theirs, own.header + 8, sizeof theirs);
  memcpy(&ours, table.header + 4, sizeof ours);
  assert_int_equal(ours, theirs);
  for (const uint8_t *at = (const uint8_t *)&__executable_start; at < (const uint8_t *)&etext; at++) {
    struct prof_cfa expected = prof_cfa_read(own.header, at), got = prof_cfa_read(table.header, at);
    assert_memory_equal(&got, &expected, sizeof got);
    rules += got.known;
  }
  assert_true(rules > 1000);
  prof_frame_table_free(&table);
  assert_null(prof_frame_table_make("/dev/null", 0, 0, UINTPTR_MAX).header);
  assert_null(prof_frame_table_make("/no/such/file", 0, 0, UINTPTR_MAX).header);
}

int main(void) {
#define CFA_ENTRY(suffix) cmocka_unit_test(addresses_are_right_##suffix),
  const struct CMUnitTest tests[] = {
      CFA_COMPILATIONS(CFA_ENTRY) cmocka_unit_test(a_made_table_is_as_good_as_the_linkers),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
