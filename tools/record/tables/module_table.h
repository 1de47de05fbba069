/*
 * tools/record/tables/module_table.h - the modules of a recording: their MODULE and LOAD chunks, and the function of
 * each site.
 *
 * In: MODULE records of the log; the files that they name.  Out: the map by which matchers match exits.  Used by the
 * pump only.
 */
#ifndef PROF_RECORD_MODULE_TABLE_H
#define PROF_RECORD_MODULE_TABLE_H

#include <sys/types.h>

#include "base/index_map.h"
#include "base/vec.h"
#include "control.h"
#include "match/matcher.h"
#include "record/governor/hints.h"
#include "record/keep/kept_functions.h"
#include "record/tables/called_table.h"
#include "record/tables/module_entry.h"

struct prof_caller { /* a module in a process */
  uint32_t site;     /* its number in FUNCTION and NAMED records */
  uint32_t entry;
};

struct prof_named_zone { /* named at run time; equal names in a module are one */
  char *name;
  uint32_t entry;
  uint32_t number; /* as of called functions */
};

struct prof_modules {
  prof_writer *writer;
  struct prof_hints *hints; /* NULL: none */
  struct prof_kept *kept;   /* NULL: every call is recorded, always */
  PROF_VEC(struct prof_module_entry) entries;
  PROF_VEC(uint32_t) map;       /* by site id */
  PROF_VEC(uint32_t) addresses; /* by site id: low bits of its sled's address */
  PROF_VEC(uint32_t) zones;     /* by site id, as in struct prof_site_map */
  uint32_t next_function;

  struct prof_called_table called;
  PROF_VEC(uint32_t) called_ids;             /* by a function's number there: its id in the map */
  PROF_VEC(struct prof_caller) callers;      /* and modules with rows */
  PROF_VEC(struct prof_called_record) found; /* not written yet; all of one process and module */
  uint32_t found_process, found_module;
  PROF_VEC(struct prof_named_zone) named;
  struct prof_index_map named_index;
};

/* pid: of the process that loaded it; finds the file if its path differs for us; 0: unknown.  Returns its entry, valid
 * until the next one is loaded; NULL: no memory, or its sites aren't known. */
const struct prof_module_entry *prof_modules_load(struct prof_modules *, const struct prof_log_module *,
                                                  const char *path, pid_t pid);
/* The same for a module whose functions call us, and one of these functions. */
void prof_modules_load_caller(struct prof_modules *, const struct prof_log_module *, const char *path, pid_t pid);
void prof_modules_function(struct prof_modules *, const struct prof_log_function *);
/* Makes room in the maps for sites up to `end`.  False: no memory. */
bool prof_modules_reach(struct prof_modules *, uint64_t end);
struct prof_mapped_file {
  const char *path;
  uint32_t process; /* that mapped it, and its pid: finds the file if its path differs for us */
  pid_t pid;
  const uint8_t *build_id;
  uint32_t build_id_bytes; /* 0: it has none */
};
/* The MODULE number of a mapped file, made if needed; 0: no memory.  If it has probes, its MODULE record, which may
 * come later, finds the same one. */
uint32_t prof_modules_of_file(struct prof_modules *, const struct prof_mapped_file *);
uint32_t prof_modules_probed_count(const struct prof_modules *); /* instrumented ones that reported themselves */
/* Tells the filters all functions again, from the modules' files. */
void prof_modules_judge(struct prof_modules *, struct prof_kept *);
void prof_modules_fini(struct prof_modules *);

/* Also writes the functions of prof_modules_function. */
struct prof_site_map prof_modules_map(struct prof_modules *);

#endif
