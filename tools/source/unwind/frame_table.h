/*
 * tools/source/unwind/frame_table.h - the unwind rules of one ELF file, kept by address.
 *
 * In: .eh_frame, with the sorted table of .eh_frame_hdr where there is one, and .debug_frame for what .eh_frame leaves
 * out.  Out: a row per stretch of addresses.  A row is made when an address of it is looked up first; the next look-up
 * of that address is one step in a hash table.  Addresses are link-time ones.  Not shared between threads.
 */
#ifndef PROF_SOURCE_FRAME_TABLE_H
#define PROF_SOURCE_FRAME_TABLE_H

#include "source/elf_file.h"
#include "source/unwind/frame_program.h"

struct prof_frame_table;

struct prof_frame_row {
  struct prof_frame_rule cfa;
  const struct prof_frame_section *section; /* of its expressions; NULL: nothing is known of the address */
  uint32_t first_rule;
  uint8_t rule_count;
  bool signal; /* what it was called from was interrupted: that address is no return address */
};

struct prof_frame_sections { /* size 0: there is none.  Borrowed, they outlive the table */
  struct prof_frame_section eh_frame, eh_frame_hdr, debug_frame;
};

/* From an open file, which must outlive them. */
void prof_frame_sections_of(struct prof_elf *, struct prof_frame_sections *out);

/* NULL: no memory.  A file without any of the sections has a table in which nothing is known. */
struct prof_frame_table *prof_frame_table_new(const struct prof_frame_sections *);

/* From an open file, which must outlive the table. */
struct prof_frame_table *prof_frame_table_of(struct prof_elf *);
void prof_frame_table_free(struct prof_frame_table *); /* NULL: nothing */

/* The row of an address, and its rules of registers that differ from "as in the callee".  Valid until the next call. */
const struct prof_frame_row *prof_frame_table_find(struct prof_frame_table *, uint64_t address,
                                                   const struct prof_frame_rule **rules);

#endif
