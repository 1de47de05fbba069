/*
 * tools/analysis/arguments.c - see arguments.h: calls of equal texts are a group; durations are sorted by group.
 */
#include "analysis/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "base/order.h"
#include "fold/walk.h"
#include "names/point_value.h"

enum { TEXT_BYTES = 1000 }; /* of a call's values; what is beyond isn't told apart */

struct open_call {
  uint32_t function;
  uint32_t depth;
  char *values; /* as in the brackets; NULL: none so far */
};

struct group {
  const char *text;
  uint32_t function;
};

struct ended {
  uint64_t duration_ns;
  uint32_t group;
};

struct finding {
  const prof_trace *trace;
  struct prof_names *names;
  bool returned, failed;
  uint32_t thread;
  PROF_VEC(struct open_call) open;    /* of the present thread */
  PROF_VEC(struct open_call) staying; /* those that go on when a frame around them is left, the innermost first */
  PROF_VEC(struct group) groups;
  PROF_VEC(struct ended) ended;
  struct prof_index_map by_text;
  struct prof_arena *texts;
};

static void close_last(struct finding *finding) {
  free(finding->open.items[--finding->open.count].values);
}

static void take_value(struct finding *finding, const struct prof_walk_event *event) {
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  const struct prof_point *point = prof_point_of(finding->trace, &site);
  const uint32_t wanted = finding->returned ? PROF_POINT_IS_RETURNED : PROF_POINT_IS_ARGUMENT;
  struct open_call *call = finding->open.count ? &finding->open.items[finding->open.count - 1] : NULL;
  char value[PROF_POINT_SHOWN_BYTES], all[TEXT_BYTES];
  if (!point || point->kind != wanted || !call || call->depth + 1 != event->depth)
    return;
  prof_point_shown(&site, event->value, event->text, value);
  if (finding->returned)
    snprintf(all, sizeof all, "%s", value);
  else
    snprintf(all, sizeof all, "%s%s%s=%s", call->values ? call->values : "", call->values ? ", " : "", point->name,
             value);
  free(call->values);
  call->values = strdup(all);
  finding->failed |= !call->values;
}

static uint32_t hash_of(const char *text, uint32_t function) {
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return prof_index_hash(hash, function);
}

static void end_call(struct finding *finding, const struct open_call *call, uint64_t duration_ns) {
  const uint32_t hash = hash_of(call->values, call->function);
  uint32_t group = prof_index_find(&finding->by_text, hash, i,
                                   finding->groups.items[i].function == call->function &&
                                       strcmp(finding->groups.items[i].text, call->values) == 0);
  if (group == UINT32_MAX) {
    const struct group made = {prof_arena_copy(finding->texts, call->values, strlen(call->values)), call->function};
    group = made.text ? prof_index_meet(&finding->by_text, &finding->groups, hash, i, false, made) : group;
  }
  const struct ended ended = {duration_ns, group};
  finding->failed |= group == UINT32_MAX || !prof_vec_push(&finding->ended, ended);
}

static void leave(struct finding *finding, const struct prof_walk_event *event) {
  while (finding->open.count && finding->open.items[finding->open.count - 1].depth >= event->depth) {
    const struct open_call *call = &finding->open.items[finding->open.count - 1];
    if (call->values && call->depth == event->depth)
      end_call(finding, call, event->duration_ns);
    close_last(finding);
  }
}

/* Both events of a frame that stays are `goes_on`. */
static void stay(struct finding *finding, const struct prof_walk_event *event) {
  struct open_call *last = finding->open.count ? &finding->open.items[finding->open.count - 1] : NULL;
  if (!last || last->depth != event->depth)
    return;
  finding->failed |= !prof_vec_push(&finding->staying, *last);
  if (!finding->failed)
    finding->open.count--;
}
static void enter(struct finding *finding, const struct prof_walk_event *event) {
  struct open_call call = {.function = event->function, .depth = event->depth};
  if (event->goes_on && finding->staying.count)
    call.values = finding->staying.items[--finding->staying.count].values;
  finding->failed |= !prof_vec_push(&finding->open, call);
  if (finding->failed)
    free(call.values);
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  while (finding->thread != event->thread && finding->open.count)
    close_last(finding);
  finding->thread = event->thread;
  if (event->kind == PROF_WALK_ENTER)
    enter(finding, event);
  else if (event->goes_on)
    stay(finding, event);
  else if (event->kind == PROF_WALK_POINT)
    take_value(finding, event);
  else if (event->kind == PROF_WALK_LEAVE)
    leave(finding, event);
  return !finding->failed;
}

static int by_group(const void *left, const void *right) {
  const struct ended *a = left, *b = right;
  return prof_order(a->group, b->group);
}

static int by_total(const void *left, const void *right) {
  const struct prof_frame_name *a = left, *b = right;
  return prof_order(b->figures.total_ns, a->figures.total_ns) ?: strcmp(a->name, b->name);
}

/* A demangled name has its own parameters: those of the call stand in their place. */
static const char *name_of(struct finding *finding, const struct group *group) {
  char name[2 * TEXT_BYTES];
  const char *function = prof_names_function(finding->names, group->function);
  int bytes = (int)strcspn(function, "(");
  bytes = bytes < TEXT_BYTES ? bytes : TEXT_BYTES - 1;
  snprintf(name, sizeof name, finding->returned ? "%.*s() = %s" : "%.*s(%s)", bytes, function, group->text);
  return prof_arena_copy(finding->texts, name, strlen(name));
}

static bool make(struct finding *finding, struct prof_frames *out) {
  struct prof_durations durations = {0};
  out->rows = calloc(finding->groups.count + 1, sizeof *out->rows);
  if (!out->rows || finding->failed)
    return false;
  if (finding->ended.count)
    qsort(finding->ended.items, finding->ended.count, sizeof *finding->ended.items, by_group);
  bool good = true;
  for (size_t at = 0; good && at < finding->ended.count;) {
    const uint32_t group = finding->ended.items[at].group;
    for (durations.count = 0; good && at < finding->ended.count && finding->ended.items[at].group == group; at++)
      good = prof_vec_push(&durations, finding->ended.items[at].duration_ns);
    struct prof_frame_name *row = &out->rows[out->count++];
    row->name = name_of(finding, &finding->groups.items[group]);
    row->figures = prof_durations_sum(&durations);
    good &= row->name != NULL;
  }
  prof_vec_fini(&durations);
  if (good)
    qsort(out->rows, out->count, sizeof *out->rows, by_total);
  return good;
}

void prof_arguments_free(struct prof_argument_rows *rows) {
  prof_frames_free(&rows->rows);
  prof_arena_fini(&rows->texts);
}

prof_status prof_arguments_find(const prof_trace *trace, struct prof_names *names, const struct prof_filter *filter,
                                bool returned, struct prof_diag *diag, struct prof_argument_rows *out) {
  *out = (struct prof_argument_rows){.rows = {NULL, 0}};
  struct finding finding = {
      .trace = trace, .names = names, .returned = returned, .thread = PROF_NONE, .texts = &out->texts};
  prof_status status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, take, &finding, diag);
  if (status == PROF_OK && !make(&finding, &out->rows))
    status = prof_diag_memory(diag);
  if (status == PROF_OK && out->rows.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                            returned ? "compile with -fplugin-arg-prof-values=F and record with --ret=F"
                                     : "compile with -fplugin-arg-prof-values=F and record with --args=F",
                            returned ? "no returned value is in what is shown" : "no argument is in what is shown");
  while (finding.open.count)
    close_last(&finding);
  while (finding.staying.count)
    free(finding.staying.items[--finding.staying.count].values);
  prof_vec_fini(&finding.open);
  prof_vec_fini(&finding.staying);
  prof_vec_fini(&finding.groups);
  prof_vec_fini(&finding.ended);
  prof_index_fini(&finding.by_text);
  if (status != PROF_OK)
    prof_arguments_free(out);
  return status;
}
