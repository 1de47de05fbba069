/*
 * tools/export/csv_calls.h - every call as CSV: what `--format=csv --timeline` writes.
 */
#ifndef PROF_EXPORT_CSV_CALLS_H
#define PROF_EXPORT_CSV_CALLS_H

#include "exporters.h"

prof_status prof_csv_calls_write(FILE *, const struct prof_export_source *, struct prof_diag *) PROF_MUST_CHECK;

#endif
