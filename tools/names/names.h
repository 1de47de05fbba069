/*
 * tools/names/names.h - shown names of functions.
 *
 * Turns a trace's linkage names into shown names, demangled at the first request and kept.  In: an opened trace, which
 * must outlive it.  One thread at a time.  Names are bytes of other people's programs: views and exporters escape them.
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

#define PROF_ZONE_SUFFIX " [zone]"
#define PROF_ITERATION_SUFFIX " [iteration]" /* of a zone that is a loop's iterations */

/*
 * Never NULL; lives until prof_names_free.  A zone's name has one of these suffixes.  PROF_NONE and indices past the
 * end:
 * "[unknown]".  A loop, by its number (loop_frames.h): "loop FILE:LINE", FILE without its folders, then in brackets the
 * function that it was inlined from.
 */
const char *prof_names_function(struct prof_names *, uint32_t function);
/* The same, of a zone the name alone: for formats that state the kind beside it. */
const char *prof_names_plain(struct prof_names *, uint32_t function);
bool prof_names_is_zone(const struct prof_names *, uint32_t function); /* iterations too */
bool prof_names_is_iteration(const struct prof_names *, uint32_t function);
/* "zone", "iteration" or, of anything else, NULL. */
const char *prof_names_kind(const struct prof_names *, uint32_t function);
bool prof_has_zones(const prof_trace *);
bool prof_has_iterations(const prof_trace *);
/*
 * Views.  prof_names_view: functions [0, count) of which `shown` is not 0 are in a view of the recording, besides those
 * that were there before; another thread may call it.  prof_names_apart: the name for tables and pictures.  Where
 * another function in view has that name, it has the file too, as far as that tells them apart: "init (a.c)" (apart.h).
 * JSON, CSV and other formats take prof_names_function; patterns take both.
 */
void prof_names_view(struct prof_names *, const uint8_t *shown, size_t count);
const char *prof_names_apart(struct prof_names *, uint32_t function);
/* The function that has the loop in the source. */
const char *prof_names_loop_function(struct prof_names *, uint32_t loop);
/* The shown name of a linkage name that isn't in the trace; lives as long.  NULL: no memory. */
const char *prof_names_other(struct prof_names *, const char *linkage_name);

/*
 * Applies these rules (base/path_map.h) to files and modules.  The rules are borrowed; call it before any file or
 * module is requested.
 */
void prof_names_map_paths(struct prof_names *, const struct prof_path_rule *, size_t count);
/* A path by the rules, which lives as long as the names; `path` itself if no rule matches. */
const char *prof_names_path(struct prof_names *, const char *path);

/* Gives the groups' frames (process_groups.h) their titles; the groups must live as long. */
void prof_names_take_groups(struct prof_names *, const struct prof_process_groups *);

/* Sets the name of unknown functions; the text must live as long. */
void prof_names_call_unknown(struct prof_names *, const char *text);

/* These three also take a loop, by its number.  "": unknown */
const char *prof_names_file(struct prof_names *, uint32_t function);
uint32_t prof_names_line(const struct prof_names *, uint32_t function);
/* Path of its module; "": unknown. */
const char *prof_names_module(struct prof_names *, uint32_t function);

/* A function's name.  A parallel region's function (parallel.h) is "OWNER [parallel region, FILE:LINE]", unless linkage
 * names are requested.  `buffer` and result as below. */
const char *prof_name_of(const struct prof_function *, enum prof_demangle, struct prof_name_buffer *);

/*
 * Demangles one name of a trace (struct prof_function).  `buffer` is used and grown; the result points into it, or is
 * `name` itself if nothing changes or there is no memory.
 */
const char *prof_name_demangle(const char *name, uint16_t language, enum prof_demangle, struct prof_name_buffer *);

#endif
