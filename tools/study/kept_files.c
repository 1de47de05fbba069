/*
 * tools/study/kept_files.c - see kept_files.h.
 */
#include "study/kept_files.h"

#include <string.h>

#include "base/diag.h"
#include "base/vec.h"
#include "study/source_text.h"

static void take(struct prof_kept_list *list, const char *path) {
  if (list->count++ == 0)
    list->first = path;
}

static bool is_instrumented(const struct prof_module *module) {
  return module->site_count > 0 || module->called_count > 0;
}

static void check_module(struct prof_symbols *symbols, uint32_t index, struct prof_kept_files *out) {
  const char *path = prof_symbols_module_path(symbols, index);
  (void)prof_symbols_debug(symbols, index); /* opens it, for the facts */
  uint32_t flags = prof_symbols_facts(symbols, index).flags;
  if (flags & PROF_PACKED_UNREADABLE)
    take(&out->modules_gone, path);
  else if (flags & PROF_PACKED_NO_LINES)
    take(&out->modules_bare, path);
}

/* One function for each file that functions name, with the place of a probe of it. */
struct sample_function {
  const char *file;
  uint32_t module;
  uint64_t address;
};
typedef PROF_VEC(struct sample_function) sample_functions;

static bool is_known(const sample_functions *list, uint32_t module, const char *file) {
  for (size_t i = list->count; i > 0; i--)
    if (list->items[i - 1].module == module && !strcmp(list->items[i - 1].file, file))
      return true;
  return false;
}

static bool collect(const prof_trace *trace, sample_functions *list) {
  size_t load_count, function_count;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  const char *last = NULL;
  for (size_t i = 0; i < load_count; i++)
    for (uint32_t j = 0; j < loads[i].site_count; j++) {
      struct prof_site_info site = prof_trace_site(trace, loads[i].first_site + j);
      if (site.function >= function_count || loads[i].module == PROF_NONE)
        continue;
      const char *file = functions[site.function].file;
      if (file == last || !file[0]) /* functions of a file stand together */
        continue;
      last = file;
      struct sample_function found = {file, loads[i].module, site.address};
      if (!is_known(list, found.module, file) && !prof_vec_push(list, found))
        return false;
    }
  return true;
}

/* The path as debug information has it, which is what readers look for; else that of the facts. */
static const char *path_of(struct prof_symbols *symbols, const struct sample_function *function) {
  struct prof_debug_chain chain;
  if (prof_symbols_chain(symbols, function->module, function->address, &chain) == PROF_OK && chain.count > 0) {
    const char *file = prof_symbols_frame(symbols, &chain.frames[chain.count - 1]).file;
    if (file)
      return file;
  }
  return prof_names_path(prof_symbols_recording(symbols)->names, function->file);
}

static prof_status check_source(struct prof_symbols *symbols, const struct sample_function *function,
                                struct prof_diag *diag, struct prof_kept_files *out) {
  struct prof_source_text text;
  const char *path = path_of(symbols, function);
  prof_status status = prof_source_text_read(symbols, path, prof_symbols_built(symbols, function->module), diag, &text);
  if (status != PROF_OK)
    return status;
  if (!text.bytes)
    take(&out->sources_gone, path);
  else if (text.newer)
    take(&out->sources_changed, path);
  prof_source_text_free(&text);
  return PROF_OK;
}

prof_status prof_kept_files_find(struct prof_symbols *symbols, struct prof_diag *diag, struct prof_kept_files *out) {
  const prof_trace *trace = prof_symbols_recording(symbols)->trace;
  size_t count;
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  sample_functions list = {0};
  *out = (struct prof_kept_files){0};
  for (uint32_t i = 0; i < count; i++)
    if (is_instrumented(&modules[i]))
      check_module(symbols, i, out);
  prof_status status = collect(trace, &list) ? PROF_OK : prof_diag_memory(diag);
  for (size_t i = 0; i < list.count && status == PROF_OK; i++)
    status = check_source(symbols, &list.items[i], diag, out);
  prof_vec_fini(&list);
  return status;
}
