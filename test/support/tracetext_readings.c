/*
 * test/support/tracetext_readings.c - readings of the machine and of processes.
 */
#include <stdlib.h>

#include "trace/write/write_readings.h"
#include "tracetext_parts.h"

/* reading @TIME WHAT NAME value=N [unit=TEXT] [divisor=N] [sum=1] [process=N] */
prof_status prof_tracetext_reading_line(struct tracetext *text) {
  if (text->word_count < 5 || text->words[1][0] != '@')
    return prof_tracetext_wrong(text, "reading @TIME WHAT NAME value=N", "");
  const struct text_reading reading = {.time = text->start + strtoull(text->words[1] + 1, NULL, 0),
                                       .what = (uint32_t)strtoull(text->words[2], NULL, 0),
                                       .name = text->words[3],
                                       .unit = prof_tracetext_words(text, "unit", ""),
                                       .value = prof_tracetext_number(text, "value", 0),
                                       .divisor = prof_tracetext_number(text, "divisor", 1),
                                       .is_sum = prof_tracetext_number(text, "sum", 0),
                                       .process = (uint32_t)prof_tracetext_number(text, "process", 0)};
  return prof_vec_push(&text->readings, reading) ? PROF_OK : PROF_NO_MEMORY;
}

/* Writes a chunk for each reading, in the order of the text. */
void prof_tracetext_readings_put(struct tracetext *text, prof_writer *writer) {
  for (size_t i = 0; i < text->readings.count; i++) {
    const struct text_reading *reading = &text->readings.items[i];
    const struct prof_reading_head head = {reading->what, reading->is_sum, reading->divisor, prof_span(reading->name),
                                           prof_span(reading->unit)};
    const uint64_t values[] = {reading->time, reading->value};
    (void)prof_writer_readings(writer, &(struct prof_readings_record){reading->process, &head, 1, 1, values});
  }
  prof_vec_fini(&text->readings);
}
