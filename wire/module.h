/*
 * wire/module.h - what the start-up text of a module and the runtime say to each other.
 *
 * The COMDAT constructor of a module (one per program or shared library, priority 90) does nothing unless the
 * environment has PROF_RECORD.  Then it finds PROF_ATTACH_SYMBOL (linked in, else dlopen of $PROF_RUNTIME, else of
 * PROF_RUNTIME_FILE), and calls it; the COMDAT destructor calls PROF_DETACH_SYMBOL if the hooks have been filled.
 *
 *   void prof_runtime_attach_v1(const struct prof_module_start *);
 *   void prof_runtime_detach_v1(const struct prof_module_start *);
 */
#ifndef PROF_WIRE_MODULE_H
#define PROF_WIRE_MODULE_H

#include <stdint.h>

struct prof_row;

/* Hidden COMDAT object of each module, zero until the runtime fills it. prof.h calls through it. */
struct prof_hooks {
  uint64_t wire_version;         /* of the runtime; 0: no runtime */
  int (*control)(int operation); /* PROF_CONTROL_; 0 or 1 */
};

enum prof_control_operation {
  PROF_CONTROL_STOP = 0,
  PROF_CONTROL_START = 1,
  PROF_CONTROL_IS_RECORDING = 2,
};

struct prof_module_start { /* lives on the caller's stack or in its data; the runtime copies it */
  uint64_t wire_version;   /* PROF_WIRE_VERSION of the object */
  const struct prof_row *rows_begin, *rows_end;
  struct prof_hooks *hooks;
};

/* Environment.  Ignored by set-uid programs (secure_getenv). */
#define PROF_ENV_RECORD "PROF_RECORD"   /* set and not "0": record */
#define PROF_ENV_RUNTIME "PROF_RUNTIME" /* path of the runtime */
#define PROF_ENV_RING "PROF_RING"       /* path of the shared region (wire/control.h); absent: start a helper */
#define PROF_ENV_HELPER "PROF_HELPER"   /* path of `prof`, for the helper; absent: beside the runtime, then PATH */
#define PROF_ENV_OPTIONS "PROF_OPTIONS" /* `prof record` options for the helper, separated by blanks */

#endif
