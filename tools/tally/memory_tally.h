/*
 * tools/tally/memory_tally.h - allocations by what they are grouped by, event after event.
 *
 *    events in time order -> live blocks -> sums per group
 *
 * Job: what all questions about memory share.  A group is a site (call_sites.h), a class of sizes, a zone or a request.
 * Blocks of the filter's own only; what is given back elsewhere is taken off all the same.
 *
 * A process has the blocks that it allocated.  What a forked process has from its parent is the parent's: it counts
 * once, and giving it back in the child changes nothing.  When a process ends or execs, its blocks live no longer, but
 * for those that a forked child goes on with: they are the child's from then on (process_ends.h, heir).
 */
#ifndef PROF_TALLY_MEMORY_TALLY_H
#define PROF_TALLY_MEMORY_TALLY_H

#include "tally/call_sites.h"
#include "tally/live_blocks.h"
#include "tally/process_ends.h"

enum prof_memory_by {
  PROF_MEMORY_BY_PLACE,
  PROF_MEMORY_BY_SIZE,    /* powers of two */
  PROF_MEMORY_BY_ZONE,    /* the innermost one around the allocation */
  PROF_MEMORY_BY_REQUEST, /* likewise */
};

struct prof_memory_figures {
  uint64_t calls, bytes;
  uint64_t live_calls, live_bytes; /* not given back when their process ended, or the recording */
  uint64_t peak_bytes;             /* that lived when all shown allocations together had their peak */
  uint64_t temporary;              /* calls whose block was given back before the thread allocated another */
};

struct prof_memory_group {
  bool mapped;                     /* by mmap: not part of the heap */
  bool none;                       /* in no zone, of no request */
  uint64_t key;                    /* of a place its site; the class; the zone's function; the request's id */
  struct prof_memory_figures sum;  /* live_: now.  Whole after prof_memory_tally_settle */
  uint64_t left_bytes, left_calls; /* of processes that ended */
  uint64_t low_bytes;              /* least that lived since its reader set it */
  uint64_t seen_peak;              /* the number of the last peak that it knows of */
};

struct prof_memory_total { /* of the heap, or of what is mapped */
  uint64_t live_bytes, peak_bytes, peak_count, peak_ticks;
};

struct prof_memory_thread {
  uint64_t serial;                 /* allocations so far */
  struct prof_live_block resizing; /* realloc is at work on it; address 0: on none, or on an unknown one */
};

struct prof_memory_tally {
  enum prof_memory_by by;
  bool sized; /* by place: and by class of sizes; a group's key is 128 times its site, and the class */
  const struct prof_measured_paths *paths; /* of the walk */
  const struct prof_names *names;          /* NULL: not by zone */
  const struct prof_process *processes;
  PROF_VEC(struct prof_memory_group) groups;
  struct prof_index_map known;        /* of groups that are no places */
  struct prof_call_sites sites;       /* by place: one per group, in the same order; not if it is sized */
  PROF_VEC(uint32_t) zones;           /* per node of the paths: the zone that it is in, PROF_NONE: none */
  struct prof_memory_total totals[2]; /* of the heap, of what is mapped */
  uint64_t frees, unknown_frees;      /* unknown: of blocks from before the recording, or of a parent process */
  uint64_t calls, bytes, freed_bytes; /* of shown blocks of the heap; freed: also by a process' end */
  uint64_t live_processes;            /* that left shown blocks of the heap; after prof_memory_tally_settle */
  bool recorded;                      /* there was an allocation */
  struct prof_live_blocks (*live)[2]; /* per process, and one for unknown ones: of the heap, of what is mapped */
  size_t process_count, thread_count;
  uint64_t block_count, most_blocks; /* that live; most: no more are followed, 0: no limit */
  uint64_t unfollowed_calls, unfollowed_bytes;
  struct prof_process_ends ends;
  size_t past;              /* so many processes ended */
  uint64_t handed_bytes[2]; /* of the heap, of what is mapped: that the heir of the one that ended last got */
  struct prof_memory_thread *threads;
};

/* names: needed by zone.  paths: what the walk fills (fold/measured.h).  False: no memory; free it in any case. */
bool prof_memory_tally_init(struct prof_memory_tally *, const prof_trace *, enum prof_memory_by,
                            const struct prof_names *names, const struct prof_measured_paths *paths);
void prof_memory_tally_fini(struct prof_memory_tally *);
/*
 * Of one that is all zero, or was before: it goes on with so many threads and processes.  The table of processes is
 * borrowed; `ends`, which it takes over, are those that come.  False: no memory.
 */
bool prof_memory_tally_go_on(struct prof_memory_tally *, const struct prof_process *, size_t process_count,
                             size_t thread_count, struct prof_process_ends *ends);
/* Forgets all sums; blocks from before are those of hidden allocations then. */
void prof_memory_tally_clear(struct prof_memory_tally *);
/* What a group has had at the peak is in its sum. */
void prof_memory_group_settle(const struct prof_memory_tally *, struct prof_memory_group *);
/* The group of this key, which is added if need be; not by place, but for a sized one.  UINT32_MAX: no memory. */
uint32_t prof_memory_group_meet(struct prof_memory_tally *, const struct prof_memory_group *);
/* The key of the group that an allocation of a class of sizes (see below) belongs to, in no request; by place: its
 * site.  `none` of the group is set.  False: no memory. */
bool prof_memory_group_key(struct prof_memory_tally *, uint32_t node, uint64_t class, struct prof_memory_group *);
/* False: no memory. */
bool prof_memory_tally_take(struct prof_memory_tally *, const struct prof_measured *);
/* Takes off the blocks of the next process that ended before this time; *end: that one, or NULL: there is none.  An
 * event does so for all that ended before it.  False: no memory. */
bool prof_memory_tally_end(struct prof_memory_tally *, uint64_t before_ticks, const struct prof_process_end **end);
/* Of all of them. */
bool prof_memory_tally_end_all(struct prof_memory_tally *, uint64_t before_ticks);
/* How many processes that go on have shown blocks of the heap. */
uint64_t prof_memory_tally_living(const struct prof_memory_tally *);
/* When all events are taken: the sums of all groups are whole. */
void prof_memory_tally_settle(struct prof_memory_tally *);

/* Sizes of a class: from 2^(class-1) to 2^class - 1 bytes; of class 0 only 0.  Of class 65: 0, that is 2^64. */
static inline uint64_t prof_memory_class_least(uint64_t class) {
  return class > 64 ? 0 : class ? 1ull << (class - 1) : 0;
}

#endif
