/*
 * proftrace_pack.h - libproftrace: parts of programs and sources that `prof pack` put into a trace.
 *
 * Format: docs/trace-format.md, PACK.  Texts are bytes of other people's programs: escape them.
 */
#ifndef PROFTRACE_PACK_H
#define PROFTRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_trace;

#define PROF_PACKED_NO_LINES 1u   /* the module has no debug information */
#define PROF_PACKED_DAMAGED 2u    /* some of it could not be read */
#define PROF_PACKED_UNREADABLE 4u /* the module could not be read: `reason` */
#define PROF_PACKED_PARTS_GONE 8u /* a file with shared parts (dwz) was missing: functions may lack names */

struct prof_packed_frame {
  const char *function, *file; /* linkage name, path; NULL: unknown */
  uint32_t line, column;       /* 0: unknown */
};
struct prof_packed_address { /* its chain of inlined calls, innermost first */
  uint64_t address;          /* link-time */
  uint32_t first_frame, frame_count;
};
struct prof_packed_extent { /* the source of a function */
  uint64_t address;         /* link-time, of its first probe */
  const char *file;
  uint32_t first, last; /* lines */
};
struct prof_packed_lines { /* of one module */
  uint32_t module;         /* index */
  uint32_t flags;          /* PROF_PACKED_ */
  uint32_t splits_missing; /* .dwo files that were gone */
  int64_t built;           /* when the file was last changed, ns since 1970; INT64_MAX not known */
  const char *reason, *remedy;
  const struct prof_packed_address *addresses; /* ascending, each once */
  uint32_t address_count;
  const struct prof_packed_frame *frames;
  uint32_t frame_count;
  const struct prof_packed_extent *extents; /* ascending */
  uint32_t extent_count;
};
struct prof_packed_source {
  const char *path; /* as frames name it */
  int64_t changed;  /* when it was last changed, ns since 1970 */
  const char *text; /* a NUL follows it */
  size_t bytes;
};

struct prof_packed { /* in file order; the last of a module or path counts */
  const struct prof_packed_lines *lines;
  size_t line_count;
  const struct prof_packed_source *sources;
  size_t source_count;
};

/* Is there anything?  Takes no time. */
bool prof_trace_is_packed(const struct prof_trace *);

/* Bytes that the last chunk lacks because the file ends inside it.  Appended data begins behind so many zeros. */
uint64_t prof_trace_lacks_bytes(const struct prof_trace *);

/*
 * Reads it.  Damaged parts are left out and counted as damage of the trace.  PROF_NO_MEMORY.  Free *out with
 * prof_packed_free; it doesn't need the trace.
 */
prof_status prof_trace_packed(const struct prof_trace *, struct prof_diag *, struct prof_packed **out) PROF_MUST_CHECK;
void prof_packed_free(struct prof_packed *); /* NULL: nothing */

#ifdef __cplusplus
}
#endif
#endif
