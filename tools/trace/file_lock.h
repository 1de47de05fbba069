/*
 * tools/trace/file_lock.h - the lock that a trace's writer holds.
 *
 * It belongs to the open file.  The kernel drops it when the process ends.  Readers only test it, so they delay no
 * writer.  Include with _GNU_SOURCE.
 */
#ifndef PROF_TRACE_FILE_LOCK_H
#define PROF_TRACE_FILE_LOCK_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>

/* false: another process holds it.  A file system without locks: true. */
static inline bool prof_file_lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

static inline bool prof_file_is_locked(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

#endif
