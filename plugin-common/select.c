/* select.c - see select.h.  A new rule is a reason, its test, and one row of `reason_rows`. */
#include "select.h"

#include <string.h>

struct reason_row {
  const char *text;
  bool (*holds)(const struct prof_arguments *arguments, const struct prof_candidate *function);
  bool yields_to_annotation; /* the attribute prof_probe outweighs it */
};

static bool begins_with_any(const char *name, const char *const *prefixes) {
  for (; *prefixes; prefixes++)
    if (!strncmp(name, *prefixes, strlen(*prefixes)))
      return true;
  return false;
}

static bool is_own(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  static const char *const prefixes[] = {"__prof_", "prof_runtime_", NULL};
  (void)arguments;
  return begins_with_any(function->assembler_name, prefixes);
}

static bool is_naked(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  (void)arguments;
  return function->obstacles & PROF_OBSTACLE_NAKED;
}

static bool is_resolver(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  (void)arguments;
  return function->obstacles & PROF_OBSTACLE_RESOLVER;
}

static bool is_not_to_instrument(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  (void)arguments;
  return function->obstacles & PROF_OBSTACLE_NO_INSTRUMENT;
}

/* Is it nvcc's registration code or a host stub?  Only the CUDA runtime calls them. */
static bool is_cuda_stub(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  static const char *const prefixes[] = {"__cuda", "__nv_", "__sti__", "__device_stub__", NULL};
  (void)arguments;
  if (begins_with_any(function->assembler_name, prefixes))
    return true;
  for (unsigned i = 0; i < PROF_FUNCTION_NAMES; i++)
    if (function->names[i] && begins_with_any(function->names[i], prefixes))
      return true;
  return false;
}

static bool name_matches(const struct prof_glob_list *globs, const struct prof_candidate *function) {
  if (prof_glob_list_match(globs, function->assembler_name))
    return true;
  for (unsigned i = 0; i < PROF_FUNCTION_NAMES; i++)
    if (function->names[i] && prof_glob_list_match(globs, function->names[i]))
      return true;
  return false;
}

static bool is_excluded(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return name_matches(&arguments->exclude, function);
}

static bool is_file_excluded(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return prof_glob_list_match_path(&arguments->exclude_file, function->file);
}

static bool is_not_annotated(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  (void)function;
  return arguments->mode == PROF_PROBE_ANNOTATED;
}

static bool is_not_included(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return arguments->include.count && !name_matches(&arguments->include, function);
}

static bool is_file_not_included(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return arguments->include_file.count && !prof_glob_list_match_path(&arguments->include_file, function->file);
}

static bool has_few_statements(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return function->statements < arguments->min_statements;
}

/* A clone of the optimiser's has a name of its own for the linker. */
static bool is_hinted(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  const struct prof_hint_list *hints = &arguments->hints;
  if (!hints->count)
    return false;
  const char *names[] = {function->assembler_name, function->source_name};
  const char *files[] = {function->recorded_file, function->file};
  for (int i = 0; i < 4; i++)
    if (names[i / 2] && files[i % 2] && prof_hint_list_has(hints, names[i / 2], files[i % 2]))
      return true;
  return false;
}

static const struct reason_row reason_rows[PROF_REASON_COUNT] = {
    [PROF_REASON_PROBED] = {"selected", NULL, false},
    [PROF_REASON_OWN] = {"part of prof itself", is_own, false},
    [PROF_REASON_NAKED] = {"attribute naked", is_naked, false},
    [PROF_REASON_RESOLVER] = {"resolver of an ifunc", is_resolver, false},
    [PROF_REASON_NO_INSTRUMENT] = {"attribute no_instrument_function", is_not_to_instrument, false},
    [PROF_REASON_CUDA_STUB] = {"stub of the CUDA compiler", is_cuda_stub, false},
    [PROF_REASON_EXCLUDED] = {"matches exclude", is_excluded, false},
    [PROF_REASON_FILE_EXCLUDED] = {"file matches exclude-file", is_file_excluded, false},
    [PROF_REASON_NOT_ANNOTATED] = {"no attribute prof_probe", is_not_annotated, true},
    [PROF_REASON_NOT_INCLUDED] = {"matches no include", is_not_included, true},
    [PROF_REASON_FILE_NOT_INCLUDED] = {"file matches no include-file", is_file_not_included, true},
    [PROF_REASON_FEW_STATEMENTS] = {"fewer statements than min-statements", has_few_statements, true},
    [PROF_REASON_HINTED] = {"dense and dull in the recording of hints", is_hinted, true},
};

enum prof_reason prof_select(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  for (int reason = PROF_REASON_PROBED + 1; reason < PROF_REASON_COUNT; reason++) {
    const struct reason_row *row = &reason_rows[reason];
    if (!(row->yields_to_annotation && function->annotated) && row->holds(arguments, function))
      return (enum prof_reason)reason;
  }
  return PROF_REASON_PROBED;
}

enum prof_times_choice prof_select_times(const struct prof_arguments *arguments,
                                         const struct prof_candidate *function) {
  if (function->wants_times || name_matches(&arguments->time_functions, function))
    return PROF_TIMES_NAMED;
  return arguments->lines == PROF_LINES_TIME && !arguments->time_functions.count ? PROF_TIMES_ALL : PROF_TIMES_NOT;
}

bool prof_select_values(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return name_matches(&arguments->values, function);
}

bool prof_select_iterations(const struct prof_arguments *arguments, const struct prof_candidate *function) {
  return name_matches(&arguments->iterations.functions, function);
}

bool prof_select_iterations_at(const struct prof_arguments *arguments, const char *file, uint32_t line) {
  struct prof_text place = {0};
  prof_text_format(&place, "%s:%u", file, line);
  bool found = prof_glob_list_match_path(&arguments->iterations.places, prof_text_string(&place));
  prof_text_fini(&place);
  return found;
}

const char *prof_reason_text(enum prof_reason reason) {
  return reason_rows[reason].text;
}
