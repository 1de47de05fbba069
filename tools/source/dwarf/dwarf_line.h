/*
 * tools/source/dwarf/dwarf_line.h - a line table: which file and line an address came from.
 *
 * In: a unit that says where its table is.  Out: rows by address, and files as directory and name.
 */
#ifndef PROF_SOURCE_DWARF_LINE_H
#define PROF_SOURCE_DWARF_LINE_H

#include "source/dwarf/dwarf_unit.h"
#include "source/intervals.h"

struct prof_dwarf_row { /* holds up to the next row's address */
  uint64_t address;
  uint32_t line;   /* 0: code that no line stands for */
  uint32_t file;   /* as the table numbers them */
  uint16_t column; /* 0: unknown */
  bool end;        /* the first address behind a sequence */
  bool statement;  /* recommended by the compiler as a breakpoint for the line */
};

struct prof_dwarf_source { /* a directory or a file */
  const char *name;
  uint64_t directory; /* of a file */
};

struct prof_dwarf_lines { /* zeroed: empty */
  uint64_t offset;        /* in .debug_line */
  uint16_t version;
  PROF_VEC(struct prof_dwarf_row) rows; /* sequence after sequence, in order of address */
  struct prof_jumps jumps;
  PROF_VEC(struct prof_dwarf_source) directories;
  PROF_VEC(struct prof_dwarf_source) files;
};

/*
 * Reads the table at `unit->lines` (of a split unit: the skeleton's).  Sequences outside of `code` are left out, and of
 * sequences that overlap the later ones.  What is damaged ends the table.  False: no memory.
 */
bool prof_dwarf_lines_read(const struct prof_dwarf_unit *, const struct prof_intervals *code,
                           struct prof_dwarf_lines *);
void prof_dwarf_lines_fini(struct prof_dwarf_lines *);

/* The row that holds for `address`; NULL: none. */
const struct prof_dwarf_row *prof_dwarf_lines_find(const struct prof_dwarf_lines *, uint64_t address);

/* How many rows begin at or before `address`. */
size_t prof_dwarf_lines_upto(const struct prof_dwarf_lines *, uint64_t address);

/* The file with this number; NULL: there is none. */
const struct prof_dwarf_source *prof_dwarf_lines_file(const struct prof_dwarf_lines *, uint64_t number);

/* The directory that a file is in; NULL: the unit's own, or none.  *folder: what that is relative to. */
const char *prof_dwarf_lines_directory(const struct prof_dwarf_lines *, const struct prof_dwarf_source *file,
                                       const char **folder);

/* Reads the header at `bytes`, which then stand at the program; for the program's reader. */
struct prof_dwarf_line_header {
  uint8_t offset_bytes, address_bytes;
  uint8_t instruction_bytes, operations, line_range, opcode_base;
  int8_t line_base;
  bool statement;
  uint8_t lengths[256]; /* operands of the standard opcodes */
};
bool prof_dwarf_line_header_read(const struct prof_dwarf_unit *, struct prof_bytes *, struct prof_dwarf_lines *,
                                 struct prof_dwarf_line_header *, bool *no_memory);

#endif
