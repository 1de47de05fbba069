/*
 * tools/source/dwarf/debug_look.c - the look-ups of debug.h.
 *
 * An address is found by four searches in sorted arrays: its unit, its scope, its row, and for a function without debug
 * information its symbol.
 */
#include <stdlib.h>
#include <string.h>

#include "source/dwarf/debug_open.h"

enum { MOST_FRAMES = 1024 }; /* entries of DWARF nest no deeper */

static bool read_symbols(struct prof_debug *debug) {
  if (debug->symbols_read)
    return true;
  debug->symbols_read = true;
  if (debug->file != NULL && !prof_elf_symbols_read(debug->file->elf, &debug->symbols))
    return false;
  if (debug->symbols.count > 0 || debug->module == NULL)
    return true;
  prof_elf_symbols_free(&debug->symbols);
  return prof_elf_symbols_read(debug->module, &debug->symbols);
}

static const char *symbol_name(struct prof_debug *debug, uint64_t address) {
  const struct prof_elf_symbol *symbol = read_symbols(debug) ? prof_elf_symbols_find(&debug->symbols, address) : NULL;
  return symbol == NULL ? NULL : symbol->name;
}

const char *prof_debug_symbol(struct prof_debug *debug, uint64_t address, uint64_t *low, uint64_t *high) {
  const struct prof_elf_symbol *symbol = read_symbols(debug) ? prof_elf_symbols_cover(&debug->symbols, address) : NULL;
  if (symbol == NULL)
    return NULL;
  *low = symbol->address;
  *high = symbol->address + symbol->size;
  return symbol->name;
}

static bool read_unit(struct prof_debug *debug, struct prof_debug_unit *unit) {
  return unit->ready || prof_debug_unit_read(unit, &debug->code, &debug->splits);
}

prof_status prof_debug_read_all(struct prof_debug *debug) {
  for (uint32_t i = 0; i < debug->unit_count; i++)
    if (!read_unit(debug, &debug->units[i]))
      return PROF_NO_MEMORY;
  return PROF_OK;
}

/* The unit that has the address, read; NULL: none.  False: no memory. */
static bool unit_of(struct prof_debug *debug, uint64_t address, struct prof_debug_unit **out) {
  const struct prof_disjoint_range *owner = prof_intervals_find(&debug->owners, address);
  *out = owner == NULL ? NULL : &debug->units[owner->value];
  return *out == NULL || read_unit(debug, *out);
}

static uint32_t scope_of(const struct prof_debug_unit *unit, uint64_t address) {
  const struct prof_disjoint_range *segment = prof_intervals_find(&unit->scopes.covers, address);
  return segment == NULL ? PROF_DWARF_NO_SCOPE : segment->value;
}

static struct prof_debug_frame frame_of_row(struct prof_debug *debug, struct prof_debug_unit *unit,
                                            const struct prof_dwarf_row *row) {
  return (struct prof_debug_frame){NULL, prof_debug_unit_path(unit, &debug->paths, row->file), row->line, row->column};
}

/* A name as compilers of C++, Rust and D make it for the linker. */
static bool is_mangled(const char *name) {
  return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

/* Functions of local classes and lambdas have only the source's name (`operator()`), but the linker knows them. */
static const char *function_name(struct prof_debug *debug, struct prof_debug_unit *unit, uint32_t index,
                                 uint64_t address) {
  struct prof_dwarf_scope *scope = &unit->scopes.items.items[index];
  if (scope->named)
    return scope->name;
  const char *name = prof_debug_unit_name(unit, scope), *symbol;
  if (!scope->inlined && name != NULL && !is_mangled(name) && (symbol = symbol_name(debug, address)) != NULL &&
      is_mangled(symbol))
    scope->name = symbol;
  return scope->name;
}

/* Adds the frames of the scopes around `address`; `frame` has the place in the innermost. */
static bool add_scopes(struct prof_debug *debug, struct prof_debug_unit *unit, uint64_t address,
                       struct prof_debug_frame frame) {
  uint32_t scope = scope_of(unit, address);
  while (scope != PROF_DWARF_NO_SCOPE && debug->frames.count < MOST_FRAMES) {
    const struct prof_dwarf_scope *item = &unit->scopes.items.items[scope];
    frame.function = function_name(debug, unit, scope, address);
    if (!prof_vec_push(&debug->frames, frame))
      return false;
    scope = item->parent;
    frame = (struct prof_debug_frame){NULL, prof_debug_unit_path(unit, &debug->paths, item->call_file), item->call_line,
                                      item->call_column};
  }
  return true;
}

prof_status prof_debug_find(struct prof_debug *debug, uint64_t address, struct prof_debug_chain *out) {
  *out = (struct prof_debug_chain){0};
  debug->frames.count = 0;
  struct prof_debug_unit *unit;
  if (!unit_of(debug, address, &unit))
    return PROF_NO_MEMORY;
  struct prof_debug_frame frame = {0};
  if (unit != NULL) {
    const struct prof_dwarf_row *row = prof_dwarf_lines_find(&unit->lines, address);
    if (row != NULL)
      frame = frame_of_row(debug, unit, row);
    if (!add_scopes(debug, unit, address, frame))
      return PROF_NO_MEMORY;
  }
  if (debug->frames.count == 0 && !prof_vec_push(&debug->frames, frame))
    return PROF_NO_MEMORY;
  struct prof_debug_frame *outermost = &debug->frames.items[debug->frames.count - 1];
  if (outermost->function == NULL)
    outermost->function = symbol_name(debug, address);
  if (debug->frames.count == 1 && outermost->function == NULL && outermost->file == NULL)
    return PROF_NOT_FOUND;
  *out = (struct prof_debug_chain){debug->frames.items, (uint32_t)debug->frames.count};
  return PROF_OK;
}

static uint32_t outermost_scope(const struct prof_debug_unit *unit, uint32_t scope) {
  while (scope != PROF_DWARF_NO_SCOPE && unit->scopes.items.items[scope].parent != PROF_DWARF_NO_SCOPE)
    scope = unit->scopes.items.items[scope].parent;
  return scope;
}

/* Visits the rows within a stretch of code; false: stopped. */
static bool visit_rows(struct prof_debug *debug, struct prof_debug_unit *unit,
                       const struct prof_disjoint_range *stretch, prof_debug_visit *visit, void *context) {
  const struct prof_dwarf_row *rows = unit->lines.rows.items;
  size_t upto = prof_dwarf_lines_upto(&unit->lines, stretch->low);
  for (size_t i = upto == 0 ? 0 : upto - 1; i + 1 < unit->lines.rows.count && rows[i].address < stretch->high; i++) {
    uint64_t low = rows[i].address > stretch->low ? rows[i].address : stretch->low;
    uint64_t high = rows[i + 1].address < stretch->high ? rows[i + 1].address : stretch->high;
    if (rows[i].end || low >= high)
      continue;
    struct prof_debug_frame frame = frame_of_row(debug, unit, &rows[i]);
    frame.function = stretch->value == PROF_DWARF_NO_SCOPE ? symbol_name(debug, low)
                                                           : function_name(debug, unit, stretch->value, low);
    if (!visit(context, low, high, &frame))
      return false;
  }
  return true;
}

prof_status prof_debug_function_lines(struct prof_debug *debug, uint64_t address, prof_debug_visit *visit,
                                      void *context) {
  struct prof_debug_unit *unit;
  if (!unit_of(debug, address, &unit))
    return PROF_NO_MEMORY;
  if (unit == NULL)
    return PROF_NOT_FOUND;
  uint32_t function = outermost_scope(unit, scope_of(unit, address));
  if (function == PROF_DWARF_NO_SCOPE) { /* written in assembler, say */
    struct prof_disjoint_range whole = {.value = PROF_DWARF_NO_SCOPE};
    if (prof_debug_symbol(debug, address, &whole.low, &whole.high) == NULL)
      return PROF_NOT_FOUND;
    visit_rows(debug, unit, &whole, visit, context);
    return PROF_OK;
  }
  const struct prof_intervals *covers = &unit->scopes.covers;
  for (size_t i = 0; i < covers->segments.count; i++)
    if (outermost_scope(unit, covers->segments.items[i].value) == function &&
        !visit_rows(debug, unit, &covers->segments.items[i], visit, context))
      break;
  return PROF_OK;
}

enum { UNASKED, NOT_WANTED, WANTED };

/* Whether the scope, or one around it that was inlined too, is a wanted one; `asked` keeps answers, by scope. */
static bool is_within_wanted(struct prof_debug_unit *unit, uint32_t scope, prof_debug_wants *wants, void *context,
                             uint8_t *asked) {
  for (; scope != PROF_DWARF_NO_SCOPE; scope = unit->scopes.items.items[scope].parent) {
    struct prof_dwarf_scope *item = &unit->scopes.items.items[scope];
    if (asked[scope] == UNASKED) {
      const char *name = item->inlined ? prof_debug_unit_name(unit, item) : NULL;
      asked[scope] = name != NULL && wants(context, name) ? WANTED : NOT_WANTED;
    }
    if (asked[scope] == WANTED)
      return true;
  }
  return false;
}

prof_status prof_debug_inlined_lines(struct prof_debug *debug, prof_debug_wants *wants, prof_debug_visit *visit,
                                     void *context) {
  bool going = true;
  for (uint32_t i = 0; i < debug->unit_count && going; i++) {
    struct prof_debug_unit *unit = &debug->units[i];
    uint8_t *asked;
    if (!read_unit(debug, unit) || (asked = calloc(unit->scopes.items.count + 1, sizeof *asked)) == NULL)
      return PROF_NO_MEMORY;
    const struct prof_intervals *covers = &unit->scopes.covers;
    for (size_t s = 0; s < covers->segments.count && going; s++)
      if (is_within_wanted(unit, covers->segments.items[s].value, wants, context, asked))
        going = visit_rows(debug, unit, &covers->segments.items[s], visit, context);
    free(asked);
  }
  return PROF_OK;
}
