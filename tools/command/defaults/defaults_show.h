/*
 * tools/command/defaults/defaults_show.h - lists settings, and where each came from.
 */
#ifndef PROF_COMMAND_DEFAULTS_SHOW_H
#define PROF_COMMAND_DEFAULTS_SHOW_H

#include "command/options/common.h"

/* For `prof config --show`; returns the exit status: 1 if a setting is wrong. */
int prof_defaults_show(enum prof_format);

#endif
