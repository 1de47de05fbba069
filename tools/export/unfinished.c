/*
 * tools/export/unfinished.c - see unfinished.h.
 */
#include "export/unfinished.h"

void prof_unfinished_json(const prof_trace *trace, struct prof_json *json) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  if (!damage.cut)
    return;
  prof_json_text(json, "unfinished", info->in_progress ? "in progress" : "cut short");
  if (info->in_progress)
    prof_json_count(json, "data_age_ns", info->age_ns);
}
