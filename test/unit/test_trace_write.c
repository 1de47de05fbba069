/*
 * test/unit/test_trace_write.c - the writer: whose file it makes, what it says when it can't, what stays behind; and
 * that all facts come back as they were given.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>
#include <pthread.h>

#include "match/matcher.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"
#include "trace_touch.h"

static prof_writer *open_writer(const struct trace_folder *folder) {
  prof_writer *writer;
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  return writer;
}

static void the_file_is_private(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  mode_t before = umask(0);
  prof_writer *writer = open_writer(&folder);
  umask(before);
  struct stat status;
  assert_int_equal(stat(folder.file, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  trace_folder_remove(&folder);
}

static void nothing_is_overwritten_or_followed(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_diag diag;
  prof_writer *writer;
  char target[96];
  trace_folder_make(&folder);
  snprintf(target, sizeof target, "%s/elsewhere", folder.path);
  trace_folder_write(&folder, "mine", 4);
  assert_int_equal(prof_writer_open(folder.path, NULL, &diag, &writer), PROF_USAGE);
  assert_null(writer);
  assert_string_equal(diag.file, folder.file);
  unlink(folder.file);
  assert_int_equal(symlink(target, folder.file), 0);
  assert_int_equal(prof_writer_open(folder.path, NULL, &diag, &writer), PROF_USAGE);
  assert_int_not_equal(access(target, F_OK), 0);
  trace_folder_remove(&folder);
  assert_int_equal(prof_writer_open("/nowhere/at/all", NULL, &diag, &writer), PROF_NOT_FOUND);
  assert_int_equal(prof_writer_open("/proc/self", NULL, &diag, &writer) == PROF_OK, 0);
  assert_true(*diag.remedy);
}

static void a_full_disk_leaves_whole_chunks(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  struct rlimit limit, small;
  getrlimit(RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 1000;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  struct prof_note_record note = {.text = prof_span("what was written before stays readable")};
  int written = 0;
  while (written < 100 && prof_writer_note(writer, &note) == PROF_OK)
    written++;
  uint64_t bytes = prof_writer_bytes(writer);
  struct prof_diag diag;
  assert_int_equal(prof_writer_note(writer, &note), PROF_IO);
  setrlimit(RLIMIT_FSIZE, &limit);
  assert_int_equal(prof_writer_note(writer, &note), PROF_IO); /* also when there is room again */
  assert_int_equal(prof_writer_error(writer, &diag), PROF_IO);
  assert_int_equal(prof_writer_bytes(writer), bytes);
  assert_int_equal(prof_writer_close(writer, &diag), PROF_IO);
  assert_string_equal(diag.file, folder.file);
  assert_true(*diag.remedy);
  struct trace_touched touched;
  assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.damage.bytes_skipped, 0);
  assert_true(touched.damage.cut);
  prof_trace *trace;
  size_t count;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  prof_trace_notes(trace, &count);
  assert_int_equal(count, written);
  assert_int_equal(prof_trace_info(trace)->file_bytes, bytes);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* ---- facts there and back ---- */

static void write_facts(prof_writer *writer) {
  struct prof_setting_record settings[] = {
      {"command", {"./a\0b", 6}}, {"host", prof_span("here")}, {"empty", {NULL, 0}}};
  struct prof_clock_record clocks[] = {
      {5000, 1, 2, 999, 0, 0, 1}, {6000, 3, 4, 2250000000, 22, PROF_FORMAT_CLOCK_INVARIANT, 2, 77, prof_span("hpet")}};
  struct prof_process_record processes[] = {
      {.process = 4, .pid = 40, .ppid = 1, .start_ticks = 5001, .event_cost = 31250, .event_cost_among = 20125},
      {4 + 5, 4, 41, 40, 5002, 0, PROF_FORMAT_PROCESS_FORKED, prof_span("/b")},
      {10, 4, 42, 40, 5003, 0, 0, prof_span("/c")}};
  struct prof_function_record functions[] = {
      {1, 10, 3, 0x10, 1, prof_span("one"), prof_span("a.c")},
      {2, 20, 4, 0, 2, prof_span(""), prof_span("")},
  };
  struct prof_site_record sites[] = {
      {0x1000, 1, 10, 0, 0xff0}, {0x1010, 2, 11, 0}, {0x2040, 1, 20, 1, 0x2040}, {0x3000, 1, 0, UINT32_MAX}};
  uint8_t build_id[20] = {1, 2, 3};
  struct prof_module_record modules[] = {
      {7, 20, build_id, prof_span("/m"), prof_span("GNU C 12"), functions, 2, sites, 4},
      {3, 0, NULL, prof_span("/n"), prof_span(""), NULL, 0, NULL, 0},
  };
  struct prof_load_record loads[] = {{4, 7, 100, 4, 0x7f0000000000, 0x7f00fffff000, 0x7f0100001000, 2},
                                     {10, 7, 200, 4, 0x10000, 0x11000, 0x20000, 0}};
  struct prof_thread_record threads[] = {{.thread = 2, .process = 9, .tid = 41, .name = prof_span("early")},
                                         {2, 9, 41, 1, 10, 20, 1, 2, 3, 4, 5, 6, prof_span("late"), 7, 8, 9}};
  struct prof_note_record note = {4, 0, prof_span("look")};
  struct prof_end_record end = {2, 256, 11, 12, 13, 14, 15, 16};
  assert_int_equal(prof_writer_settings(writer, settings, 3), PROF_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(prof_writer_clock(writer, &clocks[i]), PROF_OK);
  for (int i = 0; i < 3; i++)
    assert_int_equal(prof_writer_process(writer, &processes[i]), PROF_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(prof_writer_module(writer, &modules[i]), PROF_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(prof_writer_load(writer, &loads[i]), PROF_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(prof_writer_thread(writer, &threads[i]), PROF_OK);
  assert_int_equal(prof_writer_note(writer, &note), PROF_OK);
  assert_int_equal(prof_writer_end(writer, &end), PROF_OK);
}

static void check_info(const prof_trace *trace) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  assert_int_equal(info->start_ticks, 5000);
  assert_int_equal(info->start_realtime_ns, 2); /* read together with them, unlike the header's */
  assert_int_equal(info->frequency_hz, 2250000000);
  assert_int_equal(info->clock_step_ticks, 22);
  assert_true(info->clock_invariant && !info->clock_compared);
  assert_int_equal(info->clock_source, PROF_FORMAT_CLOCK_OS);
  assert_int_equal(info->clock_skew_ticks, 77);
  assert_string_equal(info->kernel_clock, "hpet");
  assert_true(info->complete);
  assert_int_equal(info->end_reason, 2);
  assert_int_equal(info->wait_status, 256);
  assert_int_equal(info->wall_ns, 11);
  assert_int_equal(info->user_ns, 12);
  assert_int_equal(info->system_ns, 13);
  assert_int_equal(info->recorder_cpu_ns, 14);
  assert_int_equal(info->lost, 1);
  size_t bytes;
  assert_memory_equal(prof_trace_setting(trace, "command", &bytes), "./a\0b", 6);
  assert_int_equal(bytes, 6);
  assert_string_equal(prof_trace_setting(trace, "host", NULL), "here");
  assert_string_equal(prof_trace_setting(trace, "empty", NULL), "");
  assert_null(prof_trace_setting(trace, "absent", NULL));
}

static void check_tables(const prof_trace *trace) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  assert_int_equal(count, 3);
  assert_int_equal(processes[1].number, 9);
  assert_int_equal(processes[1].parent, 0);
  assert_true(processes[1].forked && !processes[2].forked);
  assert_true(processes[0].event_cost_ticks == 31.25 && processes[0].event_cost_among_ticks == 20.125);
  assert_true(processes[1].event_cost_among_ticks == 0);
  assert_string_equal(processes[2].executable, "/c");
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  assert_int_equal(count, 2);
  assert_int_equal(modules[0].build_id_bytes, 20);
  assert_int_equal(modules[0].build_id[2], 3);
  assert_int_equal(modules[0].function_count, 2);
  assert_string_equal(modules[0].compiler, "GNU C 12");
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  assert_int_equal(count, 2);
  assert_string_equal(functions[0].name, "one");
  assert_string_equal(functions[1].name, "0x2040"); /* nameless: after its first site */
  assert_int_equal(functions[0].flags, 0x10);
  assert_int_equal(functions[0].statements, 3);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  assert_int_equal(count, 1);
  assert_string_equal(threads[0].name, "late"); /* the last one counts */
  assert_int_equal(threads[0].process, 1);
  const uint64_t figures[] = {threads[0].start_ticks,   threads[0].end_ticks,  threads[0].lost,
                              threads[0].stalled_ticks, threads[0].inversions, threads[0].torn,
                              threads[0].unmatched,     threads[0].skipped,    threads[0].cpu_ns,
                              threads[0].cpu_ticks,     threads[0].moves};
  static const uint64_t expected[] = {10, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  assert_memory_equal(figures, expected, sizeof figures);
}

static void check_sites(const prof_trace *trace) {
  assert_int_equal(prof_trace_site(trace, 99).function, PROF_NONE);
  assert_int_equal(prof_trace_site(trace, 101).function, 0);
  assert_int_equal(prof_trace_site(trace, 101).line, 11);
  const uint64_t begins[] = {0xff0, 0, 0x2040, 0};
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(prof_trace_site(trace, 100 + i).begin, begins[i]);
  assert_int_equal(prof_trace_site(trace, 102).function, 1);
  assert_int_equal(prof_trace_site(trace, 103).function, PROF_NONE);
  assert_int_equal(prof_trace_site(trace, 103).address, 0x3000);
  assert_int_equal(prof_trace_site(trace, 104).function, PROF_NONE);
  assert_int_equal(prof_trace_site(trace, 200).function,
                   0); /* the same module in another process: the same functions */
  assert_int_equal(prof_trace_site(trace, UINT32_MAX).function, PROF_NONE);
  uint32_t module;
  uint64_t address;
  assert_true(prof_trace_caller(trace, 0, 0xfffff010, &module, &address)); /* below the 4 GiB line inside the module */
  assert_int_equal(address, 0xfffff010);
  assert_true(prof_trace_caller(trace, 0, 0x10, &module, &address)); /* and above it */
  assert_int_equal(address, 0x100000010);
  assert_int_equal(module, 0);
  assert_true(prof_trace_caller(trace, 1, 0x10, &module, &address));    /* forked: its parent's loads hold */
  assert_false(prof_trace_caller(trace, 2, 0x10, &module, &address));   /* exec'd: they don't */
  assert_false(prof_trace_caller(trace, 0, 0x5000, &module, &address)); /* between modules */
  assert_false(prof_trace_caller(trace, 77, 0x10, &module, &address));
}

static void facts_come_back(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  write_facts(writer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  check_info(trace);
  check_tables(trace);
  check_sites(trace);
  size_t count;
  assert_string_equal(prof_trace_notes(trace, &count)[0], "look");
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* ---- several threads write at once ---- */

#define WRITERS 4
#define WRITER_EVENTS 300000

struct worker {
  prof_writer *writer;
  uint32_t number;
};

static void *work(void *argument) {
  const struct worker *worker = argument;
  prof_packer *packer = prof_packer_new(worker->writer);
  prof_matcher *matcher = prof_matcher_new(packer, worker->number);
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  struct prof_site_map map = {functions, 3};
  for (uint32_t i = 0; i < WRITER_EVENTS; i++) {
    struct prof_event event = {1000 + i, prof_event_what(1 + i % 2, 1 + i % 2), 0};
    prof_matcher_drain(matcher, &event, 1, &map, false);
    if (i % 5000 == 0)
      (void)prof_encoder_flush(prof_matcher_encoder(matcher), false);
  }
  (void)prof_encoder_flush(prof_matcher_encoder(matcher), true);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  return NULL;
}

static void threads_append_whole_chunks(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  pthread_t threads[WRITERS];
  struct worker workers[WRITERS];
  for (uint32_t i = 0; i < WRITERS; i++) {
    workers[i] = (struct worker){writer, i + 1};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (uint32_t i = 0; i < WRITERS; i++)
    pthread_join(threads[i], NULL);
  struct prof_sample_record record = {.time = 2000};
  struct prof_samples_record samples = {PROF_SAMPLE_SAMPLES, 1, 1, 100, &record, 1};
  assert_int_equal(prof_writer_samples(writer, &samples), PROF_OK); /* its records are no events */
  assert_int_equal(prof_writer_events(writer), (uint64_t)WRITERS * WRITER_EVENTS);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  struct trace_touched touched;
  assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, (uint64_t)WRITERS * WRITER_EVENTS);
  assert_int_equal(touched.holes + touched.damage.bytes_skipped + touched.damage.chunks_damaged, 0);
  trace_folder_remove(&folder);
}

static void nothing_goes_beyond_a_ceiling(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  struct prof_note_record small = {.text = prof_span("small")};
  char text[300];
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = (char)(i * i * 7 + i); /* packs badly */
  struct prof_note_record large = {.text = {text, sizeof text}};
  prof_writer_set_ceiling(writer, prof_writer_bytes(writer) + 200);
  assert_int_equal(prof_writer_note(writer, &small), PROF_OK);
  uint64_t bytes = prof_writer_bytes(writer);
  assert_int_equal(prof_writer_note(writer, &large), PROF_OK);
  assert_int_equal(prof_writer_note(writer, &small), PROF_OK); /* it would fit, but may refer to what is missing */
  assert_int_equal(prof_writer_bytes(writer), bytes);
  assert_int_equal(prof_writer_left_out(writer), 2);
  prof_writer_set_ceiling(writer, UINT64_MAX);
  assert_int_equal(prof_writer_note(writer, &large), PROF_OK);
  assert_int_equal(prof_writer_left_out(writer), 2);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_file_is_private),
      cmocka_unit_test(nothing_is_overwritten_or_followed),
      cmocka_unit_test(a_full_disk_leaves_whole_chunks),
      cmocka_unit_test(facts_come_back),
      cmocka_unit_test(threads_append_whole_chunks),
      cmocka_unit_test(nothing_goes_beyond_a_ceiling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
