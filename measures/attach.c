/*
 * attach.c - begins the measures that the recorder asks for (wire/measure.h).
 *
 * Called by the runtime after each module that it attached: in start-up texts, which the loader runs one after another.
 */
#include "control.h"
#include "patch.h"

struct prof_measure_host prof_measure;

__attribute__((visibility("default"))) void prof_measures_attach_v1(const struct prof_measure_host *);

static const struct measure {
  uint32_t flag; /* of `wanted` */
  struct prof_wrapped *rows;
} measures[] = {
    {PROF_CONTROL_MEMORY, prof_wrapped_memory},
    {PROF_CONTROL_LOCKS, prof_wrapped_locks},
    {PROF_CONTROL_LOCKS, prof_wrapped_waits},
    {PROF_CONTROL_LOCKS, prof_wrapped_openmp},
    {PROF_CONTROL_IO, prof_wrapped_io},
    {PROF_CONTROL_IO, prof_wrapped_datagrams},
    {PROF_CONTROL_IO, prof_wrapped_queries},
    /* After the tables of all: the first row of a name holds. */
    {PROF_CONTROL_LOCKS, prof_wrapped_input},
    {PROF_CONTROL_LOCKS, prof_wrapped_datagram_input},
};

static bool begin(const struct prof_measure_host *host) {
  if (host->version != PROF_REGION_VERSION) {
    host->say(PROF_MEASURES_FILE " is of another release: measures are not recorded; install prof whole");
    return false;
  }
  prof_measure = *host;
  if (!prof_patch_init()) {
    host->say("no slots found in " PROF_MEASURES_FILE ": measures are not recorded; report this");
    return false;
  }
  for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
    if (host->wanted & measures[i].flag)
      prof_patch_add(measures[i].rows);
  prof_patch_add(prof_wrapped_loading);
  prof_patch_add(prof_wrapped_seccomp);
  return true;
}

void prof_measures_attach_v1(const struct prof_measure_host *host) {
  static enum { NEW, ON, FAILED } state;
  static bool said;
  if (state == NEW)
    state = begin(host) ? ON : FAILED;
  if (state == ON && prof_patch_new() > 0 && !said) {
    said = true;
    host->say("the system forbids changing read-only slots: some calls of functions are not measured");
  }
}
