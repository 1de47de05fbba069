/*
 * tools/trace/write/write_part.h - writes what makes a recording a part of a longer one, and chunks as they are there.
 *
 * Rules as in write.h: errors are sticky, pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_PART_H
#define PROF_TRACE_WRITE_PART_H

#include "write.h"

prof_status prof_writer_part(prof_writer *, const struct prof_part *);

/* A chunk with its header as it was read. */
prof_status prof_writer_copy(prof_writer *, const struct prof_format_chunk *head, const uint8_t *packed);

#endif
