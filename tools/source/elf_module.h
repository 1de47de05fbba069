/*
 * tools/source/elf_module.h - what a trace needs to know about a module: sites in row order, their functions and loops.
 */
#ifndef PROF_SOURCE_ELF_MODULE_H
#define PROF_SOURCE_ELF_MODULE_H

#include "row.h"
#include "source/unprobed.h"

#define PROF_ELF_NO_FUNCTION UINT32_MAX
#define PROF_ELF_NO_LOOP UINT32_MAX
#define PROF_ELF_NO_POINT UINT32_MAX

struct prof_elf_function { /* probed ones only */
  uint64_t key;            /* of its facts; of an unknown function its address */
  uint32_t line, statements, flags;
  uint16_t language;
  const char *name; /* linkage name; "0x..." when unknown */
  const char *file; /* "" when unknown */
  bool has_zones;   /* zones in its code */
  bool is_kept;     /* its events can't be left out: a zone whose ends lie elsewhere, or a function that has such zones,
                       zones named at run time, or values of the open call */
  bool is_apart;    /* a zone that may end in another function than it began in */
  bool by_name;     /* a zone that has an end by name */
};

struct prof_elf_loop { /* of probed nests */
  uint64_t key;
  uint32_t function; /* index: whose code it is in; PROF_ELF_NO_FUNCTION: unknown, or uninstrumented */
  uint32_t parent;   /* index, less deep; PROF_ELF_NO_LOOP: it is an outermost one */
  uint64_t iterations;
  uint32_t line, last_line, flags, depth; /* all 0 where a probe's loop has no fact; line is then the probe's */
  const char *name, *file;                /* as in struct prof_fact_loop; "" when unknown */
};

struct prof_elf_point { /* what the program reports of itself */
  uint32_t what;        /* enum prof_point_class */
  uint32_t line;
  const char *name, *unit, *file; /* "" when unknown; unit: "" none */
};

struct prof_elf_site {
  uint64_t address;  /* link-time */
  uint64_t begin;    /* of an entry: of its function's code; 0: not known */
  uint64_t key;      /* of its PROBE fact; 0 none */
  uint64_t loop_key; /* of its PROBE fact; 0 none */
  uint32_t kind;     /* as in the row */
  uint32_t line;
  uint32_t function; /* index; PROF_ELF_NO_FUNCTION: unknown */
  uint32_t loop;     /* index; PROF_ELF_NO_LOOP: of none, or unknown */
  uint32_t point;    /* index; PROF_ELF_NO_POINT: of none, or unknown */
  uint32_t host;     /* of a zone's: index of the function whose code it lies in; PROF_ELF_NO_FUNCTION: unknown */
};

/* Without events of `around` the zone can't have any: a function with the zone in its code, or a zone around it. */
struct prof_elf_zone_tie {
  uint32_t zone, around; /* indices of functions */
};

struct prof_elf_module {
  uint8_t build_id[PROF_BUILD_ID_BYTES];
  uint32_t build_id_bytes;
  const char *compiler; /* one per line, "" when unknown */
  struct prof_elf_function *functions;
  struct prof_elf_site *sites; /* index: row index */
  struct prof_elf_loop *loops;
  struct prof_elf_point *points;
  struct prof_elf_zone_tie *ties; /* of zones that aren't kept */
  uint32_t function_count, site_count, loop_count, point_count, tie_count;
  bool facts_damaged; /* some facts could not be read */
  struct prof_elf_unprobed unprobed;
  void *storage;
};

/* Is it a row of a point? */
static inline bool prof_elf_is_point(uint32_t kind) {
  uint32_t probe = kind & PROF_ROW_KIND_MASK;
  return probe == PROF_PROBE_POINT || probe == PROF_PROBE_VALUE ||
         (probe == PROF_PROBE_LOOP_COUNT && (kind & PROF_ROW_ZONE)) ||
         (probe == PROF_PROBE_ENTRY && (kind & PROF_ROW_ZONE) && (kind & PROF_ROW_HAS_VALUE));
}

#endif
