/*
 * tools/names/apart.h - tells functions of one name apart in a view, by the files that they are in.
 *
 *   init of a.c, init of b.c           init (a.c), init (b.c)
 *   init of x/util.c and y/util.c      init (x/util.c), init (y/util.c)
 *   f(int), f(char) of a.cc, short     f (a.cc:10), f (a.cc:20)
 *   main of two programs, no files     main (server), main (client)
 *
 * Where there is no other one of its name, a name stays as it is.  Where more than 500 have one name, they have whole
 * paths.
 */
#ifndef PROF_NAMES_APART_H
#define PROF_NAMES_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct prof_apart_name {     /* borrowed texts */
  const char *name;          /* as shown */
  const char *file, *module; /* paths; "": unknown */
  uint32_t line;             /* 0: unknown */
  uint32_t function;         /* the caller's */
  const char *apart;         /* out: the name, or a text of the arena */
};

/* Fills `apart` of each, and sorts them by name.  False: no memory, and all have their names. */
bool prof_apart_fill(struct prof_apart_name *, size_t count, struct prof_arena *);

#endif
