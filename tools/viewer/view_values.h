/*
 * tools/viewer/view_values.h - arguments, returned values and values of the program by call, as a section.
 */
#ifndef PROF_VIEWER_VIEW_VALUES_H
#define PROF_VIEWER_VIEW_VALUES_H

#include "analysis/call_values.h"
#include "base/json.h"

#define PROF_VIEW_VALUES 20000 /* calls of a file */

/* Members of the open object, of the first `most` calls. */
void prof_view_values_write(const prof_trace *, const struct prof_call_values_list *, size_t most, struct prof_json *);

#endif
