/*
 * wire/module.h - the contract of a module's start-up code and the runtime.
 *
 * The COMDAT constructor of a module (one per program or shared library, priority 90) does nothing unless the
 * environment has PROF_RECORD or PROF_STANDBY (wire/standby.h).  Then it finds PROF_ATTACH_SYMBOL (linked in, else by
 * dlopen of $PROF_RUNTIME, else of PROF_RUNTIME_FILE) and calls it.  The COMDAT destructor calls PROF_DETACH_SYMBOL if
 * the hooks are filled.
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
  uint64_t wire_version; /* of the runtime; 0: no runtime */
  /* PROF_CONTROL_; 0 or 1, unless stated below.  Older objects pass no argument to the first three; older runtimes
   * return 0 for others. */
  int (*control)(int operation, const void *argument);
};

enum prof_control_operation {
  PROF_CONTROL_STOP = 0,
  PROF_CONTROL_START = 1,
  PROF_CONTROL_IS_RECORDING = 2,
  PROF_CONTROL_THREAD_NAME = 3, /* argument: const char *, the calling thread's name */
  PROF_CONTROL_CLEAR = 4,       /* readers show nothing from before */
  PROF_CONTROL_SNAPSHOT = 5,    /* what is kept is written, or the next part begins */
  PROF_CONTROL_NAMED = 6,       /* argument: const struct prof_named_event *; its result is below */
  PROF_CONTROL_READ = 7,        /* argument: const struct prof_read_question * */
};

/* prof_read of prof.h: figures of a function or zone, from the recorder (reads.h). */
struct prof_read_question {
  const char *name;
  void *figures;       /* struct prof_figures; zeros, as far as the runtime doesn't know its members */
  unsigned long bytes; /* of it, as the program was compiled */
};

/*
 * A zone or point whose name is known only while the program runs.  It has no sled and no row; a GATE (row.h) tells the
 * program whether to call.  The first call with a name gives it a site number (PROF_LOG_NAMED); the runtime copies the
 * name.  Result: a number of the name from 1, which stands for it in later calls of the process; 0: nothing is
 * recorded.
 */
struct prof_named_event {
  const void *rows; /* begin of the module's rows, or another address in its data */
  const char *name; /* NULL: see number */
  uint64_t value;   /* of a point whose kind has one; the bits of a double */
  uint32_t kind;    /* as of the row that a literal name has, without the register */
  uint32_t what;    /* enum prof_point_class; 0: a zone */
  uint32_t group;   /* of zones, below 2^30: an EXIT, which has no name, ends the innermost one of its group */
  uint32_t number;  /* result of another call: its name is meant */
};

struct prof_module_start { /* lives on the caller's stack or in its data; the runtime copies it */
  uint64_t wire_version;   /* PROF_WIRE_VERSION of the object */
  const struct prof_row *rows_begin, *rows_end;
  struct prof_hooks *hooks;
};

/* Environment.  Ignored by set-uid programs (secure_getenv). */
#define PROF_ENV_RECORD "PROF_RECORD"   /* set and not "0": record */
#define PROF_ENV_STANDBY "PROF_STANDBY" /* set and not "0", without PROF_RECORD: wait for `prof record -p` */
#define PROF_ENV_RUNTIME "PROF_RUNTIME" /* path of the runtime */
#define PROF_ENV_RING "PROF_RING"       /* path of the shared region (wire/control.h); absent: start a helper */
#define PROF_ENV_HELPER "PROF_HELPER"   /* path of `prof`, for the helper; absent: beside the runtime, then PATH */
#define PROF_ENV_OPTIONS "PROF_OPTIONS" /* `prof record` options for the helper, separated by blanks */

/*
 * The helper, when PROF_RECORD is set and PROF_RING isn't.  The runtime starts
 *
 *   prof record --serve=FD,PID OPTIONS...   PID: of the program; OPTIONS: the words of $PROF_OPTIONS
 *
 * detached from the program: not its child, own session, standard input and output on /dev/null, standard error and
 * working directory the program's, no other descriptor but FD, PROF_RECORD and PROF_RING not in its environment.  The
 * helper makes the output folder and the region, writes one line to FD, and closes it:
 *
 *   ring PATH\n      PATH: what PROF_RING would be, at most 200 bytes, e.g. /proc/123/fd/4
 *   error TEXT\n     nothing will be recorded; TEXT: the fault and what to do, at most 400 bytes
 *
 * The runtime waits for it at most PROF_SERVE_TIMEOUT_MS, maps the region, and sets PROF_RING in the program's
 * environment, so that forked and exec'd programs join the same recording.  The helper records until every process with
 * a PROCESS record in the log has ended (while there is none, at least PROF_SERVE_TIMEOUT_MS).
 */
#define PROF_SERVE_OPTION "--serve=" /* then the descriptor's number, a comma, the program's pid */
#define PROF_SERVE_RING "ring "
#define PROF_SERVE_ERROR "error "
#define PROF_SERVE_TIMEOUT_MS 10000

#endif
