/*
 * tools/export/unfinished.c - see unfinished.h.
 */
#include "export/unfinished.h"

void prof_unfinished_json(const prof_trace *trace, struct prof_json *json) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_damage damage;
  size_t lacking_count;
  const struct prof_lacking *lacking = prof_trace_lacking(trace, &lacking_count);
  prof_trace_damage(trace, &damage);
  if (lacking_count > 0)
    prof_json_array(json, "missing_chunks");
  for (size_t i = 0; i < lacking_count; i++) {
    prof_json_object(json, NULL);
    prof_json_text(json, "kind", lacking[i].kind);
    prof_json_count(json, "missing", lacking[i].missing);
    prof_json_count(json, "written", lacking[i].written);
    prof_json_object_end(json);
  }
  if (lacking_count > 0)
    prof_json_array_end(json);
  if (!damage.cut)
    return;
  prof_json_text(json, "unfinished", info->in_progress ? "in progress" : "cut short");
  if (info->in_progress)
    prof_json_count(json, "data_age_ns", info->age_ns);
}

void prof_unfinished_begin(struct prof_json *json, FILE *file, uint32_t pretty_depth, const prof_trace *trace) {
  prof_json_init(json, file, pretty_depth);
  prof_json_object(json, NULL);
  prof_unfinished_json(trace, json);
}
