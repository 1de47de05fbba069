/*
 * tools/analysis/counter_sums.h - what hardware counters counted, summed by function, loop, line, path or group.
 *
 * Job: the one estimate behind `prof counters` and the columns of counters in other tables.  In: a recording made with
 * --counters, and what a key is.  Out: two figures per key and counter: its own part, and with callees.  Figures that
 * follow from two counters (instructions per cycle) are ratios of these sums.
 */
#ifndef PROF_ANALYSIS_COUNTER_SUMS_H
#define PROF_ANALYSIS_COUNTER_SUMS_H

#include "analysis/lines/line_parts.h"
#include "analysis/tree_grow.h"
#include "estimate/counted.h"
#include "names/names.h"
#include "prof_study.h"
#include "study/line_source.h"

enum prof_counters_by {
  PROF_COUNTERS_BY_FUNCTION, /* keys: functions, the unknown one last */
  PROF_COUNTERS_BY_LOOP,     /* loops */
  PROF_COUNTERS_BY_LINE,     /* indices into `lines` */
  PROF_COUNTERS_BY_MODULE,   /* modules whose code ran, no module last */
  PROF_COUNTERS_BY_GROUP,    /* `index` of rows of prof_functions_rank */
  PROF_COUNTERS_BY_PATH,     /* indices into `paths` */
};

struct prof_counter_keys { /* what a key is */
  enum prof_counters_by by;
  enum prof_group group;                    /* of BY_GROUP */
  const struct prof_line_source *source;    /* of BY_LINE, */
  bool inlined_at;                          /* ... as in prof_line_options */
  const struct prof_process_groups *groups; /* of BY_PATH: the first level; NULL: none, */
  bool loops;                               /* ... and loops are nodes */
};

struct prof_counter_sum {
  double shown; /* in keys */
  double own;   /* in the profiler's code in the program */
  double other; /* in threads without events, outside of calls, and by loop outside of loops */
};

struct prof_counter_sums {
  const struct prof_pmu *counters; /* the trace's */
  uint32_t counter_count;
  struct prof_counter_sum *sums; /* by counter */
  size_t keys;
  PROF_VEC(double) self;        /* by key and counter */
  double *total;                /* likewise; recursion counts once; NULL: by line and module */
  struct prof_line_parts lines; /* texts live as long as names and source */
  struct prof_growing paths;
  uint32_t unknown; /* key of a row with index PROF_NONE */
};

/* PROF_EMPTY: no calls are left, or the recording has no counters.  Free *out, after a failure too. */
prof_status prof_counter_sums_make(const prof_trace *, const struct prof_filter *, struct prof_names *,
                                   const struct prof_counter_keys *, struct prof_diag *,
                                   struct prof_counter_sums *out) PROF_MUST_CHECK;
void prof_counter_sums_free(struct prof_counter_sums *);

/* Figures of a key, by counter; NULL: nothing was counted there (or the sums have no totals). */
const double *prof_counter_self(const struct prof_counter_sums *, uint32_t key);
const double *prof_counter_total(const struct prof_counter_sums *, uint32_t key);

/* Keys; PROF_NONE: there is none.  parent: the key of the node above, 0 above the outermost calls. */
uint32_t prof_counter_row_key(const struct prof_counter_sums *, uint32_t row_index);
uint32_t prof_counter_line_key(const struct prof_counter_sums *, const char *file, uint32_t line, const char *function);
uint32_t prof_counter_path_key(const struct prof_counter_sums *, uint32_t parent, uint32_t function);

/* ---- ratios ---- */

struct prof_counter_ratio {
  const char *key, *title;
  const char *word;          /* for -f and -s */
  const char *above, *below; /* names of counters */
  double times;              /* 1: a ratio of two; 1000: per thousand */
  bool is_share;
};
/* By index; NULL: no more. */
const struct prof_counter_ratio *prof_counter_ratio(uint32_t index);
/* The index of a counter that counted, by name, whatever follows ":"; UINT32_MAX: none. */
uint32_t prof_counter_find(const struct prof_pmu *, uint32_t count, const char *name);
/* Both counters of the ratio counted. */
bool prof_counter_has_ratio(const struct prof_pmu *, uint32_t count, const struct prof_counter_ratio *);
/* Of figures by counter.  false: nothing was counted below the line. */
bool prof_counter_ratio_of(const struct prof_pmu *, uint32_t count, const struct prof_counter_ratio *,
                           const double *figures, double *out);
/* Not known exactly: the counter, or one of the ratio, took turns. */
bool prof_counter_takes_turns(const struct prof_pmu *);
bool prof_counter_ratio_is_estimated(const struct prof_pmu *, uint32_t count, const struct prof_counter_ratio *);

#endif
