/* rows.h - attached programs and libraries: rows, sleds and trampolines. */
#ifndef PROF_RUNTIME_ROWS_H
#define PROF_RUNTIME_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "row.h"

enum prof_module_state { PROF_MODULE_DETACHED = 0, PROF_MODULE_ATTACHED = 1 };

#define PROF_TRAMPOLINE_SKIPPED 0x80000000u

/* One attached program or library.  Never freed, as a sampler may read it at any time; reused after dlclose. */
struct prof_attached_module {
  struct prof_attached_module *next;
  const struct prof_row *rows;
  size_t row_count, row_room;
  uint32_t first_site;
  uint32_t state;             /* enum prof_module_state */
  const uint8_t *begin, *end; /* its loaded segments */
  int text_protection;        /* of its code, for mprotect */
  uint8_t *area;              /* trampolines */
  size_t area_bytes;
  uint32_t
      *trampoline_offsets; /* row -> trampoline in area, rising; with PROF_TRAMPOLINE_SKIPPED where the sled has none */
};

static inline const uint8_t *prof_row_sled(const struct prof_row *row) {
  return (const uint8_t *)&row->sled + row->sled;
}

/* The sled whose trampoline `pc` lies in; NULL: not in a trampoline. */
const uint8_t *prof_sled_of_trampoline(const void *pc);

#endif
