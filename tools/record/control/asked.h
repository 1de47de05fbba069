/*
 * tools/record/control/asked.h - what a recorder answers to `prof ctl`: how far it is; snapshots, taken by the pump.
 */
#ifndef PROF_RECORD_ASKED_H
#define PROF_RECORD_ASKED_H

#include "record/control/control_server.h"
#include "record/pump/pump.h"

struct prof_asked {
  struct prof_control_server server;
  struct prof_pump *pump;
  const char *folder;
  pid_t program;
  uint64_t begin_ns;
  uint32_t ends; /* atomic: clients don't wait any longer */
};

/* Only while the pump runs.  `folder`: the recording's, borrowed. */
void prof_asked_begin(struct prof_asked *, struct prof_pump *, const char *folder, pid_t program);
void prof_asked_end(struct prof_asked *); /* zeroed: no effect */

#endif
