/*
 * tools/record/process_text.h - small texts that the kernel has of a process (proc(5)).
 */
#ifndef PROF_RECORD_PROCESS_TEXT_H
#define PROF_RECORD_PROCESS_TEXT_H

#include <stddef.h>
#include <sys/types.h>

/* Reads /proc/PID/NAME, and a NUL behind it; the number of bytes, 0: it can't be read. */
size_t prof_process_text(pid_t, const char *name, char *text, size_t bytes);
/* The value of a line of /proc/PID/status, from "\nName:"; "": there is none. */
const char *prof_process_line(const char *text, const char *name);

#endif
