/*
 * tools/record/sampling/stack_maps.h - which file's unwind rules hold at an address of a process.
 *
 * In: the kernel's records of mapped files.  Out: places for unwind.h.  A file's rules are read when an address of it
 * is looked up first, and kept; files that can't be read, replaced ones, and files beyond the limits have none.  Memory
 * that is no file's has none either: generated code.  A copy of text in the recording's region counts as the file that
 * it was copied from.
 *
 * Used by the pump only.
 */
#ifndef PROF_RECORD_STACK_MAPS_H
#define PROF_RECORD_STACK_MAPS_H

#include <sys/types.h>

#include "base/vec.h"
#include "record/tables/map_table.h"
#include "source/unwind/unwind.h"

#define PROF_STACK_FILES_MAX 1024u
#define PROF_STACK_FILES_BYTES_MAX (256ull << 20) /* of sections; rows take at most some 20 MB a file beside them */

struct prof_stack_file {
  char *path;
  uint64_t device, inode; /* 0, 0: not known */
  bool is_opened, has_probes, is_runtime;
  uint8_t *sections;              /* copies, one behind the other */
  struct prof_frame_table *table; /* NULL: it has no rules */
  PROF_VEC(struct prof_elf_load) loads;
};

struct prof_stack_files {
  PROF_VEC(struct prof_stack_file) files;
  uint64_t bytes;
};
void prof_stack_files_fini(struct prof_stack_files *);

struct prof_stack_map {
  uint64_t begin, end, offset;
  uint64_t bias;
  uint32_t file;
  bool has_bias;
};

struct prof_stack_maps {                /* of one process image */
  PROF_VEC(struct prof_stack_map) maps; /* by address, apart */
  bool has_runtime;                     /* the profiler's code is among them */
};

/* From now on `mapped` lies there, and no older one.  path NULL: no file.  Without memory it is as if it were none. */
void prof_stack_maps_add(struct prof_stack_maps *, struct prof_stack_files *, const struct prof_mapped *,
                         uint64_t device, uint64_t inode);
/* The same for text of `path` that was copied into the region; bias: an address less a link-time one. */
void prof_stack_maps_add_text(struct prof_stack_maps *, struct prof_stack_files *, uint64_t begin, uint64_t end,
                              uint64_t bias, const char *path);
/* Those of a process that runs already. */
void prof_stack_maps_read(struct prof_stack_maps *, struct prof_stack_files *, pid_t);
/* Of a forked process. */
void prof_stack_maps_copy(struct prof_stack_maps *, const struct prof_stack_maps *from);
void prof_stack_maps_fini(struct prof_stack_maps *);

/* For prof_unwind.  pid: finds a file if its path differs for us. */
struct prof_stack_place {
  struct prof_stack_maps *maps;
  struct prof_stack_files *files;
  pid_t pid;
};
void prof_stack_maps_find(void *place, uint64_t address, struct prof_unwind_place *out);
/* The file that an address lies in, opened; NULL: none. */
const struct prof_stack_file *prof_stack_maps_file(struct prof_stack_place *, uint64_t address);

#endif
