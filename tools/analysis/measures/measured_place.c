/*
 * tools/analysis/measures/measured_place.c - see call_sites.h.
 */
#include "analysis/measures/measured_place.h"

#include <string.h>

bool prof_measured_place_same(const struct prof_measured_place *one, const struct prof_measured_place *other) {
  return one->line == other->line && strcmp(one->function, other->function) == 0 &&
         strcmp(one->file, other->file) == 0 && strcmp(one->via, other->via) == 0;
}

uint64_t prof_measured_text_hash(const char *text) {
  uint64_t value = 14695981039346656037ull;
  for (; *text; text++)
    value = (value ^ (uint8_t)*text) * 1099511628211ull;
  return value;
}

uint64_t prof_measured_place_hash(const struct prof_measured_place *place) {
  return prof_measured_text_hash(place->function) ^ prof_measured_text_hash(place->file) * 3 ^
         prof_measured_text_hash(place->via) * 5 ^ place->line;
}

static bool is_of_system(const char *file) {
  return strncmp(file, "/usr/", 5) == 0 || strstr(file, "/include/c++/") != NULL;
}

/* The frame to be named; NULL: no line is known. */
static const struct prof_line_frame *choose(const struct prof_line_frame *frames, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (frames[i].function && frames[i].file && frames[i].line && !is_of_system(frames[i].file))
      return &frames[i];
  const struct prof_line_frame *outermost = count ? &frames[count - 1] : NULL;
  return outermost && outermost->function && outermost->line ? outermost : NULL;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

struct code {                       /* at the call */
  const struct prof_module *module; /* NULL: unknown */
  const struct prof_line_frame *frame;
  const char *function; /* NULL: unknown */
};

static struct prof_measured_place place_of(const struct code *code, uint32_t function, struct prof_names *names) {
  const struct prof_module *module = code->module;
  bool has_probes = module && (module->function_count > 0 || module->called_count > 0);
  const char *name = code->function ? code->function : module ? file_name(module->path) : "[unknown]";
  if (code->frame && (has_probes || function == PROF_NONE))
    return (struct prof_measured_place){code->frame->function, code->frame->file ? code->frame->file : "", "",
                                        code->frame->line};
  if (function != PROF_NONE)
    return (struct prof_measured_place){prof_names_function(names, function), prof_names_file(names, function),
                                        has_probes ? "" : name, 0};
  return (struct prof_measured_place){name, module ? prof_names_path(names, module->path) : "", "", 0};
}

prof_status prof_call_site_place(const prof_trace *trace, const struct prof_call_site *site, struct prof_names *names,
                                 const struct prof_line_source *source, struct prof_measured_place *out) {
  const struct prof_line_frame *frames = NULL;
  struct prof_place at;
  struct code code = {0};
  uint32_t count = 0;
  if (site->process == PROF_NONE && site->caller == 0) { /* of a summary, which keeps only so many */
    *out = (struct prof_measured_place){"[other]", "", "", 0};
    return PROF_OK;
  }
  if (site->caller > 0 && prof_trace_place(trace, site->process, site->caller - 1, site->time_ticks, &at)) {
    code.module = &prof_trace_modules(trace, NULL)[at.module];
    prof_status status = source->find(source->context, at.module, at.address, &frames, &count);
    if (status == PROF_NO_MEMORY)
      return status;
    count = status == PROF_OK ? count : 0;
  }
  code.frame = choose(frames, count);
  code.function = count > 0 ? frames[count - 1].function : NULL;
  *out = place_of(&code, site->function, names);
  return PROF_OK;
}
