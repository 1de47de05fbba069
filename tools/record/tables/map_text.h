/*
 * tools/record/tables/map_text.h - memory without a file of its own that lies where a file's instructions belong.
 *
 * In: a process's maps in the order of their addresses.  Out: what the file has there.  A recorder that switches probes
 * puts a copy over the text (wire/control.h), which stays when that recorder is killed; programs put their text into
 * huge pages.  The loader keeps a file's whole span of addresses for it, so nothing else lies there.
 */
#ifndef PROF_RECORD_MAP_TEXT_H
#define PROF_RECORD_MAP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "source/elf_file.h"

struct prof_map_span {  /* of the file that was mapped last */
  char *path;           /* owned; NULL: none yet */
  uint64_t begin, bias; /* of its first map; bias: once it was opened */
  bool is_opened;
  PROF_VEC(struct prof_elf_load) loads; /* its instructions; none: unreadable, or the first map isn't its beginning */
};

/* The process has this map of a file. */
void prof_map_span_take(struct prof_map_span *, uint64_t begin, uint64_t offset, const char *path);
/* Where in the span's file its contents at [begin, end) lie.  False: nowhere. */
bool prof_map_span_has(struct prof_map_span *, pid_t, uint64_t begin, uint64_t end, uint64_t *offset);
void prof_map_span_fini(struct prof_map_span *);

#endif
