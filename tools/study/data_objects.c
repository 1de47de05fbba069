/*
 * tools/study/data_objects.c - see data_objects.h.
 */
#include "study/data_objects.h"

#include <elf.h>
#include <string.h>

#include "source/elf_file.h"

static bool find(struct prof_elf *file, uint64_t address, struct prof_arena *arena, struct prof_data_object *out) {
  struct prof_elf_section symbols, strings;
  if (!prof_elf_symbol_sections(file, &symbols, &strings))
    return false;
  for (size_t i = 0; i < symbols.size / sizeof(Elf64_Sym); i++) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols.bytes + i * sizeof symbol, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings.size ||
        address < symbol.st_value || address - symbol.st_value >= symbol.st_size)
      continue;
    const char *name = (const char *)strings.bytes + symbol.st_name;
    const char *end = memchr(name, 0, strings.size - symbol.st_name);
    out->name = end ? prof_arena_copy(arena, name, (size_t)(end - name)) : NULL;
    out->address = symbol.st_value;
    out->bytes = symbol.st_size;
    return out->name != NULL;
  }
  return false;
}

bool prof_data_object_find(struct prof_symbols *symbols, uint32_t module, uint64_t address, struct prof_arena *arena,
                           struct prof_data_object *out) {
  struct prof_elf *file;
  struct prof_diag diag;
  if (!prof_symbols_debug(symbols, module) || /* checks the build id */
      prof_elf_open(prof_symbols_module_path(symbols, module), &diag, &file) != PROF_OK)
    return false;
  bool found = find(file, address, arena, out);
  prof_elf_close(file);
  return found;
}
