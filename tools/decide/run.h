/*
 * tools/decide/run.h - one run of a program, as decisions need it: what each function, zone, loop, line, command cost.
 *
 * Job: the figures of a recording that are compared with those of other runs; a baseline keeps nothing else
 * (baseline.h).  A run is the unit of all statistics: times within one run don't tell how runs differ.  Texts belong to
 * the run.  Ownership: the caller; prof_run_fini.
 *
 * Times are kept twice.  `raw_ns` includes the probes: it scatters least between runs, as nothing is estimated.
 * `self_ns` is without them: what a difference is a part of.
 */
#ifndef PROF_DECIDE_RUN_H
#define PROF_DECIDE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"
#include "prof_status.h"

enum prof_run_kind {
  PROF_RUN_FUNCTION,
  PROF_RUN_ZONE,
  PROF_RUN_LOOP,
  PROF_RUN_LINE,
  PROF_RUN_COMMAND,
  PROF_RUN_MEMORY, /* what a function allocated; it may have a row of its own, too */
  PROF_RUN_MEMORY_LINE,
};
#define PROF_RUN_TIMED_KINDS 5                  /* so many first ones; the others are of memory */
extern const char *const prof_run_kind_words[]; /* as in JSON and baselines; NULL-terminated */

struct prof_run_row {
  enum prof_run_kind kind;
  const char *name;   /* never "": of a loop "FUNCTION, loop 2", of a line "FUNCTION+3" */
  const char *file;   /* "": unknown.  Kind, name and the file's last part are the row's identity in all builds */
  uint32_t line;      /* where it stands in this build; 0: unknown */
  const char *caller; /* of a function: the one that calls it most often; "": none */
  uint64_t calls;     /* of a loop: iterations; 0: not known; of a line, a command: 0 */
  uint64_t raw_ns;    /* self time running, probes included */
  uint64_t self_ns;   /* the same without them */
  uint64_t waiting_ns;
  uint64_t preempted_ns;
  uint64_t events;   /* of probes whose cost lies in raw_ns */
  double median_ns;  /* of the self time of a call; 0: not known */
  double noise;      /* known relative standard error of self_ns, from samples; 0: it is measured */
  uint64_t total_ns; /* inclusive, elapsed, as the next; 0: not known */
  uint64_t p50_ns, p95_ns, p99_ns, max_ns;
  uint64_t bytes, peak_bytes; /* of memory, whose calls are allocations of the heap; lived at the program's peak */
};

/* What was recorded beside calls, or in their place: bits.  All of it changes what an event costs. */
enum { PROF_RUN_HAS_MEMORY = 1, PROF_RUN_HAS_LOCKS = 2, PROF_RUN_HAS_IO = 4, PROF_RUN_IS_SUMMARY = 8 };

struct prof_run {
  const char *path;    /* of the recording, or of the baseline */
  const char *command; /* what ran, words separated by blanks */
  const char *machine; /* "": unknown */
  uint64_t begin_ns;   /* since 1970 */
  uint64_t wall_ns, cpu_ns;
  uint64_t overhead_ns;                              /* CPU time that recording added */
  uint64_t raw_ns, self_ns, waiting_ns;              /* of all functions */
  uint64_t allocations, allocated_bytes, peak_bytes; /* of the heap; 0: not recorded (--memory) */
  double overhead_doubt; /* part of the removed probe overhead that may not be overhead, 0 to 1 */
  double clock_step_ns;
  unsigned measures;        /* PROF_RUN_HAS_ and so on */
  bool has_switches;        /* else times are elapsed ones */
  bool has_budget;          /* not all calls were recorded */
  unsigned budget_permille; /* of the CPU time; 0: none, or of an older baseline */
  bool incomplete;          /* it ended before the program, or events are missing */
  PROF_VEC(struct prof_run_row) rows;
  struct prof_index_map by_identity;
  struct prof_arena texts;
};

struct prof_run_wanted {
  bool loops, lines;
};

/* Reads a recording.  Nothing is held after a failure. */
prof_status prof_run_read(const char *path, const struct prof_run_wanted *, struct prof_diag *,
                          struct prof_run *out) PROF_MUST_CHECK;
void prof_run_fini(struct prof_run *);

/* Were both recorded so that their times can be compared? */
bool prof_run_same_way(const struct prof_run *, const struct prof_run *);

/* The index of the row of this identity; UINT32_MAX: the run has none. */
uint32_t prof_run_find(const struct prof_run *, const struct prof_run_row *);
/* Adds the row to that of its identity, which is made if it isn't there.  False: no memory. */
bool prof_run_add(struct prof_run *, const struct prof_run_row *);

/* A function's name without the marks of compilers' copies of it, which are that function.  Returns out. */
#define PROF_RUN_NAME_BYTES 4096
const char *prof_run_plain_name(char out[PROF_RUN_NAME_BYTES], const char *name);

/* A row of memory has allocations in the place of times. */
static inline bool prof_run_is_memory(enum prof_run_kind kind) {
  return kind == PROF_RUN_MEMORY || kind == PROF_RUN_MEMORY_LINE;
}

/* The last part of a path. */
const char *prof_run_base(const char *path);

#endif
