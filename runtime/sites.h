/* sites.h - switches sleds on and off. */
#ifndef PROF_RUNTIME_SITES_H
#define PROF_RUNTIME_SITES_H

#include <stdbool.h>

#include "rows.h"

enum prof_switch { PROF_SWITCH_OFF = 0, PROF_SWITCH_ON = 1 };
/* Patches all sleds of a module.  `fresh`: no thread runs in it yet.  false: the system forbids it. */
bool prof_sites_switch(const struct prof_attached_module *, enum prof_switch, bool fresh);

#endif
