/* rows.h - attached programs and libraries: rows, sleds and trampolines. */
#ifndef PROF_RUNTIME_ROWS_H
#define PROF_RUNTIME_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row.h"

enum prof_switch { PROF_SWITCH_OFF = 0, PROF_SWITCH_ON = 1 };

enum prof_module_state {
  PROF_MODULE_DETACHED = 0,
  PROF_MODULE_ATTACHED = 1,
  PROF_MODULE_KEPT = 2, /* for the next recorder (recorders.c): it has no trampolines */
};

#define PROF_TRAMPOLINE_SKIPPED 0x80000000u

/* One attached program or library.  Never freed, as a sampler may read it at any time; reused after dlclose. */
struct prof_attached_module {
  struct prof_attached_module *next;
  const struct prof_row *rows;
  size_t row_count, row_room;
  uint32_t first_site;
  uint32_t state;             /* enum prof_module_state */
  const uint8_t *begin, *end; /* its loaded segments */
  struct prof_loaded *loaded; /* of a module that is kept for later recorders; else NULL */
  uint32_t *later_offsets;    /* room for both tables of offsets, for the next recorder; NULL: the present ones do */
  uint32_t skipped;           /* sleds without a trampoline */
  int text_protection;        /* of its code, for mprotect */
  struct {
    uint64_t offset;     /* of the copy in the region's file; 0: its text is private */
    uintptr_t begin;     /* whole pages */
    size_t bytes, table; /* of the text; of what stands behind it */
    uint32_t process;    /* that copied it */
    uint32_t forks;      /* counted when it was copied */
    bool mapped;         /* from the region's file, shared or not */
  } text;                /* wire/control.h */
  uint8_t *area;         /* trampolines */
  size_t area_bytes;
  uint32_t *count_offsets; /* row -> trampoline that counts; 0: none.  NULL: no row has one */
  uint32_t first_counter;  /* of the first row that has one */
  uint32_t counts_at;      /* its trampoline; 0: none */
  uint32_t
      *trampoline_offsets; /* row -> trampoline in area, rising; with PROF_TRAMPOLINE_SKIPPED where the sled has none */
};

static inline const uint8_t *prof_row_sled(const struct prof_row *row) {
  return (const uint8_t *)&row->sled + row->sled;
}

/* VALUEs are on only where the recorder wants them. */
bool prof_row_is_wanted(const struct prof_row *row);

/* Where the row's sled jumps to while it counts; NULL: it can't. */
static inline const uint8_t *prof_row_count_target(const struct prof_attached_module *module, size_t row) {
  return module->count_offsets && module->count_offsets[row] ? module->area + module->count_offsets[row] : NULL;
}

/* The sled whose trampoline `pc` lies in; NULL: not in a trampoline. */
const uint8_t *prof_sled_of_trampoline(const void *pc);

#endif
