/*
 * tools/record/sampling/stack_maps.c - see stack_maps.h.
 */
#include "record/sampling/stack_maps.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/order.h"
#include "source/symbols.h"
#include "version.h"

#define NO_FILE UINT32_MAX
#define VDSO "[vdso]"

/* ---- files ---- */

static uint32_t file_number(struct prof_stack_files *files, const char *path, uint64_t device, uint64_t inode) {
  for (uint32_t i = 0; i < files->files.count; i++) {
    const struct prof_stack_file *file = &files->files.items[i];
    if (file->device == device && file->inode == inode && strcmp(file->path, path) == 0)
      return i;
  }
  struct prof_stack_file file = {.device = device, .inode = inode, .is_runtime = prof_map_is_runtime(path)};
  if (files->files.count >= PROF_STACK_FILES_MAX || (file.path = strdup(path)) == NULL)
    return NO_FILE;
  if (prof_vec_push(&files->files, file))
    return (uint32_t)files->files.count - 1;
  free(file.path);
  return NO_FILE;
}

/* All processes of a kernel have the same one: ours. */
static struct prof_elf *vdso_open(void) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
  struct prof_elf *elf = NULL;
  char path[64];
  int copy = head == NULL ? -1 : memfd_create("vdso", MFD_CLOEXEC);
  if (copy < 0)
    return NULL;
  size_t bytes = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize; /* its sections' headers are its end */
  snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  if (write(copy, head, bytes) != (ssize_t)bytes || prof_elf_open(path, NULL, &elf) != PROF_OK)
    elf = NULL;
  else
    prof_elf_detach(elf);
  close(copy);
  return elf;
}

/* Was another file put in its place?  Some file systems number their devices in two ways: then it isn't known. */
static bool is_replaced(const struct prof_stack_file *file) {
  struct stat status;
  return file->inode != 0 && stat(file->path, &status) == 0 && status.st_dev == file->device &&
         status.st_ino != file->inode;
}

/* Copies the sections, as an open file costs more than them. */
static void table_make(struct prof_stack_files *files, struct prof_stack_file *file, struct prof_elf *elf) {
  struct prof_frame_sections sections;
  prof_frame_sections_of(elf, &sections);
  struct prof_frame_section *const all[] = {&sections.eh_frame, &sections.eh_frame_hdr, &sections.debug_frame};
  uint64_t bytes = sections.eh_frame.size + sections.eh_frame_hdr.size + sections.debug_frame.size;
  if (bytes == 0 || bytes > PROF_STACK_FILES_BYTES_MAX - files->bytes || (file->sections = malloc(bytes)) == NULL)
    return;
  uint8_t *at = file->sections;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i]->size > 0)
      memcpy(at, all[i]->bytes, all[i]->size);
    all[i]->bytes = at;
    at += all[i]->size;
  }
  files->bytes += bytes;
  file->table = prof_frame_table_new(&sections);
}

static void file_open(struct prof_stack_files *files, struct prof_stack_file *file, pid_t pid) {
  file->is_opened = true;
  struct prof_elf *elf = strcmp(file->path, VDSO) == 0 ? vdso_open()
                         : is_replaced(file)           ? NULL
                                                       : prof_map_open(file->path, pid);
  struct prof_elf_load load;
  if (elf == NULL)
    return;
  for (size_t at = 0; prof_elf_load_next(elf, &at, &load);)
    (void)prof_vec_push(&file->loads, load);
  struct prof_elf_section rows;
  file->has_probes = (prof_elf_section(elf, PROF_ROWS_SECTION, &rows) && rows.size > 0) ||
                     prof_elf_has_symbol(elf, PROF_HOOK_SYMBOL, true);
  table_make(files, file, elf);
  prof_elf_close(elf);
}

void prof_stack_files_fini(struct prof_stack_files *files) {
  for (size_t i = 0; i < files->files.count; i++) {
    struct prof_stack_file *file = &files->files.items[i];
    prof_frame_table_free(file->table);
    prof_vec_fini(&file->loads);
    free(file->sections);
    free(file->path);
  }
  prof_vec_fini(&files->files);
}

/* ---- maps ---- */

/* The first map that ends behind the address. */
static size_t first_behind(const struct prof_stack_maps *maps, uint64_t address) {
  return prof_search(0, maps->maps.count, middle, maps->maps.items[middle].end <= address);
}

/* Makes [begin, end) free; returns where a map of it belongs.  SIZE_MAX: no memory for the part behind it. */
static size_t cut_out(struct prof_stack_maps *maps, uint64_t begin, uint64_t end) {
  if (!prof_vec_reserve(&maps->maps, 2))
    return SIZE_MAX;
  size_t at = first_behind(maps, begin);
  struct prof_stack_map *items = maps->maps.items;
  if (at < maps->maps.count && items[at].begin < begin) { /* it is split: its first part stays as it is */
    memmove(&items[at + 1], &items[at], (maps->maps.count++ - at) * sizeof *items);
    items[at++].end = begin;
  }
  size_t behind = at;
  while (behind < maps->maps.count && items[behind].end <= end)
    behind++;
  if (behind < maps->maps.count && items[behind].begin < end) {
    items[behind].offset += end - items[behind].begin;
    items[behind].begin = end;
  }
  memmove(&items[at], &items[behind], (maps->maps.count - behind) * sizeof *items);
  maps->maps.count -= behind - at;
  return at;
}

static struct prof_stack_map *add(struct prof_stack_maps *maps, struct prof_stack_files *files,
                                  const struct prof_mapped *mapped, uint64_t device, uint64_t inode) {
  if (mapped->begin >= mapped->end)
    return NULL;
  size_t at = cut_out(maps, mapped->begin, mapped->end);
  uint32_t file = mapped->path == NULL ? NO_FILE : file_number(files, mapped->path, device, inode);
  if (mapped->path != NULL && prof_map_is_own(mapped->path))
    maps->has_runtime = true;
  if (file == NO_FILE || at == SIZE_MAX || !prof_vec_reserve(&maps->maps, 1))
    return NULL;
  struct prof_stack_map *items = maps->maps.items;
  memmove(&items[at + 1], &items[at], (maps->maps.count++ - at) * sizeof *items);
  items[at] = (struct prof_stack_map){mapped->begin, mapped->end, mapped->offset, .file = file};
  return &items[at];
}

void prof_stack_maps_add(struct prof_stack_maps *maps, struct prof_stack_files *files, const struct prof_mapped *mapped,
                         uint64_t device, uint64_t inode) {
  (void)add(maps, files, mapped, device, inode);
}

void prof_stack_maps_add_text(struct prof_stack_maps *maps, struct prof_stack_files *files, uint64_t begin,
                              uint64_t end, uint64_t bias, const char *path) {
  const struct prof_mapped mapped = {0, begin, end, 0, (char *)(uintptr_t)path};
  struct prof_stack_map *map = add(maps, files, &mapped, 0, 0);
  if (map == NULL)
    return;
  map->bias = bias;
  map->has_bias = true;
}

struct reading {
  struct prof_stack_maps *maps;
  struct prof_stack_files *files;
};

static void take_map(void *context, const struct prof_mapped *mapped) {
  struct reading *reading = context;
  prof_stack_maps_add(reading->maps, reading->files, mapped, 0, 0);
}

void prof_stack_maps_read(struct prof_stack_maps *maps, struct prof_stack_files *files, pid_t pid) {
  struct reading reading = {maps, files};
  prof_maps_of_process(pid, take_map, &reading);
}

void prof_stack_maps_copy(struct prof_stack_maps *maps, const struct prof_stack_maps *from) {
  maps->maps.count = 0;
  maps->has_runtime = from->has_runtime;
  if (from->maps.count == 0 || !prof_vec_reserve(&maps->maps, from->maps.count))
    return;
  memcpy(maps->maps.items, from->maps.items, from->maps.count * sizeof *from->maps.items);
  maps->maps.count = from->maps.count;
}

void prof_stack_maps_fini(struct prof_stack_maps *maps) {
  prof_vec_fini(&maps->maps);
  maps->has_runtime = false;
}

/* The map at an address, whose file was opened; NULL: none. */
static struct prof_stack_map *map_at(struct prof_stack_place *place, uint64_t address) {
  size_t at = first_behind(place->maps, address);
  if (at == place->maps->maps.count || address < place->maps->maps.items[at].begin)
    return NULL;
  struct prof_stack_map *map = &place->maps->maps.items[at];
  struct prof_stack_file *file = &place->files->files.items[map->file];
  if (!file->is_opened)
    file_open(place->files, file, place->pid);
  return map;
}

void prof_stack_maps_find(void *context, uint64_t address, struct prof_unwind_place *out) {
  struct prof_stack_place *place = context;
  struct prof_stack_map *map = map_at(place, address);
  const struct prof_stack_file *file = map == NULL ? NULL : &place->files->files.items[map->file];
  if (file == NULL || file->table == NULL)
    return;
  if (!map->has_bias) {
    map->bias = prof_map_bias(file->loads.items, file->loads.count,
                              &(struct prof_mapped){0, map->begin, map->end, map->offset, NULL});
    map->has_bias = true;
  }
  out->table = file->table;
  out->bias = map->bias;
}

const struct prof_stack_file *prof_stack_maps_file(struct prof_stack_place *place, uint64_t address) {
  const struct prof_stack_map *map = map_at(place, address);
  return map == NULL ? NULL : &place->files->files.items[map->file];
}
