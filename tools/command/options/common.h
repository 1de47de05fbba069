/*
 * tools/command/options/common.h - the options that all readers of a trace share.
 *
 * A command with `filters` has a struct prof_common first in its settings.  reader.h turns it into an open trace and a
 * filter; output.h into a stream.
 */
#ifndef PROF_COMMAND_COMMON_H
#define PROF_COMMAND_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/path_map.h"
#include "command/command.h"
#include "estimate/time_kind.h"
#include "study/recording.h"
#include "values.h"

#define PROF_DEFAULT_INPUT "prof.data"
#define PROF_LEAST_WIDTH 60    /* columns */
#define PROF_DEFAULT_WIDTH 200 /* columns without a terminal */

#define PROF_DEFAULT_MEMORY ((uint64_t)1 << 30) /* bytes */

enum prof_format { PROF_FORMAT_TABLE, PROF_FORMAT_JSON, PROF_FORMAT_CSV };
enum prof_color { PROF_COLOR_AUTO, PROF_COLOR_ALWAYS, PROF_COLOR_NEVER };

struct prof_common {
  const char *input;
  bool has_input; /* -i was given */
  struct prof_texts only, without, under, files, modules, callers, commands;
  struct prof_counts tids, pids;
  uint64_t max_memory; /* bytes that call paths may take; 0: no limit */
  bool has_memory;     /* --max-memory was given */
  uint32_t depth;      /* 0: no limit */
  uint64_t min_ns;     /* 0: no limit */
  struct prof_range range;
  bool loops;       /* --loops, in the commands that have it */
  bool lines;       /* --lines, likewise */
  bool part_told;   /* set by commands that read it again: no line on the part that is read */
  bool loops_apart; /* set by commands that need loops' figures, but don't show loops as levels */
  struct prof_path_rule *path_rules;
  size_t path_rule_count;
  enum prof_format format;
  enum prof_demangle demangle;
  enum prof_color color;
  bool no_pager, has_width;
  uint64_t width; /* columns of a line of a table; 0: no limit */
  bool verbose;   /* how figures were computed, above tables */
  bool has_time;  /* --time was given */
  enum prof_time_kind time;
  enum prof_split split; /* --by */
  bool raw;              /* times as measured, with probe overhead */
};

extern const struct prof_option prof_common_options[]; /* the rows; their settings begin with struct prof_common */

#define PROF_COMMON(member) PROF_MEMBER(struct prof_common, member)

/* Rows that several commands have, but not all. */
#define PROF_COMMON_LOOPS                                                                                              \
  {                                                                                                                    \
    "loops", 0, NULL, "show loops too, as calls of the functions that they are in", PROF_OPTION_FLAG,                  \
        PROF_COMMON(loops)                                                                                             \
  }
#define PROF_COMMON_LINES                                                                                              \
  { "lines", 0, NULL, "add lines as innermost frames, by samples", PROF_OPTION_FLAG, PROF_COMMON(lines) }
/* For trees, and for tables that are shown once for each process or command. */
#define PROF_COMMON_BY(help)                                                                                           \
  {                                                                                                                    \
    "by", 0, NULL, help, PROF_OPTION_WORD, PROF_COMMON(split), .low = PROF_SPLIT_PROCESS,                              \
                                                               PROF_WORDS("process", "command")                        \
  }
#define PROF_COMMON_TIME_AS(help)                                                                                      \
  {                                                                                                                    \
    "time", 0, NULL, help, PROF_OPTION_WORD, PROF_COMMON(time),                                                        \
        .given = offsetof(struct prof_common, has_time), .take = prof_common_check_time, .words = prof_time_words      \
  }
#define PROF_COMMON_TIME PROF_COMMON_TIME_AS("time that SELF, shares and order show (default: running)")
#define PROF_COMMON_INPUT(help)                                                                                        \
  {                                                                                                                    \
    "input", 'i', "DIR", help, PROF_OPTION_TEXT, PROF_COMMON(input),                                                   \
        .given = offsetof(struct prof_common, has_input), .low = 1,                                                    \
        .remedy = "give the folder of a recording, as in -i prof.data"                                                 \
  }
#define PROF_COMMON_TID(help)                                                                                          \
  { "tid", 0, "TID,...", help, PROF_OPTION_COUNTS, PROF_COMMON(tids), .low = 1 }
#define PROF_COMMON_PID(help)                                                                                          \
  { "pid", 0, "PID,...", help, PROF_OPTION_COUNTS, PROF_COMMON(pids), .low = 1 }
#define PROF_COMMON_COMMAND(help)                                                                                      \
  { "command", 0, "GLOB", help, PROF_OPTION_TEXTS, PROF_COMMON(commands) }
#define PROF_COMMON_RANGE(help)                                                                                        \
  { "range", 0, "A~B", help, PROF_OPTION_RANGE, PROF_COMMON(range) }
#define PROF_COMMON_COLOR                                                                                              \
  {                                                                                                                    \
    "color", 0, NULL, "colour (default: only on a terminal, and not with NO_COLOR)", PROF_OPTION_WORD,                 \
        PROF_COMMON(color), PROF_WORDS("auto", "always", "never")                                                      \
  }
#define PROF_COMMON_WIDTH                                                                                              \
  {                                                                                                                    \
    "width", 0, "N", "limit lines to N columns; 0: no limit (default: the terminal's, or 200)", PROF_OPTION_COUNT,     \
        PROF_COMMON(width), .given = offsetof(struct prof_common, has_width), .low = PROF_LEAST_WIDTH, .high = 100000, \
                            .or_zero = true, .too_low = "is too narrow",                                               \
                            .remedy = "give at least 60 columns, or 0 for no limit"                                    \
  }
#define PROF_COMMON_NO_PAGER                                                                                           \
  { "no-pager", 0, NULL, "print directly, without a pager", PROF_OPTION_FLAG, PROF_COMMON(no_pager) }
#define PROF_COMMON_PATH_MAP                                                                                           \
  {                                                                                                                    \
    "path-map", 0, "OLD=NEW", "look for files recorded below OLD below NEW; may be repeated",                          \
        .take = prof_common_take_path_map                                                                              \
  }

extern const char *const prof_time_words[]; /* of the PROF_TIME_KINDS kinds, NULL-terminated */

prof_status prof_common_check_time(void *settings, const char *value, struct prof_diag *);
prof_status prof_common_take_path_map(void *settings, const char *value, struct prof_diag *);

void prof_common_init(struct prof_common *);
void prof_common_fini(struct prof_common *);

#endif
