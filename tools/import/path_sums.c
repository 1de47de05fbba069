/*
 * tools/import/path_sums.c - see paths.h.
 */
#include "import/path_sums.h"

#include <string.h>

const char *const prof_paths_unit_words[PROF_PATHS_UNITS] = {"counts",       "samples", "events",
                                                             "instructions", "cycles",  "ns"};

bool prof_path_sums_init(struct prof_path_sums *paths) {
  *paths = (struct prof_path_sums){.has_paths = true};
  return prof_vec_push(&paths->nodes, (struct prof_path_sums_node){.parent = PROF_PATHS_NO_PARENT});
}

void prof_path_sums_fini(struct prof_path_sums *paths) {
  prof_vec_fini(&paths->frames);
  prof_vec_fini(&paths->nodes);
  prof_vec_fini(&paths->edges);
  prof_vec_fini(&paths->events);
  prof_index_fini(&paths->known_frames);
  prof_index_fini(&paths->known_nodes);
  prof_index_fini(&paths->known_edges);
  prof_arena_fini(&paths->texts);
}

uint32_t prof_path_sums_hash(const char *text) { /* FNV-1a */
  uint32_t hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

uint32_t prof_path_sums_frame(struct prof_path_sums *paths, const char *name, const char *module, const char *file) {
  struct prof_path_sums_frame frame = {name[0] ? name : PROF_PATHS_UNKNOWN, module ? module : "", file ? file : ""};
  const uint32_t hash =
      prof_path_sums_hash(frame.name) * 31 + prof_path_sums_hash(frame.module) * 7 + prof_path_sums_hash(frame.file);
  uint32_t found = prof_index_find(&paths->known_frames, hash, i,
                                   !strcmp(paths->frames.items[i].name, frame.name) &&
                                       !strcmp(paths->frames.items[i].module, frame.module) &&
                                       !strcmp(paths->frames.items[i].file, frame.file));
  if (found != UINT32_MAX)
    return found;
  frame.name = prof_arena_copy(&paths->texts, frame.name, strlen(frame.name));
  frame.module = frame.module[0] ? prof_arena_copy(&paths->texts, frame.module, strlen(frame.module)) : "";
  frame.file = frame.file[0] ? prof_arena_copy(&paths->texts, frame.file, strlen(frame.file)) : "";
  if (!frame.name || !frame.module || !frame.file)
    return UINT32_MAX;
  return prof_index_meet(&paths->known_frames, &paths->frames, hash, i, false, frame);
}

uint32_t prof_path_sums_child(struct prof_path_sums *paths, uint32_t parent, uint32_t frame) {
  const struct prof_path_sums_node node = {.parent = parent, .frame = frame};
  return prof_index_meet(&paths->known_nodes, &paths->nodes, prof_index_hash(parent, frame), i,
                         paths->nodes.items[i].parent == parent && paths->nodes.items[i].frame == frame, node);
}

uint32_t prof_path_sums_edge(struct prof_path_sums *paths, uint32_t caller, uint32_t callee) {
  const struct prof_path_sums_edge edge = {.caller = caller, .callee = callee};
  return prof_index_meet(&paths->known_edges, &paths->edges, prof_index_hash(caller, callee), i,
                         paths->edges.items[i].caller == caller && paths->edges.items[i].callee == callee, edge);
}

double prof_path_sums_total(const struct prof_path_sums *paths) {
  double total = 0;
  for (size_t i = 0; i < paths->nodes.count; i++)
    total += paths->nodes.items[i].self;
  return total;
}
