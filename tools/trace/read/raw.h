/*
 * tools/trace/read/raw.h - the chunks of a file as they are, for who copies them.
 *
 * In: an open trace.  Out: headers and packed payloads in file order.  Damaged chunks are passed over; the trace has
 * counted them.
 */
#ifndef PROF_TRACE_READ_RAW_H
#define PROF_TRACE_READ_RAW_H

#include "trace/format.h"

struct prof_raw_chunk {
  uint64_t offset;
  struct prof_format_chunk head;
  const uint8_t *packed; /* head.packed_bytes; lives until the next call */
};

typedef struct prof_raw prof_raw;

prof_raw *prof_raw_new(const prof_trace *); /* NULL: no memory */
void prof_raw_free(prof_raw *);             /* NULL: nothing */

const uint8_t *prof_raw_id(const prof_trace *); /* of the file's header: 16 bytes */

/* The next undamaged chunk for which `wants` says yes by its header; PROF_EMPTY: there is none.  PROF_NO_MEMORY. */
prof_status prof_raw_next(prof_raw *, bool (*wants)(void *context, uint64_t offset, const struct prof_format_chunk *),
                          void *context, struct prof_diag *, struct prof_raw_chunk *out) PROF_MUST_CHECK;

/* Its payload, unpacked; lives until the next call. */
prof_status prof_raw_unpack(prof_raw *, const struct prof_raw_chunk *, struct prof_diag *,
                            const uint8_t **payload) PROF_MUST_CHECK;

#endif
