/*
 * late_start.c - a recorder has loaded the runtime into a program that was not prepared, or that another recorder left
 * behind (wire/late.h): it stands by from now on, and all modules attach.
 *
 * In: the notes of loaded modules.  Runs once, in a thread that the recorder stopped where the loader may be called.
 * Other threads may load and unload modules meanwhile, so each module is held while it attaches.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "late.h"
#include "recorders.h"
#include "state.h"
#include "system.h"

#define MODULES_MAX 512 /* with a note; more are not recorded */

__attribute__((visibility("default"))) int prof_runtime_late_v1(void);

struct noted {
  uintptr_t bias;
  prof_late_begin *begin;
  char name[PATH_MAX]; /* "": the program */
};

struct noted_modules {
  size_t count;
  struct noted items[MODULES_MAX];
};

struct loader { /* by name: a linker warns of these in a static program */
  void *(*open)(const char *, int);
  int (*close)(void *);
  int (*info)(void *, int, void *);
};

static char own_file[PATH_MAX];

/* Instead of getenv: each module loads the runtime, which is there. */
static char *find_runtime(const char *variable) {
  (void)variable;
  return own_file;
}

static prof_late_begin *note_read(const uint8_t *at, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *head = (const void *)at;
    size_t name = (head->n_namesz + 3u) & ~3u, whole = sizeof *head + name + ((head->n_descsz + 3u) & ~3u);
    const struct prof_late_note *note = (const void *)(at + sizeof *head + name);
    if (whole > bytes)
      return NULL;
    if (head->n_namesz == sizeof PROF_LATE_NAME && memcmp(head + 1, PROF_LATE_NAME, sizeof PROF_LATE_NAME) == 0 &&
        head->n_type == PROF_LATE_NOTE && head->n_descsz >= sizeof *note && note->version == PROF_WIRE_VERSION)
      return (prof_late_begin *)((uintptr_t)&note->begin + (uintptr_t)(intptr_t)note->begin);
    at += whole;
    bytes -= whole;
  }
  return NULL;
}

static int look(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  struct noted_modules *modules = argument;
  for (int i = 0; i < info->dlpi_phnum && modules->count < MODULES_MAX; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_NOTE)
      continue;
    struct noted *noted = &modules->items[modules->count];
    noted->begin = note_read((const uint8_t *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
    if (!noted->begin || strlen(info->dlpi_name) >= sizeof noted->name)
      continue;
    noted->bias = info->dlpi_addr;
    strcpy(noted->name, info->dlpi_name);
    modules->count++;
  }
  return 0;
}

/* Unless it was unloaded meanwhile, perhaps with another one at its place. */
static void attach(const struct loader *loader, const struct noted *noted) {
  struct link_map *map = NULL;
  void *handle = loader->open(*noted->name ? noted->name : NULL, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return;
  if (loader->info(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_addr == noted->bias)
    noted->begin(find_runtime);
  loader->close(handle);
}

static bool loader_find(struct loader *loader) {
  Dl_info own;
  loader->open = (void *(*)(const char *, int))(uintptr_t)dlsym(RTLD_DEFAULT, "dlopen");
  loader->close = (int (*)(void *))(uintptr_t)dlsym(RTLD_DEFAULT, "dlclose");
  loader->info = (int (*)(void *, int, void *))(uintptr_t)dlsym(RTLD_DEFAULT, "dlinfo");
  if (!loader->open || !loader->close || !loader->info || !dladdr((void *)(uintptr_t)prof_runtime_late_v1, &own) ||
      strlen(own.dli_fname) >= sizeof own_file)
    return false;
  strcpy(own_file, own.dli_fname);
  return true;
}

/* Nothing was begun: the program's start-up text found no recorder where the environment named one. */
static bool is_new(void) {
  return prof_runtime.state == PROF_RUNTIME_NEW ||
         (prof_runtime.state == PROF_RUNTIME_FAILED && !prof_runtime.control && !prof_runtime.image);
}

int prof_runtime_late_v1(void) {
  int error = errno;
  struct loader loader;
  enum prof_late_answer answer = prof_recorders_follow();
  if (answer != PROF_LATE_NONE) { /* if it stands by now: its modules are known */
    errno = error;
    return (int)answer;
  }
  if (!is_new() || !loader_find(&loader))
    return PROF_LATE_OTHER;
  struct noted_modules *modules = prof_memory_map(sizeof *modules);
  if (!modules || !prof_recorders_await()) {
    prof_runtime.state = PROF_RUNTIME_FAILED;
    return PROF_LATE_REFUSED;
  }
  dl_iterate_phdr(look, modules);
  for (size_t i = 0; i < modules->count; i++)
    attach(&loader, &modules->items[i]);
  prof_syscall(SYS_munmap, (long)modules, sizeof *modules, 0, 0, 0, 0);
  errno = error;
  return PROF_LATE_STANDS;
}
