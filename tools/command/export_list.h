/*
 * tools/command/export_list.h - `prof export --list`: the formats, and how large a recording becomes in each.
 */
#ifndef PROF_COMMAND_EXPORT_LIST_H
#define PROF_COMMAND_EXPORT_LIST_H

#include "export/exporters.h"
#include "reader.h"

/* Prints the table to stdout; the caller ends *output if its file is set.  Sizes of sums are exact; those of time lines
 * may be estimated from their first calls. */
prof_status prof_export_list(const struct prof_reader *, double min_share, struct prof_output *,
                             struct prof_diag *) PROF_MUST_CHECK;
/* Likewise without a recording: the formats, no sizes. */
prof_status prof_export_list_formats(const struct prof_common *, struct prof_output *,
                                     struct prof_diag *) PROF_MUST_CHECK;

#endif
