/*
 * runtime/libprof/hooks.c - __cyg_profile_func_enter and _exit, and the constructor that looks for a recording.
 *
 * Without a recording each hook is a load, a test and a return.  The constructor has the priority of the plugin's
 * start-up text (wire/module.h), so it runs before the program's constructors.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "libprof.h"
#include "version.h"

#define EXPORTED __attribute__((visibility("default"), no_instrument_function))
#define SAY(text) (void)!write(2, text, sizeof text - 1)

EXPORTED void __cyg_profile_func_enter(void *function, void *caller);
EXPORTED void __cyg_profile_func_exit(void *function, void *caller);

/* prof.h calls through it.  Weak: the plugin's definition wins in a program that has both. */
__attribute__((visibility("default"), weak)) struct prof_hooks __prof_hooks_v1;

/* A static program has the runtime linked in, or none. */
extern __attribute__((weak)) void prof_runtime_instrument_v1(struct prof_instrument *);

struct prof_instrument prof_libprof = {.wire_version = PROF_WIRE_VERSION, .hooks = &__prof_hooks_v1};

void __cyg_profile_func_enter(void *function, void *caller) {
  prof_instrument_hook *enter = __atomic_load_n(&prof_libprof.enter, __ATOMIC_RELAXED);
  if (__builtin_expect(enter != NULL, 0))
    enter(function, caller, __builtin_dwarf_cfa(), __builtin_return_address(0));
}

void __cyg_profile_func_exit(void *function, void *caller) {
  prof_instrument_hook *leave = __atomic_load_n(&prof_libprof.exit, __ATOMIC_RELAXED);
  if (__builtin_expect(leave != NULL, 0))
    leave(function, caller, __builtin_dwarf_cfa(), __builtin_return_address(0));
}

static void (*attach_find(void))(struct prof_instrument *) {
  if (prof_runtime_instrument_v1)
    return prof_runtime_instrument_v1;
  const char *chosen = secure_getenv(PROF_ENV_RUNTIME);
  void *library = chosen && *chosen ? dlopen(chosen, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library)
    library = dlopen(PROF_RUNTIME_FILE, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    SAY("prof: not recording: cannot load the runtime (" PROF_RUNTIME_FILE ", or the file that " PROF_ENV_RUNTIME
        " names); run the program under 'prof record'\n");
    return NULL;
  }
  void *symbol = dlsym(library, PROF_INSTRUMENT_SYMBOL);
  if (!symbol)
    SAY("prof: not recording: the runtime's version differs from libprof's; install both from one release\n");
  return (void (*)(struct prof_instrument *))(uintptr_t)symbol;
}

__attribute__((constructor(90), no_instrument_function)) static void begin(void) {
  const char *wanted = secure_getenv(PROF_ENV_RECORD);
  if (!wanted || (wanted[0] == '0' && wanted[1] == 0))
    return;
  void (*attach)(struct prof_instrument *) = attach_find();
  if (attach)
    attach(&prof_libprof);
}
