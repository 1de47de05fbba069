/*
 * test/support/tracetext_lines.c - timed lines (wire/times.h) of a text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"
#include "tracetext_parts.h"

/* lines [cost=TICKS] [among=TICKS]: of one reading, for all lines */
prof_status prof_tracetext_lines_line(struct tracetext *text) {
  const char *cost = prof_tracetext_option(text, "cost"), *among = prof_tracetext_option(text, "among");
  text->line_cost = cost ? (uint32_t)(strtod(cost, NULL) * 1000 + 0.5) : 0;
  text->line_among = among ? (uint32_t)(strtod(among, NULL) * 1000 + 0.5) : 0;
  return PROF_OK;
}

/* line FUNCTION NUMBER ticks=N visits=N [calls=1] [goes-on=1] */
prof_status prof_tracetext_line_line(struct tracetext *text) {
  if (text->word_count < 3)
    return prof_tracetext_wrong(text, "line FUNCTION NUMBER [...]", text->words[1]);
  uint32_t flag = prof_tracetext_number(text, "calls", 0)     ? PROF_ROW_LINE_CALLS
                  : prof_tracetext_number(text, "goes-on", 0) ? PROF_ROW_LINE_GOES_ON
                                                              : PROF_ROW_LINE_BEGINS;
  struct text_timed_line line = {.function = prof_tracetext_function(text, text->words[1]),
                                 .line = (uint32_t)strtoul(text->words[2], NULL, 0),
                                 .kind = PROF_PROBE_LINE | flag,
                                 .ticks = prof_tracetext_number(text, "ticks", 0),
                                 .visits = prof_tracetext_number(text, "visits", 0)};
  return prof_vec_push(&text->timed_lines, line) ? PROF_OK : PROF_NO_MEMORY;
}

static uint32_t add_text(char *texts, size_t *used, const struct text_function *function) {
  size_t at = *used;
  *used += (size_t)sprintf(texts + at, "%s\n%s", function->name, function->file) + 1;
  return (uint32_t)at;
}

static size_t texts_bytes(const struct tracetext *text, uint32_t module) {
  size_t bytes = 0;
  for (size_t i = 0; i < text->timed_lines.count; i++) {
    const struct text_function *function = &text->functions.items[text->timed_lines.items[i].function];
    bytes += function->module == module ? strlen(function->name) + strlen(function->file) + 2 : 0;
  }
  return bytes;
}

static void put_module(const struct tracetext *text, prof_writer *writer, uint32_t module, uint32_t count) {
  size_t text_bytes = texts_bytes(text, module), used = 0;
  size_t bytes = sizeof(struct prof_times_object) +
                 count * (sizeof(struct prof_times_slot) + sizeof(struct prof_times_place)) + text_bytes;
  struct prof_times_object *object = calloc(1, bytes);
  if (!object)
    abort();
  struct prof_times_slot *slot = (struct prof_times_slot *)(object + 1);
  struct prof_times_place *place = (struct prof_times_place *)(slot + count);
  char *texts = (char *)(place + count);
  *object = (struct prof_times_object){.magic = PROF_TIMES_MAGIC,
                                       .slot_count = count,
                                       .text_bytes = (uint32_t)text_bytes,
                                       .cost_ticks_x1000 = text->line_cost,
                                       .among_cost_ticks_x1000 = text->line_among};
  for (size_t i = 0; i < text->timed_lines.count; i++) {
    const struct text_timed_line *line = &text->timed_lines.items[i];
    const struct text_function *function = &text->functions.items[line->function];
    if (function->module != module)
      continue;
    *slot++ = (struct prof_times_slot){line->ticks, line->visits};
    *place++ = (struct prof_times_place){.line = line->line,
                                         .kind = line->kind,
                                         .text = add_text(texts, &used, function),
                                         .site = prof_tracetext_site(text, line->function)};
  }
  const struct text_module *of = &text->modules.items[module];
  (void)prof_writer_counts(
      writer, &(struct prof_counts_record){.process = of->process ? of->process : text->processes.items[0].process,
                                           .first_site = of->first_site,
                                           .objects = {(const char *)object, bytes}});
  free(object);
}

void prof_tracetext_lines_put(struct tracetext *text, prof_writer *writer) {
  for (uint32_t module = 0; module < text->modules.count; module++) {
    uint32_t count = 0;
    for (size_t i = 0; i < text->timed_lines.count; i++)
      count += text->functions.items[text->timed_lines.items[i].function].module == module;
    if (count > 0)
      put_module(text, writer, module, count);
  }
  prof_vec_fini(&text->timed_lines);
}
