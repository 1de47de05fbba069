/* running.h - what is known of a program's statements, by the pointer or name that stands for one. */
#ifndef PROF_MEASURES_RUNNING_H
#define PROF_MEASURES_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

struct prof_running { /* a statement; changed only by the thread that uses it */
  uint64_t key;       /* 0: free */
  uint32_t text;      /* number of its text; 0: not known */
  bool active;        /* it runs: since `begin`, for `took` so far */
  uint64_t begin, took, rows;
  const void *caller; /* that began it */
};

/* Of a pointer, and of a name that belongs to it. */
uint64_t prof_running_key(const void *of, const char *name);
/* NULL: it isn't known. */
struct prof_running *prof_running_find(uint64_t key);
/* The same; if it isn't known, a new one.  NULL: no room, or another thread is at it. */
struct prof_running *prof_running_add(uint64_t key, uint32_t text);
void prof_running_remove(uint64_t key);

#endif
