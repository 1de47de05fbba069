/*
 * tools/decide/limit_measure.c - see limit_measure.h.  To add a measure: its function and its row.
 */
#include "decide/limit_measure.h"

#include <math.h>
#include <string.h>

static double known(uint64_t value) {
  return value ? (double)value : (double)NAN;
}

static double part(double of, double all) {
  return all > 0 ? of / all : (double)NAN;
}

#define ROW const struct prof_run *run, const struct prof_run_row *row
static double calls(ROW) {
  (void)run;
  return row->noise > 0 ? (double)NAN : (double)row->calls; /* with a budget they may be estimates */
}
static double self(ROW) {
  (void)run;
  return (double)row->self_ns;
}
static double self_share(ROW) {
  return part((double)row->self_ns, (double)run->self_ns);
}
static double mean(ROW) {
  (void)run;
  return part((double)row->total_ns, (double)row->calls);
}
static double total(ROW) {
  (void)run;
  return known(row->total_ns);
}
static double waiting(ROW) {
  (void)run;
  return run->has_switches ? (double)row->waiting_ns : (double)NAN;
}
static double p50(ROW) {
  (void)run;
  return known(row->p50_ns);
}
static double p95(ROW) {
  (void)run;
  return known(row->p95_ns);
}
static double p99(ROW) {
  (void)run;
  return known(row->p99_ns);
}
static double longest(ROW) {
  (void)run;
  return known(row->max_ns);
}
static double time_of(ROW) {
  (void)row;
  return known(run->wall_ns);
}
static double cpu(ROW) {
  (void)row;
  return known(run->cpu_ns);
}
static double running(ROW) {
  (void)row;
  return known(run->self_ns);
}
static double overhead(ROW) {
  (void)row;
  return part((double)run->overhead_ns, (double)run->cpu_ns - (double)run->overhead_ns);
}

static double allocations(ROW) {
  return row ? (double)row->calls : known(run->allocations);
}
static double allocated(ROW) {
  return row ? (double)row->bytes : known(run->allocated_bytes);
}
static double peak(ROW) {
  return row ? (double)row->peak_bytes : known(run->peak_bytes);
}

static const struct prof_limit_measure measures[] = {
    {"calls", "calls in a run; of a loop iterations", true, PROF_LIMIT_COUNT, false, calls},
    {"self", "running time in a run, without callees", true, PROF_LIMIT_TIME, false, self},
    {"self share", "its part of the running time of all functions", true, PROF_LIMIT_SHARE, false, self_share},
    {"mean", "mean elapsed time of a call", true, PROF_LIMIT_TIME, false, mean},
    {"total", "elapsed time in a run, with callees", true, PROF_LIMIT_TIME, false, total},
    {"waiting", "waiting time in a run, without callees", true, PROF_LIMIT_TIME, false, waiting},
    {"p50", "percentile of a call's elapsed time", true, PROF_LIMIT_TIME, false, p50},
    {"p95", "likewise", true, PROF_LIMIT_TIME, false, p95},
    {"p99", "likewise", true, PROF_LIMIT_TIME, false, p99},
    {"max", "longest call", true, PROF_LIMIT_TIME, false, longest},
    {"allocations", "allocations of the heap; this and the next need prof record --memory", true, PROF_LIMIT_COUNT,
     true, allocations},
    {"allocated", "bytes of all its allocations", true, PROF_LIMIT_BYTES, true, allocated},
    {"peak memory", "bytes of it that lived at the program's peak", true, PROF_LIMIT_BYTES, true, peak},
    {"time", "elapsed time of the program", false, PROF_LIMIT_TIME, false, time_of},
    {"cpu", "its CPU time, recording included", false, PROF_LIMIT_TIME, false, cpu},
    {"running", "running time of all functions", false, PROF_LIMIT_TIME, false, running},
    {"overhead", "CPU time that recording added, by the program's own", false, PROF_LIMIT_SHARE, false, overhead},
    {"allocations", "allocations of the heap, as is \"calls of malloc\"; --memory too", false, PROF_LIMIT_COUNT, true,
     allocations},
    {"allocated", "bytes of all allocations", false, PROF_LIMIT_BYTES, true, allocated},
    {"peak memory", "bytes that lived at the peak", false, PROF_LIMIT_BYTES, true, peak},
};

const struct prof_limit_measure *prof_limit_measure_find(const char *name, bool of_row) {
  for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
    if (!strcmp(measures[i].name, name) && measures[i].of_row == of_row)
      return &measures[i];
  return NULL;
}

const char *prof_limit_measure_name(size_t index, const char **summary) {
  if (index >= sizeof measures / sizeof *measures)
    return NULL;
  *summary = measures[index].summary;
  return measures[index].name;
}
