/*
 * tools/export/unfinished.h - reports in JSON that a recording has no end.
 */
#ifndef PROF_EXPORT_UNFINISHED_H
#define PROF_EXPORT_UNFINISHED_H

#include "base/json.h"
#include "proftrace.h"

/* Members of the open object: `unfinished`, `data_age_ns` (docs/json.md); none if the recording ended normally. */
void prof_unfinished_json(const prof_trace *, struct prof_json *);

/* Begins a command's object (pretty_depth as of prof_json_init) with these members. */
void prof_unfinished_begin(struct prof_json *, FILE *, uint32_t pretty_depth, const prof_trace *);

#endif
