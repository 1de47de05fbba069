/*
 * tools/source/dwarf/dwarf_unit.h - units of .debug_info, their root entries, and values of attributes.
 *
 * In: a file's debug sections.  Out: a list of units, and values in a form that doesn't depend on how they were
 * written. Type units are left out: no code belongs to them.
 */
#ifndef PROF_SOURCE_DWARF_UNIT_H
#define PROF_SOURCE_DWARF_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "source/dwarf/dwarf_codes.h"
#include "source/dwarf/dwarf_file.h"

#define PROF_DWARF_NOWHERE UINT64_MAX /* an offset that isn't there */

enum prof_dwarf_kind {
  PROF_VALUE_NONE,    /* of a kind without use here, or unreadable */
  PROF_VALUE_NUMBER,  /* constants and flags */
  PROF_VALUE_ADDRESS, /* link-time */
  PROF_VALUE_TEXT,
  PROF_VALUE_OFFSET,    /* in another section */
  PROF_VALUE_INDEX,     /* of a range list */
  PROF_VALUE_REFERENCE, /* an entry: offset in .debug_info of the same file */
  PROF_VALUE_ALTERNATE, /* an entry: offset in .debug_info of the alternate file */
};

struct prof_dwarf_value {
  enum prof_dwarf_kind kind;
  uint64_t number;
  const char *text; /* not NULL if the kind is PROF_VALUE_TEXT */
};

struct prof_dwarf_unit {
  struct prof_dwarf_file *file;
  const struct prof_dwarf_unit *skeleton; /* of a split unit: the one in the main file, which has addresses and lines */
  const struct prof_dwarf_abbrevs *abbrevs;
  uint64_t offset, end, first; /* in .debug_info: header, end, first entry */
  uint64_t abbrev_offset;
  uint64_t id; /* that ties skeleton and split unit */
  uint16_t version;
  uint8_t type; /* enum prof_dwarf_unit_type; before version 5: PROF_UNIT_COMPILE */
  uint8_t address_bytes, offset_bytes;
  bool root_read;
  bool has_low; /* `low` is given */
  /* From the root entry; NULL or PROF_DWARF_NOWHERE: not there. */
  const char *name, *folder, *split_name;
  uint64_t lines;
  uint64_t low, high; /* low is the base of range lists; high is beyond, or equal to low */
  struct prof_dwarf_value ranges;
  uint64_t texts_base, addresses_base, lists_base, old_ranges_base;
};

/* Fills the file's units, in order of their offsets; roots aren't read.  False: no memory. */
bool prof_dwarf_units_read(struct prof_dwarf_file *);

/* The unit that holds the entry at `offset`; NULL: none. */
struct prof_dwarf_unit *prof_dwarf_units_find(const struct prof_dwarf_file *, uint64_t offset);

/* The unit whose header is at `offset`; NULL: none. */
struct prof_dwarf_unit *prof_dwarf_units_at(const struct prof_dwarf_file *, uint64_t offset);

/* Reads the root entry; false: unreadable.  Once per unit. */
bool prof_dwarf_unit_root(struct prof_dwarf_unit *);

/* Reads one value of an entry, or skips it. */
struct prof_dwarf_value prof_dwarf_value_read(const struct prof_dwarf_unit *, struct prof_bytes *,
                                              const struct prof_dwarf_spec *);
void prof_dwarf_value_skip(const struct prof_dwarf_unit *, struct prof_bytes *, unsigned form);

/* Skips all values of an entry. */
static inline void prof_dwarf_entry_skip(const struct prof_dwarf_unit *unit, struct prof_bytes *bytes,
                                         const struct prof_dwarf_abbrev *abbrev) {
  if (abbrev->fixed) {
    prof_bytes_skip(bytes, abbrev->fixed_bytes + (uint64_t)abbrev->addresses * unit->address_bytes +
                               (uint64_t)abbrev->offsets * unit->offset_bytes);
    return;
  }
  for (uint32_t i = 0; i < abbrev->spec_count; i++)
    prof_dwarf_value_skip(unit, bytes, abbrev->specs[i].form);
}

/* The address at `index` of the unit's part of .debug_addr; false: none. */
bool prof_dwarf_address(const struct prof_dwarf_unit *, uint64_t index, uint64_t *out);

#endif
