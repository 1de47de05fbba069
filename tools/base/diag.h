/*
 * tools/base/diag.h - fills the one diagnostic of a failing call.
 *
 * The function that finds a fault calls one of these and returns its result.  Texts from outside (names, paths, system
 * texts) are escaped here, so that a diagnostic can be printed unchanged.  diag may be NULL.
 */
#ifndef PROF_BASE_DIAG_H
#define PROF_BASE_DIAG_H

#include "prof_status.h"

#define PROF_NO_OFFSET UINT64_MAX

/* Returns status.  file and remedy may be NULL; format and its arguments become `what`. */
prof_status prof_diag_fill(struct prof_diag *diag, prof_status status, const char *file, uint64_t offset,
                           const char *remedy, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A system call failed: `what` becomes "<action>: <text of error_number>".  Returns PROF_IO, or PROF_NOT_FOUND for
 * ENOENT, or PROF_NO_MEMORY for ENOMEM. */
prof_status prof_diag_system(struct prof_diag *diag, int error_number, const char *file, const char *action,
                             const char *remedy);

prof_status prof_diag_memory(struct prof_diag *diag); /* PROF_NO_MEMORY */

#endif
