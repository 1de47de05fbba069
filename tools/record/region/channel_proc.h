/*
 * tools/record/region/channel_proc.h - reads a channel's thread in /proc, while it lives: name, title, CPU time,
 * executable.
 */
#ifndef PROF_RECORD_CHANNEL_PROC_H
#define PROF_RECORD_CHANNEL_PROC_H

#include "record/region/channel_state.h"

/* Its name.  false: none. */
bool prof_channel_comm(const struct prof_channel *, char *name, size_t name_bytes);
/* If it is the main thread of a process that runs this file: takes the title that the process has now, if it has one.
 * That is its first argument, where servers write what they do, for ps: "postgres: checkpointer". */
void prof_channel_look_title(struct prof_channel *, const char *executable);
/* CPU time since it began, ns.  false: not known. */
bool prof_channel_cpu_read(const struct prof_channel *, uint64_t *ns);

/* Does its process run this file?  Call it after reading its name: an exec changes the executable first. */
bool prof_channel_runs(const struct prof_channel *, const char *executable);
/* Does it run another file, after an exec?  Not if it has ended. */
bool prof_channel_runs_other(const struct prof_channel *, const char *executable);

#endif
