/*
 * tools/study/inlined.c - see inlined.h.
 *
 * Two passes over the debug information: the first collects names and matches each once, as matching takes a demangler;
 * the second visits the code of those that match.
 */
#include "study/inlined.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/filter.h"

struct search {
  struct prof_symbols *symbols;
  struct prof_inlined_list *found;
  PROF_VEC(const char *) names; /* by address; once they are matched, only those that fit */
  uint32_t module;
  bool failed;
};

static int by_pointer(const void *a, const void *b) {
  uintptr_t left = (uintptr_t) * (const char *const *)a, right = (uintptr_t) * (const char *const *)b;
  return prof_order(left, right);
}

static bool is_wanted(void *context, const char *function) {
  const struct search *search = context;
  return search->names.count &&
         bsearch(&function, search->names.items, search->names.count, sizeof *search->names.items, by_pointer);
}

static struct prof_inlined *entry_of(struct search *search, const struct prof_line_frame *frame) {
  struct prof_inlined_list *found = search->found;
  for (size_t i = 0; i < found->list.count; i++)
    if (!strcmp(found->list.items[i].function, frame->function) && !strcmp(found->list.items[i].file, frame->file))
      return &found->list.items[i];
  struct prof_inlined fresh = {.function = frame->function,
                               .file = frame->file,
                               .first = frame->line,
                               .last = frame->line,
                               .module = search->module};
  return prof_vec_push(&found->list, fresh) ? &found->list.items[found->list.count - 1] : NULL;
}

/* frames[i] was inlined, and is wanted. */
static bool add(struct search *search, const struct prof_debug_chain *chain, uint32_t i) {
  struct prof_line_frame own = prof_symbols_frame(search->symbols, &chain->frames[i]),
                         call = prof_symbols_frame(search->symbols, &chain->frames[i + 1]),
                         outermost = prof_symbols_frame(search->symbols, &chain->frames[chain->count - 1]);
  if (!own.function || !own.file || own.line == 0)
    return true;
  struct prof_inlined *entry = entry_of(search, &own);
  if (!entry)
    return false;
  entry->first = own.line < entry->first ? own.line : entry->first;
  entry->last = own.line > entry->last ? own.line : entry->last;
  struct prof_inlined_place place = {outermost.function ? outermost.function : "", call.file ? call.file : "",
                                     call.line};
  const struct prof_inlined_place *last = entry->places.count ? &entry->places.items[entry->places.count - 1] : NULL;
  bool same = last && last->into == place.into && last->file == place.file && last->line == place.line;
  return same || prof_vec_push(&entry->places, place);
}

static bool add_chain(struct search *search, const struct prof_debug_chain *chain) {
  for (uint32_t i = 0; i + 1 < chain->count && !search->failed; i++)
    if (chain->frames[i].function && is_wanted(search, chain->frames[i].function))
      search->failed = !add(search, chain, i);
  return !search->failed;
}

static bool add_stretch(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  struct search *search = context;
  struct prof_debug_chain chain;
  (void)high;
  (void)frame;
  prof_status status = prof_symbols_chain(search->symbols, search->module, low, &chain);
  search->failed |= status == PROF_NO_MEMORY;
  return status == PROF_OK ? add_chain(search, &chain) : !search->failed;
}

static bool note_name(void *context, const char *function) {
  struct search *search = context;
  search->failed |= !prof_vec_push(&search->names, function);
  return false;
}

static bool visit_nothing(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *frame) {
  (void)context;
  (void)low;
  (void)high;
  (void)frame;
  return false;
}

static void note_packed(struct search *search, const struct prof_packed_lines *lines) {
  for (uint32_t i = 0; i < lines->frame_count && !search->failed; i++)
    if (lines->frames[i].function)
      note_name(search, lines->frames[i].function);
}

static void add_packed(struct search *search, const struct prof_packed_lines *lines) {
  for (uint32_t i = 0; i < lines->address_count && !search->failed; i++) {
    struct prof_debug_chain chain;
    prof_status status = prof_symbols_chain(search->symbols, search->module, lines->addresses[i].address, &chain);
    search->failed |= status == PROF_NO_MEMORY || (status == PROF_OK && !add_chain(search, &chain));
  }
}

/* Keeps the names that fit, each once. */
static bool match_names(struct search *search, const char *pattern) {
  size_t kept = 0;
  if (search->names.count)
    qsort(search->names.items, search->names.count, sizeof *search->names.items, by_pointer);
  for (size_t i = 0; i < search->names.count; i++)
    if (kept == 0 || search->names.items[kept - 1] != search->names.items[i])
      search->names.items[kept++] = search->names.items[i];
  search->names.count = kept;
  uint8_t *fits = malloc(kept + 1);
  bool ok = fits && prof_filter_match_names(search->names.items, kept, pattern, fits) == PROF_OK;
  search->names.count = 0;
  for (size_t i = 0; ok && i < kept; i++)
    if (fits[i])
      search->names.items[search->names.count++] = search->names.items[i];
  free(fits);
  return ok;
}

static bool search_module(struct search *search, const char *pattern) {
  const struct prof_packed_lines *packed = prof_symbols_packed_lines(search->symbols, search->module);
  struct prof_debug *debug = packed ? NULL : prof_symbols_debug(search->symbols, search->module);
  search->names.count = 0;
  if (packed)
    note_packed(search, packed);
  else if (!debug || prof_debug_inlined_lines(debug, note_name, visit_nothing, search) != PROF_OK)
    return debug == NULL;
  if (search->failed || !match_names(search, pattern))
    return false;
  if (packed)
    add_packed(search, packed);
  else if (search->names.count && prof_debug_inlined_lines(debug, is_wanted, add_stretch, search) != PROF_OK)
    return false;
  return !search->failed;
}

static int by_place(const void *a, const void *b) {
  const struct prof_inlined_place *left = a, *right = b;
  return strcmp(left->file, right->file) ?: prof_order(left->line, right->line) ?: strcmp(left->into, right->into);
}

static void tidy_places(struct prof_inlined *inlined) {
  size_t kept = 0;
  if (inlined->places.count)
    qsort(inlined->places.items, inlined->places.count, sizeof *inlined->places.items, by_place);
  for (size_t i = 0; i < inlined->places.count; i++)
    if (kept == 0 || by_place(&inlined->places.items[kept - 1], &inlined->places.items[i]) != 0)
      inlined->places.items[kept++] = inlined->places.items[i];
  inlined->places.count = kept;
}

prof_status prof_inlined_find(const char *pattern, struct prof_symbols *symbols, struct prof_diag *diag,
                              struct prof_inlined_list *out) {
  struct search search = {.symbols = symbols, .found = out};
  size_t count;
  const struct prof_module *modules = prof_trace_modules(prof_symbols_recording(symbols)->trace, &count);
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    search.module = (uint32_t)i;
    if (modules[i].site_count > 0)
      ok = search_module(&search, pattern);
  }
  for (size_t i = 0; i < out->list.count; i++)
    tidy_places(&out->list.items[i]);
  prof_vec_fini(&search.names);
  return ok ? PROF_OK : prof_diag_memory(diag);
}

void prof_inlined_fini(struct prof_inlined_list *inlined) {
  for (size_t i = 0; i < inlined->list.count; i++)
    prof_vec_fini(&inlined->list.items[i].places);
  prof_vec_fini(&inlined->list);
}
