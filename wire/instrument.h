/*
 * wire/instrument.h - the contract of libprof and the runtime, for functions that call hooks instead of having sleds.
 *
 * A compiler without a plugin calls __cyg_profile_func_enter(function, caller) and __cyg_profile_func_exit of libprof
 * (-finstrument-functions).  libprof's constructor does nothing unless the environment has PROF_RECORD.  Then it finds
 * PROF_INSTRUMENT_SYMBOL as wire/module.h describes for PROF_ATTACH_SYMBOL, and calls it with its pointers.
 *
 *   void prof_runtime_instrument_v1(struct prof_instrument *);
 */
#ifndef PROF_WIRE_INSTRUMENT_H
#define PROF_WIRE_INSTRUMENT_H

#include <stdint.h>

#include "module.h"

#define PROF_INSTRUMENT_SYMBOL "prof_runtime_instrument_v1"

/* caller: return address of the function; stack: the stack pointer before the call of the hook; returns_to: the hook's
 * own return address. */
typedef void prof_instrument_hook(void *function, void *caller, char *stack, void *returns_to);

struct prof_instrument { /* lives as long as the program */
  uint64_t wire_version; /* PROF_WIRE_VERSION of libprof */
  /* Filled by the runtime; NULL: nothing is recorded. */
  prof_instrument_hook *enter, *exit;
  void (*unloaded)(void); /* after a dlclose: looks which modules are gone */
  struct prof_hooks *hooks;
};

#endif
