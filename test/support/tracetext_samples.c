/*
 * test/support/tracetext_samples.c - samples, switches and sparse-clock intervals of a text, and the `sampler` line.
 */
#include <stdlib.h>
#include <string.h>

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

/* THREAD @N sample FUNCTION [offset=N] [kernel=1] [probe=1] [extra=1] [cpu=N], or sample 0xADDRESS; THREAD @N
 * on|preempted|waits; THREAD @N light for=TICKS [events=N] */
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
  return prof_vec_push(&text->samples, sample) ? PROF_OK : PROF_NO_MEMORY;
}

/* Writes a chunk for each run of one kind and thread, in the order of the text. */
void prof_tracetext_samples_put(struct tracetext *text, prof_writer *writer) {
  PROF_VEC(struct prof_sample_record) records = {0};
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
  if (text->has_sampler)
    (void)prof_writer_sampler(writer, &text->sampler);
  prof_vec_fini(&text->samples);
}
