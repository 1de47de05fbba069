/*
 * tools/source/cubin.c - see cubin.h.
 *
 * Each function has a section of its own at address 0, and relocations name the section of a sequence of lines.  So
 * sections get addresses here, 2^32 apart by their index, and relocations are applied to a copy of .debug_line, which
 * the reader of host programs' lines reads.  All tables are read in turn: there may be no .debug_info to name them.
 *
 * Source: the ELF gABI; relocation 2 stores an address of 8 bytes, as cuobjdump's and readelf's output show it.
 */
#include "source/cubin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "source/dwarf/dwarf_line.h"

enum { ADDRESS_64 = 2, SYMBOL_BYTES = 24, SECTION_SHIFT = 32, LONG_LENGTH = -1 };

struct table {
  struct prof_dwarf_lines lines;
  const char **paths; /* of its files, as they were asked for; NULL: not yet */
};

struct prof_cubin {
  struct prof_dwarf_file *file; /* with the ELF file */
  uint8_t *lines;               /* .debug_line with addresses */
  PROF_VEC(struct table) tables;
  struct prof_elf_section symbols, strings;
};

struct symbol {
  const char *name;
  uint64_t address, size;
};

/* ---- symbols ---- */

static uint64_t number(const uint8_t *bytes, size_t width) {
  uint64_t value = 0;
  memcpy(&value, bytes, width);
  return value;
}

/* Elf64_Sym: name 4, info 1, other 1, section 2, value 8, size 8.  False: there is none with this index. */
static bool symbol_at(const struct prof_cubin *cubin, uint64_t index, struct symbol *out) {
  if (index >= cubin->symbols.size / SYMBOL_BYTES)
    return false;
  const uint8_t *bytes = cubin->symbols.bytes + index * SYMBOL_BYTES;
  uint64_t name = number(bytes, 4);
  if (name >= cubin->strings.size || memchr(cubin->strings.bytes + name, 0, cubin->strings.size - name) == NULL)
    return false;
  *out = (struct symbol){.name = (const char *)cubin->strings.bytes + name,
                         .address = (number(bytes + 6, 2) << SECTION_SHIFT) + number(bytes + 8, 8),
                         .size = number(bytes + 16, 8)};
  return true;
}

static bool find_function(const struct prof_cubin *cubin, const char *name, struct symbol *out) {
  for (uint64_t i = 1; i < cubin->symbols.size / SYMBOL_BYTES; i++)
    if (symbol_at(cubin, i, out) && out->size > 0 && strcmp(out->name, name) == 0)
      return true;
  return false;
}

/* ---- lines ---- */

/* entry_bytes: 24 with an addend, else 16: offset 8, type 4, symbol 4, addend 8. */
static void relocate(struct prof_cubin *cubin, const char *section, size_t entry_bytes, size_t line_bytes) {
  struct prof_elf_section list;
  struct symbol symbol;
  if (!prof_elf_section(cubin->file->elf, section, &list))
    return;
  for (size_t at = 0; at + entry_bytes <= list.size; at += entry_bytes) {
    uint64_t offset = number(list.bytes + at, 8);
    if (number(list.bytes + at + 8, 4) != ADDRESS_64 || line_bytes < 8 || offset > line_bytes - 8 ||
        !symbol_at(cubin, number(list.bytes + at + 12, 4), &symbol))
      continue;
    uint64_t addend = number(entry_bytes > 16 ? list.bytes + at + 16 : cubin->lines + offset, 8);
    uint64_t address = symbol.address + addend;
    memcpy(cubin->lines + offset, &address, sizeof address);
  }
}

/* All tables of the section.  False: no memory. */
static bool read_tables(struct prof_cubin *cubin, size_t line_bytes) {
  struct prof_intervals code = {0};
  bool good = prof_intervals_add(&code, (uint64_t)1 << SECTION_SHIFT, (uint64_t)1 << (SECTION_SHIFT + 16), 0, 0) &&
              prof_intervals_flatten(&code);
  for (uint64_t at = 0; good && line_bytes - at >= 12;) {
    bool is_long = number(cubin->lines + at, 4) == (uint32_t)LONG_LENGTH;
    uint64_t length = is_long ? number(cubin->lines + at + 4, 8) : number(cubin->lines + at, 4);
    struct prof_dwarf_unit unit = {
        .file = cubin->file, .lines = at, .version = 4, .address_bytes = 8, .offset_bytes = is_long ? 8 : 4};
    struct table table = {0};
    at += is_long ? 12 : 4;
    if (length == 0 || length > line_bytes - at)
      break;
    at += length;
    good = prof_dwarf_lines_read(&unit, &code, &table.lines) && prof_vec_push(&cubin->tables, table);
    if (!good)
      prof_dwarf_lines_fini(&table.lines);
  }
  prof_intervals_fini(&code);
  return good;
}

static bool read_lines(struct prof_cubin *cubin) {
  const struct prof_elf_section *section = prof_dwarf_section(cubin->file, PROF_DWARF_LINE);
  size_t bytes = section->size;
  if (!prof_elf_symbol_sections(cubin->file->elf, &cubin->symbols, &cubin->strings) || bytes == 0)
    return true;
  if ((cubin->lines = malloc(bytes)) == NULL)
    return false;
  memcpy(cubin->lines, section->bytes, bytes);
  relocate(cubin, ".rela.debug_line", 24, bytes);
  relocate(cubin, ".rel.debug_line", 16, bytes);
  cubin->file->sections[PROF_DWARF_LINE].bytes = cubin->lines;
  return read_tables(cubin, bytes);
}

prof_status prof_cubin_open(const uint8_t *bytes, size_t byte_count, struct prof_diag *diag, struct prof_cubin **out) {
  struct prof_elf *elf;
  *out = NULL;
  prof_status status = prof_elf_open_cubin(bytes, byte_count, diag, &elf);
  if (status != PROF_OK)
    return status;
  struct prof_cubin *cubin = calloc(1, sizeof *cubin);
  struct prof_dwarf_file *file = prof_dwarf_file_new(elf, false);
  if (cubin != NULL)
    cubin->file = file;
  else
    prof_dwarf_file_free(file);
  if (cubin == NULL || file == NULL || !read_lines(cubin)) {
    prof_cubin_close(cubin);
    return prof_diag_memory(diag);
  }
  *out = cubin;
  return PROF_OK;
}

void prof_cubin_close(struct prof_cubin *cubin) {
  if (cubin == NULL)
    return;
  for (size_t i = 0; i < cubin->tables.count; i++) {
    prof_dwarf_lines_fini(&cubin->tables.items[i].lines);
    free(cubin->tables.items[i].paths);
  }
  prof_vec_fini(&cubin->tables);
  prof_dwarf_file_free(cubin->file);
  free(cubin->lines);
  free(cubin);
}

bool prof_cubin_has_lines(const struct prof_cubin *cubin) {
  for (size_t i = 0; i < cubin->tables.count; i++)
    if (cubin->tables.items[i].lines.rows.count > 0)
      return true;
  return false;
}

/* ---- questions ---- */

/* NULL: no memory. */
static const char *join(struct prof_cubin *cubin, const char *folder, const char *name) {
  size_t folder_bytes = folder != NULL && *name != '/' ? strlen(folder) : 0, name_bytes = strlen(name);
  char *path = prof_arena_alloc(&cubin->file->arena, folder_bytes + name_bytes + 2);
  if (path != NULL && folder_bytes > 0)
    snprintf(path, folder_bytes + name_bytes + 2, "%s/%s", folder, name);
  else if (path != NULL)
    memcpy(path, name, name_bytes + 1);
  return path;
}

/* A path that another table or file has already; else this one. */
static const char *known_path(const struct prof_cubin *cubin, const char *path) {
  for (size_t i = 0; i < cubin->tables.count; i++)
    for (size_t j = 0; cubin->tables.items[i].paths != NULL && j < cubin->tables.items[i].lines.files.count; j++)
      if (cubin->tables.items[i].paths[j] != NULL && strcmp(cubin->tables.items[i].paths[j], path) == 0)
        return cubin->tables.items[i].paths[j];
  return path;
}

static const char *path_of(struct prof_cubin *cubin, struct table *table, uint64_t file) {
  const struct prof_dwarf_source *source = prof_dwarf_lines_file(&table->lines, file);
  const char *unused = NULL;
  if (source == NULL)
    return NULL;
  if (table->paths == NULL)
    table->paths = calloc(table->lines.files.count, sizeof *table->paths);
  size_t index = (size_t)(source - table->lines.files.items);
  if (table->paths != NULL && table->paths[index] == NULL) {
    const char *path = join(cubin, prof_dwarf_lines_directory(&table->lines, source, &unused), source->name);
    table->paths[index] = path != NULL ? known_path(cubin, path) : NULL;
  }
  return table->paths != NULL ? table->paths[index] : NULL;
}

static bool place_of(struct prof_cubin *cubin, struct table *table, const struct prof_dwarf_row *row,
                     struct prof_cubin_place *out) {
  const char *path = row != NULL && row->line > 0 ? path_of(cubin, table, row->file) : NULL;
  if (path == NULL)
    return false;
  *out = (struct prof_cubin_place){path, row->line};
  return true;
}

bool prof_cubin_find(struct prof_cubin *cubin, const char *function, uint64_t offset, struct prof_cubin_place *out) {
  struct symbol symbol;
  if (!find_function(cubin, function, &symbol) || offset >= symbol.size)
    return false;
  for (size_t i = 0; i < cubin->tables.count; i++) {
    struct table *table = &cubin->tables.items[i];
    if (place_of(cubin, table, prof_dwarf_lines_find(&table->lines, symbol.address + offset), out))
      return true;
  }
  return false;
}

bool prof_cubin_extent(struct prof_cubin *cubin, const char *function, struct prof_cubin_place *first,
                       uint32_t *last_line) {
  struct symbol symbol;
  struct prof_cubin_place place;
  if (!prof_cubin_find(cubin, function, 0, first) || !find_function(cubin, function, &symbol))
    return false;
  *last_line = first->line;
  for (size_t i = 0; i < cubin->tables.count; i++) {
    struct table *table = &cubin->tables.items[i];
    for (size_t row = 0; row < table->lines.rows.count; row++) {
      const struct prof_dwarf_row *at = &table->lines.rows.items[row];
      if (at->end || at->address < symbol.address || at->address >= symbol.address + symbol.size ||
          !place_of(cubin, table, at, &place) || place.file != first->file)
        continue;
      first->line = place.line < first->line ? place.line : first->line;
      *last_line = place.line > *last_line ? place.line : *last_line;
    }
  }
  return true;
}
