/* sites.h - switches sleds on and off. */
#ifndef PROF_RUNTIME_SITES_H
#define PROF_RUNTIME_SITES_H

#include <stdbool.h>

#include "rows.h"

/* Patches all sleds of a module.  `fresh`: no thread runs in it yet.  false: the system forbids it. */
bool prof_sites_switch(struct prof_attached_module *, enum prof_switch, bool fresh);

#endif
