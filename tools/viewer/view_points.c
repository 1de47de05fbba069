/*
 * tools/viewer/view_points.c - see view_points.h.
 */
#include "viewer/view_points.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "viewer/columns.h"

static const char *const kinds[PROF_TRACK_KINDS] = {
    [PROF_TRACK_FRAMES] = "frame", [PROF_TRACK_REQUESTS] = "request", [PROF_TRACK_SPANS] = "span",
    [PROF_TRACK_MARKS] = "mark",   [PROF_TRACK_COUNTER] = "counter",  [PROF_TRACK_VALUE] = "value",
};

#define AT(member) offsetof(struct prof_track, member)
static const struct prof_column_row columns[] = {
    {"track_process", PROF_COLUMN_INDEX, AT(process), PROF_COLUMN_ALWAYS},
    {"track_thread", PROF_COLUMN_INDEX, AT(thread), PROF_COLUMN_ALWAYS},
    {"track_all", PROF_COLUMN_U64, AT(all), PROF_COLUMN_ALWAYS},
    {"track_total_ns", PROF_COLUMN_U64, AT(figures.total_ns), PROF_COLUMN_ALWAYS},
    {"track_p50_ns", PROF_COLUMN_U64, AT(figures.p50_ns), PROF_COLUMN_ALWAYS},
    {"track_p99_ns", PROF_COLUMN_U64, AT(figures.p99_ns), PROF_COLUMN_ALWAYS},
    {"track_max_ns", PROF_COLUMN_U64, AT(figures.max_ns), PROF_COLUMN_ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

struct names { /* of marks, each once */
  PROF_VEC(const char *) list;
  struct prof_index_map known;
  bool failed;
};

static uint32_t name_number(struct names *names, const char *name) {
  const uint32_t number = prof_index_meet(&names->known, &names->list, prof_index_hash((uintptr_t)name, 0), i,
                                          names->list.items[i] == name, name);
  names->failed |= number == UINT32_MAX;
  return number;
}

static void put_id(struct prof_json *json, const struct prof_track *track, const struct prof_track_item *item) {
  char text[24] = "";
  if (track->kind == PROF_TRACK_REQUESTS || track->kind == PROF_TRACK_SPANS)
    snprintf(text, sizeof text, "%" PRIu64, item->id);
  prof_json_text(json, NULL, text); /* has more digits than a number of a page */
}

static void put_value(struct prof_json *json, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.15g", value);
  prof_json_digits(json, NULL, isfinite(value) ? text : "null");
}

static void put_thread(struct prof_json *json, uint32_t thread) {
  if (thread == PROF_NONE)
    prof_columns_minus(json);
  else
    prof_json_count(json, NULL, thread);
}

/* A column of all items: PUT writes the value of `item`, of `track`. */
#define COLUMN(key, PUT)                                                                                               \
  prof_json_array(json, key);                                                                                          \
  for (size_t i = 0; i < tracks->list.count; i++)                                                                      \
    for (size_t j = 0; j < tracks->list.items[i].items.count; j++) {                                                   \
      const struct prof_track *track = &tracks->list.items[i];                                                         \
      const struct prof_track_item *item = &track->items.items[j];                                                     \
      (void)track;                                                                                                     \
      PUT;                                                                                                             \
    }                                                                                                                  \
  prof_json_array_end(json)

static void write_items(const struct prof_tracks *tracks, struct names *names, struct prof_json *json) {
  COLUMN("begin_ns", prof_json_count(json, NULL, item->begin_ns));
  COLUMN("duration_ns", prof_json_count(json, NULL, item->end_ns - item->begin_ns));
  COLUMN("id", put_id(json, track, item));
  COLUMN("value", put_value(json, item->value));
  COLUMN("name", prof_json_count(json, NULL, track->kind == PROF_TRACK_MARKS ? name_number(names, item->name) : 0));
  COLUMN("thread", put_thread(json, item->thread));
  COLUMN("count", prof_json_count(json, NULL, item->count));
}

static void write_texts(const struct prof_tracks *tracks, struct prof_view_frames *frames, struct prof_json *json) {
  prof_json_array(json, "track_kind");
  for (size_t i = 0; i < tracks->list.count; i++)
    prof_json_text(json, NULL, kinds[tracks->list.items[i].kind]);
  prof_json_array_end(json);
  prof_json_array(json, "track_name");
  for (size_t i = 0; i < tracks->list.count; i++)
    prof_view_text(frames, json, NULL, tracks->list.items[i].name);
  prof_json_array_end(json);
  prof_json_array(json, "track_unit");
  for (size_t i = 0; i < tracks->list.count; i++)
    prof_view_text(frames, json, NULL, tracks->list.items[i].unit);
  prof_json_array_end(json);
  prof_json_array(json, "track_items");
  for (size_t i = 0; i < tracks->list.count; i++)
    prof_json_count(json, NULL, tracks->list.items[i].items.count);
  prof_json_array_end(json);
}

prof_status prof_view_points_write(const struct prof_tracks *tracks, struct prof_view_frames *frames,
                                   struct prof_diag *diag, struct prof_json *json) {
  struct names names = {.list = {NULL, 0, 0}};
  if (tracks->list.count == 0)
    return PROF_OK;
  prof_columns_write(json, columns, tracks->list.items, tracks->list.count, sizeof *tracks->list.items);
  write_texts(tracks, frames, json);
  write_items(tracks, &names, json);
  prof_json_array(json, "names");
  for (size_t i = 0; i < names.list.count; i++)
    prof_view_text(frames, json, NULL, names.list.items[i]);
  prof_json_array_end(json);
  prof_vec_fini(&names.list);
  prof_index_fini(&names.known);
  return names.failed ? prof_diag_memory(diag) : PROF_OK;
}
