/*
 * tools/fold/caller_scan.h - which calls a call of a --caller function was made in.  For shown.c and walk_stream.c.
 *
 * Job: a filter by callers shows a call if a function of its patterns is called within it.  That is known later than
 * its entry, maybe in another chunk.  So each chunk is read once before: in which of the frames that are open where it
 * begins and ends was one called?  Of a stack these are always the outermost ones, so that a depth says it.
 *
 *   chunk k     main( parse(            first 1: main   low 1: left down to main   last 3: main, parse, next
 *   chunk k+1               next() ...  and its own entries, each with a byte
 *
 * Calls of the functions count within the filter's range only.  Frames that a chunk lists because recording resumes
 * there, or because the thread was forked in them, always lead to one: their own entries aren't this stream's.
 */
#ifndef PROF_FOLD_CALLER_SCAN_H
#define PROF_FOLD_CALLER_SCAN_H

#include "base/vec.h"
#include "fold/filter.h"
#include "proftrace.h"

struct prof_caller_ends { /* of a chunk */
  uint64_t begin;         /* so many of the frames that it lists lead to a call of the functions, here or elsewhere */
  uint64_t end;           /* so many of those that are open in the end do in a later chunk */
};

struct prof_caller_frame {
  uint32_t entry; /* of the chunk; PROF_NONE: listed */
  bool is_one;    /* of the functions */
};

struct prof_caller_scan {  /* of one chunk at a time; zeroed at first */
  PROF_VEC(uint8_t) edges; /* of the chunk: 1: of the functions */
  PROF_VEC(struct prof_caller_frame) stack;
  PROF_VEC(uint8_t) leads; /* by entry: 1: to a call of the functions */
  size_t known;            /* so many of the stack's outermost frames lead there */
  uint64_t beyond;         /* frames deeper than those of `stack` */
  uint64_t low;            /* so many of the listed frames are still open */
  uint64_t first, last;    /* so many of the listed frames, and of the open ones, lead there within the chunk */
  uint32_t next;           /* entry */
  uint32_t gone;           /* so many listed ones were left around others; those count as if they were still inside */
};

void prof_caller_scan_fini(struct prof_caller_scan *);

/* Reads the loaded chunk.  `after`: prof_caller_ends.end.  false: no memory. */
bool prof_caller_scan_chunk(struct prof_caller_scan *, const prof_trace *, const struct prof_filter *,
                            const struct prof_chunk *, uint64_t after) PROF_MUST_CHECK;

/* Whether the next entry of the chunk leads to a call of the functions. */
static inline bool prof_caller_scan_next(struct prof_caller_scan *scan) {
  return scan->next < scan->leads.count && scan->leads.items[scan->next++];
}

/*
 * Of all chunks of the threads that the filter shows, by chunk.  One that can't be read is a hole.  workers: at least
 * 1.  NULL: no memory; the caller frees.
 */
struct prof_caller_ends *prof_caller_ends_all(const prof_trace *, const struct prof_filter *, unsigned workers);

/* Of a thread's chunks from position `first` on, by position less `first`.  NULL: no memory; the caller frees. */
struct prof_caller_ends *prof_caller_ends_thread(const prof_trace *, const struct prof_filter *, uint32_t thread,
                                                 uint32_t first);

#endif
