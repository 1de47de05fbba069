/*
 * tools/study/extent.c - see symbols.h: the lines that a function of the trace stands on.
 */
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "study/symbols.h"

#define LONGEST_HEAD 50 /* lines; a head further away is in another file */

/* The place of the function's first probe; false: it is in no LOAD. */
static bool find_probe(const prof_trace *trace, uint32_t function, uint32_t *module, uint64_t *address) {
  size_t count;
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < loads[i].site_count; j++) {
      struct prof_site_info site = prof_trace_site(trace, loads[i].first_site + j);
      if (site.function != function)
        continue;
      *module = loads[i].module;
      *address = site.address;
      return true;
    }
  }
  return false;
}

struct extent_search {
  const char *function, *file; /* as debug information has them */
  uint32_t first, last;
};

static bool widen(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  struct extent_search *search = context;
  (void)low;
  (void)high;
  if (frame->line == 0 || !frame->file || frame->file != search->file || !frame->function ||
      strcmp(frame->function, search->function) != 0)
    return true;
  search->first = search->first == 0 || frame->line < search->first ? frame->line : search->first;
  search->last = frame->line > search->last ? frame->line : search->last;
  return true;
}

static bool find_packed(const struct prof_packed_lines *lines, uint64_t address, struct prof_function_extent *out) {
  for (uint32_t i = 0; i < lines->extent_count; i++) {
    const struct prof_packed_extent *extent = &lines->extents[i];
    if (extent->address != address)
      continue;
    *out = (struct prof_function_extent){
        .raw = extent->file, .first = extent->first, .last = extent->last, .module = lines->module, .address = address};
    return true;
  }
  return false;
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/*
 * The line of the declaration's head, or the first line with code.  Lines before the head are not the function's: Clang
 * attributes some instructions of inlined code, with their own lines, to the function around it.
 */
static uint32_t first_line(const struct prof_recording *recording, uint32_t function,
                           const struct extent_search *search) {
  uint32_t head = prof_names_line(recording->names, function); /* where its declaration begins */
  bool behind = search->first > head && search->first - head <= LONGEST_HEAD,
       inside = search->first <= head && head <= search->last;
  bool same_file = !strcmp(name_of(prof_names_file(recording->names, function)), name_of(search->file));
  return head && (behind || (inside && same_file)) ? head : search->first;
}

static bool find_extent(struct prof_symbols *symbols, uint32_t function, struct prof_function_extent *out) {
  const struct prof_recording *recording = prof_symbols_recording(symbols);
  uint32_t module;
  uint64_t address;
  struct prof_debug_chain chain;
  if (!find_probe(recording->trace, function, &module, &address))
    return false;
  const struct prof_packed_lines *packed = prof_symbols_packed_lines(symbols, module);
  if (packed)
    return find_packed(packed, address, out);
  struct prof_debug *debug = prof_symbols_debug(symbols, module);
  if (!debug || prof_debug_find(debug, address, &chain) != PROF_OK || chain.count == 0)
    return false;
  struct prof_debug_frame own = chain.frames[chain.count - 1];
  if (!own.file || !own.function)
    return false;
  struct extent_search search = {.function = own.function, .file = own.file};
  if (prof_debug_function_lines(debug, address, widen, &search) != PROF_OK || search.last == 0)
    return false;
  *out = (struct prof_function_extent){.raw = own.file,
                                       .first = first_line(recording, function, &search),
                                       .last = search.last,
                                       .module = module,
                                       .address = address};
  return true;
}

bool prof_symbols_extent(struct prof_symbols *symbols, uint32_t function, struct prof_function_extent *out) {
  if (!find_extent(symbols, function, out))
    return false;
  out->file = prof_symbols_frame(symbols, &(struct prof_debug_frame){.file = out->raw}).file;
  return out->file != NULL;
}

int64_t prof_symbols_built(struct prof_symbols *symbols, uint32_t module) {
  const struct prof_packed_lines *packed = prof_symbols_packed_lines(symbols, module);
  if (packed)
    return packed->built;
  size_t count;
  prof_trace_modules(prof_symbols_recording(symbols)->trace, &count);
  struct stat status;
  if (module >= count || stat(prof_symbols_module_path(symbols, module), &status))
    return INT64_MAX;
  return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}
