/*
 * tools/study/shown_paths.h - source files as tables name them: one name for each file.
 *
 * Job: compilers name a file as it was given to them ("src/app.c", "../app.c"), debug information by its whole path.
 * Both are shown as given to the compiler, without "./" and "../", and so are headers beside such a file; other files
 * without the folder of the recording, or the root of the program's sources.  In: names of a trace.  Out: a part of the
 * path that was given.
 */
#ifndef PROF_STUDY_SHOWN_PATHS_H
#define PROF_STUDY_SHOWN_PATHS_H

#include "names/names.h"

struct prof_shown_paths;

/* Trace and names must outlive it.  NULL: no memory. */
struct prof_shown_paths *prof_shown_paths_new(const prof_trace *, struct prof_names *);
void prof_shown_paths_free(struct prof_shown_paths *);

/* Two files with the same name are told apart: the one that was asked for first has the short one. */
const char *prof_shown_path(struct prof_shown_paths *, const char *path);

#endif
