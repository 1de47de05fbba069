/*
 * tools/command/recorder_choose.h - which recording in progress is meant, by process or name.
 */
#ifndef PROF_COMMAND_RECORDER_CHOOSE_H
#define PROF_COMMAND_RECORDER_CHOOSE_H

#include "record/control/control_client.h"

/* The one that records this process, is it, or records a program of this name; it lies in the list.  PROF_USAGE: there
 * is none, or there are several. */
prof_status prof_recorder_choose(const struct prof_control_list *, const char *wanted, struct prof_diag *,
                                 const struct prof_control_found **out) PROF_MUST_CHECK;

#endif
