/*
 * test/unit/test_event_costs.c - what is removed from single calls' durations for the probes inside, where the threads'
 * CPU time is of more than the events at hand: in a summary's stretches, and with a budget.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "estimate/stretch_span.h"
#include "estimate/summarize.h"
#include "trace/format.h"
#include "trace/read/memory.h"
#include "trace_folder.h"
#include "tracetext.h"

/* A call of outer with 1,000 of tiny inside, of 100,000 ticks; every fifth of its 1,000 samples lies in a probe. */
enum { OUTER, TINY, CALLS = 1000, STEP = 100, LENGTH = CALLS * STEP, SAMPLES = 1000, STRETCHES = 10, TEXT = 1 << 18 };

static const struct prof_stretch_span everything = {.end = UINT64_MAX}; /* what a stretch has is of it */

static void add(char *text, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, TEXT - used, format, arguments);
  va_end(arguments);
}

/* cpu_ns: of all up to the call's end. */
static char *text_of(uint64_t begin, uint64_t cpu_ns, const char *more) {
  char *text = calloc(1, TEXT);
  assert_non_null(text);
  add(text, "clock hz=1000000000\nprocess 1 cost=20 among=10\nsampler method=1 hz=1000 period=1000000 switches=1\n");
  add(text, "function outer line=3\nfunction tiny line=10\nthread main tid=10 cpu=%llu\n", (unsigned long long)cpu_ns);
  add(text, "%smain @%llu enter outer\n", more, (unsigned long long)begin);
  for (int i = 0; i < CALLS; i++)
    add(text, "main +%d enter tiny caller=outer\nmain +%d exit tiny\n", STEP / 2, STEP / 2);
  add(text, "main +%d exit outer\n", STEP / 2);
  for (uint64_t i = 0; i < SAMPLES; i++)
    add(text, "main @%llu sample outer%s\n", (unsigned long long)(begin + i * LENGTH / SAMPLES),
        i % 5 == 0 ? " probe=1" : "");
  return text;
}

static prof_trace *open_text(struct trace_folder *folder, char *text) {
  struct prof_diag diag;
  prof_trace *trace;
  trace_folder_make(folder);
  assert_int_equal(prof_tracetext_write(text, "text", folder->path, &diag), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, &diag, &trace), PROF_OK);
  free(text);
  return trace;
}

/* Events cost 10 ticks, by samples and by calibration: 20,000 of 100,050. */
static void check_outer(uint64_t ticks) {
  assert_in_range(ticks, 79000, 81000);
}

static void check_outers(struct prof_summary *summary, size_t count) {
  size_t outers = 0;
  for (uint32_t i = 0; i < summary->keys.count; i++) {
    if (summary->keys.items[i].kind != PROF_SUMMARY_FUNCTION || summary->keys.items[i].index != OUTER)
      continue;
    const struct prof_histogram *total = &prof_fold_calling_of(&summary->core, i)->total;
    assert_int_equal(prof_histogram_count(&summary->core.histograms, total), count);
    check_outer(prof_histogram_min(total));
    check_outer(total->max);
    outers++;
  }
  assert_int_equal(outers, 1);
}

/* Threads' CPU time grows from stretch to stretch; events and samples are those of each one. */
static void in_stretches(void **state) {
  (void)state;
  struct prof_summary summary;
  assert_int_equal(prof_summary_init(&summary), PROF_OK);
  for (uint64_t i = 1; i <= STRETCHES; i++) {
    struct trace_folder folder;
    prof_trace *trace = open_text(&folder, text_of((i - 1) * 2 * LENGTH, i * LENGTH, ""));
    assert_int_equal(prof_summarize(trace, &everything, NULL, &summary), PROF_OK);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
  check_outers(&summary, STRETCHES);
  assert_int_equal(summary.threads.items[0].events, STRETCHES * (2 * CALLS + 2));
  prof_summary_fini(&summary);
}

/* Leaves EVENTS chunk number `left_out` out of the bytes of a trace; returns how many are left. */
static size_t leave_out(uint8_t *bytes, size_t count, unsigned left_out) {
  size_t kept = sizeof(struct prof_format_file);
  unsigned number = 0;
  for (size_t at = kept; at + sizeof(struct prof_format_chunk) <= count;) {
    struct prof_format_chunk head;
    memcpy(&head, bytes + at, sizeof head);
    size_t size = sizeof head + ((head.packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(PROF_FORMAT_ALIGNMENT - 1ul));
    if (head.kind != PROF_FORMAT_EVENTS || number++ != left_out) {
      memmove(bytes + kept, bytes + at, size);
      kept += size;
    }
    at += size;
  }
  memset(bytes + kept, 0, count - kept);
  return kept;
}

/* A call that begins in one stretch and ends in the next one, half of its probes in each. */
static void across_stretches(void **state) {
  (void)state;
  struct prof_summary summary;
  struct trace_folder folder;
  char *text = text_of(0, LENGTH, ""), *middle = text;
  for (int i = 0; i < CALLS; i++)
    middle = strstr(middle + 1, "enter tiny"); /* of the last call */
  for (int i = 0; i < CALLS / 2; i++)
    for (middle--; strncmp(middle, "main +50 enter", 14) != 0;)
      middle--;
  char *whole = calloc(1, TEXT), *samples = strstr(text, " sample");
  assert_true(whole && samples);
  while (*samples != '\n')
    samples--;
  samples[1] = 0; /* the calibrated cost alone */
  snprintf(whole, TEXT, "%.*smain flush\n%s", (int)(middle - text), text, middle);
  free(text);
  prof_trace_close(open_text(&folder, whole));
  assert_int_equal(prof_summary_init(&summary), PROF_OK);
  for (unsigned left_out = 1; left_out <= 1; left_out--) {
    size_t count;
    uint8_t *file = trace_folder_read(&folder, &count), *bytes = calloc(1, count + PROF_TRACE_MEMORY_PADDING);
    prof_trace *trace;
    assert_non_null(bytes);
    memcpy(bytes, file, count);
    count = leave_out(bytes, count, left_out);
    assert_int_equal(prof_trace_open_memory(bytes, count, NULL, &trace), PROF_OK);
    assert_int_equal(prof_summarize(trace, &everything, NULL, &summary), PROF_OK);
    prof_trace_close(trace);
    free(bytes);
    free(file);
  }
  trace_folder_remove(&folder);
  check_outers(&summary, 1);
  prof_summary_fini(&summary);
}

/* Probes ran in windows and counters for 99 times as long as is shown. */
static void with_a_budget(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_profile *profile;
  struct prof_samples *samples;
  char more[64];
  snprintf(more, sizeof more, "state tiny @%d burst\n", LENGTH + STEP);
  prof_trace *trace = open_text(&folder, text_of(0, 100 * LENGTH, more));
  const struct prof_fold_options options = {.workers = 1};
  assert_int_equal(prof_samples_fold(trace, NULL, &options, NULL, &profile, &samples), PROF_OK);
  const struct prof_histogram *durations = profile->functions[OUTER].durations;
  assert_int_equal(prof_histogram_count(profile->histograms, durations), 1);
  check_outer(prof_histogram_min(durations));
  prof_profile_free(profile);
  prof_samples_free(samples);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_stretches),
      cmocka_unit_test(across_stretches),
      cmocka_unit_test(with_a_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
