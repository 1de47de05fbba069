/*
 * tools/trace/write/write_pack.h - PACK chunks, appended to a trace that was written before.
 *
 * In: the structs of proftrace_pack.h, as readers get them again.  Frames and extents name texts by pointer; equal
 * pointers are written once.
 */
#ifndef PROF_TRACE_WRITE_PACK_H
#define PROF_TRACE_WRITE_PACK_H

#include "proftrace_pack.h"
#include "write.h"

/*
 * The file of a trace, to append to.  Nothing of it is changed; the bytes that its last chunk lacks
 * (prof_trace_lacks_bytes), and what is unaligned at its end, are filled up with zeros.  PROF_USAGE: another process is
 * writing to it.  As prof_writer_open else.
 */
prof_status prof_writer_append_to(const char *path, uint64_t lacks_bytes, struct prof_diag *,
                                  prof_writer **out) PROF_MUST_CHECK;

/* module_number: as the trace numbers the module (from 1). */
prof_status prof_writer_packed_lines(prof_writer *, uint32_t module_number, const struct prof_packed_lines *);
prof_status prof_writer_packed_source(prof_writer *, const struct prof_packed_source *);

#endif
