/*
 * tools/record/governor/choice.h - which functions are recorded always: the rules alone, without clocks and sites.
 *
 * In: rates, what an event costs, the budget.  Out: how many to demote, which to promote, how often windows open.
 * Pure functions.
 */
#ifndef PROF_RECORD_CHOICE_H
#define PROF_RECORD_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/sampling/stretch_share.h"

/* Samples a second that take at most half of the budget; at most `usual`. */
uint32_t prof_choice_sample_hz(double budget, uint32_t usual);

/* Parts of the recorded processes' CPU time. */
struct prof_parts {
  double samples, windows, always;
};
/* A budget of 0.05 is 5%.  sample_ns: what one sample costs. */
struct prof_parts prof_parts_of(double budget, double sample_hz, double sample_ns);
/* What they are when only this part of the budget is left: windows come first, as calls are known from nothing else. */
struct prof_parts prof_parts_beside(const struct prof_parts *, double left);

/* What events of functions in state always may still cost; grows with the processes' CPU time. */
struct prof_credit {
  double ns;
};
void prof_credit_begin(struct prof_credit *);
void prof_credit_add(struct prof_credit *, double part, double cpu_ns, double spent_ns);

/* The recorder's own CPU time, as a part of the processes': what it reads is made less until that fits. */
struct prof_own {
  double scale;      /* of the parts that the recorder reads: 1, down to 0.1 */
  double ns, cpu_ns; /* since the last change: its own; that of the processes */
};
void prof_own_begin(struct prof_own *);
/* Adds to both; now and then it changes the scale. */
void prof_own_add(struct prof_own *, double budget, double ns, double cpu_ns);

struct prof_rated {
  uint32_t unit;
  double rate; /* events per nanosecond of the plain program's CPU time */
};
/* Sorts by rising rate; the units from the returned index on don't fit into the part. */
size_t prof_choice_keep(struct prof_rated *, size_t count, double event_ns, double part);

/* Nanoseconds of the plain program in `cpu_ns` of the recorded one. */
double prof_plain_ns(double cpu_ns, double spent_ns);

/* A function in state burst. */
struct prof_comeback {
  double seen_calls, seen_ns; /* in windows: calls, CPU time of the processes */
  double now_ns, fits_ns;     /* fits_ns: since when it fits; 0: it doesn't */
  uint32_t demotions;
};
/* Events per nanosecond that it has at most. */
double prof_comeback_rate(const struct prof_comeback *);
/* Would it fit twice into what is left of the part?  Sets fits_ns; true: it fitted long enough. */
bool prof_comeback_promote(struct prof_comeback *, double event_ns, double left);

/* The share of burst functions that are on in a window.  rate: calls per nanosecond of a thread, of all of them. */
double prof_window_share(double rate);
/* Mean time between two windows.  cost_ns: of one, to the program; cpus: how many the program uses; 0: no windows.
 * scale: prof_own's.  budget: what windows take of the recorder's own CPU time stays within that of the program's; 0:
 * whatever they take. */
uint64_t prof_window_gap_ns(double cost_ns, double part, double cpus, double scale, double budget);

#endif
