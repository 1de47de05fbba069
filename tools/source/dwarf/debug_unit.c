/*
 * tools/source/dwarf/debug_unit.c - see debug_unit.h.
 */
#include "source/dwarf/debug_unit.h"

bool prof_debug_unit_read(struct prof_debug_unit *debug, const struct prof_intervals *code,
                          struct prof_dwarf_splits *splits) {
  if (debug->ready)
    return true;
  debug->ready = true;
  debug->entries = debug->unit;
  if (debug->unit->split_name != NULL || debug->unit->type == PROF_UNIT_SKELETON) {
    const struct prof_dwarf_unit *split = prof_dwarf_split_find(splits, debug->unit);
    debug->split_missing = split == NULL;
    if (split != NULL)
      debug->entries = split;
  }
  if (!prof_dwarf_scopes_read(debug->entries, code, &debug->scopes) ||
      !prof_dwarf_lines_read(debug->unit, code, &debug->lines))
    return false;
  debug->paths = calloc(debug->lines.files.count + 1, sizeof *debug->paths);
  return debug->paths != NULL;
}

void prof_debug_unit_fini(struct prof_debug_unit *debug) {
  prof_dwarf_scopes_fini(&debug->scopes);
  prof_dwarf_lines_fini(&debug->lines);
  free(debug->paths);
}

const char *prof_debug_unit_name(struct prof_debug_unit *debug, struct prof_dwarf_scope *scope) {
  if (!scope->named) {
    scope->named = true;
    scope->name = prof_dwarf_name(debug->entries->file, scope->entry);
  }
  return scope->name;
}

static bool join(const struct prof_debug_unit *debug, const struct prof_dwarf_source *file,
                 char out[PROF_SOURCE_PATH_BYTES]) {
  const char *folder = debug->unit->folder, *directory = prof_dwarf_lines_directory(&debug->lines, file, &folder);
  return prof_source_path_join(out, folder, directory, file->name);
}

const char *prof_debug_unit_path(struct prof_debug_unit *debug, struct prof_source_paths *paths, uint64_t number) {
  const struct prof_dwarf_source *file = prof_dwarf_lines_file(&debug->lines, number);
  if (file == NULL || debug->paths == NULL)
    return NULL;
  const char **kept = &debug->paths[file - debug->lines.files.items];
  char path[PROF_SOURCE_PATH_BYTES];
  if (*kept == NULL && join(debug, file, path))
    *kept = prof_source_path_keep(paths, path);
  return *kept;
}
