/*
 * tools/source/dwarf/dwarf_file.h - the debug sections of one file and what all units in it share.
 *
 * In: an opened ELF file, which it takes over.  Out: sections, texts, abbreviation tables.  Sections are loaded when
 * they are asked for first.  The cost of a damaged file is bounded by its size: see prof_dwarf_spend.  Not shared
 * between threads.
 */
#ifndef PROF_SOURCE_DWARF_FILE_H
#define PROF_SOURCE_DWARF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "source/bytes.h"
#include "source/dwarf/dwarf_abbrev.h"
#include "source/elf_file.h"

enum prof_dwarf_section {
  PROF_DWARF_INFO,
  PROF_DWARF_ABBREV,
  PROF_DWARF_LINE,
  PROF_DWARF_STR,
  PROF_DWARF_LINE_STR,
  PROF_DWARF_STR_OFFSETS,
  PROF_DWARF_ADDR,
  PROF_DWARF_RANGES,
  PROF_DWARF_RNGLISTS,
  PROF_DWARF_SECTIONS,
};

struct prof_dwarf_unit;

struct prof_dwarf_file {
  struct prof_elf *elf;
  bool split;   /* a .dwo or .dwp: its sections are named so */
  bool damaged; /* something in it is damaged; the rest was read */
  uint64_t budget;
  unsigned loaded; /* bit per section */
  struct prof_elf_section sections[PROF_DWARF_SECTIONS];
  uint64_t text_limits[PROF_DWARF_SECTIONS]; /* a text that begins below it ends in the section */
  struct prof_arena arena;
  PROF_VEC(struct prof_dwarf_abbrevs *) abbrevs; /* by offset */
  struct prof_dwarf_unit *units;                 /* see dwarf_unit.h */
  size_t unit_count;
  struct prof_dwarf_file *alternate; /* dwz; NULL: none.  Borrowed */
};

/* There are debug sections in it. */
bool prof_dwarf_file_has_info(struct prof_elf *, bool split);

/* NULL: no memory; the ELF file is then closed. */
struct prof_dwarf_file *prof_dwarf_file_new(struct prof_elf *, bool split);
void prof_dwarf_file_free(struct prof_dwarf_file *); /* NULL: nothing */

/* A section that is missing or can't be read is empty. */
const struct prof_elf_section *prof_dwarf_section(struct prof_dwarf_file *, enum prof_dwarf_section);

/* The text at `offset` of a section of texts; NULL: there is none. */
const char *prof_dwarf_text(struct prof_dwarf_file *, enum prof_dwarf_section, uint64_t offset);

/* The table of abbreviations at `offset`, read once; NULL: no memory, or the budget is spent. */
const struct prof_dwarf_abbrevs *prof_dwarf_file_abbrevs(struct prof_dwarf_file *, uint64_t offset);

/*
 * Work that a file can ask for more than once (a list that many entries share) is paid from a budget that grows with
 * its size; sound files stay far below.  False: spent; the file is marked as damaged.
 */
bool prof_dwarf_spend(struct prof_dwarf_file *, uint64_t bytes);

#endif
