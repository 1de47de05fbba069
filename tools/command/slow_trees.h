/*
 * tools/command/slow_trees.h - shows what ran in long calls and frames, for `prof slowest` and `prof frames`.
 */
#ifndef PROF_COMMAND_SLOW_TREES_H
#define PROF_COMMAND_SLOW_TREES_H

#include "analysis/slow_tree.h"
#include "base/json.h"
#include "base/member.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"

#define PROF_SLOW_MOST 10000
#define PROF_SLOW_MIN_SHARE 0.05 /* of the whole, in tables */

struct prof_slow_settings {
  struct prof_common common;
  bool has_count, has_min_share;
  uint64_t count;
  double min_share;
};
/* Options of a command with these settings.  what: help of --rows; least: of its number. */
#define PROF_SLOW_ROWS(what, least)                                                                                    \
  PROF_COMMON_LOOPS,                                                                                                   \
      {"rows",                                                                                                         \
       'n',                                                                                                            \
       "N",                                                                                                            \
       what,                                                                                                           \
       PROF_OPTION_COUNT,                                                                                              \
       PROF_MEMBER(struct prof_slow_settings, count),                                                                  \
       .given = offsetof(struct prof_slow_settings, has_count),                                                        \
       .low = least,                                                                                                   \
       .high = PROF_SLOW_MOST},                                                                                        \
  {                                                                                                                    \
    "min-share", 0, "PCT", "hide what took less than this share of the whole (default for tables: 5%)",                \
        PROF_OPTION_SHARE, PROF_MEMBER(struct prof_slow_settings, min_share),                                          \
        .given = offsetof(struct prof_slow_settings, has_min_share)                                                    \
  }

struct prof_slow_view {
  const struct prof_reader *reader;
  const struct prof_output *output;
  double min_share;
  const char *title;        /* of node 0; NULL: its function's name */
  uint64_t hidden, omitted; /* so far: paths under min_share; calls in no node */
};

static inline struct prof_slow_view prof_slow_view_of(const struct prof_slow_settings *settings,
                                                      const struct prof_reader *reader,
                                                      const struct prof_output *output) {
  return (struct prof_slow_view){.reader = reader,
                                 .output = output,
                                 .min_share = settings->has_min_share ? settings->min_share : PROF_SLOW_MIN_SHARE};
}
/* Prints when, where and how long, then the tree.  False: no memory. */
bool prof_slow_tree_show(struct prof_slow_view *, const struct prof_slow_tree *, size_t number);
/* Prints what was left out; what: "calls", "frames". */
void prof_slow_view_end(const struct prof_slow_view *, const char *what);

/* Members of an open object: thread, times, tree. */
void prof_slow_tree_json(const struct prof_reader *, const struct prof_slow_tree *, const char *title,
                         struct prof_json *);

const char *prof_slow_thread(const struct prof_reader *, const struct prof_slow_tree *);
uint32_t prof_slow_tid(const struct prof_reader *, const struct prof_slow_tree *);

#endif
