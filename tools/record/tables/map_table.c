/*
 * tools/record/tables/map_table.c - see map_table.h.
 */
#include "record/tables/map_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "source/elf_file.h"
#include "trace/write/write_samples.h"

static const struct prof_map_file *find_file(struct prof_map_table *table, const char *path, uint32_t process,
                                             pid_t pid) {
  struct stat status = {0};
  (void)!stat(path, &status); /* on failure only the path distinguishes files */
  for (size_t i = 0; i < table->files.count; i++) {
    const struct prof_map_file *file = &table->files.items[i];
    if (file->device == status.st_dev && file->inode == status.st_ino && strcmp(file->path, path) == 0)
      return file;
  }
  struct prof_map_file file = {.device = status.st_dev, .inode = status.st_ino, .path = strdup(path)};
  uint8_t build_id[PROF_BUILD_ID_BYTES];
  struct prof_mapped_file mapped = {.path = path, .process = process, .pid = pid, .build_id = build_id};
  struct prof_elf *elf = file.path != NULL && path[0] == '/' ? prof_map_open(path, pid) : NULL;
  if (elf != NULL) {
    mapped.build_id_bytes = prof_elf_build_id(elf, build_id);
    struct prof_elf_load load;
    for (size_t at = 0; prof_elf_load_next(elf, &at, &load);)
      (void)prof_vec_push(&file.loads, load);
  }
  prof_elf_close(elf);
  file.module = file.path != NULL ? prof_modules_of_file(table->modules, &mapped) : 0;
  if (file.module != 0 && prof_vec_push(&table->files, file))
    return &table->files.items[table->files.count - 1];
  prof_vec_fini(&file.loads);
  free(file.path);
  return NULL;
}

uint64_t prof_map_bias(const struct prof_elf_load *loads, size_t load_count, const struct prof_mapped *mapped) {
  for (size_t i = 0; i < load_count; i++) {
    uint64_t end = loads[i].offset + loads[i].bytes;
    if (mapped->offset < end && loads[i].offset < mapped->offset + (mapped->end - mapped->begin))
      return mapped->begin - mapped->offset + loads[i].offset - loads[i].address;
  }
  return mapped->begin - mapped->offset;
}

void prof_map_write(struct prof_map_table *table, uint32_t process, pid_t pid, const struct prof_mapped *mapped) {
  const struct prof_map_file *file = find_file(table, mapped->path, process, pid);
  if (file == NULL)
    return;
  (void)prof_writer_map(table->modules->writer, &(struct prof_map_record){
                                                    .process = process,
                                                    .module = file->module,
                                                    .flags = prof_map_is_own(mapped->path) ? PROF_FORMAT_MAP_OWN : 0,
                                                    .start_ticks = mapped->start_ticks,
                                                    .begin = mapped->begin,
                                                    .end = mapped->end,
                                                    .bias = prof_map_bias(file->loads.items, file->loads.count, mapped),
                                                });
}

struct writing {
  struct prof_map_table *table;
  uint32_t process;
  pid_t pid;
};

static void write_map(void *context, const struct prof_mapped *mapped) {
  const struct writing *writing = context;
  prof_map_write(writing->table, writing->process, writing->pid, mapped);
}

void prof_map_read(struct prof_map_table *table, uint32_t process, pid_t pid) {
  struct writing writing = {table, process, pid};
  prof_maps_of_process(pid, write_map, &writing);
}

void prof_map_table_fini(struct prof_map_table *table) {
  for (size_t i = 0; i < table->files.count; i++) {
    prof_vec_fini(&table->files.items[i].loads);
    free(table->files.items[i].path);
  }
  prof_vec_fini(&table->files);
}
