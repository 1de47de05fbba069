/*
 * tools/estimate/sample_modules.c - see sample_modules.h.
 */
#include "estimate/sample_modules.h"

#include <stdlib.h>
#include <string.h>

#include "estimate/spin_waits.h"

static bool has_probes(const struct prof_module *module) {
  return module->site_count || module->called_count;
}

static bool is_same_file(const struct prof_module *a, const struct prof_module *b) {
  if (a->build_id_bytes || b->build_id_bytes)
    return a->build_id_bytes == b->build_id_bytes && !memcmp(a->build_id, b->build_id, a->build_id_bytes);
  return !strcmp(a->path, b->path);
}

/* A file may have been seen as mapped before its probes were known: then two modules stand for it. */
static uint32_t twin_of(const struct prof_module *modules, size_t count, uint32_t module) {
  for (uint32_t i = 0; i < count && !has_probes(&modules[module]); i++)
    if (has_probes(&modules[i]) && is_same_file(&modules[module], &modules[i]))
      return i;
  return module;
}

struct prof_sample_module *prof_sample_modules_of(const prof_trace *trace) {
  size_t count;
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  struct prof_sample_module *out = malloc((count + 1) * sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) {
    uint32_t twin = twin_of(modules, count, i);
    out[i] = (struct prof_sample_module){twin, has_probes(&modules[twin]), prof_spin_is_runtime(modules[i].path)};
  }
  return out;
}
