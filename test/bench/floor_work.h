/*
 * floor_work.h - what a library of floor_work.c gives to probe_floor.
 */
#ifndef PROF_BENCH_FLOOR_WORK_H
#define PROF_BENCH_FLOOR_WORK_H

#include "module.h"

enum floor_variant { FLOOR_PLAIN, FLOOR_CLOCK, FLOOR_OFF, FLOOR_ON, FLOOR_VARIANTS };

struct floor_work {
  int (*tiny[FLOOR_VARIANTS])(int);                       /* its argument plus one */
  long (*fib[FLOOR_VARIANTS])(int);                       /* Fibonacci number, by calling itself twice */
  struct prof_module_start (*start)(struct prof_hooks *); /* the library's rows, for the runtime */
};

#define FLOOR_WORK_SYMBOL "floor_work"
extern const struct floor_work floor_work;

#endif
