/*
 * tools/record/tables/map_table.h - which file lies where in a process: MAP chunks, and MODULE chunks for files without
 * probes.
 *
 * In: the kernel's records of mapped files.  Files are opened once.  Used by the pump only.
 */
#ifndef PROF_RECORD_MAP_TABLE_H
#define PROF_RECORD_MAP_TABLE_H

#include <sys/types.h>

#include "base/vec.h"
#include "record/tables/module_table.h"
#include "source/elf_file.h"

struct prof_mapped { /* executable memory of a process that a file is behind */
  uint64_t start_ticks, begin, end, offset;
  char *path; /* owned */
};

struct prof_map_file {
  char *path;
  uint64_t device, inode;
  uint32_t module;
  PROF_VEC(struct prof_elf_load) loads; /* its segments; none: the file can't be read */
};

struct prof_map_table {
  struct prof_modules *modules;
  PROF_VEC(struct prof_map_file) files;
};

/* Whether a path as the kernel gives it means a file: `//anon`, `[heap]` and the like don't, `[vdso]` does. */
bool prof_map_is_file(const char *path);

/* pid: through which the file is found when its path leads elsewhere for us. */
void prof_map_write(struct prof_map_table *, uint32_t process, pid_t pid, const struct prof_mapped *);
/* All that a process has mapped now, from /proc. */
void prof_map_read(struct prof_map_table *, uint32_t process, pid_t pid);
void prof_map_table_fini(struct prof_map_table *);

#endif
