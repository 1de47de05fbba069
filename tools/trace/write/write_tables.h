/*
 * tools/trace/write/write_tables.h - writes one payload of facts as a chunk, for all writers of facts.
 */
#ifndef PROF_TRACE_WRITE_TABLES_H
#define PROF_TRACE_WRITE_TABLES_H

#include "trace/bytes.h"
#include "write.h"

/* Smaller payloads are stored unpacked: packing a few numbers gains nothing. */
#define PROF_WRITER_PACK_FROM_BYTES 256

/* Packs a payload if that makes it smaller, appends it as a chunk (sets sizes and codec of `head`), frees it. */
prof_status prof_writer_payload(prof_writer *, struct prof_format_chunk *head, struct prof_payload *);

#endif
