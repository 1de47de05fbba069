/*
 * tools/record/inject/late_call.h - lets a stopped thread load the runtime, and puts it back (wire/late.h).
 *
 * In: a thread at a safe place, the runtime's file.  Out: what came of it.  If we end meanwhile, the thread goes on by
 * itself when the runtime is loaded.
 */
#ifndef PROF_RECORD_LATE_CALL_H
#define PROF_RECORD_LATE_CALL_H

#include <limits.h>

#include "record/inject/target.h"
#include "record/inject/tracee.h"

enum prof_late_result {
  PROF_LATE_CALL_DONE,
  PROF_LATE_CALL_NO_ROOM, /* its stack can't be written; nothing was done */
  PROF_LATE_CALL_LOCKED,  /* another thread keeps the loader; the call was taken back */
  PROF_LATE_CALL_LONG,    /* it still loads the runtime, and will go on by itself */
  PROF_LATE_CALL_CRASHED, /* it crashed in the call, which was taken back */
  PROF_LATE_CALL_GONE,    /* the thread or its process has ended */
};

struct prof_late_call {
  uint64_t answer;   /* enum prof_late_answer */
  char error[256];   /* why the file can't be loaded; "": it is */
  uint64_t pause_ns; /* of the thread, until it went on */
};

/* The thread goes on in each case. */
enum prof_late_result prof_late_call(struct prof_target *, struct prof_tracee *, const char *runtime,
                                     struct prof_late_call *out);

#endif
