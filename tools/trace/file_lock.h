/*
 * tools/trace/file_lock.h - the lock that tells that somebody is writing to a trace.
 *
 * It belongs to the open file, and goes with the process that has that open, however it ends.  Readers ask for it only,
 * so that they hold up nobody.  Include with _GNU_SOURCE.
 */
#ifndef PROF_TRACE_FILE_LOCK_H
#define PROF_TRACE_FILE_LOCK_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>

/* false: another has it.  Where a file system has no locks, nobody has. */
static inline bool prof_file_lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

static inline bool prof_file_is_locked(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

#endif
