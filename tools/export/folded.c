/*
 * tools/export/folded.c - one line per call path: "main;run;step 1234", self time in nanoseconds.
 *
 * The format of Brendan Gregg's FlameGraph.  A path of several threads has several lines; readers sum them.  Job, in,
 * out: exporters.h.
 */
#include "base/diag.h"
#include "base/digits.h"
#include "call_path.h"
#include "exporters.h"
#include "folded_name.h"
#include "name_cache.h"
#include "ticks_out.h"

static void write_name(void *context, FILE *file, const char *name, uint32_t number) {
  (void)context, (void)number;
  prof_folded_name_put(file, name);
}

static prof_status write_thread(FILE *file, const struct prof_export_source *source, uint32_t thread_node,
                                struct prof_name_cache *names, struct prof_call_path *path, struct prof_diag *diag) {
  struct prof_ticks_out ticks = {.trace = source->trace};
  for (bool more = prof_call_path_begin(path, thread_node); more && !ferror(file); more = prof_call_path_next(path)) {
    uint64_t self_ns = prof_ticks_out_ns(&ticks, prof_call_path_self_ticks(path));
    if (!self_ns)
      continue;
    for (size_t f = 0; f < path->count; f++) {
      if (f)
        putc(';', file);
      if (!prof_name_cache_put(names, file, path->functions[f]))
        return prof_diag_memory(diag);
    }
    putc(' ', file);
    prof_digits_put(file, self_ns);
    putc('\n', file);
  }
  return path->failed ? prof_diag_memory(diag) : PROF_OK;
}

static prof_status write_folded(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct prof_name_cache names;
  struct prof_call_path path = {.profile = source->profile,
                                .time = source->time,
                                .leaves = source->leaves,
                                .groups = source->groups,
                                .limit = PROF_CALL_PATH_LIMIT};
  const struct prof_node *nodes = source->profile->nodes;
  prof_status status = prof_name_cache_init(&names, source->trace, source->names, source->leaves, source->groups,
                                            write_name, NULL, diag);
  for (uint32_t node = nodes[0].first_child; status == PROF_OK && node != PROF_NONE; node = nodes[node].next_sibling)
    status = write_thread(file, source, node, &names, &path, diag);
  *source->too_deep = path.too_deep;
  prof_call_path_fini(&path);
  prof_name_cache_fini(&names);
  return status;
}

const struct prof_exporter prof_exporter_folded = {
    .name = "folded",
    .summary = "call paths with self nanoseconds, for flamegraph.pl, inferno, speedscope",
    .has_lines = true,
    .has_groups = true,
    .has_paths = true,
    .write = write_folded,
};
