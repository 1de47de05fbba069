/*
 * tools/import/read_perf.c - the text of `perf script`: samples with call chains, of one or several events.
 *
 * A sample's frames follow its head, the innermost first, up to an empty line; without call chains its one frame is on
 * the head's line.  The weight is the sample's period where perf wrote it: nanoseconds of cpu-clock and task-clock,
 * else how often the event came; without a period each sample counts 1.  The paths of all events are kept apart while
 * reading, each below a node of its own; what leaves are those of one event.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "import/importers.h"
#include "import/perf_line.h"
#include "import/weight_text.h"

#define REMEDY "give the text that perf script prints"
#define MOST_EVENTS 256
#define MOST_FRAMES ((size_t)1 << 16) /* of a call chain; perf's own limit is far below */

struct event {
  uint32_t top; /* node of `all` */
  uint64_t samples;
  bool has_period;
};

struct reader {
  struct prof_text_lines *lines;
  struct prof_diag *diag;
  struct prof_path_sums all; /* outermost frames are events */
  struct event events[MOST_EVENTS];
  size_t event_count;
  bool open; /* a sample waits for the rest of its frames */
  size_t event;
  double weight;
  PROF_VEC(uint32_t) chain; /* frames, the innermost first */
  uint64_t lost;
};

static prof_status end_sample(struct reader *reader) {
  if (!reader->open)
    return PROF_OK;
  reader->open = false;
  uint32_t node = reader->events[reader->event].top;
  if (reader->chain.count == 0) {
    uint32_t none = prof_path_sums_frame(&reader->all, "", NULL, NULL);
    if (none == UINT32_MAX || !prof_vec_push(&reader->chain, none))
      return prof_diag_memory(reader->diag);
  }
  for (size_t i = reader->chain.count; i-- > 0 && node != UINT32_MAX;)
    node = prof_path_sums_child(&reader->all, node, reader->chain.items[i]);
  if (node == UINT32_MAX)
    return prof_diag_memory(reader->diag);
  reader->all.nodes.items[node].self += reader->weight;
  reader->chain.count = 0;
  return PROF_OK;
}

static prof_status add_frame(struct reader *reader, const struct prof_perf_frame *frame) {
  if (reader->chain.count == MOST_FRAMES)
    return prof_text_lines_fault(reader->lines, reader->diag, REMEDY, "a call chain of more than 65,536 frames");
  uint32_t number =
      prof_path_sums_frame(&reader->all, frame->name, frame->inlined ? PROF_PATHS_INLINED : frame->module, NULL);
  return number != UINT32_MAX && prof_vec_push(&reader->chain, number) ? PROF_OK : prof_diag_memory(reader->diag);
}

/* Its number; MOST_EVENTS: a fault, which is filled in. */
static size_t meet_event(struct reader *reader, const struct prof_perf_head *head) {
  uint32_t frame = prof_path_sums_frame(&reader->all, head->event, "event", NULL);
  uint32_t top = frame == UINT32_MAX ? UINT32_MAX : prof_path_sums_child(&reader->all, 0, frame);
  if (top == UINT32_MAX) {
    prof_diag_memory(reader->diag);
    return MOST_EVENTS;
  }
  for (size_t i = 0; i < reader->event_count; i++)
    if (reader->events[i].top == top) {
      if (reader->events[i].has_period == head->has_period)
        return i;
      prof_text_lines_fault(reader->lines, reader->diag, "print all samples with the same fields (perf script -F)",
                            "some samples of %.60s have a period, and some have none", head->event);
      return MOST_EVENTS;
    }
  if (reader->event_count == MOST_EVENTS) {
    prof_text_lines_fault(reader->lines, reader->diag, REMEDY, "more than %d events", MOST_EVENTS);
    return MOST_EVENTS;
  }
  reader->events[reader->event_count] = (struct event){.top = top, .has_period = head->has_period};
  return reader->event_count++;
}

static prof_status begin_sample(struct reader *reader, struct prof_perf_head *head) {
  struct prof_perf_frame frame;
  reader->event = meet_event(reader, head);
  if (reader->event == MOST_EVENTS)
    return reader->diag->status;
  reader->events[reader->event].samples++;
  reader->weight = head->has_period ? (double)head->period : 1;
  reader->open = true;
  if (!head->rest[0] || !prof_perf_frame_parse(head->rest, &frame))
    return PROF_OK; /* the text of a tracepoint is not part of the path */
  prof_status status = add_frame(reader, &frame);
  return status == PROF_OK ? end_sample(reader) : status;
}

/* "PERF_RECORD_LOST lost 12" and its like: what the kernel said beside samples. */
static bool take_record(struct reader *reader, const char *line) {
  const char *record = line[0] == '\t' ? NULL : strstr(line, "PERF_RECORD_"), *count;
  uint64_t lost;
  if (!record)
    return false;
  if (!strncmp(record, "PERF_RECORD_LOST", 16) && (count = strstr(record, "lost ")) &&
      prof_count_parse(count + 5, strspn(count + 5, "0123456789"), &lost))
    reader->lost += lost;
  return true;
}

static prof_status take(struct reader *reader, char *line, size_t bytes) {
  struct prof_perf_head head;
  struct prof_perf_frame frame;
  prof_status status = PROF_OK;
  if (bytes == strspn(line, " \t"))
    return end_sample(reader);
  if (line[0] == '#')
    return PROF_OK;
  if (take_record(reader, line))
    return end_sample(reader);
  if (line[0] != '\t' && prof_perf_head_parse(line, &head)) {
    status = end_sample(reader);
    return status == PROF_OK ? begin_sample(reader, &head) : status;
  }
  const bool indented = line[0] == ' ' || line[0] == '\t';
  if (reader->open && indented && prof_perf_frame_parse(line, &frame))
    return add_frame(reader, &frame);
  if (reader->open && line[0] == ' ') /* the source line of a frame (-F +srcline) */
    return PROF_OK;
  return prof_text_lines_fault(reader->lines, reader->diag, REMEDY, "neither a sample nor a frame of one: %.40s", line);
}

static bool names_event(const char *name, const char *word) {
  const size_t bytes = strlen(word);
  return !strncmp(name, word, bytes) && (name[bytes] == 0 || name[bytes] == ':');
}

/* The unit of an event's weights, by perf's names: "cycles:u", "cpu_core/cycles/". */
static enum prof_path_sums_unit unit_of(const char *name, bool has_period) {
  static const struct {
    const char *word;
    enum prof_path_sums_unit unit;
  } rows[] = {{"cpu-clock", PROF_PATHS_NS},
              {"task-clock", PROF_PATHS_NS},
              {"cycles", PROF_PATHS_CYCLES},
              {"cpu-cycles", PROF_PATHS_CYCLES},
              {"cpu/cycles/", PROF_PATHS_CYCLES},
              {"cpu_core/cycles/", PROF_PATHS_CYCLES},
              {"cpu_atom/cycles/", PROF_PATHS_CYCLES},
              {"instructions", PROF_PATHS_INSTRUCTIONS},
              {"cpu/instructions/", PROF_PATHS_INSTRUCTIONS}};
  for (size_t i = 0; has_period && i < sizeof rows / sizeof *rows; i++)
    if (names_event(name, rows[i].word))
      return rows[i].unit;
  return has_period ? PROF_PATHS_EVENTS : PROF_PATHS_SAMPLES;
}

static const char *event_name(const struct reader *reader, size_t event) {
  return reader->all.frames.items[reader->all.nodes.items[reader->events[event].top].frame].name;
}

static bool list_events(const struct reader *reader, struct prof_path_sums *out) {
  for (size_t i = 0; i < reader->event_count; i++) {
    const char *name = event_name(reader, i);
    const struct prof_path_sums_event row = {prof_arena_copy(&out->texts, name, strlen(name)),
                                             reader->events[i].samples};
    if (!row.name || !prof_vec_push(&out->events, row))
      return false;
  }
  return true;
}

/* The event that is wanted, with or without its modifiers; MOST_EVENTS: none. */
static size_t choose_named(const struct reader *reader, const char *wanted) {
  size_t best = MOST_EVENTS;
  for (size_t i = 0; i < reader->event_count; i++)
    if (!strcmp(event_name(reader, i), wanted) || (best == MOST_EVENTS && names_event(event_name(reader, i), wanted)))
      best = i;
  return best;
}

/* The most telling event, then the one with the most samples. */
static size_t choose_best(const struct reader *reader) {
  size_t best = 0;
  for (size_t i = 1; i < reader->event_count; i++) {
    const struct event *left = &reader->events[i], *right = &reader->events[best];
    const enum prof_path_sums_unit unit = unit_of(event_name(reader, i), left->has_period),
                                   had = unit_of(event_name(reader, best), right->has_period);
    if (unit > had || (unit == had && left->samples > right->samples))
      best = i;
  }
  return best;
}

/* Copies the paths below an event's node.  A parent's number is smaller than its children's. */
static prof_status copy_event(const struct reader *reader, size_t event, struct prof_path_sums *out) {
  const size_t count = reader->all.nodes.count;
  uint32_t *place = malloc(count * sizeof *place);
  bool done = place != NULL;
  for (size_t i = 0; done && i < count; i++) {
    const struct prof_path_sums_node *node = &reader->all.nodes.items[i];
    place[i] = i == reader->events[event].top ? 0 : UINT32_MAX;
    if (i == 0 || place[i] == 0 || place[node->parent] == UINT32_MAX)
      continue;
    const struct prof_path_sums_frame *from = &reader->all.frames.items[node->frame];
    uint32_t frame = prof_path_sums_frame(out, from->name, from->module, NULL);
    place[i] = frame == UINT32_MAX ? UINT32_MAX : prof_path_sums_child(out, place[node->parent], frame);
    done = place[i] != UINT32_MAX;
    if (done)
      out->nodes.items[place[i]].self += node->self;
  }
  free(place);
  if (!done)
    return prof_diag_memory(reader->diag);
  out->event = out->events.items[event].name;
  out->unit = unit_of(out->event, reader->events[event].has_period);
  out->lost = reader->lost;
  return PROF_OK;
}

static prof_status read_perf(struct prof_text_lines *lines, const char *event, struct prof_path_sums *out,
                             struct prof_diag *diag) {
  struct prof_diag own;
  struct reader *reader = calloc(1, sizeof *reader);
  char *line;
  size_t bytes, chosen = 0;
  if (!reader || !prof_path_sums_init(&reader->all)) {
    free(reader);
    return prof_diag_memory(diag);
  }
  reader->lines = lines;
  reader->diag = diag ? diag : &own;
  prof_status status;
  while ((status = prof_text_lines_next(lines, &line, &bytes, reader->diag)) == PROF_OK && line)
    if ((status = take(reader, line, bytes)) != PROF_OK)
      break;
  if (status == PROF_OK)
    status = end_sample(reader);
  if (status == PROF_OK && reader->event_count == 0)
    status = prof_diag_fill(reader->diag, PROF_EMPTY, lines->path, PROF_NO_OFFSET, REMEDY, "the file has no samples");
  if (status == PROF_OK && !list_events(reader, out))
    status = prof_diag_memory(reader->diag);
  if (status == PROF_OK)
    chosen = event ? choose_named(reader, event) : choose_best(reader);
  if (status == PROF_OK && chosen == MOST_EVENTS)
    status = prof_import_no_event(lines->path, event, out, reader->diag);
  if (status == PROF_OK)
    status = copy_event(reader, chosen, out);
  prof_vec_fini(&reader->chain);
  prof_path_sums_fini(&reader->all);
  free(reader);
  return status;
}

/* The first line that is not empty and no comment is the head of a sample, or a record of perf. */
static bool looks_like(const char *head, size_t bytes) {
  enum { LONGEST = 4096 };
  char line[LONGEST];
  for (const char *at = head, *limit = head + bytes; at < limit;) {
    const char *end = memchr(at, '\n', (size_t)(limit - at));
    size_t length = (size_t)((end ? end : limit) - at);
    if (length && at[0] != '#' && strspn(at, " \t\r") < length) {
      struct prof_perf_head found;
      length = length < LONGEST ? length : LONGEST - 1;
      memcpy(line, at, length);
      line[length] = 0;
      return prof_perf_head_parse(line, &found) || strstr(line, "PERF_RECORD_");
    }
    at = end ? end + 1 : limit;
  }
  return false;
}

const struct prof_importer prof_importer_perf = {
    .name = "perf",
    .summary = "text of perf script",
    .has_events = true,
    .whole = true,
    .looks_like = looks_like,
    .read = read_perf,
};
