/*
 * tools/base/plain_file.h - opens a file whose path comes from outside: a trace, debug information, a link.
 *
 * Such a path may name a FIFO, whose open blocks until a writer comes, or a device, whose open may have effects.
 */
#ifndef PROF_BASE_PLAIN_FILE_H
#define PROF_BASE_PLAIN_FILE_H

#include <sys/stat.h>

/*
 * Opens for reading.  -1: errno is set; EINVAL: not a regular file.  *status (may be NULL) is of the opened file.
 */
int prof_plain_file_open(const char *path, struct stat *status);

#endif
