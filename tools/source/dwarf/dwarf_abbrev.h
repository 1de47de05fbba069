/*
 * tools/source/dwarf/dwarf_abbrev.h - a table of abbreviations: which attributes, in which form, an entry with a code
 * has.
 *
 * In: bytes of .debug_abbrev.  Out: a table that lives as long as the arena.
 */
#ifndef PROF_SOURCE_DWARF_ABBREV_H
#define PROF_SOURCE_DWARF_ABBREV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "source/bytes.h"

struct prof_dwarf_spec {
  uint16_t attribute, form;
  int64_t implicit; /* the value of DW_FORM_implicit_const */
};

struct prof_dwarf_abbrev {
  uint64_t code;
  uint16_t tag;
  bool children;
  /* All forms have fixed sizes: an entry is fixed_bytes + addresses * (size of one) + offsets * (size of one) long. */
  bool fixed;
  uint16_t addresses, offsets;
  uint16_t spec_count;
  uint32_t fixed_bytes;
  const struct prof_dwarf_spec *specs;
};

struct prof_dwarf_abbrevs {
  uint64_t offset;                       /* in .debug_abbrev */
  const struct prof_dwarf_abbrev *items; /* by code; items[i].code == i + 1 where `dense` */
  uint32_t count;
  bool dense;
};

/* Reads a table, up to the damage where it is *damaged.  *used: its bytes.  NULL: no memory. */
struct prof_dwarf_abbrevs *prof_dwarf_abbrevs_read(struct prof_bytes, uint64_t offset, struct prof_arena *,
                                                   uint64_t *used, bool *damaged);

const struct prof_dwarf_abbrev *prof_dwarf_abbrev_find_sparse(const struct prof_dwarf_abbrevs *, uint64_t code);

/* NULL: no such code. */
static inline const struct prof_dwarf_abbrev *prof_dwarf_abbrev_find(const struct prof_dwarf_abbrevs *abbrevs,
                                                                     uint64_t code) {
  if (abbrevs->dense)
    return code - 1 < abbrevs->count ? &abbrevs->items[code - 1] : NULL;
  return prof_dwarf_abbrev_find_sparse(abbrevs, code);
}

#endif
