/*
 * tools/record/module_table.c - see module_table.h.
 */
#include "record/module_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/elf_module.h"
#include "event.h"

static void note(struct prof_modules *modules, uint32_t process, const char *path, const char *what) {
  char text[512];
  snprintf(text, sizeof text, "%.400s: %s", path, what);
  (void)prof_writer_note(modules->writer, &(struct prof_note_record){.process = process, .text = prof_span(text)});
}

static void identify(struct prof_module_entry *entry, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return;
  entry->device = status.st_dev;
  entry->inode = status.st_ino;
  entry->bytes = (uint64_t)status.st_size;
  entry->changed_ns = (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
}

static bool is_same(const struct prof_module_entry *a, const struct prof_module_entry *b) {
  if (a->site_count != b->site_count || a->build_id_bytes != b->build_id_bytes || strcmp(a->path, b->path) != 0)
    return false;
  if (a->build_id_bytes > 0)
    return memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
  return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes && a->changed_ns == b->changed_ns;
}

/* The description of the file that the process loaded: the one at `path` as we or as the process sees it. */
static struct prof_elf_module *read_file(const struct prof_log_module *record, const char *path, pid_t pid) {
  char as_seen[sizeof "/proc//root" + 24 + 4096], running[40];
  snprintf(as_seen, sizeof as_seen, "/proc/%ld/root%s", (long)pid, path);
  snprintf(running, sizeof running, "/proc/%ld/exe", (long)pid);
  const char *const places[] = {path, as_seen, running};
  for (size_t i = 0; i < (pid > 0 ? 3 : 1); i++) {
    struct prof_elf_module *module;
    if (prof_elf_module_read(places[i], NULL, &module) != PROF_OK)
      continue;
    uint32_t id_bytes = record->build_id_bytes;
    if (module->site_count == record->site_count &&
        (id_bytes == 0 ||
         (id_bytes == module->build_id_bytes && memcmp(module->build_id, record->build_id, id_bytes) == 0)))
      return module;
    prof_elf_module_free(module);
  }
  return NULL;
}

/* Without a file there is nothing to keep: all its sites stay unknown. */
static bool keep_functions(struct prof_module_entry *entry, const struct prof_elf_module *file) {
  if (file == NULL)
    return true;
  entry->functions = malloc(((size_t)entry->site_count + 1) * sizeof *entry->functions);
  if (entry->functions == NULL)
    return false;
  for (uint32_t i = 0; i < entry->site_count; i++)
    entry->functions[i] =
        file->sites[i].function != PROF_ELF_NO_FUNCTION ? file->sites[i].function : PROF_ENCODER_NO_FUNCTION;
  return true;
}

static bool write_module(struct prof_modules *modules, const struct prof_module_entry *entry,
                         const struct prof_elf_module *file) {
  uint32_t function_count = file != NULL ? file->function_count : 0;
  uint32_t site_count = file != NULL ? file->site_count : 0;
  struct prof_function_record *functions = calloc((size_t)function_count + 1, sizeof *functions);
  struct prof_site_record *sites = calloc((size_t)site_count + 1, sizeof *sites);
  bool good = functions != NULL && sites != NULL;
  for (uint32_t i = 0; good && i < function_count; i++) {
    const struct prof_elf_function *from = &file->functions[i];
    functions[i] = (struct prof_function_record){from->key,
                                                 from->line,
                                                 from->statements,
                                                 from->flags,
                                                 from->language,
                                                 prof_span(from->name),
                                                 prof_span(from->file)};
  }
  for (uint32_t i = 0; good && i < site_count; i++)
    sites[i] = (struct prof_site_record){file->sites[i].address, file->sites[i].kind, file->sites[i].line,
                                         file->sites[i].function};
  if (good)
    (void)prof_writer_module(modules->writer, &(struct prof_module_record){
                                                  .module = entry->number,
                                                  .build_id = entry->build_id,
                                                  .build_id_bytes = entry->build_id_bytes,
                                                  .path = prof_span(entry->path),
                                                  .compiler = prof_span(file != NULL ? file->compiler : ""),
                                                  .functions = functions,
                                                  .function_count = function_count,
                                                  .sites = sites,
                                                  .site_count = site_count,
                                              });
  free(functions);
  free(sites);
  return good;
}

/* The entry of this content, made if it is new; NULL: no memory. */
static struct prof_module_entry *find(struct prof_modules *modules, const struct prof_log_module *record,
                                      const char *path, pid_t pid) {
  struct prof_module_entry wanted = {.path = (char *)path, .site_count = record->site_count};
  wanted.build_id_bytes = record->build_id_bytes <= sizeof wanted.build_id ? record->build_id_bytes : 0;
  memcpy(wanted.build_id, record->build_id, wanted.build_id_bytes);
  identify(&wanted, path);
  for (size_t i = 0; i < modules->entries.count; i++)
    if (is_same(&modules->entries.items[i], &wanted))
      return &modules->entries.items[i];
  struct prof_elf_module *file = read_file(record, path, pid);
  wanted.number = (uint32_t)modules->entries.count + 1;
  wanted.first_function = modules->next_function;
  wanted.path = strdup(path);
  if (file != NULL)
    wanted.unprobed = file->unprobed;
  bool good = wanted.path != NULL && keep_functions(&wanted, file) && write_module(modules, &wanted, file) &&
              prof_vec_push(&modules->entries, wanted);
  if (good && file == NULL)
    note(modules, record->process, path,
         "can't be read or was replaced since it was started: its functions have no names");
  else if (good && file->facts_damaged)
    note(modules, record->process, path, "its table of facts is damaged: some functions have no names");
  if (good && wanted.unprobed.units > 0)
    note(modules, record->process, path,
         "units compiled with -flto have no probes: -fplugin=prof.so is missing in the link command");
  if (good)
    modules->next_function += file != NULL ? file->function_count : 0;
  prof_elf_module_free(file);
  if (good)
    return &modules->entries.items[modules->entries.count - 1];
  free(wanted.path);
  free(wanted.functions);
  return NULL;
}

void prof_modules_load(struct prof_modules *modules, const struct prof_log_module *record, const char *path,
                       pid_t pid) {
  uint64_t end = (uint64_t)record->first_site + record->site_count;
  if (record->site_count == 0 || record->first_site == 0 || end > PROF_SITE_LIMIT)
    return;
  const struct prof_module_entry *entry = find(modules, record, path, pid);
  if (entry == NULL)
    return;
  (void)prof_writer_load(modules->writer, &(struct prof_load_record){
                                              .process = record->process,
                                              .module = entry->number,
                                              .first_site = record->first_site,
                                              .site_count = record->site_count,
                                              .bias = record->bias,
                                              .begin = record->begin,
                                              .end = record->end,
                                              .skipped = record->skipped,
                                          });
  if (record->skipped > 0)
    note(modules, record->process, path, "some of its probes could not be switched on");
  if (entry->functions == NULL)
    return;
  if (end > modules->map.count) {
    if (!prof_vec_reserve(&modules->map, end - modules->map.count))
      return;
    for (size_t i = modules->map.count; i < end; i++)
      modules->map.items[i] = PROF_ENCODER_NO_FUNCTION;
    modules->map.count = end;
  }
  for (uint32_t i = 0; i < record->site_count; i++)
    if (entry->functions[i] != PROF_ENCODER_NO_FUNCTION)
      modules->map.items[record->first_site + i] = entry->first_function + entry->functions[i];
}

void prof_modules_fini(struct prof_modules *modules) {
  for (size_t i = 0; i < modules->entries.count; i++) {
    free(modules->entries.items[i].path);
    free(modules->entries.items[i].functions);
  }
  prof_vec_fini(&modules->entries);
  prof_vec_fini(&modules->map);
}

struct prof_site_map prof_modules_map(const struct prof_modules *modules) {
  return (struct prof_site_map){modules->map.items, (uint32_t)modules->map.count};
}
