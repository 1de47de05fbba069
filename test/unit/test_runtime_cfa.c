/*
 * test_runtime_cfa.c - the caller's address and the frame address in events, for all shapes of frames and options.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "cfa_cases.h"
#include "ring_double.h"
#include "sled.h"

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

int main(void) {
#define CFA_ENTRY(suffix) cmocka_unit_test(addresses_are_right_##suffix),
  const struct CMUnitTest tests[] = {CFA_COMPILATIONS(CFA_ENTRY)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
