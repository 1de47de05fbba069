/*
 * tools/record/gpu/gpu_symbols.c - see gpu_symbols.h.
 */
#include "record/gpu/gpu_symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct prof_gpu_module *find(struct prof_gpu_symbols *symbols, const char *path) {
  for (size_t i = symbols->modules.count; i > 0; i--)
    if (strcmp(symbols->modules.items[i - 1].path, path) == 0)
      return &symbols->modules.items[i - 1];
  struct prof_gpu_module module = {.path = strdup(path)};
  if (module.path == NULL || !prof_vec_push(&symbols->modules, module)) {
    free(module.path);
    return NULL;
  }
  struct prof_gpu_module *made = &symbols->modules.items[symbols->modules.count - 1];
  if (prof_elf_open(path, NULL, &made->elf) == PROF_OK)
    (void)prof_elf_symbols_read(made->elf, &made->symbols);
  return made;
}

void prof_gpu_symbols_name(struct prof_gpu_symbols *symbols, const char *path, uint64_t address, char *out,
                           size_t out_bytes) {
  const struct prof_gpu_module *module = *path != 0 ? find(symbols, path) : NULL;
  const struct prof_elf_symbol *symbol = module != NULL ? prof_elf_symbols_cover(&module->symbols, address) : NULL;
  const char *slash = strrchr(path, '/');
  if (symbol != NULL)
    snprintf(out, out_bytes, "%s", symbol->name);
  else
    snprintf(out, out_bytes, "%s+0x%" PRIx64, *path == 0 ? "[no file]" : slash != NULL ? slash + 1 : path, address);
}

void prof_gpu_symbols_fini(struct prof_gpu_symbols *symbols) {
  for (size_t i = 0; i < symbols->modules.count; i++) {
    prof_elf_symbols_free(&symbols->modules.items[i].symbols);
    prof_elf_close(symbols->modules.items[i].elf);
    free(symbols->modules.items[i].path);
  }
  prof_vec_fini(&symbols->modules);
}
