/*
 * cyg_profile.c - records functions that call hooks at entry and exit, because their compiler has no plugin.
 *
 * In: calls from libprof (wire/instrument.h).  Out: the events that a trampoline would write; at a function's first
 * call also a site number and a log record.  All threads share a table of site numbers: open addressing by the
 * function's address, filled without locks, so that a fork or a signal handler never finds it half changed.  dlclose
 * removes its functions.
 *
 * A hook is an ordinary call, so it may use libc for a new function; errno is kept.
 */
#include <errno.h>

#include "api.h"
#include "cyg_profile.h"
#include "hooks.h"
#include "image.h"
#include "loaded.h"
#include "log.h"
#include "modules.h"
#include "ring.h"
#include "say.h"
#include "slow_path.h"
#include "system.h"

#define TABLE_SLOTS ((size_t)1 << 20)
#define LONGEST_SEARCH 4096 /* slots */
#define MODULES 4096
#define SMALLEST_FUNCTION 16 /* bytes: a function has two calls in it */

/* Values of `function` that are no address. */
enum { SLOT_FREE = 0, SLOT_BEING_FILLED = 1, SLOT_LEFT = 2 };

struct slot {
  uintptr_t function;
  uint32_t site;       /* written before `function` */
  uint32_t own_offset; /* smallest offset seen of its entry hook's return address: the copy that isn't inlined */
};

struct caller { /* a module whose functions call hooks */
  uintptr_t begin, end, bias;
  uint32_t number; /* its site; 0: it is gone */
};

static struct slot *table;
static struct caller callers[MODULES]; /* changed under prof_api_begin */
static uint32_t caller_count;

static size_t slot_of(uintptr_t function) {
  return (function / SMALLEST_FUNCTION) & (TABLE_SLOTS - 1);
}

/* NULL: not there. */
static struct slot *slot_find(uintptr_t function) {
  size_t at = slot_of(function);
  for (int i = 0; i < LONGEST_SEARCH; i++, at = (at + 1) & (TABLE_SLOTS - 1)) {
    uintptr_t there = __atomic_load_n(&table[at].function, __ATOMIC_ACQUIRE);
    if (there == function)
      return &table[at];
    if (there == SLOT_FREE)
      return NULL;
  }
  return NULL;
}

/* Two threads may add the same function twice; both numbers are valid.  NULL: no room. */
static struct slot *slot_put(uintptr_t function, uint32_t site) {
  size_t at = slot_of(function);
  for (int i = 0; i < LONGEST_SEARCH; i++, at = (at + 1) & (TABLE_SLOTS - 1)) {
    uintptr_t there = __atomic_load_n(&table[at].function, __ATOMIC_RELAXED);
    if ((there != SLOT_FREE && there != SLOT_LEFT) ||
        !__atomic_compare_exchange_n(&table[at].function, &there, SLOT_BEING_FILLED, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      continue;
    table[at].site = site;
    table[at].own_offset = UINT32_MAX;
    __atomic_store_n(&table[at].function, function, __ATOMIC_RELEASE);
    return &table[at];
  }
  return NULL;
}

static const struct caller *caller_find(uintptr_t function) {
  for (uint32_t i = 0; i < caller_count; i++)
    if (callers[i].number && function >= callers[i].begin && function < callers[i].end)
      return &callers[i];
  return NULL;
}

/* The module of a function, added if it is new; NULL: no room, or not loaded. */
static const struct caller *caller_of(uintptr_t function) {
  static struct prof_loaded loaded; /* under the lock; too big for a small stack */
  const struct caller *known = caller_find(function);
  if (known || !prof_loaded_find(&loaded, function))
    return known;
  uint32_t at = 0;
  while (at < caller_count && callers[at].number)
    at++;
  uint32_t number = at < MODULES ? prof_sites_take(1) : 0;
  if (!number)
    return NULL;
  prof_module_log(PROF_LOG_CALLER, &loaded, NULL, number, 1, 0); /* first: a fork by another thread may come between */
  callers[at] = (struct caller){loaded.begin, loaded.end, loaded.bias, number};
  if (at == caller_count)
    caller_count++;
  return &callers[at];
}

/* Gives a function its site number; NULL: it gets none. */
static struct slot *function_add(uintptr_t function) {
  const struct caller *caller = caller_of(function);
  uint32_t site = caller ? prof_sites_take(1) : 0;
  static bool said;
  if (site) {
    struct prof_log_function record = {
        .process = prof_runtime.process, .module = caller->number, .site = site, .address = function - caller->bias};
    prof_log_write(PROF_LOG_FUNCTION, &record, sizeof record, NULL);
  }
  struct slot *slot = site ? slot_put(function, site) : NULL;
  if (slot)
    return slot;
  if (!said)
    prof_log_error("too many functions call __cyg_profile_func_enter: some are not recorded");
  said = true;
  return NULL;
}

static __attribute__((noinline)) struct slot *slot_make(uintptr_t function) {
  int error = errno;
  uint64_t mask;
  struct slot *slot = NULL;
  if (prof_api_begin(&mask)) {
    slot = slot_find(function);
    if (!slot)
      slot = function_add(function);
    prof_api_end(mask);
  }
  errno = error;
  return slot;
}

static bool is_on(void) {
  return __atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) == PROF_RUNTIME_ON;
}

/* Did an inlined copy of the function call the hook?  The function's own entry has the lowest offset. */
static uint32_t inlined(struct slot *slot, void *function, void *returns_to) {
  uintptr_t offset = (uintptr_t)returns_to - (uintptr_t)function;
  if (offset < slot->own_offset)
    slot->own_offset = (uint32_t)offset;
  return offset == slot->own_offset ? 0 : PROF_EVENT_STACK_INLINED;
}

static void enter(void *function, void *caller, char *stack, void *returns_to) {
  uint64_t time;
  if (!is_on())
    return;
  struct slot *slot = slot_find((uintptr_t)function);
  if (!slot && !(slot = slot_make((uintptr_t)function)))
    return;
  uint32_t site = slot->site, frame = prof_frame_find(stack, caller) | inlined(slot, function, returns_to);
  struct prof_event *events = prof_slots_take(2 * sizeof *events, &time);
  if (!events)
    return;
  /* The first slot is written last, so that a reader sees both at once. */
  prof_event_store(&events[1], time, prof_event_what(site, PROF_EVENT_ENTRY), (uint32_t)(uintptr_t)caller);
  prof_event_store(&events[0], time, prof_event_what(site, PROF_EVENT_STACK), frame);
}

static void leave(void *function, void *caller, char *stack, void *returns_to) {
  uint64_t time;
  if (!is_on())
    return;
  struct slot *slot = slot_find((uintptr_t)function);
  if (!slot) /* entered while nothing was recorded: an unmatched exit */
    slot = slot_make((uintptr_t)function);
  uint32_t site = slot ? slot->site : 0;
  struct prof_event *event = slot ? prof_slots_take(sizeof *event, &time) : NULL;
  if (!event)
    return;
  /* A function that jumped to the hook has left its frame; the hook's frame replaces it. */
  uint32_t frame = returns_to == caller ? (uint32_t)(uintptr_t)stack : prof_frame_find(stack, caller);
  prof_event_store(event, time, prof_event_what(site, PROF_EVENT_EXIT), frame);
}

static void functions_forget(const struct caller *caller) {
  for (size_t i = 0; i < TABLE_SLOTS; i++) {
    uintptr_t there = __atomic_load_n(&table[i].function, __ATOMIC_RELAXED);
    if (there >= caller->begin && there < caller->end)
      __atomic_store_n(&table[i].function, SLOT_LEFT, __ATOMIC_RELEASE);
  }
}

/* Called after dlclose: other functions may soon lie at the addresses of its module. */
static void unloaded(void) {
  static struct prof_loaded loaded; /* under the lock; too big for a small stack */
  int error = errno;
  uint64_t mask;
  if (prof_api_begin(&mask)) {
    for (uint32_t i = 0; i < caller_count; i++) {
      struct caller *caller = &callers[i];
      if (!caller->number || prof_loaded_find(&loaded, caller->begin))
        continue;
      functions_forget(caller);
      struct prof_log_number record = {.process = prof_runtime.process, .value = caller->number};
      prof_log_write(PROF_LOG_MODULE_END, &record, sizeof record, NULL);
      caller->number = 0;
    }
    prof_api_end(mask);
  }
  errno = error;
}

void prof_instrument_attach(struct prof_instrument *instrument) {
  if (!table)
    table = prof_memory_map(TABLE_SLOTS * sizeof *table);
  if (!table) {
    prof_say("no memory for the table of functions; those that call __cyg_profile_func_enter are not recorded", NULL);
    return;
  }
  if (instrument->hooks) {
    instrument->hooks->control = prof_hooks_control;
    instrument->hooks->wire_version = PROF_WIRE_VERSION;
  }
  instrument->unloaded = unloaded;
  instrument->exit = leave;
  __atomic_store_n(&instrument->enter, enter, __ATOMIC_RELEASE);
}
