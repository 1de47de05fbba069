/*
 * tools/base/plain_file.c - see plain_file.h.
 */
#include "base/plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static int refuse(int fd, int error) {
  if (fd >= 0)
    close(fd);
  errno = error;
  return -1;
}

int prof_plain_file_open(const char *path, struct stat *status) {
  struct stat own;
  status = status != NULL ? status : &own;
  if (stat(path, status) != 0)
    return -1;
  if (!S_ISREG(status->st_mode)) /* not even opened */
    return refuse(-1, EINVAL);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return -1;
  if (fstat(fd, status) != 0)
    return refuse(fd, errno);
  return S_ISREG(status->st_mode) ? fd : refuse(fd, EINVAL); /* the path was replaced in between */
}
