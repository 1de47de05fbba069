/*
 * test/support/synthetic.h - an endless, plausible stream of ring events, the same for the same settings.
 *
 * A program like an interpreter: a dispatcher calls functions by repeating scripts.  Each function has a fixed list of
 * callees, some of them under conditions that vary slowly.  The clock moves in steps (22, 23 or 45 ticks between close
 * readings, as measured on the target machines), or each reading has an error of up to `jitter_ticks`.
 */
#ifndef PROF_TEST_SYNTHETIC_H
#define PROF_TEST_SYNTHETIC_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct prof_synthetic_options {
  uint32_t functions;    /* 2 to 100,000; sites of function f: 1 + 2 f its entry, 2 + 2 f its exit */
  uint32_t jitter_ticks; /* 0: stepping clock */
  uint64_t seed;
  uint64_t start_ticks;
};

struct prof_synthetic;
struct prof_synthetic *prof_synthetic_new(const struct prof_synthetic_options *); /* NULL: no memory */
void prof_synthetic_fill(struct prof_synthetic *, struct prof_event *out, size_t count);
void prof_synthetic_free(struct prof_synthetic *);

#endif
