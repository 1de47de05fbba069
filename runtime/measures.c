/*
 * measures.c - the runtime's side of wire/measure.h: loads the library, and writes its events.
 *
 * A static program can't load it: there the recording says that the measures are missing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "measure.h"

#include "beside.h"
#include "clock.h"
#include "log.h"
#include "measures.h"
#include "ring.h"
#include "slow_path.h"

typedef void attach(const struct prof_measure_host *);

static void put(uint32_t operation, const void *caller, uint64_t first, uint64_t second) {
  uint64_t time;
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON || prof_thread_over ||
      !(prof_runtime.control->flags & PROF_CONTROL_MEASURES)) /* a later recorder didn't ask for them */
    return;
  struct prof_event *events = prof_slots_take(2 * sizeof *events, &time);
  if (!events)
    return;
  uint32_t high = (uint32_t)(second >> 32) & (PROF_SITE_LIMIT - 1);
  prof_event_store(&events[1], PROF_EVENT_VALUE_BIT | first, prof_event_what(high, PROF_EVENT_OPERAND),
                   (uint32_t)second);
  prof_event_store(&events[0], time, prof_measure_what(operation, (uint64_t)(uintptr_t)caller),
                   (uint32_t)(uintptr_t)caller);
  prof_self->last = time;
}

static uint64_t ticks(void) {
  return prof_clock_ticks();
}

static void name(uint32_t file, const char *text) {
  struct prof_log_number record = {.process = prof_runtime.process, .value = file};
  prof_log_write(PROF_LOG_FILE, &record, sizeof record, text);
}

/* NULL: it can't be had; the recording says why. */
static attach *load(void) {
  char path[PROF_BESIDE_BYTES];
  /* By name: a linker warns of dlopen in a static program. */
  void *(*open)(const char *, int) = (void *(*)(const char *, int))(uintptr_t)dlsym(RTLD_DEFAULT, "dlopen");
  if (!open) {
    prof_log_error("a static program: no measures (--memory, --locks, --io) are recorded; link it dynamically");
    return NULL;
  }
  void *library = prof_beside_find(PROF_MEASURES_FILE, "measures", path) ? open(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  attach *found = library ? (attach *)(uintptr_t)dlsym(library, PROF_MEASURES_SYMBOL) : NULL;
  if (!found)
    prof_log_error(PROF_MEASURES_FILE
                   " can't be loaded: no measures (--memory, --locks, --io) are recorded; install prof whole");
  return found;
}

void prof_measures_attach(void) {
  static const struct prof_measure_host template = {
      .version = PROF_REGION_VERSION, .put = put, .say = prof_log_error, .ticks = ticks, .name = name};
  static struct prof_measure_host host;
  static attach *found;
  uint32_t wanted = prof_runtime.control->flags & PROF_CONTROL_MEASURES;
  if (!wanted)
    return;
  if (!host.version) {
    host = template;
    host.wanted = wanted;
    found = load();
  }
  if (found)
    found(&host);
}
