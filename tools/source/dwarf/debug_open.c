/*
 * tools/source/dwarf/debug_open.c - opens and closes the modules of debug.h.
 *
 * Opening reads the units' root entries and makes a map from addresses to units.
 */
#include "source/dwarf/debug_open.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "source/dwarf/debug_find.h"
#include "source/dwarf/dwarf_range.h"

static const char *const default_roots[] = {"/usr/lib/debug", NULL};

static bool read_code(struct prof_debug *debug, struct prof_elf *elf) {
  size_t at = 0;
  for (uint64_t low, high; prof_elf_code_next(elf, &at, &low, &high);)
    if (!prof_intervals_add(&debug->code, low, high, 0, 0))
      return false;
  return prof_intervals_flatten(&debug->code);
}

struct owner {
  struct prof_debug *debug;
  uint32_t index, rank; /* of the unit */
};

/* The first unit with an address has it: the linker kept that copy. */
static bool own(void *context, uint64_t low, uint64_t high) {
  struct owner *owner = context;
  if (low >= high || !prof_intervals_clip(&owner->debug->code, low, &high))
    return true;
  return prof_intervals_add(&owner->debug->owners, low, high, owner->rank, owner->index);
}

/* For a unit whose root entry has no addresses, but lines. */
static bool own_by_lines(struct owner *owner, struct prof_debug_unit *unit) {
  if (!prof_debug_unit_read(unit, &owner->debug->code, &owner->debug->splits))
    return false;
  const struct prof_dwarf_row *rows = unit->lines.rows.items;
  uint64_t low = 0;
  for (size_t i = 0; i < unit->lines.rows.count; i++) {
    if (i == 0 || rows[i - 1].end)
      low = rows[i].address;
    if (rows[i].end && !own(owner, low, rows[i].address))
      return false;
  }
  return true;
}

static bool map_unit(struct prof_debug *debug, struct prof_debug_unit *unit) {
  uint32_t index = (uint32_t)(unit - debug->units);
  struct owner owner = {debug, index, UINT32_MAX - index};
  const struct prof_dwarf_unit *root = unit->unit;
  if (root->ranges.kind != PROF_VALUE_NONE)
    return prof_dwarf_ranges_walk(root, &root->ranges, own, &owner);
  if (root->high > root->low)
    return own(&owner, root->low, root->high);
  owner.rank = 0;
  if (root->type != PROF_UNIT_PARTIAL && !root->has_low && root->lines != PROF_DWARF_NOWHERE)
    return own_by_lines(&owner, unit);
  return true;
}

static bool map_units(struct prof_debug *debug) {
  struct prof_dwarf_file *file = debug->file;
  if (!prof_dwarf_units_read(file) || file->unit_count >= UINT32_MAX ||
      (debug->alternate != NULL && !prof_dwarf_units_read(debug->alternate)))
    return false;
  debug->units = calloc(file->unit_count + 1, sizeof *debug->units);
  if (debug->units == NULL)
    return false;
  debug->unit_count = (uint32_t)file->unit_count;
  for (uint32_t i = 0; i < debug->unit_count; i++) {
    debug->units[i].unit = &file->units[i];
    if (prof_dwarf_unit_root(&file->units[i]) && !map_unit(debug, &debug->units[i]))
      return false;
  }
  return prof_intervals_flatten(&debug->owners);
}

/* Takes over the file with the debug information. */
static bool use(struct prof_debug *debug, struct prof_elf *elf, enum prof_debug_origin origin,
                const char *const *roots) {
  debug->origin = origin;
  debug->file = prof_dwarf_file_new(elf, false);
  if (debug->file == NULL)
    return false;
  bool named;
  struct prof_elf *alternate = prof_debug_find_alternate(roots, elf, &named);
  debug->alternate_missing = named && alternate == NULL;
  if (alternate != NULL && (debug->alternate = prof_dwarf_file_new(alternate, false)) == NULL)
    return false;
  debug->file->alternate = debug->alternate;
  return read_code(debug, elf) && map_units(debug);
}

static bool find_information(struct prof_debug *debug, const struct prof_build_id *id, const char *const *roots) {
  struct prof_elf *elf = debug->module;
  if (elf != NULL && prof_dwarf_file_has_info(elf, false)) {
    debug->module = NULL;
    return use(debug, elf, PROF_DEBUG_MODULE, roots);
  }
  if ((elf = prof_debug_find_by_id(roots, id)) != NULL)
    return use(debug, elf, PROF_DEBUG_BUILD_ID, roots);
  if (debug->module != NULL && (elf = prof_debug_find_by_link(roots, debug->module)) != NULL)
    return use(debug, elf, PROF_DEBUG_LINK, roots);
  return true;
}

/* Opens the module itself; *id becomes what debug files must have.  PROF_NOT_FOUND: gone, or replaced. */
static prof_status open_module(struct prof_debug *debug, const struct prof_debug_options *options,
                               struct prof_build_id *id, struct prof_diag *diag) {
  struct prof_build_id wanted = {0};
  if (options->build_id != NULL && options->build_id_bytes > 0) {
    wanted.count = options->build_id_bytes < PROF_BUILD_ID_BYTES ? options->build_id_bytes : PROF_BUILD_ID_BYTES;
    memcpy(wanted.bytes, options->build_id, wanted.count);
  }
  *id = wanted;
  prof_status status = prof_elf_open(debug->path, diag, &debug->module);
  if (status != PROF_OK)
    return status;
  id->count = prof_elf_build_id(debug->module, id->bytes);
  if (wanted.count == 0 || (wanted.count == id->count && memcmp(wanted.bytes, id->bytes, id->count) == 0))
    return PROF_OK;
  *id = wanted;
  prof_elf_close(debug->module);
  debug->module = NULL;
  return prof_diag_fill(diag, PROF_NOT_FOUND, debug->path, PROF_NO_OFFSET,
                        "put the file back that was recorded, or its debug file",
                        "is another file than the one recorded: its build id differs");
}

prof_status prof_debug_open(const char *path, const struct prof_debug_options *options, struct prof_diag *diag,
                            struct prof_debug **out) {
  static const struct prof_debug_options defaults = {0};
  *out = NULL;
  if (options == NULL)
    options = &defaults;
  struct prof_debug *debug = calloc(1, sizeof *debug);
  if (debug == NULL || (debug->path = strdup(path)) == NULL) {
    free(debug);
    return prof_diag_memory(diag);
  }
  debug->splits.module_path = debug->path;
  struct prof_build_id id;
  prof_status status = open_module(debug, options, &id, diag);
  bool gone = status == PROF_NOT_FOUND && id.count > 0;
  if (status == PROF_OK || gone) {
    if (!find_information(debug, &id, options->roots != NULL ? options->roots : default_roots))
      status = prof_diag_memory(diag);
    else if (gone && debug->file != NULL)
      status = PROF_OK;
  }
  if (status != PROF_OK) {
    prof_debug_close(debug);
    return status;
  }
  *out = debug;
  return PROF_OK;
}

void prof_debug_close(struct prof_debug *debug) {
  if (debug == NULL)
    return;
  for (uint32_t i = 0; i < debug->unit_count; i++)
    prof_debug_unit_fini(&debug->units[i]);
  free(debug->units);
  prof_dwarf_splits_fini(&debug->splits);
  prof_elf_symbols_free(&debug->symbols);
  prof_intervals_fini(&debug->code);
  prof_intervals_fini(&debug->owners);
  prof_source_paths_fini(&debug->paths);
  prof_vec_fini(&debug->frames);
  prof_dwarf_file_free(debug->file);
  prof_dwarf_file_free(debug->alternate);
  prof_elf_close(debug->module);
  free(debug->path);
  free(debug);
}

struct prof_debug_facts prof_debug_facts(const struct prof_debug *debug) {
  struct prof_debug_facts facts = {
      .origin = debug->origin, .alternate_missing = debug->alternate_missing, .units = debug->unit_count};
  if (debug->file != NULL) {
    facts.path = prof_elf_path(debug->file->elf);
    facts.damaged = debug->file->damaged || (debug->alternate != NULL && debug->alternate->damaged);
  }
  for (uint32_t i = 0; i < debug->unit_count; i++) {
    const struct prof_debug_unit *unit = &debug->units[i];
    facts.units_read += unit->ready;
    facts.splits_missing += unit->split_missing;
    facts.damaged |= unit->entries != NULL && unit->entries->file->damaged;
  }
  return facts;
}
