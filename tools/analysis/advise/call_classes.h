/*
 * tools/analysis/advise/call_classes.h - what a function of a library is for, by its name.
 */
#ifndef PROF_ANALYSIS_CALL_CLASSES_H
#define PROF_ANALYSIS_CALL_CLASSES_H

#include <stddef.h>

enum prof_call_class {
  PROF_CALL_ALLOCATION, /* malloc, free, operator new, ... */
  PROF_CALL_LENGTH,     /* strlen */
  PROF_CALL_LOCK,       /* pthread_mutex_lock, ... */
  PROF_CALL_SLEEP,      /* pthread_cond_wait, poll, ...: waits for an event, not for a lock */
  PROF_CALL_WRITE,      /* write, send, ... */
  PROF_CALL_READ,       /* read, recv, ... */
  PROF_CALL_YIELD,      /* sched_yield */
  PROF_CALL_UNWIND,     /* throws and catches */
  PROF_CALL_THREAD,     /* makes a thread */
};
#define PROF_CALL_CLASSES 9
#define PROF_CALL_OTHER PROF_CALL_CLASSES

/* PROF_CALL_OTHER: of none.  Prefixes and suffixes of libc's own names ("__GI___libc_malloc", "strlen_avx2") count. */
enum prof_call_class prof_call_class_of(const char *name, size_t bytes);

#endif
