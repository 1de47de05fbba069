/*
 * tools/names/names.h - names of functions as people want to read them.
 *
 * Job: linkage names of a trace -> shown names, demangled when first asked for and kept.  In: an opened trace, which
 * must outlive it.  Not for two threads at once.  Names are bytes of other people's programs: views and exporters
 * escape them.
 */
#ifndef PROF_NAMES_NAMES_H
#define PROF_NAMES_NAMES_H

#include "base/path_map.h"
#include "names/demangle.h"
#include "names/process_groups.h"
#include "prof_study.h"
#include "proftrace.h"

struct prof_names;

prof_status prof_names_new(const prof_trace *, enum prof_demangle, struct prof_names **out) PROF_MUST_CHECK;
void prof_names_free(struct prof_names *);

/*
 * Never NULL; lives until prof_names_free.  PROF_NONE and indices past the end: "[unknown]".  A loop, by its number
 * (loop_frames.h): "loop FILE:LINE", FILE without its folders, and in brackets the function that it was inlined from.
 */
const char *prof_names_function(struct prof_names *, uint32_t function);
/* The function that a loop stands in in the source. */
const char *prof_names_loop_function(struct prof_names *, uint32_t loop);
/* A linkage name that isn't the trace's, as the same people want to read it; lives as long.  NULL: no memory. */
const char *prof_names_other(struct prof_names *, const char *linkage_name);

/*
 * Files and modules are shown by these rules from now on (base/path_map.h).  The rules are borrowed; call it before any
 * file or module is asked for.
 */
void prof_names_map_paths(struct prof_names *, const struct prof_path_rule *, size_t count);
/* A path by the rules, one that lives as long as the names; `path` itself where none fits. */
const char *prof_names_path(struct prof_names *, const char *path);

/* Frames of groups (process_groups.h) have their titles from now on; the groups must live as long. */
void prof_names_take_groups(struct prof_names *, const struct prof_process_groups *);

/* What stands for functions that aren't known from now on; the text must live as long. */
void prof_names_call_unknown(struct prof_names *, const char *text);

/* These three also of a loop, by its number.  "" when unknown */
const char *prof_names_file(struct prof_names *, uint32_t function);
uint32_t prof_names_line(const struct prof_names *, uint32_t function);
/* Path of its module; "" when unknown. */
const char *prof_names_module(struct prof_names *, uint32_t function);

/* A function's name; one that was made of a parallel region (names_parallel.h) as "OWNER [parallel region, FILE:LINE]",
 * unless linkage names are asked for.  `buffer` and result as below. */
const char *prof_name_of(const struct prof_function *, enum prof_demangle, struct prof_name_buffer *);

/*
 * One name as a trace has it (struct prof_function).  `buffer` is used and grown; the result points into it, or is
 * `name` itself when there is nothing to change or no memory.
 */
const char *prof_name_demangle(const char *name, uint16_t language, enum prof_demangle, struct prof_name_buffer *);

#endif
