/*
 * tools/record/tables/process_maps.h - which files' code lies where in a running process.
 *
 * In: /proc.  Out: executable maps.  Memory without a file of its own that lies where a file's instructions belong is
 * that file's: a recorder that switches probes puts a copy over the text (wire/control.h), which stays when that
 * recorder is killed, and programs put their text into huge pages.  The loader keeps a file's whole span of addresses
 * for it, so nothing else lies there.
 */
#ifndef PROF_RECORD_PROCESS_MAPS_H
#define PROF_RECORD_PROCESS_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/elf_file.h"

struct prof_mapped { /* executable memory of a process, mapped from a file */
  uint64_t start_ticks, begin, end, offset;
  char *path; /* owned */
};

/* Is the kernel's path that of a file?  `//anon`, `[heap]` and the like aren't, `[vdso]` is. */
bool prof_map_is_file(const char *path);
/* Is it a library of the profiler?  Code there is not the program's. */
bool prof_map_is_own(const char *path);
/* Is it the one that trampolines call? */
bool prof_map_is_runtime(const char *path);
/* Opens the file at its path as we or as the process sees it; NULL: it can't be read. */
struct prof_elf *prof_map_open(const char *path, pid_t pid);
/* All current maps of files of a process, from /proc. */
void prof_maps_of_process(pid_t pid, void (*take)(void *context, const struct prof_mapped *), void *context);

#endif
