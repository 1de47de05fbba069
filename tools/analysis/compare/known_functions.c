/*
 * tools/analysis/compare/known_functions.c - see known_functions.h.
 */
#include "analysis/compare/known_functions.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/key_table.h"
#include "base/diag.h"

/* Keys of all functions of the recording. */
static bool collect(const prof_trace *trace, struct prof_names *names, struct prof_key_table *keys) {
  size_t count;
  prof_trace_functions(trace, &count);
  for (uint32_t i = 0; i < count; i++)
    if (prof_key_table_add(keys, prof_names_function(names, i)) == UINT32_MAX)
      return false;
  return true;
}

/* Per frame: is it known?  NULL: no memory. */
static bool *mark(const struct prof_path_sums *paths, struct prof_key_table *keys, bool *any) {
  bool *known = calloc(paths->frames.count + 1, sizeof *known);
  *any = false;
  for (size_t i = 0; known && i < paths->frames.count; i++) {
    known[i] = strcmp(paths->frames.items[i].module, PROF_PATHS_INLINED) != 0 &&
               prof_key_table_find(keys, paths->frames.items[i].name) != UINT32_MAX;
    *any |= known[i];
  }
  return known;
}

static bool copy(const struct prof_path_sums *from, const bool *known, struct prof_path_sums *out, double *outside) {
  uint32_t *place = calloc(from->nodes.count, sizeof *place);
  bool done = place != NULL;
  *outside = 0;
  for (size_t i = 0; done && i < from->nodes.count; i++) {
    const struct prof_path_sums_node *node = &from->nodes.items[i];
    const struct prof_path_sums_frame *frame = i ? &from->frames.items[node->frame] : NULL;
    if (frame) {
      place[i] = place[node->parent];
      if (known[node->frame]) {
        uint32_t number = prof_path_sums_frame(out, frame->name, frame->module, frame->file);
        place[i] = number == UINT32_MAX ? UINT32_MAX : prof_path_sums_child(out, place[i], number);
      }
    }
    done = place[i] != UINT32_MAX;
    if (done && place[i]) {
      out->nodes.items[place[i]].self += node->self;
      out->nodes.items[place[i]].estimated |= node->estimated;
    } else {
      *outside += node->self;
    }
  }
  free(place);
  return done;
}

prof_status prof_paths_keep_known(const struct prof_path_sums *paths, const prof_trace *trace, struct prof_names *names,
                                  struct prof_diag *diag, struct prof_path_sums *out, double *outside) {
  struct prof_key_table keys = {0};
  bool any = false;
  bool *known = collect(trace, names, &keys) ? mark(paths, &keys, &any) : NULL;
  prof_key_table_fini(&keys);
  if (known && !any) {
    free(known);
    return prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "check that both are of the same program",
                          "the recording has no function of the other profile");
  }
  bool started = known && prof_path_sums_init(out), done = started && copy(paths, known, out, outside);
  free(known);
  if (!done) {
    if (started)
      prof_path_sums_fini(out);
    return prof_diag_memory(diag);
  }
  out->format = paths->format;
  out->has_paths = paths->has_paths;
  out->unit = paths->unit;
  out->event = paths->event; /* a text of `paths` */
  out->times = paths->times;
  out->lost = paths->lost;
  return PROF_OK;
}
