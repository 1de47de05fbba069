/*
 * test/support/tracetext_parts.h - a text once it has been read: what tracetext.c fills and tracetext_write.c writes.
 */
#ifndef PROF_TEST_TRACETEXT_PARTS_H
#define PROF_TEST_TRACETEXT_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "row.h"
#include "trace/encode.h"

#define WORDS_LIMIT 24

struct text_function {
  const char *name, *file;
  uint32_t module, line, language, in_module;
};
struct text_module {
  const char *path, *compiler;
  uint32_t function_count, first_site, process; /* 0: the first */
};
struct text_thread {
  const char *name, *title;
  uint32_t tid, process;
  uint64_t now, lost;
  prof_encoder *encoder;
};
struct text_event {
  uint32_t thread, function;
  uint32_t kind; /* PROF_EVENT_..., or 0: flush */
  uint32_t aux;  /* for an entry: the calling function + 1, when `by_function` */
  bool by_function;
  uint64_t time;
};

struct tracetext {
  struct prof_arena arena;
  const char *name;
  uint32_t line;
  struct prof_diag *diag;
  char *words[WORDS_LIMIT + 1];
  int word_count;
  uint64_t frequency_hz, start;
  uint32_t step;
  PROF_VEC(struct prof_setting_record) settings;
  PROF_VEC(struct prof_process_record) processes;
  PROF_VEC(struct text_module) modules;
  PROF_VEC(struct text_function) functions;
  PROF_VEC(struct text_thread) threads;
  PROF_VEC(struct text_event) events;
  PROF_VEC(struct prof_note_record) notes;
  struct prof_end_record end;
  bool no_end;
};

/* Writes all of it to `directory`/trace. */
prof_status prof_tracetext_put(struct tracetext *, const char *directory);

#endif
