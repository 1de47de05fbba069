/*
 * test/support/tracetext_samples.c - samples, switches and sparse-clock intervals of a text, and the `sampler` line.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/write/write_bursts.h"
#include "tracetext_parts.h"

#define LIGHT_SPACING 8

prof_status prof_tracetext_sampler_line(struct tracetext *text) {
  text->has_sampler = true;
  text->sampler = (struct prof_sampler){
      .method = (enum prof_sampler_method)prof_tracetext_number(text, "method", PROF_SAMPLER_PERF),
      .asked_hz = (uint32_t)prof_tracetext_number(text, "hz", 1000),
      .period_ns = prof_tracetext_number(text, "period", 1000000),
      .kernel = prof_tracetext_number(text, "kernel", 0),
      .switches = prof_tracetext_number(text, "switches", 0),
      .error_ticks = (uint32_t)prof_tracetext_number(text, "error", 0),
      .lost = prof_tracetext_number(text, "lost", 0),
      .throttled = prof_tracetext_number(text, "throttled", 0),
      .foreign = prof_tracetext_number(text, "foreign", 0),
      .unsampled = prof_tracetext_number(text, "unsampled", 0),
      .reason = prof_tracetext_words(text, "reason", ""),
      .extra_period_ns = prof_tracetext_number(text, "extra", 0),
  };
  return PROF_OK;
}

#define RETURN_OFFSET 0x20 /* in a function: where its calls return to */

/* callers=F,0xADDRESS,...: innermost first. */
static prof_status take_callers(struct tracetext *text, struct text_sample *sample) {
  char *words = (char *)(uintptr_t)prof_tracetext_words(text, "callers", ""), *rest = words;
  sample->first_caller = (uint32_t)text->callers.count;
  for (char *word; (word = strtok_r(rest, ",", &words)) != NULL; rest = NULL) {
    bool is_address = !strncmp(word, "0x", 2);
    struct text_caller caller = {is_address ? PROF_MATCHER_NO_FUNCTION : prof_tracetext_function(text, word),
                                 is_address ? strtoull(word, NULL, 16) : RETURN_OFFSET};
    if (!prof_vec_push(&text->callers, caller))
      return PROF_NO_MEMORY;
  }
  sample->caller_count = (uint32_t)text->callers.count - sample->first_caller;
  return PROF_OK;
}

/* rate @TIME none|usual|fast [lacks=1] */
prof_status prof_tracetext_rate_line(struct tracetext *text) {
  static const char *const words[] = {"none", "usual", "fast"};
  if (text->word_count < 3 || text->words[1][0] != '@')
    return prof_tracetext_wrong(text, "rate @TIME none|usual|fast", text->words[1]);
  for (uint32_t rate = 0; rate < 3; rate++)
    if (!strcmp(text->words[2], words[rate])) {
      struct prof_rate_change change = {text->start + strtoull(text->words[1] + 1, NULL, 0), rate,
                                        prof_tracetext_number(text, "lacks", 0) != 0};
      return prof_vec_push(&text->rates, change) ? PROF_OK : PROF_NO_MEMORY;
    }
  return prof_tracetext_wrong(text, "not a rate", text->words[2]);
}

/* THREAD @N sample FUNCTION [offset=N] [kernel=1] [probe=1] [extra=1] [cpu=N] [callers=FUNCTION,0xADDRESS...], or
 * sample 0xADDRESS; THREAD @N on|preempted|waits; THREAD @N light for=TICKS [events=N] */
prof_status prof_tracetext_sample(struct tracetext *text, uint32_t thread, uint64_t time) {
  static const char *const switches[] = {"sample", "on", "preempted", "waits"};
  struct text_sample sample = {.thread = thread, .function = PROF_MATCHER_NO_FUNCTION};
  uint8_t which = 0;
  if (!strcmp(text->words[2], "light")) {
    struct text_light light = {thread, {.begin = time, .end = time + prof_tracetext_number(text, "for", 1)}};
    light.slice.events = prof_tracetext_number(text, "events", 0);
    return prof_vec_push(&text->lights, light) ? PROF_OK : PROF_NO_MEMORY;
  }
  while (which < 4 && strcmp(text->words[2], switches[which]))
    which++;
  if (which == 4 || (which == 0 && text->word_count < 4))
    return prof_tracetext_wrong(text, "unknown verb", text->words[2]);
  sample.kind = which ? PROF_SAMPLE_SWITCHES : PROF_SAMPLE_SAMPLES;
  sample.record.time = time;
  if (prof_tracetext_option(text, "cpu"))
    sample.record.processor = (uint32_t)prof_tracetext_number(text, "cpu", 0) + 1;
  sample.record.flags = which;
  if (!which)
    sample.record.flags = (uint8_t)((prof_tracetext_number(text, "kernel", 0) ? PROF_SAMPLE_KERNEL : 0) |
                                    (prof_tracetext_number(text, "probe", 0) ? PROF_SAMPLE_PROBE : 0) |
                                    (prof_tracetext_number(text, "extra", 0) ? PROF_SAMPLE_EXTRA : 0));
  if (!which && !strncmp(text->words[3], "0x", 2)) {
    sample.record.address = strtoull(text->words[3], NULL, 16);
  } else if (!which) {
    sample.function = prof_tracetext_function(text, text->words[3]);
    sample.record.address = prof_tracetext_number(text, "offset", 0);
  }
  prof_status status = which ? PROF_OK : take_callers(text, &sample);
  if (status != PROF_OK)
    return status;
  return prof_vec_push(&text->samples, sample) ? PROF_OK : PROF_NO_MEMORY;
}

struct paths {
  PROF_VEC(struct prof_path) items; /* item n - 1 is path n */
};

/* The number of the sample's path, made where it is new. */
static uint32_t path_of(const struct tracetext *text, const struct text_sample *sample, struct paths *paths) {
  uint32_t number = 0;
  for (uint32_t i = sample->caller_count; i-- > 0;) {
    const struct text_caller *caller = &text->callers.items[sample->first_caller + i];
    struct prof_path path = {caller->address, number};
    if (caller->function != PROF_MATCHER_NO_FUNCTION)
      path.address += prof_tracetext_address(text, caller->function);
    for (number = 1; number <= paths->items.count; number++)
      if (paths->items.items[number - 1].address == path.address &&
          paths->items.items[number - 1].parent == path.parent)
        break;
    if (number > paths->items.count && !prof_vec_push(&paths->items, path))
      abort();
  }
  return number;
}

static void put_paths(const struct tracetext *text, prof_writer *writer) {
  struct paths paths = {0};
  for (size_t i = 0; i < text->samples.count; i++)
    text->samples.items[i].record.path = path_of(text, &text->samples.items[i], &paths);
  if (paths.items.count > 0)
    (void)prof_writer_paths(writer, 1, paths.items.items, paths.items.count);
  prof_vec_fini(&paths.items);
}

/* Writes a chunk for each run of one kind and thread, in the order of the text. */
void prof_tracetext_samples_put(struct tracetext *text, prof_writer *writer) {
  PROF_VEC(struct prof_sample_record) records = {0};
  put_paths(text, writer);
  for (size_t i = 0; i < text->samples.count; i++) {
    const struct text_sample *sample = &text->samples.items[i], *next = sample + 1;
    struct prof_sample_record record = sample->record;
    if (sample->function != PROF_MATCHER_NO_FUNCTION)
      record.address += prof_tracetext_address(text, sample->function);
    if (!prof_vec_push(&records, record))
      abort();
    if (i + 1 < text->samples.count && next->kind == sample->kind && next->thread == sample->thread)
      continue;
    struct prof_samples_record chunk = {.kind = sample->kind,
                                        .thread = sample->thread + 1,
                                        .process = text->threads.items[sample->thread].process,
                                        .tid = text->threads.items[sample->thread].tid,
                                        .records = records.items,
                                        .count = (uint32_t)records.count};
    (void)prof_writer_samples(writer, &chunk);
    records.count = 0;
  }
  prof_vec_fini(&records);
  for (size_t i = 0; i < text->lights.count; i++)
    (void)prof_writer_light(writer, text->lights.items[i].thread + 1, LIGHT_SPACING, &text->lights.items[i].slice, 1);
  prof_vec_fini(&text->lights);
  for (size_t i = 0; i < text->slices.count; i++)
    (void)prof_writer_slices(writer, text->slices.items[i].process, &text->slices.items[i].slice,
                             text->slices.items[i].count);
  prof_vec_fini(&text->slices);
  for (size_t i = 0; i < text->controls.count; i++)
    (void)prof_writer_control(writer, &text->controls.items[i]);
  prof_vec_fini(&text->controls);
  if (text->rates.count > 0)
    (void)prof_writer_rates(writer, text->rates.items, text->rates.count);
  prof_vec_fini(&text->rates);
  if (text->has_sampler)
    (void)prof_writer_sampler(writer, &text->sampler);
  prof_tracetext_pmu_put(text, writer);
  prof_tracetext_readings_put(text, writer);
  prof_vec_fini(&text->samples);
  prof_vec_fini(&text->callers);
}
