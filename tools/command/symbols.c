/*
 * tools/command/symbols.c - see symbols.h.
 */
#include "symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/vec.h"

struct module {
  struct prof_debug *debug; /* NULL: not opened yet, or it can't be */
  bool asked;
  struct prof_diag diag; /* why it can't be opened */
  prof_status status;
};

struct shown { /* a text of debug information, which keeps its address, as it is shown */
  const char *from, *to;
};

struct prof_symbols {
  const struct prof_reader *reader;
  struct module *modules;
  size_t module_count;
  PROF_VEC(struct prof_line_frame) frames; /* of the last answer */
  struct shown *functions, *files;         /* open addressing by address; from NULL: free; at most half full */
  size_t function_count, file_count, function_room, file_room;
};

typedef const char *translate(struct prof_names *, const char *);

static struct shown *find_shown(struct shown *table, size_t room, const char *from) {
  size_t slot = (size_t)((uintptr_t)from * 0x9e3779b97f4a7c15ull >> 20) & (room - 1);
  while (table[slot].from && table[slot].from != from)
    slot = (slot + 1) & (room - 1);
  return &table[slot];
}

static bool widen(struct shown **table, size_t *room) {
  size_t wider = *room ? 2 * *room : 256;
  struct shown *fresh = calloc(wider, sizeof *fresh);
  if (!fresh)
    return false;
  for (size_t i = 0; i < *room; i++)
    if ((*table)[i].from)
      *find_shown(fresh, wider, (*table)[i].from) = (*table)[i];
  free(*table);
  *table = fresh;
  *room = wider;
  return true;
}

/* `from` as it is shown; NULL: no memory, or `from` is. */
static const char *show(struct prof_names *names, translate *as, struct shown **table, size_t *count, size_t *room,
                        const char *from) {
  if (!from || (2 * (*count + 1) > *room && !widen(table, room)))
    return NULL;
  struct shown *shown = find_shown(*table, *room, from);
  if (!shown->from) {
    const char *to = as(names, from);
    if (!to)
      return NULL;
    *shown = (struct shown){from, to};
    ++*count;
  }
  return shown->to;
}

prof_status prof_symbols_new(const struct prof_reader *reader, struct prof_diag *diag, struct prof_symbols **out) {
  struct prof_symbols *symbols = *out = calloc(1, sizeof *symbols);
  if (!symbols)
    return prof_diag_memory(diag);
  symbols->reader = reader;
  prof_trace_modules(reader->trace, &symbols->module_count);
  symbols->modules = calloc(symbols->module_count + 1, sizeof *symbols->modules);
  if (symbols->modules)
    return PROF_OK;
  free(symbols);
  *out = NULL;
  return prof_diag_memory(diag);
}

void prof_symbols_free(struct prof_symbols *symbols) {
  if (!symbols)
    return;
  for (size_t i = 0; i < symbols->module_count; i++)
    prof_debug_close(symbols->modules[i].debug);
  prof_vec_fini(&symbols->frames);
  free(symbols->functions);
  free(symbols->files);
  free(symbols->modules);
  free(symbols);
}

const struct prof_reader *prof_symbols_reader(const struct prof_symbols *symbols) {
  return symbols->reader;
}

const char *prof_symbols_module_path(struct prof_symbols *symbols, uint32_t module) {
  size_t count;
  const char *recorded = prof_trace_modules(symbols->reader->trace, &count)[module].path;
  const char *mapped = prof_names_path(symbols->reader->names, recorded);
  return access(mapped, F_OK) && !access(recorded, F_OK) ? recorded : mapped;
}

static prof_status open_module(struct prof_symbols *symbols, uint32_t index) {
  struct module *module = &symbols->modules[index];
  if (module->asked)
    return module->status;
  size_t count;
  const struct prof_module *recorded = &prof_trace_modules(symbols->reader->trace, &count)[index];
  struct prof_debug_options options = {.build_id = recorded->build_id, .build_id_bytes = recorded->build_id_bytes};
  module->asked = true;
  module->status = prof_debug_open(prof_symbols_module_path(symbols, index), &options, &module->diag, &module->debug);
  return module->status;
}

struct prof_debug *prof_symbols_debug(struct prof_symbols *symbols, uint32_t module) {
  if (module >= symbols->module_count || open_module(symbols, module) != PROF_OK)
    return NULL;
  struct prof_debug *debug = symbols->modules[module].debug;
  return prof_debug_facts(debug).origin == PROF_DEBUG_NONE ? NULL : debug;
}

struct prof_line_frame prof_symbols_frame(struct prof_symbols *symbols, const struct prof_debug_frame *frame) {
  struct prof_names *names = symbols->reader->names;
  return (struct prof_line_frame){
      .function = show(names, prof_names_other, &symbols->functions, &symbols->function_count, &symbols->function_room,
                       frame->function),
      .file = show(names, prof_names_path, &symbols->files, &symbols->file_count, &symbols->file_room, frame->file),
      .line = frame->line};
}

static prof_status find(void *context, uint32_t module, uint64_t address, const struct prof_line_frame **frames,
                        uint32_t *count) {
  struct prof_symbols *symbols = context;
  struct prof_debug_chain chain;
  *frames = NULL;
  *count = 0;
  if (module >= symbols->module_count)
    return PROF_NOT_FOUND;
  prof_status status = open_module(symbols, module);
  if (status == PROF_OK)
    status = prof_debug_find(symbols->modules[module].debug, address, &chain);
  if (status != PROF_OK)
    return status == PROF_NO_MEMORY ? status : PROF_NOT_FOUND;
  symbols->frames.count = 0;
  for (uint32_t i = 0; i < chain.count; i++) {
    struct prof_line_frame frame = prof_symbols_frame(symbols, &chain.frames[i]);
    if ((!frame.function && chain.frames[i].function) || (!frame.file && chain.frames[i].file) ||
        !prof_vec_push(&symbols->frames, frame))
      return PROF_NO_MEMORY;
  }
  *frames = symbols->frames.items;
  *count = chain.count;
  return PROF_OK;
}

struct prof_line_source prof_symbols_source(struct prof_symbols *symbols) {
  return (struct prof_line_source){.context = symbols, .find = find};
}

void prof_symbols_warn(struct prof_symbols *symbols) {
  for (size_t i = 0; i < symbols->module_count; i++) {
    const struct module *module = &symbols->modules[i];
    if (!module->asked)
      continue;
    char path[512];
    const char *shown = prof_symbols_module_path(symbols, (uint32_t)i);
    prof_text_escape(path, sizeof path, shown, strlen(shown));
    if (module->status != PROF_OK) {
      fprintf(stderr, "prof: no lines of %s (%s)\n", path, module->diag.what);
      fprintf(stderr, "  %s\n", module->diag.remedy[0] ? module->diag.remedy : "if it lies elsewhere now: --path-map");
      continue;
    }
    struct prof_debug_facts facts = prof_debug_facts(module->debug);
    if (facts.origin == PROF_DEBUG_NONE)
      fprintf(stderr, "prof: %s has no debug information: figures in it are of whole functions; compile it with -g\n",
              path);
    else if (facts.damaged)
      fprintf(stderr, "prof: debug information of %s is damaged in part: some lines may be missing\n", path);
    if (facts.splits_missing)
      fprintf(stderr, "prof: %s: %u .dwo files are gone: inlined calls of theirs are not told apart\n", path,
              facts.splits_missing);
    if (facts.alternate_missing)
      fprintf(stderr, "prof: %s: the file that dwz moved shared parts to is gone: names may be missing\n", path);
  }
}
