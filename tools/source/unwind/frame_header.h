/*
 * tools/source/unwind/frame_header.h - the sorted table of .eh_frame_hdr: where code with a record of its own begins.
 *
 * In: the section.  Out: pairs of addresses, by the first of them.  Only the form that linkers write is read: 32 bits,
 * signed, counted from the section (Linux Standard Base Core, 10.6.2).  The section is borrowed.
 */
#ifndef PROF_SOURCE_FRAME_HEADER_H
#define PROF_SOURCE_FRAME_HEADER_H

#include "source/unwind/frame_program.h"

struct prof_frame_header {
  struct prof_frame_section section;
  const uint8_t *pairs;
  size_t count; /* 0: there is no such table, or it is damaged */
};

struct prof_frame_start {
  uint64_t begin;  /* of the code */
  uint64_t record; /* address of its record in .eh_frame */
};

void prof_frame_header_read(const struct prof_frame_section *, struct prof_frame_header *out);

/* index: below count. */
struct prof_frame_start prof_frame_header_at(const struct prof_frame_header *, size_t index);

/* Where the code begins that an address lies in, or behind; 0: the address lies before all of it. */
uint64_t prof_frame_header_begin(const struct prof_frame_header *, uint64_t address);

#endif
