/*
 * tools/trace/read/memory.h - opens a trace whose file is in memory.
 */
#ifndef PROF_TRACE_READ_MEMORY_H
#define PROF_TRACE_READ_MEMORY_H

#include "proftrace.h"

/* As prof_trace_open.  This process has made the bytes: stored payloads are not checked.  The bytes must outlive the
 * trace, and PROF_TRACE_MEMORY_PADDING more ones must be readable behind them. */
#define PROF_TRACE_MEMORY_PADDING 64u
prof_status prof_trace_open_memory(const uint8_t *bytes, size_t count, struct prof_diag *,
                                   prof_trace **out) PROF_MUST_CHECK;

#endif
