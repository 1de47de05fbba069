/*
 * io.c - wraps input and output: which function reads, writes, opens and so on, how many bytes, and how long it takes.
 *
 * Streams (FILE) call read, write and close inside of libc, by tables of functions: the wrappers of _IO_file_read and
 * others stand in these tables.  Everything else goes through slots.  An event is written after the call.
 * With --locks a call that may block is a wait too (wire/measure.h).
 * Datagrams with peers: datagrams.c.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "moves.h"

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);

READS(ssize_t, read, PROF_MEASURE_READ, fd, (int fd, void *to, size_t bytes), (fd, to, bytes))
READS(ssize_t, __read_chk, PROF_MEASURE_READ, fd, (int fd, void *to, size_t bytes, size_t room), (fd, to, bytes, room))
MOVES(ssize_t, pread, PROF_MEASURE_PREAD, fd, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at))
MOVES(ssize_t, pread64, PROF_MEASURE_PREAD, fd, (int fd, void *to, size_t bytes, off64_t at), (fd, to, bytes, at))
MOVES(ssize_t, __pread_chk, PROF_MEASURE_PREAD, fd, (int fd, void *to, size_t bytes, off_t at, size_t room),
      (fd, to, bytes, at, room))
MOVES(ssize_t, __pread64_chk, PROF_MEASURE_PREAD, fd, (int fd, void *to, size_t bytes, off64_t at, size_t room),
      (fd, to, bytes, at, room))
READS(ssize_t, readv, PROF_MEASURE_READV, fd, (int fd, const struct iovec *parts, int count), (fd, parts, count))
MOVES(ssize_t, preadv, PROF_MEASURE_PREADV, fd, (int fd, const struct iovec *parts, int count, off_t at),
      (fd, parts, count, at))
MOVES(ssize_t, preadv64, PROF_MEASURE_PREADV, fd, (int fd, const struct iovec *parts, int count, off64_t at),
      (fd, parts, count, at))
READS(ssize_t, preadv2, PROF_MEASURE_PREADV, fd, (int fd, const struct iovec *parts, int count, off_t at, int flags),
      (fd, parts, count, at, flags))
READS(ssize_t, preadv64v2, PROF_MEASURE_PREADV, fd,
      (int fd, const struct iovec *parts, int count, off64_t at, int flags), (fd, parts, count, at, flags))
MOVES(ssize_t, write, PROF_MEASURE_WRITE, fd, (int fd, const void *from, size_t bytes), (fd, from, bytes))
MOVES(ssize_t, pwrite, PROF_MEASURE_PWRITE, fd, (int fd, const void *from, size_t bytes, off_t at),
      (fd, from, bytes, at))
MOVES(ssize_t, pwrite64, PROF_MEASURE_PWRITE, fd, (int fd, const void *from, size_t bytes, off64_t at),
      (fd, from, bytes, at))
MOVES(ssize_t, writev, PROF_MEASURE_WRITEV, fd, (int fd, const struct iovec *parts, int count), (fd, parts, count))
MOVES(ssize_t, pwritev, PROF_MEASURE_PWRITEV, fd, (int fd, const struct iovec *parts, int count, off_t at),
      (fd, parts, count, at))
MOVES(ssize_t, pwritev64, PROF_MEASURE_PWRITEV, fd, (int fd, const struct iovec *parts, int count, off64_t at),
      (fd, parts, count, at))
MOVES(ssize_t, pwritev2, PROF_MEASURE_PWRITEV, fd, (int fd, const struct iovec *parts, int count, off_t at, int flags),
      (fd, parts, count, at, flags))
MOVES(ssize_t, pwritev64v2, PROF_MEASURE_PWRITEV, fd,
      (int fd, const struct iovec *parts, int count, off64_t at, int flags), (fd, parts, count, at, flags))
MOVES(int, fsync, PROF_MEASURE_FSYNC, fd, (int fd), (fd))
MOVES(int, fdatasync, PROF_MEASURE_FDATASYNC, fd, (int fd), (fd))
MOVES(ssize_t, sendfile, PROF_MEASURE_SENDFILE, out, (int out, int in, off_t *at, size_t bytes), (out, in, at, bytes))
MOVES(ssize_t, sendfile64, PROF_MEASURE_SENDFILE, out, (int out, int in, off64_t *at, size_t bytes),
      (out, in, at, bytes))
MOVES(ssize_t, copy_file_range, PROF_MEASURE_COPY, out,
      (int in, off64_t *in_at, int out, off64_t *out_at, size_t bytes, unsigned flags),
      (in, in_at, out, out_at, bytes, flags))
MOVES(ssize_t, splice, PROF_MEASURE_COPY, out,
      (int in, off64_t *in_at, int out, off64_t *out_at, size_t bytes, unsigned flags),
      (in, in_at, out, out_at, bytes, flags))
MOVES(ssize_t, tee, PROF_MEASURE_COPY, out, (int in, int out, size_t bytes, unsigned flags), (in, out, bytes, flags))
MOVES(ssize_t, vmsplice, PROF_MEASURE_COPY, fd, (int fd, const struct iovec *parts, size_t count, unsigned flags),
      (fd, parts, count, flags))
READS(ssize_t, recv, PROF_MEASURE_RECV, fd, (int fd, void *to, size_t bytes, int flags), (fd, to, bytes, flags))
READS(ssize_t, __recv_chk, PROF_MEASURE_RECV, fd, (int fd, void *to, size_t bytes, size_t room, int flags),
      (fd, to, bytes, room, flags))
MOVES(ssize_t, send, PROF_MEASURE_SEND, fd, (int fd, const void *from, size_t bytes, int flags),
      (fd, from, bytes, flags))

/* ---- streams: functions of libc's tables ---- */

ssize_t _IO_file_read(FILE *, void *, ssize_t);
ssize_t _IO_file_write(FILE *, const void *, ssize_t);
int _IO_file_close(FILE *);
#pragma weak _IO_file_read
#pragma weak _IO_file_write
#pragma weak _IO_file_close
READS(ssize_t, _IO_file_read, PROF_MEASURE_READ, stream->_fileno, (FILE * stream, void *to, ssize_t bytes),
      (stream, to, bytes))
MOVES(ssize_t, _IO_file_write, PROF_MEASURE_WRITE, stream->_fileno, (FILE * stream, const void *from, ssize_t bytes),
      (stream, from, bytes))

/* ---- descriptors that come and go ---- */

static int wrap_close(int fd) {
  const uint32_t file = prof_file_of(fd);
  const uint64_t begin = prof_measure.ticks();
  prof_file_forget(fd); /* before another thread may get the number */
  int result = close(fd);
  prof_moved(PROF_MEASURE_CLOSE, file, result, begin, PROF_CALLER);
  return result;
}

static int wrap__IO_file_close(FILE *stream) {
  const int fd = stream->_fileno;
  const uint32_t file = prof_file_of(fd);
  const uint64_t begin = prof_measure.ticks();
  prof_file_forget(fd);
  int result = _IO_file_close(stream);
  prof_moved(PROF_MEASURE_CLOSE, file, result, begin, PROF_CALLER);
  return result;
}

/* The descriptor `fd` is new; below 0: there is none.  path: as it was asked for; NULL: none. */
static int opened(enum prof_measure_operation operation, int fd, const char *path, uint64_t begin, const void *caller) {
  uint64_t end = prof_measure.ticks();
  prof_file_forget(fd);
  uint32_t file = fd < 0                             ? prof_file_missed(path)
                  : operation == PROF_MEASURE_ACCEPT ? prof_file_accepted(fd)
                                                     : prof_file_of(fd);
  prof_moved(operation, file, fd < 0 ? -1 : 0, begin + (prof_measure.ticks() - end), caller);
  return fd;
}

#define OPENS(name, operation, parameters, arguments)                                                                  \
  static int wrap_##name parameters {                                                                                  \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    const int fd = name arguments;                                                                                     \
    return opened(operation, fd, path, begin, PROF_CALLER);                                                            \
  }

/* The mode is there if the flags ask for it. */
#define MODE(flags)                                                                                                    \
  mode_t mode = 0;                                                                                                     \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                             \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode = va_arg(rest, mode_t);                                                                                       \
    va_end(rest);                                                                                                      \
  }
#define OPENS_BY_MODE(name, parameters, arguments)                                                                     \
  static int wrap_##name parameters {                                                                                  \
    MODE(flags)                                                                                                        \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    const int fd = name arguments;                                                                                     \
    return opened(PROF_MEASURE_OPEN, fd, path, begin, PROF_CALLER);                                                    \
  }

int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
OPENS_BY_MODE(open, (const char *path, int flags, ...), (path, flags, mode))
OPENS_BY_MODE(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENS_BY_MODE(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENS_BY_MODE(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENS(__open_2, PROF_MEASURE_OPEN, (const char *path, int flags), (path, flags))
OPENS(__open64_2, PROF_MEASURE_OPEN, (const char *path, int flags), (path, flags))
OPENS(__openat_2, PROF_MEASURE_OPEN, (int at, const char *path, int flags), (at, path, flags))
OPENS(__openat64_2, PROF_MEASURE_OPEN, (int at, const char *path, int flags), (at, path, flags))
OPENS(creat, PROF_MEASURE_OPEN, (const char *path, mode_t mode), (path, mode))
OPENS(creat64, PROF_MEASURE_OPEN, (const char *path, mode_t mode), (path, mode))
OPENS(mkstemp, PROF_MEASURE_OPEN, (char *path), (path))
OPENS(mkstemp64, PROF_MEASURE_OPEN, (char *path), (path))
OPENS(mkostemp, PROF_MEASURE_OPEN, (char *path, int flags), (path, flags))
OPENS(mkostemp64, PROF_MEASURE_OPEN, (char *path, int flags), (path, flags))
OPENS(mkstemps, PROF_MEASURE_OPEN, (char *path, int tail), (path, tail))
OPENS(mkstemps64, PROF_MEASURE_OPEN, (char *path, int tail), (path, tail))
OPENS(mkostemps, PROF_MEASURE_OPEN, (char *path, int tail, int flags), (path, tail, flags))
OPENS(mkostemps64, PROF_MEASURE_OPEN, (char *path, int tail, int flags), (path, tail, flags))

#define ACCEPTS(name, parameters, arguments)                                                                           \
  static int wrap_##name parameters {                                                                                  \
    const uint32_t file = prof_file_of(fd);                                                                            \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    prof_wait_for(file, PROF_MEASURE_WAITS, PROF_CALLER);                                                              \
    const int result = name arguments;                                                                                 \
    prof_wait_for(file, PROF_MEASURE_GOES_ON, PROF_CALLER);                                                            \
    return opened(PROF_MEASURE_ACCEPT, result, NULL, begin, PROF_CALLER);                                              \
  }
ACCEPTS(accept, (int fd, struct sockaddr *from, socklen_t *length), (fd, from, length))
ACCEPTS(accept4, (int fd, struct sockaddr *from, socklen_t *length, int flags), (fd, from, length, flags))

#define OPENS_STREAM(name, path, parameters, arguments)                                                                \
  static FILE *wrap_##name parameters {                                                                                \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    FILE *stream = name arguments;                                                                                     \
    opened(PROF_MEASURE_OPEN, stream ? stream->_fileno : -1, path, begin, PROF_CALLER);                                \
    return stream;                                                                                                     \
  }
OPENS_STREAM(fopen, path, (const char *path, const char *mode), (path, mode))
OPENS_STREAM(fopen64, path, (const char *path, const char *mode), (path, mode))
OPENS_STREAM(freopen, path, (const char *path, const char *mode, FILE *old), (path, mode, old))
OPENS_STREAM(freopen64, path, (const char *path, const char *mode, FILE *old), (path, mode, old))
OPENS_STREAM(tmpfile, NULL, (void), ())
OPENS_STREAM(tmpfile64, NULL, (void), ())

static int wrap_connect(int fd, const struct sockaddr *to, socklen_t length) {
  const uint32_t socket = prof_file_of(fd); /* without a peer yet */
  const uint64_t begin = prof_measure.ticks();
  prof_wait_for(socket, PROF_MEASURE_WAITS, PROF_CALLER);
  int result = connect(fd, to, length);
  prof_wait_for(socket, PROF_MEASURE_GOES_ON, PROF_CALLER);
  const uint64_t end = prof_measure.ticks();
  prof_file_forget(fd);
  const uint32_t file = prof_file_of(fd);
  prof_moved(PROF_MEASURE_CONNECT, file, result, begin + (prof_measure.ticks() - end), PROF_CALLER);
  return result;
}

static int wrap_dup2(int from, int to) {
  prof_file_forget(to);
  return dup2(from, to);
}
static int wrap_dup3(int from, int to, int flags) {
  prof_file_forget(to);
  return dup3(from, to, flags);
}
static int wrap_bind(int fd, const struct sockaddr *to, socklen_t length) {
  prof_file_forget(fd);
  const int result = bind(fd, to, length);
  const int error = errno;
  if (result == 0)
    prof_file_bound(fd, to, length);
  errno = error;
  return result;
}

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
#define POINTED(name)                                                                                                  \
  { #name, (void *)(uintptr_t)wrap_##name, NULL, .by_pointer = true }
struct prof_wrapped prof_wrapped_io[] = {
    ROW(read),
    ROW(__read_chk),
    ROW(pread),
    ROW(pread64),
    ROW(__pread_chk),
    ROW(__pread64_chk),
    ROW(readv),
    ROW(preadv),
    ROW(preadv64),
    ROW(preadv2),
    ROW(preadv64v2),
    ROW(write),
    ROW(pwrite),
    ROW(pwrite64),
    ROW(writev),
    ROW(pwritev),
    ROW(pwritev64),
    ROW(pwritev2),
    ROW(pwritev64v2),
    ROW(fsync),
    ROW(fdatasync),
    ROW(sendfile),
    ROW(sendfile64),
    ROW(copy_file_range),
    ROW(splice),
    ROW(tee),
    ROW(vmsplice),
    ROW(recv),
    ROW(__recv_chk),
    ROW(send),
    ROW(close),
    ROW(open),
    ROW(open64),
    ROW(openat),
    ROW(openat64),
    ROW(__open_2),
    ROW(__open64_2),
    ROW(__openat_2),
    ROW(__openat64_2),
    ROW(creat),
    ROW(creat64),
    ROW(mkstemp),
    ROW(mkstemp64),
    ROW(mkostemp),
    ROW(mkostemp64),
    ROW(mkstemps),
    ROW(mkstemps64),
    ROW(mkostemps),
    ROW(mkostemps64),
    ROW(accept),
    ROW(accept4),
    ROW(fopen),
    ROW(fopen64),
    ROW(freopen),
    ROW(freopen64),
    ROW(tmpfile),
    ROW(tmpfile64),
    ROW(connect),
    ROW(dup2),
    ROW(dup3),
    ROW(bind),
    POINTED(_IO_file_read),
    POINTED(_IO_file_write),
    POINTED(_IO_file_close),
    {0},
};
/* With --locks alone: what may block, and what makes a descriptor stand for something else. */
struct prof_wrapped prof_wrapped_input[] = {
    ROW(read),
    ROW(__read_chk),
    ROW(readv),
    ROW(preadv2),
    ROW(preadv64v2),
    ROW(recv),
    ROW(__recv_chk),
    ROW(accept),
    ROW(accept4),
    ROW(connect),
    ROW(close),
    ROW(dup2),
    ROW(dup3),
    ROW(bind),
    POINTED(_IO_file_read),
    POINTED(_IO_file_close),
    {0},
};
