/*
 * tools/names/process_names.h - names of processes, and a search by name.
 *
 * A process of a trace is one program in one pid: after an exec another process has the pid.  Its name is the last part
 * of the program's path.  In: an opened trace.  Names live as long as it.
 */
#ifndef PROF_NAMES_PROCESS_NAMES_H
#define PROF_NAMES_PROCESS_NAMES_H

#include <stdbool.h>

#include "proftrace.h"

/* Path of the process's program, or of its parent's if unknown; "": not known. */
const char *prof_process_program(const prof_trace *, uint32_t process);

/* Never "": "[unknown]" if nothing is known. */
const char *prof_process_name(const prof_trace *, uint32_t process);

/*
 * What the process says it is: the name of its main thread if that is a title, as in "postgres: checkpointer" (servers
 * write such a title over their arguments, where ps reads it); else its name.
 */
const char *prof_process_title(const prof_trace *, uint32_t process);

/* A thread's name, or its process's name if it has none. */
const char *prof_thread_name(const prof_trace *, uint32_t thread);

/* Is the recording a part that shows none of its threads?  One without threads is shown. */
bool prof_process_is_hidden(const prof_trace *, uint32_t process);

/* Does a glob match the name or the path? */
bool prof_process_matches(const prof_trace *, uint32_t process, const char *pattern);

#endif
