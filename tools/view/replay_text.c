/*
 * tools/view/replay_text.c - calls in time order as C-like text.
 */
#include "replay_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"
#include "names/loop_frames.h"
#include "names/point_value.h"
#include "units.h"
#include "width.h"

#define WAITING 4096 /* lines; a power of two */
#define DEEPEST 60   /* deeper calls show their depth as a number instead of further indent */
#define LONGEST 400  /* bytes of an escaped name that are shown */
#define HEAD 27      /* columns before a call */
#define TAIL 30      /* columns behind its name, at most */
#define LEAST 12     /* columns of a name, at least */

enum line_kind { LINE_OPEN, LINE_LEAF, LINE_CLOSE, LINE_GAP, LINE_WAIT, LINE_GPU, LINE_POINT };

struct line {
  enum line_kind kind;
  bool settled; /* of an OPEN line: its thread's next event is known */
  bool cut;
  uint32_t thread, function, depth;
  uint64_t time_ns, value; /* duration, or events lost; of a wait: how long; of a point: as its site says */
  uint32_t site;           /* of a point, whose value is `value` */
  char *arguments;         /* of a call, as in its brackets; NULL: none */
  char *shown;             /* of a point its value; of a call what it returned; NULL: none */
  const struct prof_gpu_event *gpu;
};

struct prof_replay_text {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  size_t thread_count;
  struct prof_names *names;
  char **shown_names; /* per function and loop, and one for unknown ones; made at first use */
  size_t name_count;
  FILE *file;
  struct prof_replay_style style;
  uint64_t first, next; /* waiting lines are [first, next), at their number modulo WAITING */
  uint64_t *open;       /* per thread: 1 + number of its OPEN line that is not settled, 0 none */
  char **returned;      /* per thread: by the call that ends next; NULL: nothing */
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
  text->returned = calloc(text->thread_count + 1, sizeof *text->returned);
  text->name_count = prof_frame_count(trace);
  text->shown_names = calloc(text->name_count + 1, sizeof *text->shown_names);
  if (text->open && text->returned && text->shown_names)
    return text;
  prof_replay_text_free(text);
  return NULL;
}

static struct line *line_at(struct prof_replay_text *text, uint64_t number) {
  return &text->lines[number % WAITING];
}

static void line_fini(struct line *line) {
  free(line->arguments);
  free(line->shown);
}

void prof_replay_text_free(struct prof_replay_text *text) {
  if (!text)
    return;
  for (size_t i = 0; text->shown_names && i <= text->name_count; i++)
    free(text->shown_names[i]);
  for (; text->first < text->next; text->first++)
    line_fini(line_at(text, text->first));
  for (size_t i = 0; text->returned && i < text->thread_count; i++)
    free(text->returned[i]);
  free(text->returned);
  free(text->shown_names);
  free(text->open);
  free(text);
}

/* Levels shown by an indent: fewer in narrower output. */
static uint32_t levels(const struct prof_replay_text *text) {
  size_t width = text->style.width, others = HEAD + TAIL + LEAST, most = width > others ? (width - others) / 2 : 1;
  return width && most < DEEPEST ? (uint32_t)most : DEEPEST;
}

/* Returns its columns. */
static size_t write_indent(const struct prof_replay_text *text, uint32_t depth) {
  static const char blanks[2 * DEEPEST + 1] = {[0 ... 2 * DEEPEST - 1] = ' '};
  uint32_t most = levels(text), shown = depth < most ? depth : most;
  fwrite(blanks, 1, 2 * shown, text->file);
  return 2 * shown + (depth > most ? (size_t)fprintf(text->file, "[%" PRIu32 "] ", depth) : 0);
}

/* Cuts a name to the room that the other parts of the line leave. */
static const char *fit(const struct prof_replay_text *text, char out[LONGEST], const char *name, size_t others) {
  size_t room = text->style.width > HEAD + LEAST + others ? text->style.width - HEAD - others : LEAST;
  if (!text->style.width)
    return name;
  snprintf(out, LONGEST, "%s", name);
  prof_text_cut_middle(out, room, text->style.utf8);
  return out;
}

/* The same for a call's brackets: the name is cut only where they would lose nearly all. */
static void fit_brackets(const struct prof_replay_text *text, char *brackets, const char *name, size_t others) {
  size_t taken = HEAD + others + prof_text_width(name), width = text->style.width;
  size_t room = width > taken + LEAST ? width - taken : LEAST;
  if (width && prof_text_width(brackets) > room) {
    prof_text_cut(brackets, room - 1, text->style.utf8);
    strcat(brackets, ")");
  }
}

/* The escaped name; kept, because few functions make most calls. */
static const char *name_of(struct prof_replay_text *text, uint32_t function) {
  size_t slot = function < text->name_count ? function : text->name_count;
  if (!text->shown_names[slot]) {
    char name[LONGEST];
    const char *raw = prof_names_apart(text->names, function);
    prof_text_escape(name, sizeof name, raw, strlen(raw));
    text->shown_names[slot] = strdup(name);
  }
  return text->shown_names[slot] ? text->shown_names[slot] : "?";
}

static size_t write_head(const struct prof_replay_text *text, const struct line *line) {
  FILE *file = text->file;
  if (!text->written)
    fputs("          TIME     THREAD  CALL\n", file);
  if (text->style.color)
    fputs("\x1b[2m", file);
  prof_digits_pad(file, line->time_ns / 1000, 10);
  putc('.', file);
  prof_digits_three(file, line->time_ns);
  fputs(" us ", file);
  if (line->gpu)
    fprintf(file, "GPU%" PRIu32 "/%-*" PRIu32, line->gpu->device, line->gpu->device > 9 ? 1 : 2, line->gpu->stream);
  else
    prof_digits_pad(file, text->threads[line->thread].tid, 7);
  fputs(text->style.color ? "\x1b[0m  " : "  ", file);
  return write_indent(text, line->depth);
}

/* Writes a comment: a name, then a number. */
static void write_remark(const struct prof_replay_text *text, const char *name, bool cut, const char *number) {
  FILE *file = text->file;
  fputs(text->style.color ? " \x1b[2m/* " : " /* ", file);
  fputs(name, file);
  fputs(name[0] ? ", " : "", file);
  fputs(cut ? "at least " : "", file);
  fputs(number, file);
  fputs(text->style.color ? " */\x1b[0m\n" : " */\n", file);
}

/* "", or " (NAME)". */
static const char *in_brackets(char out[100], const char *name) {
  char shown[90];
  prof_text_escape(shown, sizeof shown, name, strlen(name));
  snprintf(out, 100, shown[0] ? " (%s)" : "%s", shown);
  return out;
}

/* Where it ran, if the program has named it: "GPU trainer, stream copies, ". */
static void write_called(char *out, size_t bytes, const struct prof_gpu_event *gpu) {
  char device[90], stream[90];
  prof_text_escape(device, sizeof device, gpu->device_called, strlen(gpu->device_called));
  prof_text_escape(stream, sizeof stream, gpu->stream_called, strlen(gpu->stream_called));
  snprintf(out, bytes, "%s%s%s%s%s%s", device[0] ? "GPU " : "", device, device[0] ? ", " : "",
           stream[0] ? "stream " : "", stream, stream[0] ? ", " : "");
}

static void write_gpu(struct prof_replay_text *text, const struct line *line) {
  char name[LONGEST], lasts[PROF_UNITS_BYTES], late[PROF_UNITS_BYTES], called[220], thread[100], remark[500];
  const struct prof_gpu_event *gpu = line->gpu;
  prof_text_escape(name, sizeof name, gpu->name, strlen(gpu->name));
  char shown[LONGEST];
  const char *fitting = fit(text, shown, name, TAIL + write_head(text, line));
  text->written++;
  fprintf(text->file, "%s;", fitting);
  write_called(called, sizeof called, gpu);
  int used = snprintf(remark, sizeof remark, "%s%s", called, prof_units_duration(lasts, gpu->duration_ns));
  if (gpu->has_call && gpu->time_ns >= gpu->launch_ns)
    snprintf(remark + used, sizeof remark - (size_t)used, ", %s after its launch by %" PRIu32 "%s",
             prof_units_duration(late, gpu->time_ns - gpu->launch_ns), gpu->tid,
             in_brackets(thread, gpu->thread_called));
  size_t head = HEAD + prof_text_width(fitting) + strlen("; /*  */");
  if (text->style.width)
    prof_text_cut(remark, text->style.width > head + LEAST ? text->style.width - head : LEAST, text->style.utf8);
  write_remark(text, "", false, remark);
}

/* "counter queue = 5 items" */
static void write_point(const struct prof_replay_text *text, const struct line *line, size_t used) {
  char name[LONGEST], shown[LONGEST], tail[PROF_POINT_TAIL_BYTES] = "";
  const struct prof_site_info site = prof_trace_site(text->trace, line->site);
  const struct prof_point *point = prof_point_of(text->trace, &site);
  prof_text_escape(name, sizeof name, point->name, strlen(point->name));
  if (line->shown)
    prof_point_tail(point, line->shown, tail);
  const bool named = point->kind == PROF_POINT_IS_REQUEST; /* its name says what it is */
  const char *kind = named ? "" : prof_point_kind(point), *blank = named ? "" : " ";
  size_t others = strlen("/*   */") + strlen(kind) + prof_text_width(tail);
  fputs(text->style.color ? "\x1b[2m" : "", text->file);
  fprintf(text->file, "/* %s%s%s%s */", kind, blank, fit(text, shown, name, used + others), tail);
  fputs(text->style.color ? "\x1b[0m\n" : "\n", text->file);
}

static void write_line(struct prof_replay_text *text, const struct line *line) {
  FILE *file = text->file;
  char value[PROF_UNITS_BYTES], shown[LONGEST];
  if (line->kind == LINE_GPU) {
    write_gpu(text, line);
    return;
  }
  size_t used = write_head(text, line);
  text->written++;
  if (line->kind == LINE_GAP) {
    fprintf(file, "/* %s events lost here */\n", prof_units_count(value, line->value));
    return;
  }
  if (line->kind == LINE_WAIT) {
    fprintf(file, "/* waited for the recorder, %s */\n", prof_units_duration(value, line->value));
    return;
  }
  if (line->kind == LINE_POINT) {
    write_point(text, line, used);
    return;
  }
  const char *name = name_of(text, line->function);
  /* A demangled name has its own parameters. */
  bool called = prof_frame_loop(text->trace, line->function) == PROF_NONE &&
                !prof_names_is_zone(text->names, line->function) && !strchr(name, '(');
  char brackets[PROF_POINT_LIST_BYTES + 10]; /* with room for a mark */
  snprintf(brackets, sizeof brackets, called || line->arguments ? "(%s)" : "", line->arguments ? line->arguments : "");
  if (line->kind == LINE_OPEN) {
    const char *tail = line->cut ? " { /* entered before */" : " {";
    fit_brackets(text, brackets, name, used + strlen(tail));
    fprintf(file, "%s%s%s\n", fit(text, shown, name, used + prof_text_width(brackets) + strlen(tail)), brackets, tail);
    return;
  }
  prof_units_duration(value, line->value);
  const char *gives = line->shown ? " = " : "", *given = line->shown ? line->shown : "";
  size_t tail = strlen("} /* ,  */") + strlen(value) + (line->cut ? strlen("at least ") : 0) + strlen(gives) +
                prof_text_width(given);
  if (line->kind == LINE_CLOSE) {
    fprintf(file, "}%s%s", gives, given);
    write_remark(text, fit(text, shown, name, used + tail), line->cut, value);
    return;
  }
  fit_brackets(text, brackets, name, used + tail);
  fprintf(file, "%s%s%s%s;", fit(text, shown, name, used + prof_text_width(brackets) + tail), brackets, gives, given);
  write_remark(text, "", line->cut, value);
}

static bool at_limit(const struct prof_replay_text *text) {
  return text->style.limit && text->written >= text->style.limit;
}

/* Writes settled lines from the front; `force`: settles the others. */
static void drain(struct prof_replay_text *text, bool force) {
  while (text->first < text->next && !at_limit(text)) {
    struct line *line = line_at(text, text->first);
    if (!line->settled) {
      if (!force)
        return;
      text->open[line->thread] = 0;
    }
    write_line(text, line);
    line_fini(line);
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

static const enum line_kind kinds[] = {[PROF_WALK_ENTER] = LINE_OPEN,
                                       [PROF_WALK_LEAVE] = LINE_CLOSE,
                                       [PROF_WALK_GAP] = LINE_GAP,
                                       [PROF_WALK_WAIT] = LINE_WAIT,
                                       [PROF_WALK_POINT] = LINE_POINT};

/* An argument goes into the line of its call, if that still waits; what is returned into the line where it ends. False:
 * it needs a line of its own. */
static bool take_value(struct prof_replay_text *text, const struct prof_walk_event *event, struct line *open) {
  char value[PROF_POINT_SHOWN_BYTES];
  const struct prof_site_info site = prof_trace_site(text->trace, event->site);
  const struct prof_point *point = prof_point_of(text->trace, &site);
  const char *shown = prof_point_shown(&site, event->value, event->text, value);
  if (point->kind == PROF_POINT_IS_RETURNED) {
    free(text->returned[event->thread]);
    text->returned[event->thread] = strdup(shown);
    return true;
  }
  if (point->kind != PROF_POINT_IS_ARGUMENT || !open || open->depth + 1 != event->depth)
    return false;
  (void)prof_point_list_add(&open->arguments, point->name, shown);
  return true;
}

/* The value of a point that has a line of its own; NULL: it has none. */
static char *value_of(const struct prof_replay_text *text, const struct prof_walk_event *event) {
  char value[PROF_POINT_SHOWN_BYTES];
  const struct prof_site_info site = prof_trace_site(text->trace, event->site);
  return prof_point_has_value(&site) ? strdup(prof_point_shown(&site, event->value, event->text, value)) : NULL;
}

bool prof_replay_text_visit(void *context, const struct prof_walk_event *event) {
  struct prof_replay_text *text = context;
  struct line *open = NULL;
  if (event->thread >= text->thread_count)
    return true;
  if (text->open[event->thread])
    open = line_at(text, text->open[event->thread] - 1);
  if (event->kind == PROF_WALK_POINT && take_value(text, event, open))
    return true;
  if (open) {
    open->settled = true;
    text->open[event->thread] = 0;
  }
  struct line line = {.thread = event->thread,
                      .function = event->function,
                      .depth = event->depth,
                      .time_ns = event->time_ns,
                      .cut = event->cut,
                      .value = event->kind == PROF_WALK_POINT ? event->value : event->duration_ns,
                      .site = event->site,
                      .settled = true};
  if (event->kind == PROF_WALK_POINT)
    line.shown = value_of(text, event);
  if (event->kind == PROF_WALK_LEAVE) {
    line.shown = text->returned[event->thread];
    text->returned[event->thread] = NULL;
  }
  if (event->kind == PROF_WALK_LEAVE && open && open->depth == event->depth && !open->cut) {
    open->kind = LINE_LEAF;
    open->value = event->duration_ns;
    open->cut = event->cut;
    open->shown = line.shown;
  } else {
    line.kind = kinds[event->kind];
    line.settled = event->kind != PROF_WALK_ENTER;
    if (event->kind == PROF_WALK_GAP)
      line.value = event->lost;
    add(text, &line);
  }
  drain(text, false);
  return !at_limit(text) && !ferror(text->file);
}

bool prof_replay_text_gpu(void *context, const struct prof_gpu_event *event) {
  struct prof_replay_text *text = context;
  const struct line line = {.kind = LINE_GPU, .time_ns = event->time_ns, .gpu = event, .settled = true};
  add(text, &line);
  drain(text, false);
  return !at_limit(text) && !ferror(text->file);
}

uint64_t prof_replay_text_end(struct prof_replay_text *text) {
  drain(text, true);
  if (at_limit(text))
    fprintf(text->file, "... (--limit)\n");
  return text->written;
}
