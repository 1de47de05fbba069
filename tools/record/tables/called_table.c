/*
 * tools/record/tables/called_table.c - see called_table.h.
 */
#include "record/tables/called_table.h"

#include <stdlib.h>

bool prof_called_file_add(struct prof_called_table *table, struct prof_elf *elf, uint32_t *file) {
  struct prof_called_file added = {.elf = elf};
  bool good = elf == NULL || prof_elf_symbols_read(elf, &added.symbols);
  *file = (uint32_t)table->files.count;
  if (good && prof_vec_push(&table->files, added))
    return true;
  prof_elf_symbols_free(&added.symbols);
  prof_elf_close(elf);
  return false;
}

static struct prof_called_slot *slot_of(const struct prof_called_table *table, uint32_t file, uint64_t address) {
  size_t mask = table->capacity - 1;
  size_t at = (size_t)((address ^ (uint64_t)file << 48) * 0x9e3779b97f4a7c15ull >> 20) & mask;
  while (table->slots[at].file != 0 && (table->slots[at].file != file + 1 || table->slots[at].address != address))
    at = (at + 1) & mask;
  return &table->slots[at];
}

static bool grow(struct prof_called_table *table) {
  struct prof_called_table larger = {.capacity = table->capacity ? table->capacity * 2 : 256};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (larger.slots == NULL)
    return false;
  for (size_t i = 0; i < table->capacity; i++)
    if (table->slots[i].file != 0)
      *slot_of(&larger, table->slots[i].file - 1, table->slots[i].address) = table->slots[i];
  free(table->slots);
  table->slots = larger.slots;
  table->capacity = larger.capacity;
  return true;
}

bool prof_called_function(struct prof_called_table *table, uint32_t file, uint64_t address, uint32_t *number,
                          bool *is_new, const char **name) {
  if (2 * (table->count + 1) > table->capacity && !grow(table))
    return false;
  struct prof_called_slot *slot = slot_of(table, file, address);
  *is_new = slot->file == 0;
  *name = "";
  if (*is_new) {
    *slot = (struct prof_called_slot){address, file + 1, (uint32_t)table->count++};
    const struct prof_elf_symbol *symbol = prof_elf_symbols_find(&table->files.items[file].symbols, address);
    if (symbol != NULL)
      *name = symbol->name;
  }
  *number = slot->number;
  return true;
}

void prof_called_fini(struct prof_called_table *table) {
  for (size_t i = 0; i < table->files.count; i++) {
    prof_elf_symbols_free(&table->files.items[i].symbols);
    prof_elf_close(table->files.items[i].elf);
  }
  prof_vec_fini(&table->files);
  free(table->slots);
}
