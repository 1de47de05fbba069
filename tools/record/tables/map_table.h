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
#include "source/elf_file.h"

struct prof_mapped { /* executable memory of a process, mapped from a file */
  uint64_t start_ticks, begin, end, offset;
  char *path; /* owned */
};

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

/* Is the kernel's path that of a file?  `//anon`, `[heap]` and the like aren't, `[vdso]` is. */
bool prof_map_is_file(const char *path);
/* Is it a library of the profiler?  Code there is not the program's. */
bool prof_map_is_own(const char *path);
/* Is it the one that trampolines call? */
bool prof_map_is_runtime(const char *path);
/* Opens the file at its path as we or as the process sees it; NULL: it can't be read. */
struct prof_elf *prof_map_open(const char *path, pid_t pid);
/* Run-time minus link-time address, from the file's segments; without any such that link-time addresses are offsets. */
uint64_t prof_map_bias(const struct prof_elf_load *, size_t count, const struct prof_mapped *);
/* All current maps of files of a process, from /proc. */
void prof_maps_of_process(pid_t pid, void (*take)(void *context, const struct prof_mapped *), void *context);

/* pid: finds the file if its path differs for us. */
void prof_map_write(struct prof_map_table *, uint32_t process, pid_t pid, const struct prof_mapped *);
/* Reads all current maps of a process from /proc. */
void prof_map_read(struct prof_map_table *, uint32_t process, pid_t pid);
void prof_map_table_fini(struct prof_map_table *);

#endif
