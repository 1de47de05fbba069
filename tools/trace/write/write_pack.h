/*
 * tools/trace/write/write_pack.h - appends PACK chunks to an existing trace.
 *
 * In: the structs of proftrace_pack.h, which readers return.  Frames and extents refer to texts by pointer; equal
 * pointers are written once.
 */
#ifndef PROF_TRACE_WRITE_PACK_H
#define PROF_TRACE_WRITE_PACK_H

#include "proftrace_pack.h"
#include "write.h"

/* module_number: the trace's number of the module (from 1). */
prof_status prof_writer_packed_lines(prof_writer *, uint32_t module_number, const struct prof_packed_lines *);
prof_status prof_writer_packed_source(prof_writer *, const struct prof_packed_source *);

#endif
