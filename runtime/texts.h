/* texts.h - text that the recorder switches (wire/control.h). */
#ifndef PROF_RUNTIME_TEXTS_H
#define PROF_RUNTIME_TEXTS_H

#include <stdbool.h>

#include "loaded.h"
#include "rows.h"

/* Copies the module's text into the region, its sites as wanted, and runs on from there.  false: it stays as it is. */
bool prof_text_share(struct prof_attached_module *, const struct prof_loaded *, enum prof_switch);
/* Switches the sites of a module that has a copy; false: it has none (any more). */
bool prof_text_switch(struct prof_attached_module *, enum prof_switch);

/* After a recording, its sites off: the module's text comes from its file again, or is memory of the process. */
void prof_text_leave(struct prof_attached_module *);

#endif
