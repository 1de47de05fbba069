/*
 * tools/import/read_callgrind.c - the file that valgrind's callgrind writes, and prof export --format=callgrind.
 *
 * Functions with their own cost, and calls between them with inclusive cost: there are no call paths.  Names may be
 * numbers that an earlier line defined, in one space for objects, one for files, one for functions.  Positions (lines,
 * instructions) are checked and not kept.  A file may have several parts, which add up; each has its events.
 * Source: Callgrind Format Specification, version 1 (Valgrind manual).
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "import/importers.h"
#include "import/unescape.h"
#include "import/weight_text.h"

#define REMEDY "give a file that callgrind wrote to its end"
#define MOST_EVENTS 64
#define MOST_NUMBER ((uint64_t)1 << 30) /* of a name */

enum space { OBJECTS, FILES, FUNCTIONS, SPACES };

struct name { /* of a number */
  uint64_t number;
  const char *text;
};

struct reader {
  struct prof_text_lines *lines;
  struct prof_diag *diag;
  struct prof_path_sums *out;
  const char *wanted;
  PROF_VEC(struct name) names[SPACES];
  struct prof_index_map known[SPACES];
  const char *object, *file;               /* of the functions that come */
  const char *place;                       /* file of the costs that come: of inlined code maybe another one */
  const char *called_object, *called_file; /* of the next call; NULL: as its caller's */
  uint32_t function, callee;               /* frames; UINT32_MAX: none yet */
  double calls;                            /* of a call whose cost comes next; below 0: none */
  bool jump;                               /* the next line is where a jump begins */
  size_t positions;                        /* numbers before the costs */
  bool counted[MOST_EVENTS];               /* events whose costs are the weight */
  size_t event_count;                      /* 0: not known yet */
};

static prof_status fault(struct reader *reader, const char *what, const char *line) {
  return prof_text_lines_fault(reader->lines, reader->diag, REMEDY, "%s: %.40s", what, line);
}

/* ---- names: "(3) text" defines, "(3)" repeats, "text" is itself ---- */

static const char *keep_text(struct reader *reader, const char *text) {
  char *copy = prof_arena_copy(&reader->out->texts, text, strlen(text));
  if (copy)
    prof_unescape(copy);
  return copy;
}

static prof_status define(struct reader *reader, enum space space, uint64_t number, const char *text) {
  uint32_t at =
      prof_index_find(&reader->known[space], (uint32_t)number, i, reader->names[space].items[i].number == number);
  const char *copy = keep_text(reader, text);
  if (!copy)
    return prof_diag_memory(reader->diag);
  if (at != UINT32_MAX) { /* a later part may say it again */
    reader->names[space].items[at].text = copy;
    return PROF_OK;
  }
  const struct name name = {number, copy};
  return prof_index_meet(&reader->known[space], &reader->names[space], (uint32_t)number, i, false, name) != UINT32_MAX
             ? PROF_OK
             : prof_diag_memory(reader->diag);
}

static prof_status read_name(struct reader *reader, enum space space, const char *text, const char **out) {
  uint64_t number = 0;
  const char *end = text[0] == '(' ? strchr(text, ')') : NULL;
  if (!end || !prof_count_parse(text + 1, (size_t)(end - text - 1), &number)) { /* "(below main)" is a name */
    *out = keep_text(reader, text);
    return *out ? PROF_OK : prof_diag_memory(reader->diag);
  }
  if (number > MOST_NUMBER)
    return fault(reader, "a name's number is above 2^30", text);
  const char *name = end + 1 + strspn(end + 1, " \t");
  if (*name) {
    prof_status status = define(reader, space, number, name);
    if (status != PROF_OK)
      return status;
  }
  uint32_t at =
      prof_index_find(&reader->known[space], (uint32_t)number, i, reader->names[space].items[i].number == number);
  if (at == UINT32_MAX)
    return fault(reader, "no line before defines this name", text);
  *out = reader->names[space].items[at].text;
  return PROF_OK;
}

static const char *known_or_none(const char *text) {
  return text && strcmp(text, "???") != 0 ? text : "";
}

static prof_status meet_function(struct reader *reader, const char *name, const char *object, const char *file,
                                 uint32_t *out) {
  *out = prof_path_sums_frame(reader->out, name, known_or_none(object), known_or_none(file));
  return *out != UINT32_MAX ? PROF_OK : prof_diag_memory(reader->diag);
}

/* ---- lines "key=text" ---- */

static prof_status take_object(struct reader *reader, const char *text) {
  return read_name(reader, OBJECTS, text, &reader->object);
}

static prof_status take_file(struct reader *reader, const char *text) {
  prof_status status = read_name(reader, FILES, text, &reader->file);
  reader->place = reader->file;
  return status;
}

/* Code that was inlined from another file: the function stays. */
static prof_status take_inlined(struct reader *reader, const char *text) {
  return read_name(reader, FILES, text, &reader->place);
}

static prof_status take_function(struct reader *reader, const char *text) {
  const char *name;
  prof_status status = read_name(reader, FUNCTIONS, text, &name);
  return status == PROF_OK ? meet_function(reader, name, reader->object, reader->file, &reader->function) : status;
}

static prof_status take_called_object(struct reader *reader, const char *text) {
  return read_name(reader, OBJECTS, text, &reader->called_object);
}

static prof_status take_called_file(struct reader *reader, const char *text) {
  return read_name(reader, FILES, text, &reader->called_file);
}

static prof_status take_callee(struct reader *reader, const char *text) {
  const char *name;
  prof_status status = read_name(reader, FUNCTIONS, text, &name);
  return status == PROF_OK ? meet_function(reader, name, reader->called_object ? reader->called_object : reader->object,
                                           reader->called_file ? reader->called_file : reader->place, &reader->callee)
                           : status;
}

/* "calls=COUNT POSITIONS" */
static prof_status take_calls(struct reader *reader, const char *text) {
  if (reader->callee == UINT32_MAX || reader->function == UINT32_MAX)
    return fault(reader, "calls without a caller and a callee (fn=, cfn=)", text);
  if (!prof_weight_parse(text, strcspn(text, " \t"), &reader->calls))
    return fault(reader, "no number of calls", text);
  return PROF_OK;
}

static prof_status take_jump(struct reader *reader, const char *text) {
  (void)text;
  reader->jump = true;
  return PROF_OK;
}

/* Where a jump goes is not kept, but its names may be defined there. */
static prof_status take_jump_file(struct reader *reader, const char *text) {
  const char *ignored;
  return read_name(reader, FILES, text, &ignored);
}

static prof_status take_jump_function(struct reader *reader, const char *text) {
  const char *ignored;
  return read_name(reader, FUNCTIONS, text, &ignored);
}

static prof_status take_jump_object(struct reader *reader, const char *text) {
  const char *ignored;
  return read_name(reader, OBJECTS, text, &ignored);
}

static prof_status take_nothing(struct reader *reader, const char *text) {
  (void)reader, (void)text;
  return PROF_OK;
}

/* ---- lines "key: text" ---- */

/* Are the events "A" or "A+B" of the line among those that are wanted? */
static bool is_wanted(const char *wanted, const char *event, size_t bytes) {
  while (wanted && *wanted) {
    const size_t length = strcspn(wanted, "+");
    if (length == bytes && !memcmp(wanted, event, bytes))
      return true;
    wanted += length + (wanted[length] == '+');
  }
  return false;
}

static bool list_event(struct prof_path_sums *out, const char *text, size_t bytes) {
  for (size_t i = 0; i < out->events.count; i++)
    if (strlen(out->events.items[i].name) == bytes && !memcmp(out->events.items[i].name, text, bytes))
      return true;
  const struct prof_path_sums_event event = {prof_arena_copy(&out->texts, text, bytes), 0};
  return event.name && prof_vec_push(&out->events, event);
}

static enum prof_path_sums_unit unit_of(const char *event) {
  static const char *const times[] = {"Running", "Waiting", "Preempted", "Elapsed", NULL}; /* of prof export */
  for (size_t i = 0; times[i]; i++)
    if (is_wanted(event, times[i], strlen(times[i])))
      return PROF_PATHS_NS;
  return !strcmp(event, "Ir") ? PROF_PATHS_INSTRUCTIONS : PROF_PATHS_EVENTS;
}

/* Of several parts each says its events, in its own order. */
static prof_status take_events(struct reader *reader, const char *text) {
  size_t found = 0, wanted = 1;
  reader->event_count = 0;
  for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
    const size_t bytes = strcspn(at, " \t");
    if (reader->event_count == MOST_EVENTS)
      return fault(reader, "more than 64 events", text);
    if (!list_event(reader->out, at, bytes))
      return prof_diag_memory(reader->diag);
    if (!reader->wanted) /* the first one of the first part */
      reader->wanted = reader->out->events.items[0].name;
    const bool counted = is_wanted(reader->wanted, at, bytes);
    reader->counted[reader->event_count++] = counted;
    found += counted;
    at += bytes;
  }
  for (const char *at = reader->wanted; at && *at; at++)
    wanted += *at == '+';
  if (reader->event_count == 0)
    return fault(reader, "no events", text);
  if (found < wanted)
    return prof_import_no_event(reader->lines->path, reader->wanted, reader->out, reader->diag);
  return PROF_OK;
}

static prof_status take_positions(struct reader *reader, const char *text) {
  reader->positions = 0;
  for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
    const size_t bytes = strcspn(at, " \t");
    if ((bytes != 4 || memcmp(at, "line", 4) != 0) && (bytes != 5 || memcmp(at, "instr", 5) != 0))
      return fault(reader, "positions are line, instr, or both", text);
    reader->positions++;
    at += bytes;
  }
  return reader->positions == 1 || reader->positions == 2 ? PROF_OK
                                                          : fault(reader, "positions are line, instr, or both", text);
}

/* A part begins: a call doesn't go on beyond it. */
static prof_status take_part(struct reader *reader, const char *text) {
  (void)text;
  reader->function = reader->callee = UINT32_MAX;
  reader->object = reader->file = reader->place = reader->called_object = reader->called_file = NULL;
  return PROF_OK;
}

static const struct key {
  const char *word; /* with its sign */
  prof_status (*take)(struct reader *, const char *text);
} keys[] = {
    {"fn=", take_function},       {"fl=", take_file},
    {"fi=", take_inlined},        {"fe=", take_inlined},
    {"ob=", take_object},         {"cfn=", take_callee},
    {"cfi=", take_called_file},   {"cfl=", take_called_file},
    {"cob=", take_called_object}, {"calls=", take_calls},
    {"jump=", take_jump},         {"jcnd=", take_jump},
    {"jfn=", take_jump_function}, {"jfi=", take_jump_file},
    {"jfl=", take_jump_file},     {"job=", take_jump_object},
    {"rcalls=", take_nothing},    {"frfn=", take_nothing},
    {"events:", take_events},     {"positions:", take_positions},
    {"part:", take_part},         {"version:", take_nothing},
    {"creator:", take_nothing},   {"cmd:", take_nothing},
    {"pid:", take_nothing},       {"thread:", take_nothing},
    {"desc:", take_nothing},      {"event:", take_nothing},
    {"summary:", take_nothing},   {"totals:", take_nothing},
};

/* ---- costs ---- */

/* A position: "12", "0x4f", "+3", "-3", "*". */
static bool is_position(const char *at, size_t bytes) {
  if (bytes == 1 && *at == '*')
    return true;
  const size_t sign = *at == '+' || *at == '-';
  const bool hex = bytes > sign + 2 && at[sign] == '0' && at[sign + 1] == 'x';
  const size_t first = hex ? sign + 2 : sign;
  for (size_t i = first; i < bytes; i++)
    if (!(hex ? prof_is_hex(at[i]) : prof_is_digit(at[i])))
      return false;
  return bytes > first;
}

static bool add_cost(struct reader *reader, double cost) {
  if (reader->calls >= 0) {
    uint32_t edge = prof_path_sums_edge(reader->out, reader->function, reader->callee);
    if (edge == UINT32_MAX)
      return false;
    reader->out->edges.items[edge].calls += reader->calls;
    reader->out->edges.items[edge].total += cost;
    return true;
  }
  uint32_t node = prof_path_sums_child(reader->out, 0, reader->function);
  if (node != UINT32_MAX)
    reader->out->nodes.items[node].self += cost;
  return node != UINT32_MAX;
}

/* "POSITIONS COSTS": of a function, or of the call in the line before.  Costs that are left out are 0. */
static prof_status take_costs(struct reader *reader, const char *line) {
  const char *at = line;
  double sum = 0;
  for (size_t i = 0; i < reader->positions; i++, at += strspn(at, " \t")) {
    const size_t bytes = strcspn(at, " \t");
    if (bytes == 0 || !is_position(at, bytes))
      return fault(reader, "neither a cost nor a word of the format", line);
    at += bytes;
  }
  if (reader->jump) {
    reader->jump = false;
    return PROF_OK;
  }
  if (reader->event_count == 0)
    return fault(reader, "costs before the line events:", line);
  if (reader->function == UINT32_MAX)
    return fault(reader, "costs before the first function (fn=)", line);
  for (size_t i = 0; *at; i++, at += strspn(at, " \t")) {
    const size_t bytes = strcspn(at, " \t");
    double cost;
    if (i >= reader->event_count)
      return fault(reader, "more costs than events", line);
    if (!prof_weight_parse(at, bytes, &cost))
      return fault(reader, "a cost is no number", line);
    sum += reader->counted[i] ? cost : 0;
    at += bytes;
  }
  bool done = add_cost(reader, sum);
  if (reader->calls >= 0) {
    reader->calls = -1;
    reader->callee = UINT32_MAX;
    reader->called_object = reader->called_file = NULL;
  }
  return done ? PROF_OK : prof_diag_memory(reader->diag);
}

static prof_status take(struct reader *reader, const char *line) {
  line += strspn(line, " \t");
  if (!*line || *line == '#')
    return PROF_OK;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const size_t bytes = strlen(keys[i].word);
    if (strncmp(line, keys[i].word, bytes) != 0)
      continue;
    if (reader->calls >= 0)
      return fault(reader, "the cost of the calls in the line before is missing", line);
    return keys[i].take(reader, line + bytes + strspn(line + bytes, " \t"));
  }
  return take_costs(reader, line);
}

static prof_status read_callgrind(struct prof_text_lines *lines, const char *event, struct prof_path_sums *out,
                                  struct prof_diag *diag) {
  struct reader reader = {.lines = lines,
                          .diag = diag,
                          .out = out,
                          .wanted = event,
                          .positions = 1,
                          .calls = -1,
                          .function = UINT32_MAX,
                          .callee = UINT32_MAX};
  char *line;
  size_t bytes;
  prof_status status;
  out->has_paths = false;
  while ((status = prof_text_lines_next(lines, &line, &bytes, diag)) == PROF_OK && line)
    if ((status = take(&reader, line)) != PROF_OK)
      break;
  if (status == PROF_OK && reader.calls >= 0)
    status = fault(&reader, "the file ends before the cost of a call", "");
  if (status == PROF_OK && (reader.event_count == 0 || prof_path_sums_total(out) <= 0))
    status = prof_diag_fill(diag, PROF_EMPTY, lines->path, PROF_NO_OFFSET, REMEDY, "the file has no costs");
  if (status == PROF_OK) {
    out->event = prof_arena_copy(&out->texts, reader.wanted, strlen(reader.wanted));
    out->unit = unit_of(reader.wanted);
    status = out->event ? PROF_OK : prof_diag_memory(diag);
  }
  for (size_t i = 0; i < SPACES; i++) {
    prof_vec_fini(&reader.names[i]);
    prof_index_fini(&reader.known[i]);
  }
  return status;
}

static bool begins_line(const char *head, const char *word) {
  const char *at = strstr(head, word);
  while (at && at != head && at[-1] != '\n')
    at = strstr(at + 1, word);
  return at != NULL;
}

static bool looks_like(const char *head, size_t bytes) {
  (void)bytes;
  return !strncmp(head, "# callgrind format", 18) || (begins_line(head, "events:") && begins_line(head, "fn="));
}

const struct prof_importer prof_importer_callgrind = {
    .name = "callgrind",
    .summary = "what callgrind and prof export write: functions and calls, no call paths",
    .has_events = true,
    .whole = true,
    .looks_like = looks_like,
    .read = read_callgrind,
};
