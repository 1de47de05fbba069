/*
 * tools/record/module_table.h - the modules of a recording: their MODULE and LOAD chunks, and which function a site is
 * in.
 *
 * In: MODULE records of the log; reads the files that they name.  Out: the map that encoders match exits by.  Used by
 * the pump only.
 */
#ifndef PROF_RECORD_MODULE_TABLE_H
#define PROF_RECORD_MODULE_TABLE_H

#include <sys/types.h>

#include "base/vec.h"
#include "control.h"
#include "elf/unprobed.h"
#include "trace/encode.h"

struct prof_module_entry { /* one per file content */
  uint32_t number;
  char *path;
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  uint64_t device, inode, bytes, changed_ns; /* tell contents without a build id apart */
  uint32_t first_function;
  uint32_t site_count;
  struct prof_elf_unprobed unprobed;
  uint32_t *functions; /* per site, counted from first_function; PROF_ENCODER_NO_FUNCTION unknown; NULL: the
                          file could not be read */
};

struct prof_modules {
  prof_writer *writer;
  PROF_VEC(struct prof_module_entry) entries;
  PROF_VEC(uint32_t) map; /* by site id */
  uint32_t next_function;
};

/* pid: of the process that loaded it, through which the file is found when its path leads elsewhere for us; 0 unknown.
 */
void prof_modules_load(struct prof_modules *, const struct prof_log_module *, const char *path, pid_t pid);
void prof_modules_fini(struct prof_modules *);

struct prof_site_map prof_modules_map(const struct prof_modules *);

#endif
