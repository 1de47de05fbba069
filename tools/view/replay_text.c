/*
 * tools/view/replay_text.c - calls in time order as C-like text.
 */
#include "replay_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "units.h"

#define WAITING 4096 /* lines; a power of two */
#define DEEPEST 60   /* deeper calls show their depth as a number instead of further indent */
#define LONGEST 400  /* bytes of an escaped name that are shown */

enum line_kind { LINE_OPEN, LINE_LEAF, LINE_CLOSE, LINE_GAP };

struct line {
  enum line_kind kind;
  bool settled; /* an OPEN line is, once its thread's next event is known */
  bool cut;
  uint32_t thread, function, depth;
  uint64_t time_ns, value; /* duration, or events lost */
};

struct prof_replay_text {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  size_t thread_count;
  struct prof_names *names;
  FILE *file;
  struct prof_replay_style style;
  uint64_t first, next; /* waiting lines are [first, next), at their number modulo WAITING */
  uint64_t *open;       /* per thread: 1 + number of its OPEN line that is not settled, 0 none */
  uint64_t written;
  struct line lines[WAITING];
};

struct prof_replay_text *prof_replay_text_new(const prof_trace *trace, struct prof_names *names, FILE *file,
                                              const struct prof_replay_style *style) {
  struct prof_replay_text *text = calloc(1, sizeof *text);
  if (!text)
    return NULL;
  *text = (struct prof_replay_text){.trace = trace, .names = names, .file = file, .style = *style};
  text->threads = prof_trace_threads(trace, &text->thread_count);
  text->open = calloc(text->thread_count + 1, sizeof *text->open);
  if (!text->open) {
    free(text);
    return NULL;
  }
  return text;
}

void prof_replay_text_free(struct prof_replay_text *text) {
  if (!text)
    return;
  free(text->open);
  free(text);
}

static void write_indent(FILE *file, uint32_t depth) {
  if (depth > DEEPEST)
    fprintf(file, "%*s[%" PRIu32 "] ", 2 * DEEPEST, "", depth);
  else
    fprintf(file, "%*s", (int)(2 * depth), "");
}

static void write_line(struct prof_replay_text *text, const struct line *line) {
  static const char *const dim[2] = {"", "\x1b[2m"}, *const plain[2] = {"", "\x1b[0m"};
  FILE *file = text->file;
  bool color = text->style.color;
  char time[PROF_UNITS_BYTES], value[PROF_UNITS_BYTES], name[LONGEST];
  const char *raw = prof_names_function(text->names, line->function);
  prof_text_escape(name, sizeof name, raw, strlen(raw));
  /* A demangled name brings its own parameters. */
  const char *call = strchr(name, '(') ? "" : "()";
  uint64_t us = line->time_ns / 1000;
  if (!text->written)
    fputs("          TIME     THREAD  CALL\n", file);
  snprintf(time, sizeof time, "%" PRIu64 ".%03u", us, (unsigned)(line->time_ns % 1000));
  fprintf(file, "%s%14s us %7" PRIu32 "%s  ", dim[color], time, text->threads[line->thread].tid, plain[color]);
  write_indent(file, line->depth);
  if (line->kind == LINE_OPEN)
    fprintf(file, "%s%s {%s\n", name, call, line->cut ? " /* entered before */" : "");
  else if (line->kind == LINE_LEAF)
    fprintf(file, "%s%s; %s/* %s%s */%s\n", name, call, dim[color], line->cut ? "at least " : "",
            prof_units_duration(value, line->value), plain[color]);
  else if (line->kind == LINE_CLOSE)
    fprintf(file, "} %s/* %s, %s%s */%s\n", dim[color], name, line->cut ? "at least " : "",
            prof_units_duration(value, line->value), plain[color]);
  else
    fprintf(file, "/* %s events lost here */\n", prof_units_count(value, line->value));
  text->written++;
}

static bool at_limit(const struct prof_replay_text *text) {
  return text->style.limit && text->written >= text->style.limit;
}

static struct line *line_at(struct prof_replay_text *text, uint64_t number) {
  return &text->lines[number % WAITING];
}

/* Writes settled lines from the front; `force` settles those that still wait. */
static void drain(struct prof_replay_text *text, bool force) {
  while (text->first < text->next && !at_limit(text)) {
    struct line *line = line_at(text, text->first);
    if (!line->settled) {
      if (!force)
        return;
      text->open[line->thread] = 0;
    }
    write_line(text, line);
    text->first++;
  }
}

static void add(struct prof_replay_text *text, const struct line *line) {
  if (text->next - text->first == WAITING) {
    struct line *first = line_at(text, text->first);
    first->settled = true;
    text->open[first->thread] = 0;
    drain(text, false);
  }
  *line_at(text, text->next) = *line;
  if (!line->settled)
    text->open[line->thread] = text->next + 1;
  text->next++;
}

bool prof_replay_text_visit(void *context, const struct prof_walk_event *event) {
  struct prof_replay_text *text = context;
  struct line *open = NULL;
  if (event->thread >= text->thread_count)
    return true;
  if (text->open[event->thread]) {
    open = line_at(text, text->open[event->thread] - 1);
    open->settled = true;
    text->open[event->thread] = 0;
  }
  struct line line = {.thread = event->thread,
                      .function = event->function,
                      .depth = event->depth,
                      .time_ns = event->time_ns,
                      .cut = event->cut,
                      .value = event->duration_ns,
                      .settled = true};
  if (event->kind == PROF_WALK_LEAVE && open && open->depth == event->depth && !open->cut) {
    open->kind = LINE_LEAF;
    open->value = event->duration_ns;
    open->cut = event->cut;
  } else {
    line.kind = event->kind == PROF_WALK_ENTER ? LINE_OPEN : event->kind == PROF_WALK_LEAVE ? LINE_CLOSE : LINE_GAP;
    line.settled = event->kind != PROF_WALK_ENTER;
    if (event->kind == PROF_WALK_GAP)
      line.value = event->lost;
    add(text, &line);
  }
  drain(text, false);
  return !at_limit(text) && !ferror(text->file);
}

uint64_t prof_replay_text_end(struct prof_replay_text *text) {
  drain(text, true);
  if (at_limit(text))
    fprintf(text->file, "... (--limit)\n");
  return text->written;
}
