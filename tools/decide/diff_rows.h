/*
 * tools/decide/diff_rows.h - groups of runs, and what is found out about them: see diff.h.
 */
#ifndef PROF_DECIDE_DIFF_ROWS_H
#define PROF_DECIDE_DIFF_ROWS_H

#include "decide/run.h"

enum prof_side { PROF_OLD, PROF_NEW };

struct prof_run_group {
  struct prof_run *runs;
  size_t count;
};

enum prof_verdict { PROF_VERDICT_UNKNOWN, PROF_VERDICT_SAME, PROF_VERDICT_FASTER, PROF_VERDICT_SLOWER };
extern const char *const prof_verdict_words[];

enum prof_diff_metric {
  PROF_DIFF_RUNNING,
  PROF_DIFF_WAITING,
  PROF_DIFF_ALLOCATIONS, /* of the heap: this and the next are of memory */
  PROF_DIFF_BYTES,
  PROF_DIFF_PEAK, /* bytes that lived when the program's peak was */
};
#define PROF_DIFF_TIMES 2
extern const char *const prof_diff_metric_words[];

enum prof_diff_why {                     /* why a verdict is unknown */
                     PROF_WHY_NOISE,     /* too few runs for the noise: runs_needed */
                     PROF_WHY_FEW_RUNS,  /* under 3 a side */
                     PROF_WHY_ONE_SIDE,  /* the other side has no such row */
                     PROF_WHY_SOME_RUNS, /* not in every run, or without time in one */
                     PROF_WHY_MODES,     /* the two sides were recorded in different ways */
};

enum prof_guess { /* about a row's guess_name: */
                  PROF_GUESS_NONE,
                  PROF_GUESS_RENAMED,  /* the row's name on the old side */
                  PROF_GUESS_INLINED,  /* it was inlined into the row on the new side, and is counted with it on the old
                                          one */
                  PROF_GUESS_OUTLINED, /* the other way round */
};
extern const char *const prof_guess_words[];

struct prof_diff_row {
  const char *kind; /* "program", "everything", or of prof_run_kind_words */
  enum prof_diff_metric metric;
  const char *name, *file;
  uint32_t line[2];                       /* 0: unknown, or not there */
  size_t runs[2];                         /* that have it */
  double calls[2];                        /* means over these runs, as the next */
  bool calls_constant[2];                 /* all of them have so many */
  bool other_work;                        /* calls are constant on both sides, and differ: exact */
  double self_ns[2];                      /* running, or waiting; probe overhead removed */
  double amount[2];                       /* of memory: allocations or bytes */
  double p50_ns[2], p95_ns[2], p99_ns[2]; /* of calls, elapsed; medians over runs; 0: not known */
  double share;                           /* of the side where it is larger */
  enum prof_verdict verdict;
  enum prof_diff_why why;  /* of an unknown one */
  bool has_ratio;          /* the next are known, of the time per call: */
  double ratio, low, high; /* new by old, and its 95% interval */
  bool by_median;          /* of the median call, else of the mean one */
  bool by_samples;         /* much of its scatter is that of samples: longer runs tell as much as more of them */
  double changed_ns;       /* per run */
  size_t runs_needed;      /* a side, to show a change of `same`; 0: not known */
  enum prof_guess guess;
  const char *guess_name; /* "": none */
};

struct prof_diff_options {
  double same;      /* 0.05: within +-5% is the same */
  double margin;    /* a change must be beyond it; 0: 1%, or 2% if runs were not interleaved */
  double min_share; /* rows below on both sides are counted, not tested */
};

struct prof_diff {                     /* the program's name is a text of the runs */
  PROF_VEC(struct prof_diff_row) rows; /* without the program's: */
  struct prof_diff_row program, everything;
  PROF_VEC(struct prof_diff_row) memory; /* the program's first; names as of the rows */
  bool memory_differs;                   /* not all runs have it, so none is compared */
  bool has_everything;                   /* enough rows to tell it from single ones */
  bool interleaved;                      /* runs of the two sides took turns */
  double margin;
  size_t cold; /* rows under min_share */
  size_t tested, called;
  double strange[2]; /* share of each side's time in functions that the other doesn't have */
  struct prof_arena names;
  bool modes_differ, machines_differ, commands_differ, incomplete;
};

#endif
