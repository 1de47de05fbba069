/*
 * tools/record/keep/kept_functions.h - the user's filters while recording, as rules for matchers (match/keep.h).
 *
 * In: patterns (names/name_patterns.h); each function that a module or a process brings, with its number in
 * prof_site_map.  Used by the pump only.
 */
#ifndef PROF_RECORD_KEPT_FUNCTIONS_H
#define PROF_RECORD_KEPT_FUNCTIONS_H

#include "base/vec.h"
#include "match/matcher.h"
#include "names/name_patterns.h"
#include "source/elf_module.h"

enum prof_kept_flag { /* of the command line: rows of a table in kept_functions.c */
                      PROF_KEPT_ONLY = 0,
                      PROF_KEPT_WITHOUT,
                      PROF_KEPT_UNDER,
                      PROF_KEPT_FILE,
                      PROF_KEPT_MODULE,
                      PROF_KEPT_CALLER,
                      PROF_KEPT_START,
                      PROF_KEPT_STOP,
                      PROF_KEPT_WATCH, /* this and the next ones filter nothing */
                      PROF_KEPT_ARGS,
                      PROF_KEPT_RET,
                      PROF_KEPT_FLAGS,
};

struct prof_kept_patterns { /* borrowed */
  const char *const *items;
  size_t count;
};

struct prof_kept_wish { /* all zero: every call is recorded */
  struct prof_kept_patterns patterns[PROF_KEPT_FLAGS];
  uint32_t depth;    /* 0: no limit */
  uint64_t min_ns;   /* shorter calls are left out */
  uint64_t watch_ns; /* of calls of WATCH that are a reason for a snapshot */
  uint64_t slow_ns;  /* of calls of ONLY or UNDER: faster ones are kept alone */
};

/* Does it choose calls?  WATCH, ARGS and RET don't. */
bool prof_kept_wanted(const struct prof_kept_wish *);
/* Are there patterns of ARGS or RET? */
bool prof_kept_has_values(const struct prof_kept_wish *);

#define PROF_KEPT_TEXT_BYTES 4000
#define PROF_KEPT_MOST 32 /* patterns of a flag in a changed wish */

struct prof_kept_pattern {
  enum prof_kept_flag flag;
  const char *text;
  bool met;
  bool bare;     /* ARGS, RET: matches a function whose values can't be recorded */
  bool unvalued; /* one of these has no values at all: it may have been compiled without them */
  struct prof_near_miss near;
};

struct prof_kept {
  bool on;
  const struct prof_kept_wish *wish; /* borrowed */
  struct prof_keep_rules rules;
  struct prof_matcher_watch watch;
  uint32_t followed; /* rules.switches that all threads know */
  bool may_be_quiet; /* functions that are never kept can be switched off */
  PROF_VEC(uint16_t) flags;
  PROF_VEC(struct prof_kept_pattern) patterns;
  struct prof_name_forms forms;
  char text[PROF_KEPT_TEXT_BYTES]; /* of a changed wish: its patterns lie here */
  const char *texts[PROF_KEPT_FLAGS][PROF_KEPT_MOST];
  struct prof_kept_wish changed;
  bool told; /* which patterns matched nothing */
};

/* wish: NULL or all zero: every call is recorded, and the others have no effect.  False: no memory. */
bool prof_kept_begin(struct prof_kept *, const struct prof_kept_wish *);
void prof_kept_fini(struct prof_kept *);

/*
 * Other filters hold from now on; functions have to be told again.  `fields`: KEY=VALUE, "\x1f" between two; the keys
 * only, without, only-under, file, module, caller, depth, and, in nanoseconds, time-filter, slower-than; others are
 * ignored. *text: the same for people.  False: no memory.
 */
bool prof_kept_change(struct prof_kept *, const char *fields, char text[PROF_KEPT_TEXT_BYTES]);

/* The clock's rate, again where it is known better. */
void prof_kept_clock(struct prof_kept *, uint64_t frequency_hz);

/* A function of prof_site_map; `module`: path of its program or library.  Its parts (loops) need no call.  `values`:
 * PROF_KEEP_ARGS and PROF_KEEP_RET if it has sleds for them. */
void prof_kept_function(struct prof_kept *, uint32_t number, const struct prof_function *, const char *module,
                        uint16_t values);

/* A loop of a function with PROF_KEEP_QUIET. */
void prof_kept_quiet_loop(struct prof_kept *, uint32_t number);

/* All functions of a module, numbered from `first` on. */
void prof_kept_module(struct prof_kept *, uint32_t first, const struct prof_elf_module *, const char *path);

/* What prof_site_map has for a site of this kind (wire/row.h).  `function`: a function or loop, counted from `first`,
 * with PROF_MATCHER_MAYBE; or PROF_MATCHER_NO_FUNCTION.  `kept` may be NULL. */
uint32_t prof_kept_site(const struct prof_kept *, uint32_t first, uint32_t function, uint32_t kind);

/* Can a call change what is kept of other threads? */
bool prof_kept_has_triggers(const struct prof_kept *);

/* Once: a line about the first pattern that matched nothing so far.  False: there is none, or it was told. */
bool prof_kept_unmet(struct prof_kept *, char *text, size_t text_bytes);

#endif
