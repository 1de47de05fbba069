/*
 * tools/analysis/advise/advice.h - what could be faster, and by how much?
 *
 * Job: rules look for known faults in a recording.  Each is one file and a row of rules.c.  In: a fold with loops, its
 * samples, names and symbols, maybe the compiler's remarks.  Out: pieces of advice, the most rewarding first.  A rule
 * says nothing rather than guess: it needs evidence in the recording or in the program's code.
 *
 * Speed-up: by Amdahl, from the interval of the share of time and that of the factor by which the fix makes it faster.
 */
#ifndef PROF_ANALYSIS_ADVICE_H
#define PROF_ANALYSIS_ADVICE_H

#include "base/arena.h"
#include "base/vec.h"
#include "estimate/samples.h"
#include "import/remarks.h"
#include "study/recording.h"
#include "study/symbols.h"

enum prof_advice_unit { /* of a figure, or what its text is */
                        PROF_ADVICE_COUNT,
                        PROF_ADVICE_MEAN,
                        PROF_ADVICE_SHARE,
                        PROF_ADVICE_NS,
                        PROF_ADVICE_BYTES,
                        PROF_ADVICE_WORDS, /* the text alone */
};

struct prof_advice_figure { /* "<value> <text>" */
  enum prof_advice_unit unit;
  double value;
  const char *text;
};
#define PROF_ADVICE_FIGURES 6

enum prof_advice_priority { PROF_ADVICE_HIGH, PROF_ADVICE_MEDIUM, PROF_ADVICE_LOW };

struct prof_advice_rule;

struct prof_advice {
  const struct prof_advice_rule *rule;
  const char *title, *of, *check; /* NULL: the rule's */
  uint32_t function;              /* index; PROF_NONE: none */
  const char *where;              /* in its place, "main > step"; NULL: the function's name */
  const char *file;               /* "": unknown */
  uint32_t line;                  /* 0: unknown */
  struct prof_interval share;     /* of the time that the fix concerns, of the whole */
  double factor_low, factor_high; /* that time becomes so many times shorter; HUGE_VAL: it is gone */
  double speedup_low, speedup_high;
  enum prof_advice_priority priority;
  struct prof_advice_figure figures[PROF_ADVICE_FIGURES];
  uint32_t figure_count;
};

struct prof_evidence;

struct prof_advice_rule {
  const char *kind, *title;
  const char *of;                       /* the speed-up is of: "CPU time", "elapsed time" */
  const char *why;                      /* one or two sentences */
  const char *before, *after;           /* code, lines with LF */
  const char *check;                    /* a command and its options, as in "loops -F @"; @: the function's name */
  bool (*find)(struct prof_evidence *); /* false: no memory */
};
extern const struct prof_advice_rule *const prof_advice_rules[]; /* NULL-terminated */

struct prof_advice_options {
  double min_share;                   /* of the whole: less is not looked at */
  double min_speedup;                 /* advice whose speed-up is at most this is left out; 1.02 */
  const struct prof_remarks *remarks; /* NULL: none */
};
#define PROF_ADVICE_MIN_SHARE 0.05
#define PROF_ADVICE_MIN_SPEEDUP 1.02
#define PROF_ADVICE_MIN_SAMPLES 50u /* of all: with fewer, rules that need samples say nothing */

struct prof_hot_remark { /* a hot loop that is not vectorised, and the compiler's reason */
  uint32_t function;
  const char *file;
  uint32_t line;
  double share; /* of CPU time */
  const char *text;
};

struct prof_hot_wait {         /* what threads waited for long; only with --locks */
  const char *kind, *name;     /* "mutex", the lock's name; ... */
  const char *function, *file; /* where most of the time was waited */
  uint32_t line;
  uint64_t waits, wait_ns;
  double share;                     /* of the time of the threads that waited for it */
  double part;                      /* of wait_ns that was waited there */
  const char *holder, *holder_file; /* who held it for most of the time, where it was taken; NULL: nobody, or unknown */
  uint32_t holder_line;
  double holder_part; /* of wait_ns that was waited for it */
};

struct prof_advice_list { /* texts live as long as the list, symbols and names */
  PROF_VEC(struct prof_advice) items;
  PROF_VEC(struct prof_hot_remark) loops; /* the hottest first; only with remarks */
  PROF_VEC(struct prof_hot_wait) waits;   /* the longest first */
  bool has_waits;                         /* they were recorded */
  bool has_measures;                      /* of locks, memory, input and output */
  double idle_share;                      /* of the elapsed time, in which no thread had work; 0: not known */
  struct prof_arena texts;
  uint64_t samples;          /* that shares come from */
  uint32_t unread_functions; /* hot ones whose code could not be read */
};

/* The whole's speed-up where a share of its time becomes `factor` times faster. */
static inline double prof_advice_speedup(double share, double factor) {
  return 1 / (1 - share + share / factor);
}

#endif
