/*
 * tools/record/tables/module_entry.h - what is known of a file with probes, once for all processes that load it.
 */
#ifndef PROF_RECORD_MODULE_ENTRY_H
#define PROF_RECORD_MODULE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "source/unprobed.h"

struct prof_module_tie { /* the zone is in state always only while `around` is; counted from first_function */
  uint32_t zone, around;
};

struct prof_module_entry { /* one per file content */
  uint32_t number;
  char *path;
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  uint64_t device, inode, bytes, changed_ns; /* distinguish contents without a build id */
  bool is_mapped;                            /* known by a map alone, not by a record of the program */
  bool is_caller;                            /* its functions call us; of the rest it uses only called_file */
  uint32_t called_file;                      /* in prof_called_table, of a caller */
  uint32_t first_function;
  uint32_t site_count;
  struct prof_elf_unprobed unprobed;
  uint32_t *addresses; /* per site, low bits of its link-time address; NULL as functions */
  uint32_t *functions; /* per site its function or loop, counted from first_function, with PROF_MATCHER_MAYBE;
                          PROF_MATCHER_NO_FUNCTION: unknown; NULL: the file is unreadable */
  uint32_t *kinds;     /* per site, as in its row; NULL as functions */
  uint32_t *zones;     /* per site, as in struct prof_site_map; NULL: there are none */
  uint32_t unit_count; /* functions and loops */
  uint32_t *around;    /* per function or loop: the loop or function that a loop is in, counted likewise, else
                          PROF_MATCHER_NO_FUNCTION; NULL as functions */
  uint8_t *hinted;     /* per function or loop: it is among the hints; NULL as functions */
  uint8_t *kept;       /* per function or loop: the governor records it always; NULL as functions */
  uint32_t *ends;      /* per site: of an end by line its zone, counted likewise, else NO_FUNCTION; NULL as zones */
  uint8_t *is_zone;    /* per function or loop; NULL as zones */
  struct prof_module_tie *ties; /* by zone; NULL as zones */
  uint32_t tie_count;
};

#endif
