/*
 * tools/viewer/view_frames.c - see view_frames.h.
 */
#include "viewer/view_frames.h"

#include <string.h>

#include "names/loop_frames.h"
#include "viewer/columns.h"

bool prof_view_frames_init(struct prof_view_frames *frames, const struct prof_recording *recording) {
  *frames = (struct prof_view_frames){.recording = recording, .count = prof_frame_count(recording->trace)};
  frames->of = malloc((frames->count + 1) * sizeof *frames->of);
  for (uint32_t i = 0; frames->of && i <= frames->count; i++)
    frames->of[i] = PROF_NONE;
  return frames->of != NULL;
}

void prof_view_frames_fini(struct prof_view_frames *frames) {
  free(frames->of);
  prof_vec_fini(&frames->numbers);
  prof_vec_fini(&frames->files);
  prof_vec_fini(&frames->paths);
  prof_vec_fini(&frames->modules);
  prof_vec_fini(&frames->extra);
  prof_index_fini(&frames->known_extra);
  prof_index_fini(&frames->known_files);
  prof_index_fini(&frames->known_modules);
}

uint32_t prof_view_frame(struct prof_view_frames *frames, uint32_t frame) {
  size_t functions;
  prof_trace_functions(frames->recording->trace, &functions);
  uint32_t at = frame < frames->count ? frame : (uint32_t)functions;
  if (frames->of[at] != PROF_NONE)
    return frames->of[at];
  if (!prof_vec_push(&frames->numbers, at == functions ? PROF_NONE : at)) {
    frames->failed = true;
    return 0;
  }
  return frames->of[at] = (uint32_t)(frames->numbers.count - 1);
}

uint32_t prof_view_frame_number(const struct prof_view_frames *frames, uint32_t id) {
  size_t functions;
  prof_trace_functions(frames->recording->trace, &functions);
  if (id >= frames->numbers.count)
    return PROF_NONE;
  uint32_t number = frames->numbers.items[id] == PROF_NONE ? (uint32_t)functions : frames->numbers.items[id];
  return number < frames->count ? number : PROF_NONE;
}

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (; *text; text++)
    hash = (hash ^ (uint8_t)*text) * 16777619u;
  return hash;
}

/* Its name, if it is of no function; else NULL. */
static const char *extra_name(const struct prof_view_frames *frames, uint32_t number) {
  return number != PROF_NONE && number > frames->count ? frames->extra.items[number - frames->count - 1] : NULL;
}

static bool is_extra(const struct prof_view_frames *frames, uint32_t id, const char *name) {
  const char *extra = extra_name(frames, frames->numbers.items[id]);
  return extra && !strcmp(extra, name);
}

/* Numbers of extra frames lie behind all others: count + 1 is the first one. */
uint32_t prof_view_extra_frame(struct prof_view_frames *frames, const char *name) {
  uint32_t extra = prof_index_find(&frames->known_extra, hash_of(name), i, is_extra(frames, i, name));
  if (extra != PROF_NONE)
    return extra;
  uint32_t number = frames->count + 1 + (uint32_t)frames->extra.count, id = (uint32_t)frames->numbers.count;
  if (!prof_vec_push(&frames->extra, name) || !prof_vec_push(&frames->numbers, number) ||
      !prof_index_add(&frames->known_extra, hash_of(name), id)) {
    frames->failed = true;
    return 0;
  }
  return id;
}

uint32_t prof_view_file(struct prof_view_frames *frames, const char *path) {
  const char *shown = path && *path ? prof_shown_path(frames->recording->paths, path) : "";
  if (!*shown)
    return PROF_NONE;
  uint32_t number = prof_index_meet(&frames->known_files, &frames->files, hash_of(shown), i,
                                    !strcmp(frames->files.items[i], shown), shown);
  frames->failed |= number == PROF_NONE;
  if (number == frames->paths.count)
    frames->failed |= !prof_vec_push(&frames->paths, path);
  return number;
}

static uint32_t module_number(struct prof_view_frames *frames, const char *path) {
  if (!*path)
    return PROF_NONE;
  uint32_t number = prof_index_meet(&frames->known_modules, &frames->modules, hash_of(path), i,
                                    !strcmp(frames->modules.items[i], path), path);
  frames->failed |= number == PROF_NONE;
  return number;
}

void prof_view_text(struct prof_view_frames *frames, struct prof_json *json, const char *key, const char *text) {
  size_t bytes = text ? strlen(text) : 0, most = PROF_VIEW_NAME_MOST;
  if (bytes > most) {
    frames->long_names++;
    while (most > 0 && ((uint8_t)text[most] & 0xc0) == 0x80) /* not within a character */
      most--;
    bytes = most;
  }
  prof_json_bytes(json, key, text ? text : "", bytes);
}

static void write_list(struct prof_view_frames *frames, struct prof_json *json, const char *key,
                       const char *const *texts, uint64_t first, size_t count) {
  prof_json_array(json, key);
  for (size_t i = first; i < count; i++)
    prof_view_text(frames, json, NULL, texts[i]);
  prof_json_array_end(json);
}

const char *prof_view_frame_name(const struct prof_view_frames *frames, uint32_t id) {
  const char *extra = extra_name(frames, frames->numbers.items[id]);
  return extra ? extra : prof_names_function(frames->recording->names, frames->numbers.items[id]);
}

static void write_names(struct prof_view_frames *frames, uint64_t first, struct prof_json *json) {
  prof_json_array(json, "name");
  for (size_t i = first; i < frames->numbers.count; i++)
    prof_view_text(frames, json, NULL, prof_view_frame_name(frames, (uint32_t)i));
  prof_json_array_end(json);
}

/* Names as tables show them; "": the name. */
static void write_apart(struct prof_view_frames *frames, uint64_t first, struct prof_json *json) {
  struct prof_names *names = frames->recording->names;
  prof_json_array(json, "apart");
  for (size_t i = first; i < frames->numbers.count; i++) {
    const uint32_t number = frames->numbers.items[i];
    const char *name = prof_view_frame_name(frames, (uint32_t)i);
    const char *apart = extra_name(frames, number) ? name : prof_names_apart(names, number);
    prof_view_text(frames, json, NULL, strcmp(apart, name) ? apart : "");
  }
  prof_json_array_end(json);
}

static void write_columns(struct prof_view_frames *frames, uint64_t first, struct prof_json *json) {
  static const char *const keys[] = {"module", "file", "line"};
  struct prof_names *names = frames->recording->names;
  size_t count = frames->numbers.count > first ? frames->numbers.count - first : 0;
  uint32_t *columns[3];
  for (unsigned i = 0; i < 3; i++) {
    columns[i] = calloc(count + 1, sizeof *columns[i]);
    frames->failed |= !columns[i];
  }
  for (size_t i = 0; i < count && !frames->failed; i++) {
    uint32_t own = frames->numbers.items[first + i], number = extra_name(frames, own) ? PROF_NONE : own;
    columns[0][i] = module_number(frames, prof_names_module(names, number));
    columns[1][i] = prof_view_file(frames, prof_names_file(names, number));
    columns[2][i] = number == PROF_NONE ? 0 : prof_names_line(names, number);
  }
  for (unsigned i = 0; i < 3; i++) {
    if (!frames->failed)
      prof_columns_indices(json, keys[i], columns[i], count);
    free(columns[i]);
  }
}

void prof_view_frames_write(struct prof_view_frames *frames, const struct prof_view_known *known,
                            struct prof_json *json) {
  static const struct prof_view_known nothing = {0, 0, 0};
  known = known ? known : &nothing;
  write_names(frames, known->frames, json);
  write_apart(frames, known->frames, json);
  write_columns(frames, known->frames, json);
  prof_json_array(json, "loop");
  for (size_t i = known->frames; i < frames->numbers.count; i++)
    prof_json_bool(json, NULL, prof_frame_loop(frames->recording->trace, frames->numbers.items[i]) != PROF_NONE);
  prof_json_array_end(json);
  write_list(frames, json, "modules", frames->modules.items, known->modules, frames->modules.count);
  write_list(frames, json, "files", frames->files.items, known->files, frames->files.count);
}
