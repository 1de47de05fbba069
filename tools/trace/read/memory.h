/*
 * tools/trace/read/memory.h - opens a trace whose file is in memory.
 */
#ifndef PROF_TRACE_READ_MEMORY_H
#define PROF_TRACE_READ_MEMORY_H

#include "proftrace.h"

/* As prof_trace_open; the bytes must outlive the trace. */
prof_status prof_trace_open_memory(const uint8_t *bytes, size_t count, struct prof_diag *,
                                   prof_trace **out) PROF_MUST_CHECK;

#endif
