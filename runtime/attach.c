/*
 * attach.c - attach and detach: the functions that each module's start-up text calls (wire/module.h).
 *
 * The first module opens the region and sets the runtime up; each module's sleds are then patched.  A fault is reported
 * in one line, and the program runs unrecorded.  errno is kept.
 */
#include <errno.h>
#include <stdlib.h>

#include "api.h"
#include "bounds.h"
#include "calibrate.h"
#include "clock.h"
#include "control_map.h"
#include "cyg_profile.h"
#include "fork.h"
#include "helper.h"
#include "hooks.h"
#include "image.h"
#include "instrument.h"
#include "log.h"
#include "measures.h"
#include "module.h"
#include "modules.h"
#include "pause.h"
#include "recorders.h"
#include "ring.h"
#include "sample.h"
#include "say.h"
#include "system.h"
#include "thread.h"
#include "usage.h"

__attribute__((visibility("default"))) void prof_runtime_attach_v1(const struct prof_module_start *);
__attribute__((visibility("default"))) void prof_runtime_detach_v1(const struct prof_module_start *);
__attribute__((visibility("default"))) void prof_runtime_instrument_v1(struct prof_instrument *);

static bool is_set(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value && !(value[0] == '0' && value[1] == 0);
}

/* Set-up once in a process.  false: nothing will be recorded. */
static bool runtime_start(void) {
  const char *path = secure_getenv(PROF_ENV_RING);
  if (!path || !*path)
    path = prof_helper_start();
  if (!path || !prof_control_open(path))
    return false;
  prof_clock_init();
  prof_sample_init();
  prof_thread_init();
  prof_fork_init();
  prof_log_init();
  prof_bounds_init();
  prof_pause_init();
  prof_runtime.event_cost = prof_calibrate();
  prof_runtime.count_cost = prof_calibrate_count();
  if (!prof_image_new(0)) {
    prof_say("no memory that a fork wipes (Linux 4.14 or newer is needed); nothing is recorded", NULL);
    return false;
  }
  return true;
}

/* false: this process doesn't record. */
static bool runtime_ready(void) {
  if (prof_runtime.state == PROF_RUNTIME_NEW && !is_set(PROF_ENV_RECORD)) {
    if (!is_set(PROF_ENV_STANDBY)) /* late.c may come */
      return false;
    if (!prof_recorders_await())
      prof_runtime.state = PROF_RUNTIME_FAILED;
  } else if (prof_runtime.state == PROF_RUNTIME_NEW) {
    bool good = runtime_start();
    prof_runtime.state = !good ? PROF_RUNTIME_FAILED : prof_runtime.held ? PROF_RUNTIME_OFF : PROF_RUNTIME_ON;
    if (good)
      prof_bounds_begin();
  }
  return prof_runtime.state != PROF_RUNTIME_FAILED;
}

/* What users pay at the start of a program, and when it loads a library. */
static void tell_cost(int64_t begin_ns, bool first) {
  struct prof_log_attached record = {
      .process = prof_runtime.process, .first = first, .cpu_ns = (uint64_t)(prof_thread_cpu_ns() - begin_ns)};
  if (prof_runtime.state == PROF_RUNTIME_ON || prof_runtime.state == PROF_RUNTIME_OFF)
    prof_log_write(PROF_LOG_ATTACHED, &record, sizeof record, NULL);
}

void prof_runtime_attach_v1(const struct prof_module_start *start) {
  int error = errno;
  int64_t begin_ns = prof_thread_cpu_ns();
  bool first = prof_runtime.state == PROF_RUNTIME_NEW;
  uint64_t mask;
  if (start->wire_version != PROF_WIRE_VERSION) {
    prof_say("a module is not recorded: it has another version of the plugin; compile it again", NULL);
  } else if (runtime_ready() && prof_api_begin(&mask)) {
    if (prof_runtime.standby)
      prof_module_keep(start);
    else
      prof_module_attach(start);
    prof_api_end(mask);
    start->hooks->control = prof_hooks_control;
    start->hooks->wire_version = PROF_WIRE_VERSION;
    prof_measures_attach();
    if (!prof_runtime.standby)
      tell_cost(begin_ns, first);
  }
  errno = error;
}

void prof_runtime_detach_v1(const struct prof_module_start *start) {
  uint64_t mask;
  if (start->hooks->wire_version != PROF_WIRE_VERSION || !prof_api_begin(&mask))
    return;
  prof_module_detach(start);
  prof_api_end(mask);
}

/* Optional: the recorder also finds the end of a process by itself. */
__attribute__((destructor)) static void runtime_end(void) {
  uint64_t mask = prof_signals_block();
  struct prof_image *image = prof_gate_enter();
  if (image && __atomic_load_n(&image->state, __ATOMIC_ACQUIRE) == PROF_IMAGE_READY) {
    struct prof_cell *cell = prof_attached_cell();
    if (cell) {
      prof_thread_usage_note(cell);
      prof_ring_count(cell);
      prof_thread_usage_note_others(image, cell);
    }
    struct prof_log_number record = {.process = image->process};
    prof_log_write(PROF_LOG_PROCESS_END, &record, sizeof record, NULL);
  }
  if (image)
    prof_gate_leave(image);
  prof_signals_restore(mask);
}

void prof_runtime_instrument_v1(struct prof_instrument *instrument) {
  int error = errno;
  if (instrument->wire_version != PROF_WIRE_VERSION)
    prof_say("libprof is not recorded: its version differs from the runtime's; install both from one release", NULL);
  else if (runtime_ready()) {
    prof_instrument_attach(instrument);
    prof_measures_attach();
  }
  errno = error;
}
