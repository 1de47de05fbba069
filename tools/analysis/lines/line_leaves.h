/*
 * tools/analysis/lines/line_leaves.h - each call path's self time by the lines of its samples.
 *
 * Job: for flamegraphs with lines as their leaves.  In: a profile with its samples and pauses, a line source.  Out:
 * leaves per node of the profile; a leaf is a line ("app.c:12"; for inlined code its own line), a function of an
 * uninstrumented library ("memcpy [libc.so.6]"), "[kernel]", "[unknown]", "[waiting]" or "[preempted]".  Libraries and
 * the kernel are under the line that called them, where samples have callers (outside.h).
 *
 * The last two are the time when a path's own code waited or was preempted: no sample was taken then.  Leaves are parts
 * of the requested kind of time.  The rest is split in proportion to the path's samples.  A path without samples keeps
 * that rest as self time, as it keeps the part of samples in instrumented code whose line isn't known.
 */
#ifndef PROF_ANALYSIS_LINE_LEAVES_H
#define PROF_ANALYSIS_LINE_LEAVES_H

#include "base/arena.h"
#include "estimate/profile.h"
#include "estimate/samples.h"
#include "names/names.h"
#include "study/line_source.h"

struct prof_line_leaf {
  uint32_t number;  /* of a frame, see below */
  uint64_t samples; /* 0 for "[waiting]" and "[preempted]" */
  uint64_t ticks;   /* all leaves of a node: at most its self time of that kind */
  uint32_t under;   /* number of the line that led to it, between the function and it; PROF_NONE: none is known */
};

struct prof_line_leaf_place {
  const char *file; /* "": in no file */
  uint32_t line;    /* 0: not known */
};

struct prof_line_leaf_chain { /* of inlined calls, innermost first: each but the last was inlined into the next */
  const struct prof_line_frame *frames;
  uint32_t count; /* 0: not known, or in no instrumented module */
};

struct prof_line_leaves {
  uint32_t first; /* number of the first leaf; after functions and loops (loop_frames.h) */
  uint32_t count; /* of names */
  char **names;
  struct prof_line_leaf_place *places;
  struct prof_line_leaf_chain *chains; /* by leaf, as names; NULL: not asked for */
  struct prof_line_leaf *items;        /* of node i: begin[i] to begin[i + 1] */
  uint32_t *begin;
  uint64_t samples;        /* in all items */
  struct prof_arena arena; /* of frames */
};

/*
 * chains: leaves are told apart by their chains of inlined calls, too; else a line is one leaf.  Names of files live as
 * long as the source.  PROF_NO_MEMORY with a diagnostic.
 */
prof_status prof_line_leaves_make(const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                                  const struct prof_line_source *, enum prof_time_kind, bool chains, struct prof_diag *,
                                  struct prof_line_leaves *out) PROF_MUST_CHECK;
void prof_line_leaves_free(struct prof_line_leaves *);

/* The leaf's name; NULL: no leaf has the number, or there are no leaves. */
static inline const char *prof_line_leaf_name(const struct prof_line_leaves *leaves, uint32_t number) {
  return leaves && number != PROF_NONE && number >= leaves->first && number - leaves->first < leaves->count
             ? leaves->names[number - leaves->first]
             : NULL;
}

#endif
