/*
 * tools/record/process_stat.h - what the kernel tells of a process in /proc/PID/stat (proc(5)).
 *
 * A program's name stands there in parentheses and may have spaces and parentheses itself.  CPU times come in steps of
 * the kernel's clock, 10 ms as a rule.  Takes no memory, so a child of a process with threads may call it.
 */
#ifndef PROF_RECORD_PROCESS_STAT_H
#define PROF_RECORD_PROCESS_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_process_stat {
  char state; /* 'R': runs; 'S', 'D': waits; 'T', 't': is stopped; 'Z': has ended; ... */
  uint64_t minor_faults, major_faults;
  uint64_t user_ns, system_ns;             /* of all its threads */
  uint64_t child_user_ns, child_system_ns; /* of children that it waited for */
  uint64_t begin_ns;                       /* when it began: since the machine's start, CLOCK_BOOTTIME */
};

/* Of the file's text, NUL-terminated.  False: it isn't of that form; *out is unchanged. */
bool prof_process_stat_parse(const char *text, struct prof_process_stat *out);
/* Of the file of that path, in /proc or a copy of it.  False: it can't be read, as the process is gone. */
bool prof_process_stat_read(const char *path, struct prof_process_stat *out);
/* Of a process.  False: there is none. */
bool prof_process_stat_of(pid_t, struct prof_process_stat *out);

#endif
