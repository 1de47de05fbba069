/*
 * tools/base/plain_file.h - opening a file whose path somebody else chose: a trace, debug information, a link.
 *
 * Such a path may name a FIFO, which would hold us up until somebody writes to it, or a device, whose opening may do
 * something.
 */
#ifndef PROF_BASE_PLAIN_FILE_H
#define PROF_BASE_PLAIN_FILE_H

#include <sys/stat.h>

/*
 * For reading; -1 with errno when it can't be opened: EINVAL: it is no plain file.  *status (may be NULL): of the file
 * that was opened.
 */
int prof_plain_file_open(const char *path, struct stat *status);

#endif
