/*
 * tools/trace/chunk_kinds.h - the number of chunks of each kind in a file, the expected number, and the names of kinds.
 *
 * The writer counts its chunks and writes the counts into END.  The reader counts what it finds, also damaged chunks,
 * and compares (docs/trace-format.md, END).  A kind at or beyond PROF_FORMAT_KINDS isn't counted.
 */
#ifndef PROF_TRACE_CHUNK_KINDS_H
#define PROF_TRACE_CHUNK_KINDS_H

#include "format.h"
#include "proftrace.h"

struct prof_payload;
struct prof_byte_reader;

struct prof_chunk_kinds {
  uint32_t found[PROF_FORMAT_KINDS], written[PROF_FORMAT_KINDS]; /* written: as in END; 0: none */
  struct prof_lacking lacking[PROF_FORMAT_KINDS];
  size_t lacking_count;
};

/* As in the format, "SAMPLES"; "unknown" for a later version's kind. */
const char *prof_chunk_kind_name(uint32_t kind);

static inline void prof_chunk_kinds_add(uint32_t counts[PROF_FORMAT_KINDS], uint32_t kind) {
  if (kind < PROF_FORMAT_KINDS)
    counts[kind]++;
}

/* The counts at the end of END.  A malformed or an older END has none. */
void prof_chunk_kinds_put(struct prof_payload *, const uint32_t counts[PROF_FORMAT_KINDS]);
void prof_chunk_kinds_take(struct prof_chunk_kinds *, struct prof_byte_reader *);
/* Call it after all chunks: fills `lacking`. */
void prof_chunk_kinds_settle(struct prof_chunk_kinds *);

#endif
