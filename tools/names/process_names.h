/*
 * tools/names/process_names.h - names of processes for people, and processes by name.
 *
 * A process of a trace is one program in one pid: after an exec another one has the pid.  Its name is the last part of
 * the program's path.  In: an opened trace.  Names live as long as it.
 */
#ifndef PROF_NAMES_PROCESS_NAMES_H
#define PROF_NAMES_PROCESS_NAMES_H

#include <stdbool.h>

#include "proftrace.h"

/* Path of the program that the process runs, its parent's where its own isn't known; "": not known. */
const char *prof_process_program(const prof_trace *, uint32_t process);

/* Never "": "[unknown]" where nothing is known. */
const char *prof_process_name(const prof_trace *, uint32_t process);

/* The same of a thread: its own name, or its process' where it has none. */
const char *prof_thread_name(const prof_trace *, uint32_t thread);

/* Whether a glob matches the name or the path. */
bool prof_process_matches(const prof_trace *, uint32_t process, const char *pattern);

#endif
