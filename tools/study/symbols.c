/*
 * tools/study/symbols.c - see symbols.h.
 */
#include "study/symbols.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"

struct module {
  const struct prof_packed_lines *packed; /* NULL: not packed */
  struct prof_debug *debug;               /* NULL: not opened yet, or unreadable */
  bool asked, opened;
  struct prof_diag diag; /* why it can't be opened */
  prof_status status;
};

struct shown { /* a text of debug information, which keeps its address, as it is shown */
  const char *from, *to;
};

struct prof_symbols {
  const struct prof_recording *recording;
  struct module *modules;
  size_t module_count;
  struct prof_packed *packed;              /* NULL: nothing */
  PROF_VEC(struct prof_line_frame) frames; /* of the last answer */
  PROF_VEC(struct prof_debug_frame) raw;   /* likewise */
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

static prof_status take_packed(struct prof_symbols *symbols, struct prof_diag *diag) {
  if (!prof_trace_is_packed(symbols->recording->trace))
    return PROF_OK;
  prof_status status = prof_trace_packed(symbols->recording->trace, diag, &symbols->packed);
  for (size_t i = 0; status == PROF_OK && i < symbols->packed->line_count; i++)
    symbols->modules[symbols->packed->lines[i].module].packed = &symbols->packed->lines[i];
  return status;
}

prof_status prof_symbols_new(const struct prof_recording *recording, struct prof_diag *diag,
                             struct prof_symbols **out) {
  struct prof_symbols *symbols = calloc(1, sizeof *symbols);
  *out = NULL;
  if (!symbols)
    return prof_diag_memory(diag);
  symbols->recording = recording;
  prof_trace_modules(recording->trace, &symbols->module_count);
  symbols->modules = calloc(symbols->module_count + 1, sizeof *symbols->modules);
  prof_status status = symbols->modules ? take_packed(symbols, diag) : prof_diag_memory(diag);
  if (status == PROF_OK)
    *out = symbols;
  else
    prof_symbols_free(symbols);
  return status;
}

void prof_symbols_free(struct prof_symbols *symbols) {
  if (!symbols)
    return;
  for (size_t i = 0; symbols->modules && i < symbols->module_count; i++)
    prof_debug_close(symbols->modules[i].debug);
  prof_packed_free(symbols->packed);
  prof_vec_fini(&symbols->frames);
  prof_vec_fini(&symbols->raw);
  free(symbols->functions);
  free(symbols->files);
  free(symbols->modules);
  free(symbols);
}

const struct prof_recording *prof_symbols_recording(const struct prof_symbols *symbols) {
  return symbols->recording;
}

const char *prof_symbols_module_path(struct prof_symbols *symbols, uint32_t module) {
  size_t count;
  const char *recorded = prof_trace_modules(symbols->recording->trace, &count)[module].path;
  const char *mapped = prof_names_path(symbols->recording->names, recorded);
  return access(mapped, F_OK) && !access(recorded, F_OK) ? recorded : mapped;
}

static const struct prof_module *recorded_module(const struct prof_symbols *symbols, uint32_t index) {
  size_t count;
  return &prof_trace_modules(symbols->recording->trace, &count)[index];
}

static prof_status open_module(struct prof_symbols *symbols, uint32_t index) {
  struct module *module = &symbols->modules[index];
  if (module->opened)
    return module->status;
  const struct prof_module *recorded = recorded_module(symbols, index);
  struct prof_debug_options options = {.build_id = recorded->build_id, .build_id_bytes = recorded->build_id_bytes};
  module->opened = true;
  module->status = prof_debug_open(prof_symbols_module_path(symbols, index), &options, &module->diag, &module->debug);
  return module->status;
}

struct prof_debug *prof_symbols_debug(struct prof_symbols *symbols, uint32_t module) {
  if (module >= symbols->module_count || open_module(symbols, module) != PROF_OK)
    return NULL;
  struct prof_debug *debug = symbols->modules[module].debug;
  return prof_debug_facts(debug).origin == PROF_DEBUG_NONE ? NULL : debug;
}

const struct prof_packed_lines *prof_symbols_packed_lines(const struct prof_symbols *symbols, uint32_t module) {
  return module < symbols->module_count ? symbols->modules[module].packed : NULL;
}

const struct prof_packed *prof_symbols_packed(const struct prof_symbols *symbols) {
  return symbols->packed;
}

static int by_address(const void *key, const void *item) {
  uint64_t address = *(const uint64_t *)key, other = ((const struct prof_packed_address *)item)->address;
  return prof_order(address, other);
}

static prof_status find_packed(struct prof_symbols *symbols, const struct prof_packed_lines *lines, uint64_t address,
                               struct prof_debug_chain *out) {
  const struct prof_packed_address *at =
      lines->address_count
          ? bsearch(&address, lines->addresses, lines->address_count, sizeof *lines->addresses, by_address)
          : NULL;
  symbols->raw.count = 0;
  for (uint32_t i = 0; at && i < at->frame_count; i++) {
    const struct prof_packed_frame *from = &lines->frames[at->first_frame + i];
    struct prof_debug_frame frame = {from->function, from->file, from->line, from->column};
    if (!prof_vec_push(&symbols->raw, frame))
      return PROF_NO_MEMORY;
  }
  *out = (struct prof_debug_chain){symbols->raw.items, (uint32_t)symbols->raw.count};
  return symbols->raw.count ? PROF_OK : PROF_NOT_FOUND;
}

prof_status prof_symbols_chain(struct prof_symbols *symbols, uint32_t module, uint64_t address,
                               struct prof_debug_chain *out) {
  *out = (struct prof_debug_chain){0};
  if (module >= symbols->module_count)
    return PROF_NOT_FOUND;
  symbols->modules[module].asked = true;
  if (symbols->modules[module].packed)
    return find_packed(symbols, symbols->modules[module].packed, address, out);
  prof_status status = open_module(symbols, module);
  if (status == PROF_OK)
    status = prof_debug_find(symbols->modules[module].debug, address, out);
  return status == PROF_OK || status == PROF_NO_MEMORY ? status : PROF_NOT_FOUND;
}

struct prof_line_frame prof_symbols_frame(struct prof_symbols *symbols, const struct prof_debug_frame *frame) {
  struct prof_names *names = symbols->recording->names;
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
  prof_status status = prof_symbols_chain(symbols, module, address, &chain);
  if (status != PROF_OK)
    return status;
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

struct prof_symbols_facts prof_symbols_facts(const struct prof_symbols *symbols, uint32_t index) {
  const struct module *module = &symbols->modules[index];
  struct prof_symbols_facts facts = {.asked = module->asked, .reason = "", .remedy = ""};
  if (module->packed)
    return (struct prof_symbols_facts){module->asked, module->packed->flags, module->packed->splits_missing,
                                       module->packed->reason, module->packed->remedy};
  if (module->opened && module->status != PROF_OK)
    return (struct prof_symbols_facts){module->asked, PROF_PACKED_UNREADABLE, 0, module->diag.what,
                                       module->diag.remedy};
  if (!module->opened)
    return facts;
  struct prof_debug_facts debug = prof_debug_facts(module->debug);
  facts.flags = (debug.origin == PROF_DEBUG_NONE ? PROF_PACKED_NO_LINES : 0) |
                (debug.damaged ? PROF_PACKED_DAMAGED : 0) | (debug.alternate_missing ? PROF_PACKED_PARTS_GONE : 0);
  facts.splits_missing = debug.splits_missing;
  return facts;
}
