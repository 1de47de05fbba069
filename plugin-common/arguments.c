/* arguments.c - see arguments.h.  A new argument is one row of `argument_rows`. */
#include "arguments.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct argument_row {
  const char *key;
  const char *value; /* its form in the help; NULL: takes none */
  size_t offset;     /* of its field in struct prof_arguments */
  /* returns NULL, or the value's fault (a static text) */
  const char *(*set)(void *field, const char *value, const char *form);
  const char *help; /* lines after the first are indented by the help itself */
};

static const char *set_globs(void *field, const char *value, const char *form) {
  (void)form;
  return prof_glob_list_add(field, value);
}

/* Is it FILE:LINE, not a name as in ns::f? */
static bool is_place(const char *pattern) {
  const char *colon = strrchr(pattern, ':');
  return colon && colon > pattern && colon[-1] != ':' && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

static const char *set_loops(void *field, const char *value, const char *form) {
  (void)form;
  struct prof_loop_globs *globs = field;
  struct prof_glob_list all = {0};
  const char *fault = prof_glob_list_add(&all, value);
  for (size_t i = 0; i < all.count && !fault; i++)
    fault = prof_glob_list_take(is_place(all.patterns[i]) ? &globs->places : &globs->functions, &all.patterns[i]);
  prof_glob_list_fini(&all);
  return fault;
}

static const char *set_hints(void *field, const char *value, const char *form) {
  (void)form;
  return prof_hint_list_read(field, value);
}

static const char *set_count(void *field, const char *value, const char *form) {
  (void)form;
  char *end;
  errno = 0;
  unsigned long count = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || count > UINT_MAX)
    return "not a whole number";
  *(unsigned *)field = (unsigned)count;
  return NULL;
}

/* The enumerator is the position of `value` among the words of `form`, which '|' separates. */
static const char *set_word(void *field, const char *value, const char *form) {
  unsigned position = 0;
  size_t length = strlen(value);
  for (const char *word = form; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL, position++)
    if (length == strcspn(word, "|") && !strncmp(word, value, length)) {
      *(unsigned *)field = position;
      return NULL;
    }
  return "none of these words";
}

static const char *set_lines(void *field, const char *value, const char *form) {
  enum prof_lines_mode mode = PROF_LINES_NONE, *to = field;
  const char *wrong = set_word(&mode, value, form);
  if (wrong)
    return wrong;
  if (*to != PROF_LINES_NONE && mode != PROF_LINES_NONE && *to != mode)
    return "the other of 'count' and 'time' was asked for before: for both, lines=count and time-functions=GLOB";
  *to = mode;
  return NULL;
}

static const char *set_path(void *field, const char *value, const char *form) {
  (void)form;
  char **path = field;
  if (!*value)
    return "an empty file name";
  free(*path);
  *path = strdup(value);
  return *path ? NULL : "out of memory";
}

static const char *set_flag(void *field, const char *value, const char *form) {
  (void)value;
  (void)form;
  *(bool *)field = true;
  return NULL;
}

#define FIELD(name) offsetof(struct prof_arguments, name)

static const struct argument_row argument_rows[] = {
    {"include", "GLOB[,GLOB...]", FIELD(include), set_globs,
     "Instrument only functions whose name matches.  May be given several times.\n"
     "A name is the source's (ns::f in C++), the linker's, or the last part alone."},
    {"exclude", "GLOB[,GLOB...]", FIELD(exclude), set_globs,
     "Leave functions out whose name matches, even those that `include` names."},
    {"include-file", "GLOB[,GLOB...]", FIELD(include_file), set_globs,
     "Instrument only functions of source files whose path, as given to the compiler, matches.\n"
     "A glob without '/' is also tried on the file name alone; '*' matches '/' too."},
    {"exclude-file", "GLOB[,GLOB...]", FIELD(exclude_file), set_globs,
     "Leave functions of these source files out, even those that `include-file` names."},
    {"min-statements", "N", FIELD(min_statements), set_count,
     "Leave functions out that have fewer than N statements after optimisation."},
    {"hints", "DIR|FILE", FIELD(hints), set_hints,
     "Leave functions out that a recording has found dense and dull: called very often, with little time of\n"
     "their own.  `prof hints` makes the list of them, in the recording's folder.  Not those with the attribute "
     "prof_probe."},
    {"probe", "all|annotated", FIELD(mode), set_word,
     "all (default), or only functions with the attribute prof_probe (PROF_PROBE in prof.h).\n"
     "An annotated function needs no include and no minimum; an exclude still leaves it out."},
    {"loops", "outer|all|none", FIELD(loops), set_word,
     "outer (default): outermost loops that are not trivially short, and counts of inner loops;\n"
     "all: every loop; none: no loop.  `#pragma prof loop` before a loop and a function's\n"
     "attribute prof_loops select loops whatever this argument is."},
    {"loop-counts", "cheap|all", FIELD(loop_counts), set_word,
     "Count iterations of loops inside an instrumented loop.  cheap (default): if the count follows\n"
     "from that loop or, in nests without calls, is known at entry; all: wherever possible."},
    {"loop-min-statements", "N", FIELD(loop_min_statements), set_count,
     "Leave loops out that have fewer than N statements, those of inner loops included."},
    {"lines", "none|count|time", FIELD(lines), set_lines,
     "none (default); count: count each line's executions, which costs time also while nothing\n"
     "is recorded; time: read the clock at each new line of instrumented functions, so that\n"
     "line times are measured, not sampled."},
    {"time-functions", "GLOB[,GLOB...]", FIELD(time_functions), set_globs,
     "Measure line times in functions whose name matches, whatever `lines` is; they are not inlined.\n"
     "The attribute prof_lines of a function does the same."},
    {"values", "GLOB[,GLOB...]", FIELD(values), set_globs,
     "Let `prof record --args --ret` record arguments and returned values of functions whose name\n"
     "matches; they are not inlined."},
    {"iterations", "GLOB[,GLOB...]", FIELD(iterations), set_loops,
     "Record each iteration of the outermost loops of functions whose name matches, or of the loop at a\n"
     "FILE:LINE, so that `prof report --by=iteration` and `prof slowest` show them.  These functions are\n"
     "not inlined."},
    {"flops", "none|count", FIELD(flops), set_word,
     "none (default); count: count floating-point operations and bytes of optimised code, which\n"
     "costs time also while nothing is recorded.  `prof loops --flops` shows them."},
    {"list", "FILE", FIELD(list_path), set_path,
     "Append a line for each function and loop that was compiled, separated by tabs:\n"
     "function, file:line, `probed`, `counted` (inner loops) or `skipped`, and the reason.  Inlined functions are\n"
     "absent."},
    {"help", NULL, FIELD(help), set_flag, "Print this help on stderr and compile."},
};

enum { argument_count = sizeof argument_rows / sizeof *argument_rows };

/* Levenshtein's distance (V. I. Levenshtein 1966) of short words; large for long ones. */
static unsigned word_distance(const char *a, const char *b) {
  enum { longest = 31 };
  size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > longest || b_length > longest)
    return UINT_MAX;
  unsigned row[longest + 1];
  for (unsigned j = 0; j <= b_length; j++)
    row[j] = j;
  for (unsigned i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b_length; j++) {
      unsigned above = row[j];
      unsigned best = diagonal + (a[i - 1] != b[j - 1]);
      best = above + 1 < best ? above + 1 : best;
      row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      diagonal = above;
    }
  }
  return row[b_length];
}

static void say_unknown(const char *key, struct prof_text *fault) {
  const char *nearest = NULL;
  unsigned nearest_distance = 4;
  prof_text_format(fault, "prof has no argument '%s'", key);
  for (unsigned i = 0; i < argument_count; i++) {
    unsigned distance = word_distance(key, argument_rows[i].key);
    if (distance < nearest_distance) {
      nearest = argument_rows[i].key;
      nearest_distance = distance;
    }
  }
  if (nearest)
    prof_text_format(fault, "; did you mean '%s'?  It has", nearest);
  else
    prof_text_add(fault, "; it has");
  for (unsigned i = 0; i < argument_count; i++)
    prof_text_format(fault, "%s %s", i ? "," : "", argument_rows[i].key);
}

bool prof_arguments_set(struct prof_arguments *arguments, const char *key, const char *value, struct prof_text *fault) {
  const struct argument_row *row = NULL;
  for (unsigned i = 0; i < argument_count; i++)
    if (!strcmp(argument_rows[i].key, key))
      row = &argument_rows[i];
  if (!row) {
    say_unknown(key, fault);
    return false;
  }
  if (row->value && !value) {
    prof_text_format(fault, "prof's argument '%s' needs a value: -fplugin-arg-prof-%s=%s", key, key, row->value);
    return false;
  }
  if (!row->value && value) {
    prof_text_format(fault, "prof's argument '%s' takes no value: -fplugin-arg-prof-%s", key, key);
    return false;
  }
  const char *wrong = row->set((char *)arguments + row->offset, value, row->value);
  if (wrong)
    prof_text_format(fault, "prof's argument '%s=%s' is %s; expected -fplugin-arg-prof-%s=%s", key, value, wrong, key,
                     row->value);
  return !wrong;
}

void prof_arguments_help(struct prof_text *text) {
  prof_text_add(text, "prof: arguments of the compiler plugin, each given as -fplugin-arg-prof-KEY=VALUE\n");
  for (unsigned i = 0; i < argument_count; i++) {
    const struct argument_row *row = &argument_rows[i];
    prof_text_format(text, "  %s%s%s\n", row->key, row->value ? "=" : "", row->value ? row->value : "");
    for (const char *line = row->help; *line;) {
      size_t length = strcspn(line, "\n");
      prof_text_format(text, "      %.*s\n", (int)length, line);
      line += length + (line[length] == '\n');
    }
  }
}

void prof_arguments_fini(struct prof_arguments *arguments) {
  prof_glob_list_fini(&arguments->include);
  prof_glob_list_fini(&arguments->exclude);
  prof_glob_list_fini(&arguments->include_file);
  prof_glob_list_fini(&arguments->exclude_file);
  prof_glob_list_fini(&arguments->time_functions);
  prof_glob_list_fini(&arguments->values);
  prof_glob_list_fini(&arguments->iterations.functions);
  prof_glob_list_fini(&arguments->iterations.places);
  prof_hint_list_fini(&arguments->hints);
  free(arguments->list_path);
  memset(arguments, 0, sizeof *arguments);
}
