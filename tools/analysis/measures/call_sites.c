/*
 * tools/analysis/measures/call_sites.c - see call_sites.h.
 */
#include "analysis/measures/call_sites.h"

#include <string.h>

uint32_t prof_call_site_of(struct prof_call_sites *sites, const struct prof_measured *event) {
  const struct prof_call_site *items = sites->items.items;
  const struct prof_call_site site = {event->process, event->node, event->function, event->caller, event->time_ticks};
  const uint64_t place = (uint64_t)event->process << 32 | event->node;
  return prof_index_meet(&sites->known, &sites->items, prof_index_hash(event->caller, place), i,
                         items[i].caller == event->caller && items[i].node == event->node &&
                             items[i].process == event->process,
                         site);
}

void prof_call_sites_fini(struct prof_call_sites *sites) {
  prof_vec_fini(&sites->items);
  prof_index_fini(&sites->known);
}

static bool is_of_system(const char *file) {
  return strncmp(file, "/usr/", 5) == 0 || strstr(file, "/include/c++/") != NULL;
}

/* The frame to be named; NULL: no line is known. */
static const struct prof_line_frame *choose(const struct prof_line_frame *frames, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (frames[i].function && frames[i].file && frames[i].line && !is_of_system(frames[i].file))
      return &frames[i];
  return count && frames[0].function && frames[0].line ? &frames[0] : NULL;
}

prof_status prof_call_site_place(const prof_trace *trace, const struct prof_call_site *site, struct prof_names *names,
                                 const struct prof_line_source *source, struct prof_call_place *out) {
  const struct prof_line_frame *frames = NULL, *frame;
  struct prof_place at;
  uint32_t count = 0;
  bool known = site->caller > 0 && prof_trace_place(trace, site->process, site->caller - 1, site->time_ticks, &at);
  prof_status status =
      known ? source->find(source->context, at.module, at.address, &frames, &count) : PROF_NOT_FOUND;
  if (status == PROF_NO_MEMORY)
    return status;
  count = status == PROF_OK ? count : 0;
  frame = choose(frames, count);
  if (frame)
    *out = (struct prof_call_place){frame->function, frame->file ? frame->file : "", frame->line};
  else if (site->function != PROF_NONE)
    *out = (struct prof_call_place){prof_names_function(names, site->function), prof_names_file(names, site->function), 0};
  else
    *out = (struct prof_call_place){count && frames[count - 1].function ? frames[count - 1].function : "[unknown]",
                                    known ? prof_names_path(names, prof_trace_modules(trace, NULL)[at.module].path) : "",
                                    0};
  return PROF_OK;
}
