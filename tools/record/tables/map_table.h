/*
 * tools/record/tables/map_table.h - the files mapped in each process: MAP chunks, and MODULE chunks for uninstrumented
 * files.
 *
 * In: the kernel's records of mapped files.  Files are opened once.  Used by the pump only.
 */
#ifndef PROF_RECORD_MAP_TABLE_H
#define PROF_RECORD_MAP_TABLE_H

#include <sys/types.h>

#include "base/vec.h"
#include "record/tables/module_table.h"
#include "record/tables/process_maps.h"
#include "source/elf_file.h"

struct prof_map_file {
  char *path;
  uint64_t device, inode;
  uint32_t module;
  PROF_VEC(struct prof_elf_load) loads; /* its segments; none: the file is unreadable */
};

struct prof_map_table {
  struct prof_modules *modules;
  PROF_VEC(struct prof_map_file) files;
};

/* Run-time minus link-time address, from the file's segments; without any such that link-time addresses are offsets. */
uint64_t prof_map_bias(const struct prof_elf_load *, size_t count, const struct prof_mapped *);

/* pid: finds the file if its path differs for us. */
void prof_map_write(struct prof_map_table *, uint32_t process, pid_t pid, const struct prof_mapped *);
/* Reads all current maps of a process from /proc. */
void prof_map_read(struct prof_map_table *, uint32_t process, pid_t pid);
void prof_map_table_fini(struct prof_map_table *);

#endif
