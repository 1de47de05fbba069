/*
 * tools/record/tables/module_table.c - see module_table.h.
 */
#include "record/tables/module_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "event.h"
#include "record/tables/module_points.h"
#include "record/tables/module_units.h"
#include "row.h"
#include "source/elf_module_read.h"
#include "trace/write/write_samples.h"

#define UNREADABLE "can't be read or was replaced since it was started: its functions have no names"

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

/* The loader may call a file by another name than the kernel, which reports maps. */
static bool is_at(const struct prof_module_entry *known, const struct prof_module_entry *wanted) {
  const bool same_file = known->inode != 0 && known->device == wanted->device && known->inode == wanted->inode;
  return strcmp(known->path, wanted->path) == 0 || (known->is_mapped && same_file);
}

static bool is_same(const struct prof_module_entry *a, const struct prof_module_entry *b) {
  if (a->is_caller != b->is_caller || a->site_count != b->site_count || a->build_id_bytes != b->build_id_bytes ||
      !is_at(a, b))
    return false;
  if (a->build_id_bytes > 0)
    return memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
  return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes && a->changed_ns == b->changed_ns;
}

enum { PLACES = 3, PLACE_BYTES = sizeof "/proc//root" + 24 + 4096 };

/* Paths of the file that the process loaded: `path` as we or as the process sees it.  Returns their number. */
static size_t places_of(const char *path, pid_t pid, char places[PLACES][PLACE_BYTES]) {
  snprintf(places[0], PLACE_BYTES, "%s", path);
  snprintf(places[1], PLACE_BYTES, "/proc/%ld/root%s", (long)pid, path);
  snprintf(places[2], PLACE_BYTES, "/proc/%ld/exe", (long)pid);
  return pid > 0 ? PLACES : 1;
}

static bool has_id(const struct prof_log_module *record, const uint8_t *build_id, uint32_t bytes) {
  return record->build_id_bytes == 0 ||
         (record->build_id_bytes == bytes && memcmp(build_id, record->build_id, bytes) == 0);
}

/* Reads the file that the process loaded. */
static struct prof_elf_module *read_file(const struct prof_log_module *record, const char *path, pid_t pid) {
  char places[PLACES][PLACE_BYTES];
  size_t count = places_of(path, pid, places);
  for (size_t i = 0; i < count; i++) {
    struct prof_elf_module *module;
    if (prof_elf_module_read(places[i], NULL, &module) != PROF_OK)
      continue;
    if (module->site_count == record->site_count && has_id(record, module->build_id, module->build_id_bytes))
      return module;
    prof_elf_module_free(module);
  }
  return NULL;
}

static struct prof_elf *open_file(const struct prof_log_module *record, const char *path, pid_t pid) {
  char places[PLACES][PLACE_BYTES];
  size_t count = places_of(path, pid, places);
  for (size_t i = 0; i < count; i++) {
    struct prof_elf *file;
    uint8_t build_id[PROF_BUILD_ID_BYTES];
    if (prof_elf_open(places[i], NULL, &file) != PROF_OK)
      continue;
    if (has_id(record, build_id, prof_elf_build_id(file, build_id)))
      return file;
    prof_elf_close(file);
  }
  return NULL;
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
                                         file->sites[i].function, file->sites[i].begin};
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

static bool write_loops(struct prof_modules *modules, uint32_t module, const struct prof_elf_module *file) {
  if (file == NULL || file->loop_count == 0)
    return true;
  struct prof_loop_record *loops = calloc(file->loop_count, sizeof *loops);
  struct prof_loop_probe_record *probes = calloc((size_t)file->site_count + 1, sizeof *probes);
  bool good = loops != NULL && probes != NULL;
  uint32_t probe_count = 0;
  for (uint32_t i = 0; good && i < file->loop_count; i++) {
    const struct prof_elf_loop *from = &file->loops[i];
    loops[i] = (struct prof_loop_record){.key = from->key,
                                         .function = from->function,
                                         .parent = from->parent,
                                         .iterations = from->iterations,
                                         .line = from->line,
                                         .last_line = from->last_line,
                                         .flags = from->flags,
                                         .depth = from->depth,
                                         .name = prof_span(from->name),
                                         .file = prof_span(from->file)};
  }
  for (uint32_t i = 0; good && i < file->site_count; i++)
    if (file->sites[i].loop != PROF_ELF_NO_LOOP)
      probes[probe_count++] = (struct prof_loop_probe_record){i, file->sites[i].loop};
  if (good)
    (void)prof_writer_loops(modules->writer, &(struct prof_loops_record){
                                                 .module = module,
                                                 .loops = loops,
                                                 .loop_count = file->loop_count,
                                                 .probes = probes,
                                                 .probe_count = probe_count,
                                             });
  free(loops);
  free(probes);
  return good;
}

static struct prof_module_entry *find_same(struct prof_modules *modules, const struct prof_module_entry *wanted) {
  for (size_t i = 0; i < modules->entries.count; i++)
    if (is_same(&modules->entries.items[i], wanted))
      return &modules->entries.items[i];
  return NULL;
}

/* The known entry of a record's file; NULL: none, then *out_wanted has the known facts. */
static struct prof_module_entry *find_known(struct prof_modules *modules, const struct prof_log_module *record,
                                            const char *path, bool is_caller, struct prof_module_entry *out_wanted) {
  struct prof_module_entry wanted = {
      .path = (char *)path, .is_caller = is_caller, .site_count = is_caller ? 0 : record->site_count};
  wanted.build_id_bytes = record->build_id_bytes <= sizeof wanted.build_id ? record->build_id_bytes : 0;
  memcpy(wanted.build_id, record->build_id, wanted.build_id_bytes);
  identify(&wanted, path);
  struct prof_module_entry *known = find_same(modules, &wanted);
  if (known != NULL)
    known->is_mapped = false;
  *out_wanted = wanted;
  return known;
}

/* Makes the entry of a file with probes; file: NULL: unreadable.  Returns NULL: no memory. */
static struct prof_module_entry *add(struct prof_modules *modules, struct prof_module_entry wanted,
                                     const struct prof_elf_module *file, const char *path, uint32_t process) {
  wanted.number = (uint32_t)modules->entries.count + 1;
  wanted.first_function = modules->next_function;
  wanted.path = strdup(path);
  if (file != NULL)
    wanted.unprobed = file->unprobed;
  bool good = wanted.path != NULL && prof_module_units_keep(&wanted, file, modules->hints) &&
              write_module(modules, &wanted, file) && write_loops(modules, wanted.number, file) &&
              prof_module_points_write(modules->writer, wanted.number, file) &&
              prof_vec_push(&modules->entries, wanted);
  if (good && file == NULL)
    note(modules, process, path, UNREADABLE);
  else if (good && file->facts_damaged)
    note(modules, process, path, "its table of facts is damaged: some functions have no names");
  if (good && wanted.unprobed.units > 0)
    note(modules, process, path,
         "units compiled with -flto have no probes: -fplugin=prof.so is missing in the link command");
  if (good && file != NULL && modules->kept != NULL)
    prof_kept_module(modules->kept, wanted.first_function, file, path);
  if (good)
    modules->next_function += file != NULL ? file->function_count + file->loop_count : 0;
  if (good)
    return &modules->entries.items[modules->entries.count - 1];
  free(wanted.path);
  prof_module_units_free(&wanted);
  return NULL;
}

/* The entry of this content, made if needed; NULL: no memory. */
static struct prof_module_entry *find(struct prof_modules *modules, const struct prof_log_module *record,
                                      const char *path, pid_t pid) {
  struct prof_module_entry wanted, *known = find_known(modules, record, path, false, &wanted);
  if (known != NULL)
    return known;
  struct prof_elf_module *file = read_file(record, path, pid);
  known = add(modules, wanted, file, path, record->process);
  prof_elf_module_free(file);
  return known;
}

static void write_load(struct prof_modules *modules, const struct prof_log_module *record, uint32_t module,
                       uint32_t site_count) {
  (void)prof_writer_load(modules->writer, &(struct prof_load_record){
                                              .process = record->process,
                                              .module = module,
                                              .first_site = record->first_site,
                                              .site_count = site_count,
                                              .bias = record->bias,
                                              .begin = record->begin,
                                              .end = record->end,
                                              .skipped = record->skipped,
                                          });
}

/* Maps the trampolines of its probes: they are not the program's code.  Samples find them from the beginning on. */
static void write_area(struct prof_modules *modules, const struct prof_log_module *record, uint32_t module) {
  if (record->area < record->area_end)
    (void)prof_writer_map(modules->writer, &(struct prof_map_record){
                                               .process = record->process,
                                               .module = module,
                                               .flags = PROF_FORMAT_MAP_OWN,
                                               .begin = record->area,
                                               .end = record->area_end,
                                           });
}

/* Maps text that the recorder switches, for processes whose maps are read late: the kernel calls it the region's then.
 */
static void write_text(struct prof_modules *modules, const struct prof_log_module *record, uint32_t module) {
  if (record->text != 0 && record->text_bytes <= UINT64_MAX - record->text_begin)
    (void)prof_writer_map(modules->writer, &(struct prof_map_record){
                                               .process = record->process,
                                               .module = module,
                                               .begin = record->text_begin,
                                               .end = record->text_begin + record->text_bytes,
                                               .bias = record->bias,
                                           });
}

bool prof_modules_reach(struct prof_modules *modules, uint64_t end) {
  if (end <= modules->map.count)
    return true;
  size_t more = end - modules->map.count;
  if (!prof_vec_reserve(&modules->map, more) || !prof_vec_reserve(&modules->addresses, more) ||
      !prof_vec_reserve(&modules->zones, more))
    return false;
  for (size_t i = modules->map.count; i < end; i++)
    modules->map.items[i] = PROF_MATCHER_NO_FUNCTION;
  memset(modules->addresses.items + modules->map.count, 0, more * sizeof *modules->addresses.items);
  memset(modules->zones.items + modules->map.count, 0, more * sizeof *modules->zones.items);
  modules->map.count = modules->addresses.count = modules->zones.count = end;
  return true;
}

const struct prof_module_entry *prof_modules_load(struct prof_modules *modules, const struct prof_log_module *record,
                                                  const char *path, pid_t pid) {
  uint64_t end = (uint64_t)record->first_site + record->site_count;
  if (record->site_count == 0 || record->first_site == 0 || end > PROF_SITE_LIMIT)
    return NULL;
  const struct prof_module_entry *entry = find(modules, record, path, pid);
  if (entry == NULL)
    return NULL;
  write_load(modules, record, entry->number, record->site_count);
  write_area(modules, record, entry->number);
  write_text(modules, record, entry->number);
  if (record->skipped > 0)
    note(modules, record->process, path, "some of its probes could not be switched on");
  if (entry->functions == NULL)
    return NULL;
  const struct prof_caller module = {record->first_site, entry->number - 1};
  if (!prof_modules_reach(modules, end) || !prof_vec_push(&modules->callers, module))
    return NULL;
  for (uint32_t i = 0; i < record->site_count; i++) {
    modules->addresses.items[record->first_site + i] = (uint32_t)record->bias + entry->addresses[i];
    modules->zones.items[record->first_site + i] = entry->zones != NULL ? entry->zones[i] : 0;
    modules->map.items[record->first_site + i] =
        prof_kept_site(modules->kept, entry->first_function, entry->functions[i], entry->kinds[i]);
  }
  return entry;
}

/* The same for a module whose functions call us. */
static struct prof_module_entry *find_caller(struct prof_modules *modules, const struct prof_log_module *record,
                                             const char *path, pid_t pid) {
  struct prof_module_entry wanted, *known = find_known(modules, record, path, true, &wanted);
  if (known != NULL)
    return known;
  struct prof_module_entry plain = wanted;
  plain.is_caller = false;
  struct prof_module_entry *mapped = find_same(modules, &plain);
  struct prof_elf *file = open_file(record, path, pid);
  bool unreadable = file == NULL;
  if (mapped != NULL) { /* written as it is */
    mapped->is_mapped = false;
    mapped->is_caller = prof_called_file_add(&modules->called, file, &mapped->called_file);
    return mapped->is_caller ? mapped : NULL;
  }
  wanted.number = (uint32_t)modules->entries.count + 1;
  wanted.path = strdup(path);
  bool good = prof_called_file_add(&modules->called, file, &wanted.called_file) && wanted.path != NULL &&
              write_module(modules, &wanted, NULL) && prof_vec_push(&modules->entries, wanted);
  if (!good) {
    free(wanted.path);
    return NULL;
  }
  if (unreadable)
    note(modules, record->process, path, UNREADABLE);
  return &modules->entries.items[modules->entries.count - 1];
}

void prof_modules_load_caller(struct prof_modules *modules, const struct prof_log_module *record, const char *path,
                              pid_t pid) {
  const struct prof_module_entry *entry = find_caller(modules, record, path, pid);
  if (entry == NULL || !prof_vec_push(&modules->callers, (struct prof_caller){record->first_site, entry->number - 1}))
    return;
  write_load(modules, record, entry->number, 0);
}

static void write_found(struct prof_modules *modules) {
  if (modules->found.count > 0)
    (void)prof_writer_sites(modules->writer, &(struct prof_sites_record){
                                                 .process = modules->found_process,
                                                 .module = modules->found_module,
                                                 .called = modules->found.items,
                                                 .count = (uint32_t)modules->found.count,
                                             });
  modules->found.count = 0;
}

void prof_modules_function(struct prof_modules *modules, const struct prof_log_function *record) {
  size_t at = modules->callers.count;
  while (at > 0 && modules->callers.items[at - 1].site != record->module)
    at--;
  if (at == 0 || record->site == 0 || record->site >= PROF_SITE_LIMIT)
    return;
  const struct prof_module_entry *entry = &modules->entries.items[modules->callers.items[at - 1].entry];
  struct prof_called_record found = {
      .site = record->site, .address = record->address, .function = {.key = record->address, .file = prof_span("")}};
  bool is_new;
  const char *name;
  if (!prof_called_function(&modules->called, entry->called_file, record->address, &found.number, &is_new, &name) ||
      !prof_modules_reach(modules, (uint64_t)record->site + 1) ||
      (is_new && !prof_vec_push(&modules->called_ids, modules->next_function++)))
    return;
  found.function.name = prof_span(name);
  if (is_new && modules->kept != NULL)
    prof_kept_function(modules->kept, modules->called_ids.items[found.number],
                       &(struct prof_function){.name = name, .file = ""}, entry->path, 0);
  modules->map.items[record->site] = modules->called_ids.items[found.number];
  if (modules->found_process != record->process || modules->found_module != entry->number)
    write_found(modules);
  modules->found_process = record->process;
  modules->found_module = entry->number;
  (void)prof_vec_push(&modules->found, found);
}

static bool is_mapped_file(const struct prof_module_entry *known, const struct prof_module_entry *wanted) {
  const bool same_id = known->build_id_bytes == wanted->build_id_bytes &&
                       memcmp(known->build_id, wanted->build_id, wanted->build_id_bytes) == 0;
  const bool same_file = known->device == wanted->device && known->inode == wanted->inode && wanted->inode != 0;
  return same_id && (wanted->build_id_bytes > 0 || same_file || strcmp(known->path, wanted->path) == 0);
}

/* NULL: it has no probes, or can't be read. */
static struct prof_elf_module *read_mapped(const struct prof_mapped_file *mapped) {
  struct prof_log_module record = {.build_id_bytes = (uint16_t)mapped->build_id_bytes};
  char places[PLACES][PLACE_BYTES];
  const size_t count = *mapped->path == '/' ? places_of(mapped->path, mapped->pid, places) : 0;
  memcpy(record.build_id, mapped->build_id, mapped->build_id_bytes);
  for (size_t i = 0; i < count && i < PLACES - 1; i++) { /* the last one is the program */
    struct prof_elf_module *module;
    if (prof_elf_module_read(places[i], NULL, &module) != PROF_OK)
      continue;
    if (has_id(&record, module->build_id, module->build_id_bytes))
      return module;
    prof_elf_module_free(module);
  }
  return NULL;
}

uint32_t prof_modules_of_file(struct prof_modules *modules, const struct prof_mapped_file *mapped) {
  struct prof_module_entry wanted = {
      .path = (char *)mapped->path, .build_id_bytes = mapped->build_id_bytes, .is_mapped = true};
  memcpy(wanted.build_id, mapped->build_id, mapped->build_id_bytes);
  identify(&wanted, mapped->path);
  for (size_t i = 0; i < modules->entries.count; i++)
    if (is_mapped_file(&modules->entries.items[i], &wanted))
      return modules->entries.items[i].number;
  struct prof_elf_module *file = read_mapped(mapped);
  const struct prof_module_entry *entry = NULL;
  if (file != NULL) {
    wanted.site_count = file->site_count;
    entry = add(modules, wanted, file, mapped->path, mapped->process);
  } else {
    wanted.number = (uint32_t)modules->entries.count + 1;
    wanted.first_function = modules->next_function;
    wanted.path = strdup(mapped->path);
    bool good = wanted.path != NULL && write_module(modules, &wanted, NULL) && prof_vec_push(&modules->entries, wanted);
    if (good)
      entry = &modules->entries.items[modules->entries.count - 1];
    else
      free(wanted.path);
  }
  prof_elf_module_free(file);
  return entry != NULL ? entry->number : 0;
}

uint32_t prof_modules_probed_count(const struct prof_modules *modules) {
  uint32_t count = 0;
  for (size_t i = 0; i < modules->entries.count; i++)
    count += modules->entries.items[i].is_caller ||
             (modules->entries.items[i].site_count > 0 && !modules->entries.items[i].is_mapped);
  return count;
}

void prof_modules_judge(struct prof_modules *modules, struct prof_kept *kept) {
  for (size_t i = 0; kept->patterns.count > 0 && i < modules->entries.count; i++) {
    const struct prof_module_entry *entry = &modules->entries.items[i];
    struct prof_log_module record = {.site_count = entry->site_count, .build_id_bytes = entry->build_id_bytes};
    memcpy(record.build_id, entry->build_id, entry->build_id_bytes);
    struct prof_elf_module *file = entry->functions != NULL ? read_file(&record, entry->path, 0) : NULL;
    if (file != NULL)
      prof_kept_module(kept, entry->first_function, file, entry->path);
    prof_elf_module_free(file);
  }
}

void prof_modules_fini(struct prof_modules *modules) {
  for (size_t i = 0; i < modules->entries.count; i++) {
    free(modules->entries.items[i].path);
    prof_module_units_free(&modules->entries.items[i]);
  }
  prof_vec_fini(&modules->entries);
  prof_vec_fini(&modules->map);
  prof_vec_fini(&modules->addresses);
  prof_vec_fini(&modules->zones);
  prof_called_fini(&modules->called);
  prof_vec_fini(&modules->called_ids);
  prof_vec_fini(&modules->callers);
  prof_vec_fini(&modules->found);
}

struct prof_site_map prof_modules_map(struct prof_modules *modules) {
  write_found(modules);
  return (struct prof_site_map){modules->map.items, (uint32_t)modules->map.count, modules->addresses.items,
                                modules->zones.items};
}
