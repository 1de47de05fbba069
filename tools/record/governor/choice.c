/*
 * tools/record/governor/choice.c - see choice.h.
 */
#include "record/governor/choice.h"

#include <stdlib.h>

#define WINDOW_PART 0.2       /* of the budget */
#define WINDOWS_FIRST 0.4     /* of what is left */
#define LEAST_PART 0.3        /* of the budget, for functions in state always */
#define MOST_SAMPLES 0.5      /* of the budget */
#define CREDIT_BEGIN_NS 500e3 /* of events, before any CPU time has passed: some 25,000 */
#define CREDIT_CPU_NS 100e6   /* credit of more CPU time is lost */
#define DEBT_CPU_NS 250e6     /* so is such a debt */
#define KEPT 0.7              /* of the part: a demotion makes room for rates that rise when others are gone */
#define PLAIN_LEAST 0.04      /* of the CPU time */
#define CALLS_UNSEEN 3.0      /* 95% bound of what no window showed */
#define EVENTS_PER_CALL 2.0
#define QUIET_NS 1e9
#define MOST_DEMOTIONS 8u
#define WINDOW_RATE 0.006 /* calls per ns: 6 million a second; more, and the counts hang on what an event costs */
#define LEAST_SHARE (1.0 / 128)
#define GAP_LEAST_NS 1250e3 /* the recorder needs some 30 us for a window: 3% of a core */
#define OWN_LIMIT 1.2       /* times the budget, for the recorder's own CPU time */
#define WINDOW_OWN_NS 30e3  /* of it, for a window */
#define OWN_LEAST 0.1
#define OWN_FALL 0.5
#define OWN_RISE 1.1
#define OWN_RISES 0.85   /* of the limit, and less */
#define OWN_CPU_NS 400e6 /* it takes that long until a change shows */
#define GAP_MOST_NS 50e6

uint32_t prof_choice_sample_hz(double budget, uint32_t usual) {
  double most = budget * MOST_SAMPLES * 1e9 / PROF_SAMPLE_COST_NS;
  return most < usual ? (uint32_t)most - 3 : usual; /* no round number, as periods of programs are */
}

struct prof_parts prof_parts_of(double budget, double sample_hz, double sample_ns) {
  struct prof_parts parts = {.samples = sample_hz * sample_ns / 1e9, .windows = budget * WINDOW_PART};
  if (parts.samples > budget * MOST_SAMPLES)
    parts.samples = budget * MOST_SAMPLES;
  parts.always = budget - parts.samples - parts.windows;
  if (parts.always < budget * LEAST_PART)
    parts.always = budget * LEAST_PART;
  return parts;
}

struct prof_parts prof_parts_beside(const struct prof_parts *parts, double left) {
  double all = parts->samples + parts->windows + parts->always, rest = all * left;
  double windows = parts->windows < rest * WINDOWS_FIRST ? parts->windows : rest * WINDOWS_FIRST;
  double others = all > parts->windows ? (rest - windows) / (all - parts->windows) : 0;
  return (struct prof_parts){parts->samples * others, windows, parts->always * others};
}

void prof_credit_begin(struct prof_credit *credit) {
  credit->ns = CREDIT_BEGIN_NS;
}

void prof_credit_add(struct prof_credit *credit, double part, double cpu_ns, double spent_ns) {
  double most = part * CREDIT_CPU_NS, least = -part * DEBT_CPU_NS;
  credit->ns += part * cpu_ns - spent_ns;
  most = most > CREDIT_BEGIN_NS ? most : CREDIT_BEGIN_NS;
  credit->ns = credit->ns > most ? most : credit->ns < least ? least : credit->ns;
}

void prof_own_begin(struct prof_own *own) {
  *own = (struct prof_own){.scale = 1};
}

void prof_own_add(struct prof_own *own, double budget, double ns, double cpu_ns) {
  own->ns += ns;
  own->cpu_ns += cpu_ns;
  if (own->cpu_ns < OWN_CPU_NS)
    return;
  double used = own->ns / own->cpu_ns / (budget * OWN_LIMIT);
  if (used > 1)
    own->scale *= 1 / used > OWN_FALL ? 1 / used : OWN_FALL;
  else if (used < OWN_RISES)
    own->scale *= OWN_RISE;
  own->scale = own->scale > 1 ? 1 : own->scale < OWN_LEAST ? OWN_LEAST : own->scale;
  own->ns = own->cpu_ns = 0;
}

static int by_rate(const void *a, const void *b) {
  const struct prof_rated *x = a, *y = b;
  if (x->rate != y->rate)
    return x->rate < y->rate ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

size_t prof_choice_keep(struct prof_rated *rated, size_t count, double event_ns, double part) {
  double used = 0;
  size_t kept = 0;
  if (count > 0)
    qsort(rated, count, sizeof *rated, by_rate);
  while (kept < count && used + rated[kept].rate * event_ns <= part * KEPT)
    used += rated[kept++].rate * event_ns;
  return kept;
}

double prof_plain_ns(double cpu_ns, double spent_ns) {
  double rest = cpu_ns - spent_ns;
  return rest > cpu_ns * PLAIN_LEAST ? rest : cpu_ns * PLAIN_LEAST;
}

double prof_comeback_rate(const struct prof_comeback *candidate) {
  return candidate->seen_ns > 0 ? (candidate->seen_calls + CALLS_UNSEEN) * EVENTS_PER_CALL / candidate->seen_ns : 1;
}

bool prof_comeback_promote(struct prof_comeback *candidate, double event_ns, double left) {
  uint32_t demotions = candidate->demotions < MOST_DEMOTIONS ? candidate->demotions : MOST_DEMOTIONS;
  if (2 * prof_comeback_rate(candidate) * event_ns > left) {
    candidate->fits_ns = 0;
    return false;
  }
  if (candidate->fits_ns == 0)
    candidate->fits_ns = candidate->now_ns;
  return candidate->now_ns - candidate->fits_ns >= QUIET_NS * (demotions > 0 ? demotions : 1);
}

double prof_window_share(double rate) {
  double share = rate > WINDOW_RATE ? WINDOW_RATE / rate : 1;
  return share > LEAST_SHARE ? share : LEAST_SHARE;
}

uint64_t prof_window_gap_ns(double cost_ns, double part, double cpus, double scale, double budget) {
  if (part <= 0)
    return 0;
  double gap = cost_ns / (part * (cpus > 0.05 ? cpus : 0.05));
  gap = (gap < GAP_LEAST_NS ? GAP_LEAST_NS : gap) / scale;
  double own_part = budget * OWN_LIMIT * cpus, own_gap = own_part > 0 ? WINDOW_OWN_NS / own_part : GAP_MOST_NS;
  gap = budget > 0 && gap < own_gap ? own_gap : gap;
  return (uint64_t)(gap > GAP_MOST_NS ? GAP_MOST_NS : gap);
}
