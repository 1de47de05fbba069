/*
 * tools/record/inject/target.c - see target.h.
 */
#include "record/inject/target.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "late.h"
#include "measure.h"
#include "record/process_text.h"
#include "record/tables/map_table.h"
#include "version.h"

enum { AUXILIARY_BYTES = 4096 };

/* They hold locks of the loader or the allocator, change the list of threads, or end the process. */
static const char *const entangled[] = {
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "cfree",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_trim",
    "malloc_info",
    "malloc_stats",
    "mallinfo",
    "mallinfo2",
    "mallopt",
    "dlopen",
    "dlmopen",
    "dlclose",
    "dlsym",
    "dlvsym",
    "dlinfo",
    "dladdr",
    "dladdr1",
    "dlerror",
    "dl_iterate_phdr",
    "_dl_find_object",
    "__libc_dlopen_mode",
    "fork",
    "_Fork",
    "vfork",
    "posix_spawn",
    "posix_spawnp",
    "exit",
    "_exit",
    "quick_exit",
    "abort",
    "atexit",
    "on_exit",
    "__cxa_atexit",
    "__cxa_at_quick_exit",
    "__cxa_finalize",
    "__cxa_thread_atexit_impl",
    "pthread_create",
    "pthread_exit",
    "pthread_atfork",
    "__register_atfork",
};
/* Where the loader lies; 0: not known. */
static uint64_t loader_base(pid_t pid) {
  char text[AUXILIARY_BYTES + 1];
  size_t bytes = prof_process_text(pid, "auxv", text, sizeof text);
  for (size_t at = 0; at + sizeof(Elf64_auxv_t) <= bytes; at += sizeof(Elf64_auxv_t)) {
    Elf64_auxv_t entry;
    memcpy(&entry, text + at, sizeof entry);
    if (entry.a_type == AT_BASE)
      return entry.a_un.a_val;
  }
  return 0;
}

/* Address of the first of that name; 0: none. */
static uint64_t function_of(const struct prof_elf_symbols *symbols, const char *name) {
  for (size_t i = 0; i < symbols->count; i++)
    if (strcmp(symbols->items[i].name, name) == 0)
      return symbols->items[i].address;
  return 0;
}

static bool has_function(const struct prof_elf_symbols *symbols, const char *name) {
  return function_of(symbols, name) != 0;
}

static void take_address(const struct prof_elf_symbols *symbols, const char *name, uint64_t bias, uint64_t *out) {
  uint64_t at = function_of(symbols, name);
  if (at != 0 && *out == 0)
    *out = at + bias;
}

struct reading {
  struct prof_target *target;
  uint64_t loader;
  char program[4096]; /* its path as in maps */
  bool failed;
};

static void take_libc(struct reading *reading, const struct prof_elf_symbols *symbols, uint64_t bias) {
  struct prof_target *target = reading->target;
  take_address(symbols, "dlopen", bias, &target->dlopen);
  take_address(symbols, "dlsym", bias, &target->dlsym);
  take_address(symbols, "dlerror", bias, &target->dlerror);
  take_address(symbols, "__errno_location", bias, &target->errno_location);
  for (size_t i = 0; i < symbols->count; i++) { /* some names have several versions */
    const struct prof_elf_symbol *symbol = &symbols->items[i];
    for (size_t k = 0; k < sizeof entangled / sizeof *entangled; k++)
      if (strcmp(symbol->name, entangled[k]) == 0)
        reading->failed |=
            !prof_vec_push(&target->entangled,
                           (struct prof_target_range){symbol->address + bias, symbol->address + symbol->size + bias});
  }
}

static void take_note(struct prof_target *target, struct prof_elf *elf, uint64_t bias) {
  struct prof_elf_section section;
  struct prof_late_note note;
  const size_t head = sizeof(Elf64_Nhdr) + ((sizeof PROF_LATE_NAME + 3u) & ~3u);
  if (!prof_elf_section(elf, PROF_LATE_SECTION, &section) || section.size < head + sizeof note)
    return;
  memcpy(&note, section.bytes + head, sizeof note);
  uint64_t at = section.address + head + bias;
  if (memcmp(section.bytes + sizeof(Elf64_Nhdr), PROF_LATE_NAME, sizeof PROF_LATE_NAME) != 0 ||
      note.version != PROF_WIRE_VERSION)
    return;
  target->call = at + offsetof(struct prof_late_note, call) + (uint64_t)(int64_t)note.call;
  target->gate = at + offsetof(struct prof_late_note, gate) + (uint64_t)(int64_t)note.gate;
  target->leave = at + offsetof(struct prof_late_note, leave) + (uint64_t)(int64_t)note.leave;
}

static bool is_libc(const struct prof_elf_symbols *symbols, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  return has_function(symbols, "gnu_get_libc_version") || strncmp(name, "libpthread", 10) == 0 ||
         strncmp(name, "libdl", 5) == 0;
}

static bool is_profiler(const struct prof_elf_symbols *symbols) {
  return has_function(symbols, PROF_LATE_SYMBOL) || has_function(symbols, PROF_MEASURES_SYMBOL);
}

static enum prof_target_part part_of(const struct reading *reading, const struct prof_elf_symbols *symbols,
                                     const char *path, uint64_t bias) {
  if (reading->loader != 0 && bias == reading->loader)
    return PROF_PART_LOADER;
  if (is_libc(symbols, path))
    return PROF_PART_LIBC;
  if (is_profiler(symbols))
    return PROF_PART_PROFILER;
  return has_function(symbols, "malloc") || has_function(symbols, "free") ? PROF_PART_ALLOCATOR : PROF_PART_CODE;
}

static void take(void *context, const struct prof_mapped *mapped) {
  struct reading *reading = context;
  struct prof_target *target = reading->target;
  struct prof_unwind_place place = {0};
  struct prof_stack_place files = {&target->maps, &target->files, target->pid};
  prof_stack_maps_find(&files, mapped->begin, &place); /* opens its tables now: no thread is stopped yet */
  struct prof_elf *elf = place.table != NULL && *mapped->path == '/' ? prof_map_open(mapped->path, target->pid) : NULL;
  if (elf == NULL)
    return;
  struct prof_elf_symbols symbols;
  struct prof_target_module module = {mapped->begin, mapped->end, place.bias, PROF_PART_CODE,
                                      strcmp(mapped->path, reading->program) == 0};
  if (!prof_elf_symbols_read(elf, &symbols)) {
    reading->failed = true;
  } else {
    module.part = part_of(reading, &symbols, mapped->path, place.bias);
    if (module.is_program && module.part == PROF_PART_ALLOCATOR) {
      module.part = PROF_PART_CODE;
      target->allocates = true;
    }
    target->loads_glibc |= module.part == PROF_PART_LOADER && has_function(&symbols, "_dl_mcount");
    if (module.part == PROF_PART_LIBC) {
      target->has_libc = true;
      take_libc(reading, &symbols, place.bias);
    }
    if (module.is_program) {
      target->has_program = true;
      take_note(target, elf, place.bias);
    }
    reading->failed |= !prof_vec_push(&target->modules, module);
    prof_elf_symbols_free(&symbols);
  }
  prof_elf_close(elf);
}

bool prof_target_read(struct prof_target *target, pid_t pid) {
  *target = (struct prof_target){.pid = pid, .stack = malloc(PROF_TARGET_STACK_BYTES)};
  struct reading reading = {.target = target, .loader = loader_base(pid)};
  char name[64];
  snprintf(name, sizeof name, "/proc/%ld/exe", (long)pid);
  ssize_t length = readlink(name, reading.program, sizeof reading.program - 1);
  reading.program[length > 0 ? length : 0] = 0;
  prof_stack_maps_read(&target->maps, &target->files, pid);
  prof_maps_of_process(pid, take, &reading);
  return target->stack != NULL && !reading.failed && target->modules.count > 0;
}

bool prof_target_may_start(const struct prof_target *target) {
  return target->loads_glibc && target->dlopen == 0;
}

void prof_target_fini(struct prof_target *target) {
  prof_vec_fini(&target->modules);
  prof_vec_fini(&target->entangled);
  prof_stack_maps_fini(&target->maps);
  prof_stack_files_fini(&target->files);
  free(target->stack);
}

const struct prof_target_module *prof_target_find(const struct prof_target *target, uint64_t address) {
  for (size_t i = 0; i < target->modules.count; i++)
    if (address >= target->modules.items[i].begin && address < target->modules.items[i].end)
      return &target->modules.items[i];
  return NULL;
}

bool prof_target_is_entangled(const struct prof_target *target, uint64_t address) {
  for (size_t i = 0; i < target->entangled.count; i++)
    if (address >= target->entangled.items[i].begin && address < target->entangled.items[i].end)
      return true;
  return false;
}
