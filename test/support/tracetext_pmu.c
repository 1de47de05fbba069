/*
 * test/support/tracetext_pmu.c - hardware counters of a text, and their samples.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/write/write_pmu.h"
#include "tracetext_parts.h"

/* pmu NAME [value=N] [enabled=NS] [running=NS] [exact=1] [user=1] [ns=1] [refused=TEXT] */
prof_status prof_tracetext_pmu_line(struct tracetext *text) {
  if (text->word_count < 2)
    return prof_tracetext_wrong(text, "pmu NAME", "");
  const char *reason = prof_tracetext_words(text, "refused", "");
  struct prof_pmu pmu = {.number = (uint32_t)text->pmus.count + 1,
                         .name = text->words[1],
                         .reason = reason,
                         .value = prof_tracetext_number(text, "value", 0),
                         .enabled_ns = prof_tracetext_number(text, "enabled", 0),
                         .running_ns = prof_tracetext_number(text, "running", 0),
                         .flags = (prof_tracetext_number(text, "exact", 0) ? PROF_PMU_EXACT : 0) |
                                  (prof_tracetext_number(text, "user", 0) ? PROF_PMU_USER_ONLY : 0) |
                                  (prof_tracetext_number(text, "ns", 0) ? PROF_PMU_NS : 0) |
                                  (*reason ? PROF_PMU_REFUSED : 0)};
  return prof_vec_push(&text->pmus, pmu) ? PROF_OK : PROF_NO_MEMORY;
}

/* THREAD TIME event COUNTER FUNCTION [offset=N] [weight=N] [kernel=1] [probe=1]; or 0xADDRESS instead of FUNCTION */
prof_status prof_tracetext_pmu_event(struct tracetext *text, uint32_t thread, uint64_t time) {
  if (text->word_count < 5)
    return prof_tracetext_wrong(text, "event COUNTER FUNCTION", text->words[2]);
  struct text_pmu_event event = {.thread = thread, .function = PROF_MATCHER_NO_FUNCTION};
  while (event.pmu < text->pmus.count && strcmp(text->pmus.items[event.pmu].name, text->words[3]) != 0)
    event.pmu++;
  if (event.pmu == text->pmus.count)
    return prof_tracetext_wrong(text, "no such counter", text->words[3]);
  event.record = (struct prof_pmu_record){.time = time,
                                          .address = prof_tracetext_number(text, "offset", 0),
                                          .weight = prof_tracetext_number(text, "weight", 1),
                                          .flags = (prof_tracetext_number(text, "kernel", 0) ? PROF_SAMPLE_KERNEL : 0) |
                                                   (prof_tracetext_number(text, "probe", 0) ? PROF_SAMPLE_PROBE : 0)};
  if (!strncmp(text->words[4], "0x", 2))
    event.record.address = strtoull(text->words[4], NULL, 16);
  else
    event.function = prof_tracetext_function(text, text->words[4]);
  return prof_vec_push(&text->pmu_events, event) ? PROF_OK : PROF_NO_MEMORY;
}

/* Writes a chunk for each event, in the order of the text. */
void prof_tracetext_pmu_put(struct tracetext *text, prof_writer *writer) {
  if (text->pmus.count > 0)
    (void)prof_writer_pmus(writer, text->pmus.items, text->pmus.count);
  for (size_t i = 0; i < text->pmu_events.count; i++) {
    struct text_pmu_event *event = &text->pmu_events.items[i];
    if (event->function != PROF_MATCHER_NO_FUNCTION)
      event->record.address += prof_tracetext_address(text, event->function);
    const struct prof_pmu_samples_record chunk = {.thread = event->thread + 1,
                                                  .process = text->threads.items[event->thread].process,
                                                  .tid = text->threads.items[event->thread].tid,
                                                  .pmu = event->pmu + 1,
                                                  .records = &event->record,
                                                  .count = 1};
    (void)prof_writer_pmu_samples(writer, &chunk);
  }
  prof_vec_fini(&text->pmus);
  prof_vec_fini(&text->pmu_events);
}
