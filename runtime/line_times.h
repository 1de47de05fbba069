/* line_times.h - slots for lines with lines=time. */
#ifndef PROF_RUNTIME_LINE_TIMES_H
#define PROF_RUNTIME_LINE_TIMES_H

#include "rows.h"
#include "times.h"
#include <stdbool.h>

/* Slots for the module's LINEs, in row order; NULL: it has none, or there is no room. */
struct prof_times_slot *prof_times_attach(const struct prof_attached_module *);
/* Is the row a LINE that can be timed?  Then it has a slot. */
bool prof_times_is_line(const struct prof_attached_module *, size_t row);

#endif
