/*
 * test/support/tracetext.c - see tracetext.h.
 *
 * The text is read into tables and a list of events per thread line, then everything is written: facts first, events in
 * the order of the text, then threads' final figures.
 */
#include "tracetext.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "row.h"
#include "trace/encode.h"

#define WORDS_LIMIT 24
#define SITES_PER_FUNCTION 3 /* entry, exit, landed */
#define FUNCTION_BYTES 0x100 /* of link-time addresses */
#define MODULE_BIAS 0x7f0000000000ull
#define MODULE_SPAN 0x1000000ull

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

static prof_status wrong(struct tracetext *text, const char *what, const char *word) {
  return prof_diag_fill(text->diag, PROF_USAGE, text->name, text->line, "see test/support/tracetext.md", "%s: %s", what,
                        word ? word : "nothing");
}

/* ---- words ---- */

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Splits a line in place: blanks between words, "..." keeps blanks, \xNN is a byte, # begins a comment. */
static bool split(struct tracetext *text, char *line) {
  text->word_count = 0;
  while (*line) {
    while (*line == ' ' || *line == '\t')
      line++;
    if (!*line || *line == '#')
      break;
    if (text->word_count == WORDS_LIMIT)
      return false;
    char *out = line;
    text->words[text->word_count++] = out;
    bool quoted = false;
    for (; *line && (quoted || (*line != ' ' && *line != '\t')); line++) {
      if (*line == '"') {
        quoted = !quoted;
      } else if (line[0] == '\\' && line[1] == 'x' && hex_digit(line[2]) >= 0 && hex_digit(line[3]) >= 0) {
        *out++ = (char)(hex_digit(line[2]) * 16 + hex_digit(line[3]));
        line += 3;
      } else {
        *out++ = *line;
      }
    }
    bool end = !*line;
    *out = 0;
    if (!end)
      line++;
  }
  text->words[text->word_count] = NULL;
  return true;
}

/* The value of key=value among the words, NULL: not given. */
static const char *option(const struct tracetext *text, const char *key) {
  size_t length = strlen(key);
  for (int i = 1; i < text->word_count; i++)
    if (!strncmp(text->words[i], key, length) && text->words[i][length] == '=')
      return text->words[i] + length + 1;
  return NULL;
}

static uint64_t number(const struct tracetext *text, const char *key, uint64_t otherwise) {
  const char *value = option(text, key);
  return value ? strtoull(value, NULL, 0) : otherwise;
}

static const char *words(struct tracetext *text, const char *key, const char *otherwise) {
  const char *value = option(text, key);
  value = value ? value : otherwise;
  return prof_arena_copy(&text->arena, value, strlen(value));
}

/* ---- things ---- */

static uint32_t last_process(struct tracetext *text) {
  if (!text->processes.count) {
    struct prof_process_record process = {.process = 1, .pid = 1000, .ppid = 1, .executable = prof_span("/bin/app")};
    process.start_ticks = text->start;
    if (!prof_vec_push(&text->processes, process))
      abort();
  }
  return text->processes.items[text->processes.count - 1].process;
}

static uint32_t last_module(struct tracetext *text) {
  if (!text->modules.count &&
      !prof_vec_push(&text->modules, (struct text_module){.path = "/bin/app", .compiler = "GNU C 12"}))
    abort();
  return (uint32_t)text->modules.count - 1;
}

static uint32_t function_named(struct tracetext *text, const char *name) {
  for (size_t i = 0; i < text->functions.count; i++)
    if (!strcmp(text->functions.items[i].name, name))
      return (uint32_t)i;
  uint32_t module = last_module(text);
  struct text_function function = {.name = prof_arena_copy(&text->arena, name, strlen(name)),
                                   .file = "app.c",
                                   .module = module,
                                   .line = 10 * (uint32_t)(text->functions.count + 1),
                                   .language = PROF_LANGUAGE_C,
                                   .in_module = text->modules.items[module].function_count++};
  if (!prof_vec_push(&text->functions, function))
    abort();
  return (uint32_t)text->functions.count - 1;
}

static int thread_named(const struct tracetext *text, const char *name) {
  for (size_t i = 0; i < text->threads.count; i++)
    if (!strcmp(text->threads.items[i].name, name))
      return (int)i;
  return -1;
}

static int new_thread(struct tracetext *text, const char *name) {
  uint32_t index = (uint32_t)text->threads.count;
  struct text_thread thread = {.name = prof_arena_copy(&text->arena, name, strlen(name)),
                               .tid = (uint32_t)number(text, "tid", 1000 + index),
                               .process = (uint32_t)number(text, "process", last_process(text)),
                               .lost = number(text, "lost", 0),
                               .now = text->start};
  thread.title = words(text, "title", name);
  if (!prof_vec_push(&text->threads, thread))
    abort();
  return (int)index;
}

/* ---- lines ---- */

static prof_status line_clock(struct tracetext *text) {
  text->frequency_hz = number(text, "hz", text->frequency_hz);
  text->start = number(text, "start", text->start);
  text->step = (uint32_t)number(text, "step", text->step);
  return text->frequency_hz ? PROF_OK : wrong(text, "a clock needs hz", NULL);
}

static prof_status line_setting(struct tracetext *text) {
  if (text->word_count != 3)
    return wrong(text, "setting KEY VALUE", text->words[1]);
  struct prof_setting_record setting = {words(text, "", text->words[1]), prof_span(words(text, "", text->words[2]))};
  return prof_vec_push(&text->settings, setting) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_process(struct tracetext *text) {
  if (text->word_count < 2)
    return wrong(text, "process NUMBER [...]", NULL);
  uint32_t process = (uint32_t)strtoul(text->words[1], NULL, 0);
  const char *cost = option(text, "cost");
  struct prof_process_record record = {
      .process = process,
      .parent = (uint32_t)number(text, "parent", 0),
      .pid = (uint32_t)number(text, "pid", 999 + process),
      .ppid = (uint32_t)number(text, "ppid", 1),
      .start_ticks = text->start + number(text, "at", 0),
      .event_cost = cost ? (uint32_t)(strtod(cost, NULL) * 1000 + 0.5) : 0,
      .flags = number(text, "forked", 0) ? PROF_FORMAT_PROCESS_FORKED : 0,
      .executable = prof_span(words(text, "exe", "/bin/app")),
  };
  return prof_vec_push(&text->processes, record) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_module(struct tracetext *text) {
  if (text->word_count < 2)
    return wrong(text, "module PATH [compiler=...]", NULL);
  struct text_module module = {.path = words(text, "", text->words[1]),
                               .compiler = words(text, "compiler", "GNU C 12"),
                               .process = (uint32_t)number(text, "process", 0)};
  return prof_vec_push(&text->modules, module) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_function(struct tracetext *text) {
  if (text->word_count < 2)
    return wrong(text, "function NAME [file=...] [line=N]", NULL);
  uint32_t index = function_named(text, text->words[1]); /* may move the items */
  struct text_function *function = &text->functions.items[index];
  function->file = words(text, "file", function->file);
  function->line = (uint32_t)number(text, "line", function->line);
  function->language = (uint32_t)number(text, "language", function->language);
  return PROF_OK;
}

static prof_status line_thread(struct tracetext *text) {
  if (text->word_count < 2 || thread_named(text, text->words[1]) >= 0)
    return wrong(text, "thread NAME [...], once for each", text->words[1]);
  new_thread(text, text->words[1]);
  return PROF_OK;
}

static prof_status line_note(struct tracetext *text) {
  struct prof_note_record note = {.text = prof_span(words(text, "", text->words[1] ? text->words[1] : ""))};
  return prof_vec_push(&text->notes, note) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_end(struct tracetext *text) {
  text->no_end = number(text, "missing", 0);
  text->end.reason = (uint32_t)number(text, "reason", 1);
  text->end.wait_status = (uint32_t)number(text, "status", 0);
  text->end.wall_ns = number(text, "wall", 0);
  text->end.user_ns = number(text, "user", 0);
  text->end.system_ns = number(text, "system", 0);
  text->end.recorder_cpu_ns = number(text, "recorder", 0);
  return PROF_OK;
}

static const struct {
  const char *word;
  uint32_t kind;
  bool function; /* the next word names one */
} verbs[] = {
    {"enter", PROF_EVENT_ENTRY, true},        {"exit", PROF_EVENT_EXIT, true},
    {"land", PROF_EVENT_LANDED, true},        {"frame", PROF_EVENT_FRAME, true},
    {"stall", PROF_EVENT_STALL_BEGIN, false}, {"resume", PROF_EVENT_STALL_END, false},
    {"gap", PROF_EVENT_GAP, false},           {"stop", PROF_EVENT_STOP, false},
};

static uint32_t aux_of(struct tracetext *text, struct text_event *event) {
  const char *caller = option(text, "caller");
  if (caller && !strncmp(caller, "0x", 2))
    return (uint32_t)strtoull(caller, NULL, 16);
  if (caller) {
    event->by_function = true;
    return function_named(text, caller);
  }
  return (uint32_t)number(text, "address", number(text, "lost", 0));
}

/* THREAD +N|-N|@N VERB [FUNCTION] [key=value...], or THREAD flush */
static prof_status line_event(struct tracetext *text) {
  int index = thread_named(text, text->words[0]);
  if (index < 0)
    return wrong(text, "no such thread or word", text->words[0]);
  struct text_thread *thread = &text->threads.items[index];
  struct text_event event = {.thread = (uint32_t)index};
  if (text->word_count == 2 && !strcmp(text->words[1], "flush"))
    return prof_vec_push(&text->events, event) ? PROF_OK : PROF_NO_MEMORY;
  if (text->word_count < 3 || !strchr("+-@", text->words[1][0]))
    return wrong(text, "THREAD +TICKS VERB", text->words[1]);
  uint64_t ticks = strtoull(text->words[1] + 1, NULL, 0);
  thread->now = text->words[1][0] == '@'   ? text->start + ticks
                : text->words[1][0] == '+' ? thread->now + ticks
                                           : thread->now - ticks;
  event.time = thread->now;
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(text->words[2], verbs[i].word))
      continue;
    if (verbs[i].function && text->word_count < 4)
      return wrong(text, "this verb needs a function", text->words[2]);
    event.kind = verbs[i].kind;
    event.function = verbs[i].function ? function_named(text, text->words[3]) : PROF_ENCODER_NO_FUNCTION;
    event.aux = aux_of(text, &event);
    return prof_vec_push(&text->events, event) ? PROF_OK : PROF_NO_MEMORY;
  }
  return wrong(text, "unknown verb", text->words[2]);
}

static prof_status take_line(struct tracetext *text) {
  static const struct {
    const char *word;
    prof_status (*take)(struct tracetext *);
  } lines[] = {
      {"clock", line_clock},       {"setting", line_setting}, {"process", line_process}, {"module", line_module},
      {"function", line_function}, {"thread", line_thread},   {"note", line_note},       {"end", line_end},
  };
  if (!text->word_count)
    return PROF_OK;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strcmp(text->words[0], lines[i].word))
      return lines[i].take(text);
  return line_event(text);
}

static prof_status parse(struct tracetext *text, const char *source) {
  prof_status status = PROF_OK;
  while (*source && status == PROF_OK) {
    size_t length = strcspn(source, "\n");
    char *line = prof_arena_copy(&text->arena, source, length);
    text->line++;
    source += length + (source[length] == '\n');
    if (!line)
      return PROF_NO_MEMORY;
    if (!split(text, line))
      return wrong(text, "too many words", NULL);
    status = take_line(text);
  }
  return status;
}

/* ---- writing ---- */

static uint64_t address_of(const struct tracetext *text, uint32_t function) {
  return 0x1000 + (uint64_t)text->functions.items[function].in_module * FUNCTION_BYTES;
}

static uint64_t bias_of(uint32_t module) {
  return MODULE_BIAS + module * MODULE_SPAN;
}

static uint32_t site_of(const struct tracetext *text, uint32_t function, uint32_t kind) {
  const struct text_function *item = &text->functions.items[function];
  return text->modules.items[item->module].first_site + item->in_module * SITES_PER_FUNCTION + kind - 1;
}

static void write_module(struct tracetext *text, prof_writer *writer, uint32_t index) {
  struct text_module *module = &text->modules.items[index];
  uint32_t count = module->function_count, site_count = count * SITES_PER_FUNCTION;
  struct prof_function_record *functions = calloc(count + 1, sizeof *functions);
  struct prof_site_record *sites = calloc(site_count + 1, sizeof *sites);
  if (!functions || !sites)
    abort();
  for (uint32_t i = 0; i < text->functions.count; i++) {
    const struct text_function *function = &text->functions.items[i];
    if (function->module != index)
      continue;
    uint32_t at = function->in_module;
    functions[at] = (struct prof_function_record){.key = i + 1,
                                                  .line = function->line,
                                                  .statements = 10,
                                                  .language = (uint16_t)function->language,
                                                  .name = prof_span(function->name),
                                                  .file = prof_span(function->file)};
    for (uint32_t kind = 1; kind <= SITES_PER_FUNCTION; kind++)
      sites[at * SITES_PER_FUNCTION + kind - 1] =
          (struct prof_site_record){address_of(text, i) + 0x10 * (kind - 1), kind, function->line, at};
  }
  uint8_t build_id[20] = {0xb0, (uint8_t)index};
  struct prof_module_record record = {.module = index + 1,
                                      .build_id = build_id,
                                      .build_id_bytes = sizeof build_id,
                                      .path = prof_span(module->path),
                                      .compiler = prof_span(module->compiler),
                                      .functions = functions,
                                      .function_count = count,
                                      .sites = sites,
                                      .site_count = site_count};
  (void)prof_writer_module(writer, &record);
  struct prof_load_record load = {.process = module->process ? module->process : text->processes.items[0].process,
                                  .module = index + 1,
                                  .first_site = module->first_site,
                                  .site_count = site_count,
                                  .bias = bias_of(index),
                                  .begin = bias_of(index),
                                  .end = bias_of(index) + MODULE_SPAN};
  (void)prof_writer_load(writer, &load);
  free(functions);
  free(sites);
}

static void write_facts(struct tracetext *text, prof_writer *writer) {
  uint32_t next_site = 1;
  last_process(text);
  for (size_t i = 0; i < text->modules.count; i++) {
    text->modules.items[i].first_site = next_site;
    next_site += text->modules.items[i].function_count * SITES_PER_FUNCTION;
  }
  (void)prof_writer_settings(writer, text->settings.items, (uint32_t)text->settings.count);
  struct prof_clock_record clock = {.ticks = text->start,
                                    .monotonic_ns = 1000000000,
                                    .realtime_ns = 1600000000000000000,
                                    .frequency_hz = text->frequency_hz,
                                    .step_ticks = text->step,
                                    .flags = PROF_FORMAT_CLOCK_INVARIANT,
                                    .source = 1};
  (void)prof_writer_clock(writer, &clock);
  for (size_t i = 0; i < text->processes.count; i++)
    (void)prof_writer_process(writer, &text->processes.items[i]);
  for (uint32_t i = 0; i < text->modules.count; i++)
    write_module(text, writer, i);
}

static void write_events(struct tracetext *text, prof_packer *packer) {
  uint32_t site_count = 1;
  for (size_t i = 0; i < text->modules.count; i++)
    site_count += text->modules.items[i].function_count * SITES_PER_FUNCTION;
  uint32_t *functions = calloc(site_count, sizeof *functions);
  for (uint32_t i = 0; functions && i < text->functions.count; i++)
    for (uint32_t kind = 1; kind <= SITES_PER_FUNCTION; kind++)
      functions[site_of(text, i, kind)] = i;
  for (size_t i = 0; i < text->threads.count; i++)
    text->threads.items[i].encoder = prof_encoder_new(packer, (uint32_t)i + 1);
  struct prof_site_map map = {functions, site_count};
  for (size_t i = 0; i < text->events.count; i++) {
    const struct text_event *event = &text->events.items[i];
    prof_encoder *encoder = text->threads.items[event->thread].encoder;
    if (!encoder || !functions)
      abort();
    if (!event->kind) {
      (void)prof_encoder_flush(encoder, false);
      continue;
    }
    uint32_t site_kind = event->kind == PROF_EVENT_FRAME ? PROF_EVENT_ENTRY : event->kind;
    uint32_t site = event->function == PROF_ENCODER_NO_FUNCTION ? 0 : site_of(text, event->function, site_kind);
    uint32_t aux = event->aux;
    if (event->by_function)
      aux = (uint32_t)(bias_of(text->functions.items[aux].module) + address_of(text, aux) + 0x20);
    struct prof_event slot = {event->time, prof_event_what(site, event->kind), aux};
    prof_encoder_drain(encoder, &slot, 1, &map, false);
  }
  free(functions);
}

static void write_threads(struct tracetext *text, prof_writer *writer) {
  for (uint32_t i = 0; i < text->threads.count; i++) {
    struct text_thread *thread = &text->threads.items[i];
    struct prof_encoder_figures figures;
    (void)prof_encoder_flush(thread->encoder, true);
    prof_encoder_figures(thread->encoder, &figures);
    struct prof_thread_record record = {.thread = i + 1,
                                        .process = thread->process,
                                        .tid = thread->tid,
                                        .flags = PROF_FORMAT_THREAD_ENDED,
                                        .start_ticks = text->start,
                                        .end_ticks = figures.last_ticks,
                                        .lost = thread->lost + figures.gap_lost,
                                        .stalled_ticks = figures.stalled_ticks,
                                        .inversions = figures.inversions,
                                        .torn = figures.torn,
                                        .unmatched = figures.unmatched,
                                        .skipped = figures.skipped,
                                        .name = prof_span(thread->title)};
    (void)prof_writer_thread(writer, &record);
    text->end.events += figures.events;
    text->end.lost += record.lost;
    prof_encoder_free(thread->encoder);
  }
}

static prof_status write_all(struct tracetext *text, const char *directory) {
  struct prof_writer_options options = {.start_realtime_ns = 1600000000000000000, .id = {1}};
  prof_writer *writer;
  prof_status status = prof_writer_open(directory, &options, text->diag, &writer);
  if (status != PROF_OK)
    return status;
  prof_packer *packer = prof_packer_new(writer);
  if (!packer)
    abort();
  write_facts(text, writer);
  write_events(text, packer);
  write_threads(text, writer);
  for (size_t i = 0; i < text->notes.count; i++)
    (void)prof_writer_note(writer, &text->notes.items[i]);
  if (!text->no_end)
    (void)prof_writer_end(writer, &text->end);
  prof_packer_free(packer);
  return prof_writer_close(writer, text->diag); /* errors are sticky: this one says them all */
}

prof_status prof_tracetext_write(const char *source, const char *name, const char *directory, struct prof_diag *diag) {
  struct tracetext text = {.name = name, .diag = diag, .frequency_hz = 1000000000, .start = 1000000, .step = 1};
  text.end.reason = 1;
  prof_status status = parse(&text, source);
  if (status == PROF_OK)
    status = write_all(&text, directory);
  prof_vec_fini(&text.settings);
  prof_vec_fini(&text.processes);
  prof_vec_fini(&text.modules);
  prof_vec_fini(&text.functions);
  prof_vec_fini(&text.threads);
  prof_vec_fini(&text.events);
  prof_vec_fini(&text.notes);
  prof_arena_fini(&text.arena);
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}
