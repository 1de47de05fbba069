/*
 * tools/source/dwarf/dwarf_split.c - see dwarf_split.h.
 *
 * Source: DWARF 5, sections 3.1.3 and 7.3.5; https://gcc.gnu.org/wiki/DebugFissionDWP for the index of version 2.
 */
#include "source/dwarf/dwarf_split.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

struct index { /* of a package: which part of each section belongs to a unit */
  uint16_t version;
  uint32_t columns, units, slots;
  int column_of[MOST_COLUMNS]; /* by section; -1: none */
  struct prof_bytes ids, rows, offsets;
};

/* keep_open: of what there is one; objects are many. */
static struct prof_dwarf_file *open_split(const char *path, bool keep_open) {
  struct prof_elf *elf;
  if (prof_elf_open(path, NULL, &elf) != PROF_OK)
    return NULL;
  if (!prof_dwarf_file_has_info(elf, true)) {
    prof_elf_close(elf);
    return NULL;
  }
  if (!keep_open)
    prof_elf_detach(elf);
  struct prof_dwarf_file *file = prof_dwarf_file_new(elf, true);
  if (file != NULL && prof_dwarf_units_read(file))
    return file;
  prof_dwarf_file_free(file);
  return NULL;
}

static bool read_index(const struct prof_elf_section *section, struct index *index) {
  struct prof_bytes bytes = prof_bytes_from(section->bytes, section->size, 0);
  index->version = prof_bytes_u16(&bytes);
  prof_bytes_u16(&bytes);
  index->columns = prof_bytes_u32(&bytes);
  index->units = prof_bytes_u32(&bytes);
  index->slots = prof_bytes_u32(&bytes);
  if (bytes.bad || index->columns == 0 || index->columns > MOST_COLUMNS || (index->version != 2 && index->version != 5))
    return false;
  index->ids = bytes;
  prof_bytes_skip(&bytes, (uint64_t)index->slots * 8);
  index->rows = bytes;
  prof_bytes_skip(&bytes, (uint64_t)index->slots * 4);
  for (int i = 0; i < MOST_COLUMNS; i++)
    index->column_of[i] = -1;
  for (uint32_t i = 0; i < index->columns; i++) {
    uint32_t which = prof_bytes_u32(&bytes);
    if (which < MOST_COLUMNS)
      index->column_of[which] = (int)i;
  }
  index->offsets = bytes;
  return !bytes.bad;
}

/* Where the part of a section begins that belongs to the unit of `row` (from 1 on); false: none. */
static bool part_of(const struct index *index, uint32_t row, enum prof_dwarf_package_section which, uint64_t *out) {
  if (index->column_of[which] < 0 || row == 0 || row > index->units)
    return false;
  struct prof_bytes bytes = index->offsets;
  prof_bytes_skip(&bytes, ((uint64_t)(row - 1) * index->columns + (uint32_t)index->column_of[which]) * 4);
  *out = prof_bytes_u32(&bytes);
  return !bytes.bad;
}

static void place(struct prof_dwarf_unit *unit, const struct index *index, uint32_t row, uint64_t id) {
  uint64_t part, wide = unit->offset_bytes == 8;
  unit->id = id;
  if (part_of(index, row, PROF_DWP_ABBREV, &part))
    unit->abbrev_offset += part;
  if (part_of(index, row, PROF_DWP_STR_OFFSETS, &part))
    unit->texts_base = part + (unit->version < 5 ? 0 : wide ? 16 : 8);
  if (index->version >= 5 && part_of(index, row, PROF_DWP_RNGLISTS, &part))
    unit->lists_base = part + (wide ? 20 : 12);
}

/* Gives each unit of a package its id and its parts of the sections. */
static void place_units(struct prof_dwarf_file *package) {
  struct prof_elf_section section;
  struct index index;
  if (!prof_elf_debug_section(package->elf, ".debug_cu_index", &section) || !read_index(&section, &index)) {
    package->damaged = true;
    return;
  }
  for (uint32_t slot = 0; slot < index.slots; slot++) {
    uint64_t id = prof_bytes_u64(&index.ids), offset;
    uint32_t row = prof_bytes_u32(&index.rows);
    if (!part_of(&index, row, PROF_DWP_INFO, &offset)) /* an empty slot */
      continue;
    struct prof_dwarf_unit *unit = prof_dwarf_units_at(package, offset);
    if (unit != NULL)
      place(unit, &index, row, id);
  }
}

static struct prof_dwarf_unit *tie(struct prof_dwarf_file *file, const struct prof_dwarf_unit *skeleton) {
  for (size_t i = 0; i < file->unit_count; i++) {
    struct prof_dwarf_unit *unit = &file->units[i];
    if (unit->version < 5 && unit->id == 0)
      prof_dwarf_unit_root(unit); /* says the id */
    if (unit->id != skeleton->id || unit->skeleton != NULL)
      continue;
    unit->skeleton = skeleton;
    return prof_dwarf_unit_root(unit) ? unit : NULL;
  }
  return NULL;
}

static struct prof_dwarf_unit *try_object(struct prof_dwarf_splits *splits, const char *path,
                                          const struct prof_dwarf_unit *skeleton) {
  if (!prof_vec_reserve(&splits->objects, 1))
    return NULL;
  struct prof_dwarf_file *file = open_split(path, false);
  struct prof_dwarf_unit *unit = file == NULL ? NULL : tie(file, skeleton);
  if (unit == NULL)
    prof_dwarf_file_free(file);
  else
    splits->objects.items[splits->objects.count++] = file;
  return unit;
}

static void open_package(struct prof_dwarf_splits *splits) {
  char path[PATH_MAX];
  splits->package_tried = true;
  if (snprintf(path, sizeof path, "%s.dwp", splits->module_path) < PATH_MAX &&
      (splits->package = open_split(path, true)) != NULL)
    place_units(splits->package);
}

struct prof_dwarf_unit *prof_dwarf_split_find(struct prof_dwarf_splits *splits,
                                              const struct prof_dwarf_unit *skeleton) {
  if (!splits->package_tried)
    open_package(splits);
  struct prof_dwarf_unit *unit = splits->package == NULL ? NULL : tie(splits->package, skeleton);
  const char *name = skeleton->split_name, *folder = skeleton->folder == NULL ? "" : skeleton->folder;
  if (unit != NULL || name == NULL)
    return unit;
  char path[PATH_MAX];
  if (name[0] == '/')
    return try_object(splits, name, skeleton);
  if (snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX)
    unit = try_object(splits, path, skeleton);
  const char *slash = strrchr(splits->module_path, '/'), *last = strrchr(name, '/');
  int beside = slash == NULL ? 0 : (int)(slash - splits->module_path) + 1;
  if (unit == NULL && snprintf(path, sizeof path, "%.*s%s", beside, splits->module_path, name) < PATH_MAX)
    unit = try_object(splits, path, skeleton); /* moved with the program */
  if (unit == NULL && last != NULL &&
      snprintf(path, sizeof path, "%.*s%s", beside, splits->module_path, last + 1) < PATH_MAX)
    unit = try_object(splits, path, skeleton);
  return unit;
}

void prof_dwarf_splits_fini(struct prof_dwarf_splits *splits) {
  prof_dwarf_file_free(splits->package);
  for (size_t i = 0; i < splits->objects.count; i++)
    prof_dwarf_file_free(splits->objects.items[i]);
  prof_vec_fini(&splits->objects);
}
