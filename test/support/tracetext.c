/*
 * test/support/tracetext.c - see tracetext.h.
 *
 * The text is read into tables and a list of events; tracetext_write.c writes them.
 */
#include "tracetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tracetext_parts.h"

prof_status prof_tracetext_wrong(struct tracetext *text, const char *what, const char *word) {
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

/* The value of key=value among the words; NULL: not given. */
const char *prof_tracetext_option(const struct tracetext *text, const char *key) {
  size_t length = strlen(key);
  for (int i = 1; i < text->word_count; i++)
    if (!strncmp(text->words[i], key, length) && text->words[i][length] == '=')
      return text->words[i] + length + 1;
  return NULL;
}

uint64_t prof_tracetext_number(const struct tracetext *text, const char *key, uint64_t otherwise) {
  const char *value = prof_tracetext_option(text, key);
  return value ? strtoull(value, NULL, 0) : otherwise;
}

const char *prof_tracetext_words(struct tracetext *text, const char *key, const char *otherwise) {
  const char *value = prof_tracetext_option(text, key);
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

uint32_t prof_tracetext_function(struct tracetext *text, const char *name) {
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

int prof_tracetext_thread(const struct tracetext *text, const char *name) {
  for (size_t i = 0; i < text->threads.count; i++)
    if (!strcmp(text->threads.items[i].name, name))
      return (int)i;
  return -1;
}

static int new_thread(struct tracetext *text, const char *name) {
  uint32_t index = (uint32_t)text->threads.count;
  struct text_thread thread = {.name = prof_arena_copy(&text->arena, name, strlen(name)),
                               .tid = (uint32_t)prof_tracetext_number(text, "tid", 1000 + index),
                               .process = (uint32_t)prof_tracetext_number(text, "process", last_process(text)),
                               .lost = prof_tracetext_number(text, "lost", 0),
                               .cpu_ns = prof_tracetext_number(text, "cpu", 0),
                               .told_ticks = prof_tracetext_number(text, "told", 0),
                               .moves = prof_tracetext_number(text, "moves", 0),
                               .line_readings = prof_tracetext_number(text, "readings", 0),
                               .now = text->start};
  thread.title = prof_tracetext_words(text, "title", name);
  if (!prof_vec_push(&text->threads, thread))
    abort();
  return (int)index;
}

/* ---- lines ---- */

static prof_status line_clock(struct tracetext *text) {
  text->frequency_hz = prof_tracetext_number(text, "hz", text->frequency_hz);
  text->start = prof_tracetext_number(text, "start", text->start);
  text->step = (uint32_t)prof_tracetext_number(text, "step", text->step);
  return text->frequency_hz ? PROF_OK : prof_tracetext_wrong(text, "a clock needs hz", NULL);
}

static prof_status line_setting(struct tracetext *text) {
  if (text->word_count != 3)
    return prof_tracetext_wrong(text, "setting KEY VALUE", text->words[1]);
  struct prof_setting_record setting = {prof_tracetext_words(text, "", text->words[1]),
                                        prof_span(prof_tracetext_words(text, "", text->words[2]))};
  return prof_vec_push(&text->settings, setting) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_process(struct tracetext *text) {
  if (text->word_count < 2)
    return prof_tracetext_wrong(text, "process NUMBER [...]", NULL);
  uint32_t process = (uint32_t)strtoul(text->words[1], NULL, 0);
  const char *cost = prof_tracetext_option(text, "cost"), *among = prof_tracetext_option(text, "among"),
             *count = prof_tracetext_option(text, "count"), *hidden = prof_tracetext_option(text, "count-among");
  struct prof_process_record record = {
      .process = process,
      .parent = (uint32_t)prof_tracetext_number(text, "parent", 0),
      .pid = (uint32_t)prof_tracetext_number(text, "pid", 999 + process),
      .ppid = (uint32_t)prof_tracetext_number(text, "ppid", 1),
      .start_ticks = text->start + prof_tracetext_number(text, "at", 0),
      .event_cost = cost ? (uint32_t)(strtod(cost, NULL) * 1000 + 0.5) : 0,
      .flags = prof_tracetext_number(text, "forked", 0) ? PROF_FORMAT_PROCESS_FORKED : 0,
      .executable = prof_span(prof_tracetext_words(text, "exe", "/bin/app")),
      .event_cost_among = among ? (uint32_t)(strtod(among, NULL) * 1000 + 0.5) : 0,
      .count_cost = count ? (uint32_t)(strtod(count, NULL) * 1000 + 0.5) : 0,
      .count_cost_among = count ? (uint32_t)(strtod(hidden ? hidden : count, NULL) * 1000 + 0.5) : 0,
  };
  return prof_vec_push(&text->processes, record) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_module(struct tracetext *text) {
  if (text->word_count < 2)
    return prof_tracetext_wrong(text, "module PATH [compiler=...]", NULL);
  struct text_module module = {.path = prof_tracetext_words(text, "", text->words[1]),
                               .compiler = prof_tracetext_words(text, "compiler", "GNU C 12"),
                               .process = (uint32_t)prof_tracetext_number(text, "process", 0)};
  return prof_vec_push(&text->modules, module) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_function(struct tracetext *text) {
  if (text->word_count < 2)
    return prof_tracetext_wrong(text, "function NAME [file=...] [line=N]", NULL);
  uint32_t index = prof_tracetext_function(text, text->words[1]); /* may move the items */
  struct text_function *function = &text->functions.items[index];
  function->file = prof_tracetext_words(text, "file", function->file);
  function->line = (uint32_t)prof_tracetext_number(text, "line", function->line);
  function->language = (uint32_t)prof_tracetext_number(text, "language", function->language);
  function->iteration = prof_tracetext_number(text, "iteration", function->iteration);
  function->zone = prof_tracetext_number(text, "zone", function->iteration && !function->zone ? 1 : function->zone);
  return PROF_OK;
}

int prof_tracetext_loop(const struct tracetext *text, const char *name) {
  for (size_t i = 0; name && i < text->loops.count; i++)
    if (!strcmp(text->loops.items[i].name, name))
      return (int)i;
  return -1;
}

/* The sum of the flags whose words are in the list. */
static uint32_t loop_flags(const char *list) {
  static const struct {
    const char *word;
    uint32_t flag;
  } flags[] = {
      {"countable", PROF_LOOP_COUNTABLE}, {"constant", PROF_LOOP_CONSTANT}, {"vectorised", PROF_LOOP_VECTORISED},
      {"unrolled", PROF_LOOP_UNROLLED},   {"gone", PROF_LOOP_GONE},         {"probed", PROF_LOOP_PROBED},
      {"counted", PROF_LOOP_COUNTED}};
  uint32_t sum = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    sum |= strstr(list, flags[i].word) ? flags[i].flag : 0; /* no word contains another */
  return sum;
}

static prof_status line_loop(struct tracetext *text) {
  if (text->word_count < 3 || prof_tracetext_loop(text, text->words[1]) >= 0)
    return prof_tracetext_wrong(text, "loop NAME FUNCTION [...], once for each", text->words[1]);
  uint32_t index = prof_tracetext_function(text, text->words[2]);
  const struct text_function *function = &text->functions.items[index];
  const char *parent = prof_tracetext_option(text, "parent"), *flags = prof_tracetext_option(text, "flags");
  struct text_loop loop = {.name = prof_tracetext_words(text, "", text->words[1]),
                           .inlined = prof_tracetext_words(text, "in", ""),
                           .file = prof_tracetext_words(text, "file", function->file),
                           .function = index,
                           .parent = UINT32_MAX,
                           .in_module = text->modules.items[function->module].loop_count++,
                           .line = (uint32_t)prof_tracetext_number(text, "line", function->line + 1),
                           .iterations = prof_tracetext_number(text, "iterations", 0),
                           .derived = prof_tracetext_number(text, "derived", 0) != 0,
                           .flags = loop_flags(flags ? flags : "probed")};
  loop.last_line = (uint32_t)prof_tracetext_number(text, "last", loop.line + 1);
  loop.depth = 1;
  if (parent && prof_tracetext_loop(text, parent) < 0)
    return prof_tracetext_wrong(text, "no such parent", parent);
  if (parent) {
    loop.parent = (uint32_t)prof_tracetext_loop(text, parent);
    loop.depth = text->loops.items[loop.parent].depth + 1;
  }
  return prof_vec_push(&text->loops, loop) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_thread(struct tracetext *text) {
  if (text->word_count < 2 || prof_tracetext_thread(text, text->words[1]) >= 0)
    return prof_tracetext_wrong(text, "thread NAME [...], once for each", text->words[1]);
  new_thread(text, text->words[1]);
  return PROF_OK;
}

static prof_status line_note(struct tracetext *text) {
  struct prof_note_record note = {.text =
                                      prof_span(prof_tracetext_words(text, "", text->words[1] ? text->words[1] : ""))};
  return prof_vec_push(&text->notes, note) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_file(struct tracetext *text) {
  if (text->word_count < 3)
    return prof_tracetext_wrong(text, "file NUMBER NAME [process=N]", NULL);
  struct prof_file_record file = {.process = (uint32_t)prof_tracetext_number(text, "process", 1),
                                  .file = (uint32_t)strtoul(text->words[1], NULL, 0),
                                  .name = prof_span(text->words[2])};
  return prof_vec_push(&text->files, file) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_slice(struct tracetext *text) {
  uint64_t begin = prof_tracetext_number(text, "begin", 0), end = prof_tracetext_number(text, "end", 0);
  if (text->word_count < 2)
    return prof_tracetext_wrong(text, "slice PROCESS [begin=TICKS] [end=TICKS] or none=1", NULL);
  struct text_slice slice = {(uint32_t)strtoul(text->words[1], NULL, 0),
                             {begin ? text->start + begin : 0, end ? text->start + end : 0},
                             prof_tracetext_number(text, "none", 0) ? 0 : 1};
  return prof_vec_push(&text->slices, slice) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_control(struct tracetext *text) {
  if (text->word_count < 3)
    return prof_tracetext_wrong(text, "control WHAT TICKS [text=TEXT]", NULL);
  struct prof_control_record control = {.ticks = text->start + strtoull(text->words[2], NULL, 0),
                                        .what = (uint32_t)strtoul(text->words[1], NULL, 0),
                                        .text = prof_span(prof_tracetext_words(text, "text", ""))};
  return prof_vec_push(&text->controls, control) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status line_end(struct tracetext *text) {
  text->no_end = prof_tracetext_number(text, "missing", 0);
  text->end.reason = (uint32_t)prof_tracetext_number(text, "reason", 1);
  text->end.wait_status = (uint32_t)prof_tracetext_number(text, "status", 0);
  text->end.wall_ns = prof_tracetext_number(text, "wall", 0);
  text->end.user_ns = prof_tracetext_number(text, "user", 0);
  text->end.system_ns = prof_tracetext_number(text, "system", 0);
  text->end.recorder_cpu_ns = prof_tracetext_number(text, "recorder", 0);
  return PROF_OK;
}

static prof_status line_recording(struct tracetext *text) {
  text->id = (uint8_t)prof_tracetext_number(text, "id", 1);
  text->started_ns = prof_tracetext_number(text, "started", 0);
  return PROF_OK;
}

enum names { NOTHING, FUNCTION, LOOP, THREAD, OPERATION };
static const struct {
  const char *word;
  uint32_t kind;
  enum names names; /* kind of the next word */
} verbs[] = {
    {"enter", PROF_EVENT_ENTRY, FUNCTION},      {"exit", PROF_EVENT_EXIT, FUNCTION},
    {"land", PROF_EVENT_LANDED, FUNCTION},      {"frame", PROF_EVENT_FRAME, FUNCTION},
    {"stall", PROF_EVENT_STALL_BEGIN, NOTHING}, {"resume", PROF_EVENT_STALL_END, NOTHING},
    {"gap", PROF_EVENT_GAP, NOTHING},           {"stop", PROF_EVENT_STOP, NOTHING},
    {"loop", PROF_EVENT_LOOP_ENTRY, LOOP},      {"endloop", PROF_EVENT_LOOP_EXIT, LOOP},
    {"count", PROF_EVENT_VALUE, LOOP},          {"fork", PROF_EVENT_FORK, THREAD},
    {"measure", PROF_EVENT_MEASURE, OPERATION}, {"leave", TEXT_LEAVE, FUNCTION},
};

static uint32_t aux_of(struct tracetext *text, struct text_event *event) {
  const char *caller = prof_tracetext_option(text, "caller");
  if (caller && !strncmp(caller, "0x", 2))
    return (uint32_t)strtoull(caller, NULL, 16);
  if (caller) {
    event->by_function = true;
    return prof_tracetext_function(text, caller);
  }
  if (event->kind == PROF_EVENT_STOP)
    return prof_tracetext_number(text, "pause", 0) ? PROF_EVENT_STOP_PAUSE : 0;
  return (uint32_t)prof_tracetext_number(text, "address", prof_tracetext_number(text, "lost", 0));
}

/* Takes the words of a loop's event after its name. */
static prof_status take_loop_words(struct tracetext *text, struct text_event *event) {
  int loop = prof_tracetext_loop(text, text->words[3]);
  if (loop < 0)
    return prof_tracetext_wrong(text, "no such loop", text->words[3]);
  bool entries = prof_tracetext_option(text, "entries") != NULL;
  event->loop = (uint32_t)loop;
  event->has_value = entries || prof_tracetext_option(text, "iterations");
  event->value = prof_tracetext_number(text, entries ? "entries" : "iterations", 0);
  if (event->kind == PROF_EVENT_VALUE)
    event->loop_site = entries ? TEXT_LOOP_ENTRIES : TEXT_LOOP_COUNT;
  else if (event->kind == PROF_EVENT_LOOP_EXIT)
    event->loop_site = prof_tracetext_number(text, "maybe", 0) ? TEXT_LOOP_MAYBE : TEXT_LOOP_EXIT;
  return PROF_OK;
}

/* THREAD +N|-N|@N VERB [FUNCTION] [key=value...], or THREAD flush */
static prof_status line_event(struct tracetext *text) {
  int index = prof_tracetext_thread(text, text->words[0]);
  if (index < 0)
    return prof_tracetext_wrong(text, "no such thread or word", text->words[0]);
  struct text_thread *thread = &text->threads.items[index];
  struct text_event event = {.thread = (uint32_t)index, .loop = UINT32_MAX, .point = UINT32_MAX};
  if (text->word_count == 2 && !strcmp(text->words[1], "flush"))
    return prof_vec_push(&text->events, event) ? PROF_OK : PROF_NO_MEMORY;
  if (text->word_count < 3 || !strchr("+-@", text->words[1][0]))
    return prof_tracetext_wrong(text, "THREAD +TICKS VERB", text->words[1]);
  uint64_t ticks = strtoull(text->words[1] + 1, NULL, 0);
  thread->now = text->words[1][0] == '@'   ? text->start + ticks
                : text->words[1][0] == '+' ? thread->now + ticks
                                           : thread->now - ticks;
  event.time = thread->now;
  if (!strcmp(text->words[2], "point")) {
    last_module(text);
    return prof_tracetext_point(text, &event);
  }
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(text->words[2], verbs[i].word))
      continue;
    if (verbs[i].names != NOTHING && text->word_count < 4)
      return prof_tracetext_wrong(text, "this verb needs a name", text->words[2]);
    event.kind = verbs[i].kind;
    if (verbs[i].names == LOOP && take_loop_words(text, &event) != PROF_OK)
      return PROF_USAGE;
    event.function =
        verbs[i].names == FUNCTION ? prof_tracetext_function(text, text->words[3]) : PROF_MATCHER_NO_FUNCTION;
    if (verbs[i].names == OPERATION) {
      event.loop = (uint32_t)strtoul(text->words[3], NULL, 0);
      event.first = prof_tracetext_number(text, "first", 0);
      event.second = prof_tracetext_number(text, "second", 0);
    }
    int child = verbs[i].names == THREAD ? prof_tracetext_thread(text, text->words[3]) : 0;
    if (child < 0)
      return prof_tracetext_wrong(text, "no such thread", text->words[3]);
    event.by_line = event.kind == PROF_EVENT_EXIT && prof_tracetext_number(text, "line", 0);
    event.aux = verbs[i].names == THREAD ? (uint32_t)child + 1 : aux_of(text, &event);
    return prof_vec_push(&text->events, event) ? PROF_OK : PROF_NO_MEMORY;
  }
  if (!strcmp(text->words[2], "event"))
    return prof_tracetext_pmu_event(text, (uint32_t)index, event.time);
  return prof_tracetext_sample(text, (uint32_t)index, event.time);
}

static prof_status take_line(struct tracetext *text) {
  static const struct {
    const char *word;
    prof_status (*take)(struct tracetext *);
  } lines[] = {
      {"clock", line_clock},
      {"setting", line_setting},
      {"process", line_process},
      {"module", line_module},
      {"function", line_function},
      {"thread", line_thread},
      {"note", line_note},
      {"file", line_file},
      {"slice", line_slice},
      {"control", line_control},
      {"end", line_end},
      {"recording", line_recording},
      {"state", prof_tracetext_state_line},
      {"window", prof_tracetext_window_line},
      {"in", prof_tracetext_in_line},
      {"counted", prof_tracetext_counted_line},
      {"gpu", prof_tracetext_gpu_line},
      {"loop", line_loop},
      {"sampler", prof_tracetext_sampler_line},
      {"pmu", prof_tracetext_pmu_line},
      {"reading", prof_tracetext_reading_line},
      {"rate", prof_tracetext_rate_line},
      {"lines", prof_tracetext_lines_line},
      {"line", prof_tracetext_line_line},
      {"work", prof_tracetext_work_line},
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
      return prof_tracetext_wrong(text, "too many words", NULL);
    status = take_line(text);
  }
  return status;
}

prof_status prof_tracetext_write(const char *source, const char *name, const char *directory, struct prof_diag *diag) {
  struct tracetext text = {.name = name, .diag = diag, .frequency_hz = 1000000000, .start = 1000000, .step = 1};
  text.end.reason = 1;
  prof_status status = parse(&text, source);
  last_process(&text);
  if (status == PROF_OK)
    status = prof_tracetext_put(&text, directory);
  prof_vec_fini(&text.settings);
  prof_vec_fini(&text.files);
  prof_vec_fini(&text.processes);
  prof_vec_fini(&text.modules);
  prof_vec_fini(&text.functions);
  prof_vec_fini(&text.loops);
  prof_vec_fini(&text.points);
  prof_vec_fini(&text.threads);
  prof_vec_fini(&text.events);
  prof_vec_fini(&text.notes);
  prof_tracetext_gpu_fini(&text);
  prof_arena_fini(&text.arena);
  return status == PROF_NO_MEMORY ? prof_diag_memory(diag) : status;
}
