/*
 * test_runtime_texts.c - text that the recorder switches: the copy, switches from outside and inside, forks, refusals.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"
#include "ring_pump_thread.h"

enum { THREADS = 4, SWITCHES = 100000, ROOM = 1 << 20 };

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[256];
static int over;

/* The recorder's side of one copy. */
static struct copy {
  uint8_t *base;
  struct prof_text_head *text;
  struct prof_text_site *sites;
} copy;

static const struct prof_log_head *log_find(uint32_t kind) {
  const struct prof_log_head *head;
  for (uint64_t at = 0; (head = ring_double_log(&ring, &at)) != NULL;)
    if (head->kind == kind)
      return head;
  return NULL;
}

static void start(uint64_t room) {
  ring_double_open(&ring, 256, 8, PROF_WHEN_FULL_WAIT);
  if (room)
    ring_double_open_texts(&ring, room, 0);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

static void start_shared(void) {
  start(ROOM);
  const struct prof_log_module *module = (const void *)log_find(PROF_LOG_MODULE);
  CHECK(module && module->text > module->text_bytes && module->text_bytes % 4096 == 0);
  uint64_t begin = module->text - module->text_bytes;
  copy.base = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, (off_t)begin);
  CHECK(copy.base != MAP_FAILED);
  copy.text = (struct prof_text_head *)(void *)(copy.base + module->text_bytes);
  copy.sites = (struct prof_text_site *)(copy.text + 1);
  CHECK_EQUAL(copy.text->site_count, module->site_count);
}

static void all_switch(bool on) {
  for (uint32_t i = 0; i < copy.text->site_count; i++) {
    const struct prof_text_site *site = &copy.sites[i];
    if (site->at != PROF_TEXT_NO_SITE)
      __atomic_store_n((uint64_t *)(void *)(copy.base + site->at), on ? site->on : site->off, __ATOMIC_RELEASE);
  }
}

/* Without the FRAME that each ENTRY has. */
static size_t events_written(void) {
  size_t count, frames = 0;
  struct prof_event *events = ring_double_events(&ring, 0, &count);
  for (size_t i = 0; i < count; i++)
    frames += prof_event_kind(events[i].what) == PROF_EVENT_FRAME;
  free(events);
  return count - frames;
}

static void switched_from_outside(void) {
  start_shared();
  leaf(1);
  size_t before = events_written();
  CHECK_EQUAL(before, 2);
  all_switch(false);
  CHECK_EQUAL(tree(3), 15);
  CHECK_EQUAL(events_written(), before);
  all_switch(true);
  CHECK_EQUAL(tree(3), 15);
  CHECK_EQUAL(events_written(), before + 30);
}

/* prof_stop and prof_start keep to the states, and tell the recorder that it must leave the text alone. */
static void switched_from_inside(void) {
  start_shared();
  leaf(1);
  for (uint32_t i = 0; i < copy.text->site_count; i++)
    copy.sites[i].state =
        (prof_test_rows_begin[i].kind & PROF_ROW_KIND_MASK) == PROF_PROBE_EXIT ? PROF_SITE_BURST : PROF_SITE_ALWAYS;
  hooks.control(PROF_CONTROL_STOP, NULL);
  CHECK_EQUAL(copy.text->off, 1);
  CHECK_EQUAL(copy.text->holder, PROF_TEXT_FREE);
  leaf(1);
  CHECK_EQUAL(events_written(), 2);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  CHECK_EQUAL(copy.text->off, 0);
  leaf(1);
  CHECK_EQUAL(events_written(), 4); /* STOP, and the ENTRY alone */
}

/* A recorder that died while it held the text keeps nobody waiting for long. */
static void held_by_a_dead_recorder(void) {
  start_shared();
  copy.text->holder = PROF_TEXT_RECORDER;
  hooks.control(PROF_CONTROL_STOP, NULL);
  CHECK_EQUAL(copy.text->off, 1);
}

/* A child that stops its recording doesn't stop its parent's. */
static void forked(void) {
  start_shared();
  pid_t child = fork();
  if (child == 0) {
    leaf(1);
    hooks.control(PROF_CONTROL_STOP, NULL);
    leaf(1);
    _exit(hooks.control(PROF_CONTROL_IS_RECORDING, NULL));
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQUAL(status, 0);
  const struct prof_log_number *lost = (const void *)log_find(PROF_LOG_TEXT_PRIVATE);
  CHECK(lost && lost->value == 1);
  CHECK_EQUAL(copy.text->off, 0);
  CHECK(hooks.control(PROF_CONTROL_IS_RECORDING, NULL));
  leaf(1);
  CHECK(ring_double_find(&ring, (int)getpid()) != UINT32_MAX);
}

static void *run_through(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    CHECK_EQUAL(tree(6), 127);
  return unused;
}

/* The recorder switches while threads run through the sleds. */
static void switched_under_threads(void) {
  pthread_t threads[THREADS];
  start_shared();
  ring_pump_start(&ring, 100, nest_event, nests);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, run_through, NULL), 0);
  for (int i = 0; i < SWITCHES; i++)
    all_switch(i & 1);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK_EQUAL(ring_pump_stop(), 0);
}

/* Without room for the copy the text is patched where it is. */
static void no_room(void) {
  start(4096);
  const struct prof_log_module *module = (const void *)log_find(PROF_LOG_MODULE);
  CHECK(module && module->text == 0);
  leaf(1);
  CHECK_EQUAL(events_written(), 2);
  hooks.control(PROF_CONTROL_STOP, NULL);
  leaf(1);
  CHECK_EQUAL(events_written(), 2);
}

/* Texts beyond the end of the file. */
static void damaged_header(void) {
  ring_double_open(&ring, 256, 8, PROF_WHEN_FULL_WAIT);
  ring.control->texts_offset = 1ull << 40;
  ring.control->texts_bytes = 1ull << 40;
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, 0);
}

PROF_TEST_CHILD(the_recorder_switches, switched_from_outside)
PROF_TEST_CHILD(the_program_switches, switched_from_inside)
PROF_TEST_CHILD(a_dead_recorder_is_not_waited_for, held_by_a_dead_recorder)
PROF_TEST_CHILD(a_child_has_text_of_its_own_when_it_stops, forked)
PROF_TEST_CHILD(threads_run_through_switches, switched_under_threads)
PROF_TEST_CHILD(text_without_room_stays_private, no_room)
PROF_TEST_CHILD(a_damaged_header_is_refused, damaged_header)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_recorder_switches),
      cmocka_unit_test(the_program_switches),
      cmocka_unit_test(a_dead_recorder_is_not_waited_for),
      cmocka_unit_test(a_child_has_text_of_its_own_when_it_stops),
      cmocka_unit_test(threads_run_through_switches),
      cmocka_unit_test(text_without_room_stays_private),
      cmocka_unit_test(a_damaged_header_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
