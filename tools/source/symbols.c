/*
 * tools/source/symbols.c - see symbols.h.
 */
#include "source/symbols.h"
#include "base/order.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { ALIASES = 16 }; /* symbols before an address that are looked at */

static int compare_address(const void *left, const void *right) {
  const struct prof_elf_symbol *a = left, *b = right;
  return prof_order(a->address, b->address) ?: b->weak - a->weak;
}

static int compare_name(const void *left, const void *right, void *context) {
  const struct prof_elf_symbol *items = context;
  return strcmp(items[*(const uint32_t *)left].name, items[*(const uint32_t *)right].name);
}

bool prof_elf_symbols_read(struct prof_elf *file, struct prof_elf_symbols *out) {
  *out = (struct prof_elf_symbols){0};
  struct prof_elf_section symbols, strings;
  if (!prof_elf_symbol_sections(file, &symbols, &strings))
    return true;
  size_t count = symbols.size / sizeof(Elf64_Sym);
  out->items = malloc((count + 1) * sizeof *out->items);
  out->by_name = malloc((count + 1) * sizeof *out->by_name);
  if (out->items == NULL || out->by_name == NULL) {
    prof_elf_symbols_free(out);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols.bytes + i * sizeof symbol, sizeof symbol);
    unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0 ||
        symbol.st_name >= strings.size)
      continue;
    const char *name = (const char *)strings.bytes + symbol.st_name;
    if (memchr(name, 0, strings.size - symbol.st_name) == NULL || *name == 0)
      continue;
    out->items[out->count++] =
        (struct prof_elf_symbol){symbol.st_value, symbol.st_size, name, ELF64_ST_BIND(symbol.st_info) == STB_WEAK};
  }
  qsort(out->items, out->count, sizeof *out->items, compare_address);
  for (size_t i = 0; i < out->count; i++)
    out->by_name[i] = (uint32_t)i;
  qsort_r(out->by_name, out->count, sizeof *out->by_name, compare_name, out->items);
  return true;
}

void prof_elf_symbols_free(struct prof_elf_symbols *symbols) {
  free(symbols->items);
  free(symbols->by_name);
  *symbols = (struct prof_elf_symbols){0};
}

static const struct prof_elf_symbol *whole_function(const struct prof_elf_symbols *symbols,
                                                    const struct prof_elf_symbol *part) {
  const char *suffix = strstr(part->name, ".cold");
  if (suffix == NULL || suffix == part->name)
    return part;
  size_t length = (size_t)(suffix - part->name);
  /* the first name that doesn't sort before the whole's */
  size_t low = prof_search(0, symbols->count, middle,
                           strncmp(symbols->items[symbols->by_name[middle]].name, part->name, length) < 0);
  const struct prof_elf_symbol *found[2] = {NULL, NULL};
  for (size_t i = 0; i < 2 && low + i < symbols->count; i++) {
    const struct prof_elf_symbol *symbol = &symbols->items[symbols->by_name[low + i]];
    if (strncmp(symbol->name, part->name, length) == 0 && symbol->name[length] == 0)
      found[i] = symbol;
  }
  return found[0] != NULL && found[1] == NULL ? found[0] : part;
}

const struct prof_elf_symbol *prof_elf_symbols_cover(const struct prof_elf_symbols *symbols, uint64_t address) {
  /* the first beyond `address` */
  size_t low = prof_search(0, symbols->count, middle, symbols->items[middle].address <= address);
  /* Aliases share an address and may differ in size: take any that covers it. */
  for (size_t i = low, tries = ALIASES; i > 0 && tries > 0; i--, tries--)
    if (address - symbols->items[i - 1].address < symbols->items[i - 1].size)
      return &symbols->items[i - 1];
  return NULL;
}

const struct prof_elf_symbol *prof_elf_symbols_find(const struct prof_elf_symbols *symbols, uint64_t address) {
  const struct prof_elf_symbol *symbol = prof_elf_symbols_cover(symbols, address);
  return symbol == NULL ? NULL : whole_function(symbols, symbol);
}

bool prof_elf_has_symbol(struct prof_elf *file, const char *name, bool undefined) {
  struct prof_elf_section symbols, strings;
  size_t length = strlen(name);
  bool is_read = undefined ? prof_elf_section(file, ".dynsym", &symbols) && prof_elf_section(file, ".dynstr", &strings)
                           : prof_elf_symbol_sections(file, &symbols, &strings);
  if (!is_read)
    return false;
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols.bytes + at, sizeof symbol);
    const char *found = (const char *)strings.bytes + symbol.st_name;
    if (undefined && symbol.st_shndx != SHN_UNDEF)
      continue;
    if (symbol.st_name < strings.size && strings.size - symbol.st_name > length && memcmp(found, name, length) == 0 &&
        (found[length] == 0 || found[length] == '@'))
      return true;
  }
  return false;
}
