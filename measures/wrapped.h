/* wrapped.h - the table of a measure: which functions it wraps. */
#ifndef PROF_MEASURES_WRAPPED_H
#define PROF_MEASURES_WRAPPED_H

#include "measure.h"

struct prof_wrapped {
  const char *name;
  void *wrapper;
  void *real;      /* the definition that the loader binds; found at the start.  NULL: the program has none */
  bool by_pointer; /* libc or the loader call it by pointers that no relocation names */
};

/* Each ends in a row without a name. */
extern struct prof_wrapped prof_wrapped_memory[];
extern struct prof_wrapped prof_wrapped_locks[];
extern struct prof_wrapped prof_wrapped_waits[];
extern struct prof_wrapped prof_wrapped_openmp[];
extern struct prof_wrapped prof_wrapped_io[];
extern struct prof_wrapped prof_wrapped_datagrams[];
extern struct prof_wrapped prof_wrapped_queries[];
extern struct prof_wrapped prof_wrapped_input[]; /* of these what may block */
extern struct prof_wrapped prof_wrapped_datagram_input[];
extern struct prof_wrapped prof_wrapped_loading[]; /* these with every measure */
extern struct prof_wrapped prof_wrapped_seccomp[];

extern struct prof_measure_host prof_measure;

/* The address that the present function returns to. */
#define PROF_CALLER __builtin_return_address(0)

#endif
