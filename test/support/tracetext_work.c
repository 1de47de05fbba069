/*
 * test/support/tracetext_work.c - counted pieces of code (wire/work.h) of a text, an object each.
 */
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "tracetext_parts.h"
#include "work.h"

#define BYTES_MAX 256

/* work FUNCTION times=N [loop=L] [flops=N] [more-flops=N] ... */
prof_status prof_tracetext_work_line(struct tracetext *text) {
  static const char *const keys[TEXT_WORK_NUMBERS] = {"flops",  "more-flops",  "loaded",        "more-loaded",
                                                      "stored", "more-stored", "unknown-flops", "unknown-bytes"};
  const char *loop = prof_tracetext_option(text, "loop");
  if (text->word_count < 3)
    return prof_tracetext_wrong(text, "work FUNCTION times=N [...]", text->words[1]);
  struct text_work work = {.function = prof_tracetext_function(text, text->words[1]),
                           .loop = loop ? prof_tracetext_loop(text, loop) : -1,
                           .times = prof_tracetext_number(text, "times", 1)};
  for (size_t i = 0; i < TEXT_WORK_NUMBERS; i++)
    work.numbers[i] = prof_tracetext_number(text, keys[i], 0);
  return prof_vec_push(&text->works, work) ? PROF_OK : PROF_NO_MEMORY;
}

static size_t put_number(uint8_t *to, size_t at, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    to[at++] = (uint8_t)(value | 0x80);
  to[at++] = (uint8_t)value;
  return at;
}

static size_t put_key(uint8_t *to, size_t at, uint64_t key) {
  memcpy(to + at, &key, sizeof key);
  return at + sizeof key;
}

/* Keys are those of tracetext_write.c. */
static size_t put_work(uint8_t *to, size_t at, const struct text_work *work) {
  struct prof_counts_object head = {PROF_WORK_MAGIC, 1, 0};
  size_t head_at = at, begin = put_key(to, at + sizeof head, work->times);
  at = put_key(to, begin, work->function + 1);
  at = put_number(to, at, 0);
  at = put_number(to, at, work->loop >= 0);
  if (work->loop >= 0)
    at = put_key(to, at, (uint64_t)work->loop + 1);
  at = put_number(to, at, work->loop >= 0);
  for (size_t i = 0; i < TEXT_WORK_NUMBERS; i++)
    at = put_number(to, at, work->numbers[i]);
  head.flow_bytes = (uint32_t)(at - begin);
  memcpy(to + head_at, &head, sizeof head);
  return (at + 7) / 8 * 8;
}

void prof_tracetext_work_put(struct tracetext *text, prof_writer *writer) {
  for (uint32_t module = 0; module < text->modules.count; module++) {
    const struct text_module *of = &text->modules.items[module];
    uint8_t *objects = calloc(text->works.count + 1, BYTES_MAX);
    size_t bytes = 0;
    if (!objects)
      abort();
    for (size_t i = 0; i < text->works.count; i++)
      if (text->functions.items[text->works.items[i].function].module == module)
        bytes = put_work(objects, bytes, &text->works.items[i]);
    if (bytes)
      (void)prof_writer_counts(
          writer, &(struct prof_counts_record){.process = of->process ? of->process : text->processes.items[0].process,
                                               .first_site = of->first_site,
                                               .objects = {(const char *)objects, bytes}});
    free(objects);
  }
  prof_vec_fini(&text->works);
}
