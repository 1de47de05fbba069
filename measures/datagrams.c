/*
 * datagrams.c - wraps calls that give a datagram's peer, or take several messages.
 *
 * Of a socket that has no peer of its own (files.h) the file is the peer of the datagram; of several messages, that of
 * the first.  An address is read only where the kernel has read or written it.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/socket.h>

#include "moves.h"

/* ---- peers ---- */

/* So far the kernel had read the peer's address. */
static bool was_sent(int64_t result) {
  return result >= 0 || errno == ECONNREFUSED || errno == ENETUNREACH || errno == EHOSTUNREACH || errno == EAGAIN ||
         errno == EMSGSIZE;
}

/* After a call: its peer's address is here; NULL: it has none, or none that may be read. */
static void moved(enum prof_measure_operation operation, int fd, uint32_t file, int64_t result, uint64_t begin,
                  const void *caller, const struct sockaddr *peer, socklen_t bytes) {
  const uint64_t end = prof_measure.ticks();
  const uint32_t named = peer ? prof_file_of_peer(fd, file, peer, bytes) : file;
  prof_moved(operation, named, result, begin + (prof_measure.ticks() - end), caller);
}

/* Room for the peer's address in a message that is to be received; 0: it isn't wanted. */
static socklen_t room_in(int fd, const struct msghdr *message) {
  return message && prof_file_has_peers(fd) && message->msg_name ? message->msg_namelen : 0;
}

/* Bytes of the messages that were moved; < 0: it failed. */
static int64_t sum_of(const struct mmsghdr *messages, int result) {
  int64_t bytes = result < 0 ? result : 0;
  for (int i = 0; i < result; i++)
    bytes += messages[i].msg_len;
  return bytes;
}

/* ---- one datagram ---- */

ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);

#define RECEIVES(name, parameters, arguments)                                                                          \
  static ssize_t wrap_##name parameters {                                                                              \
    const uint32_t file = prof_file_of(fd);                                                                            \
    const socklen_t room = from && length && prof_file_has_peers(fd) ? *length : 0;                                    \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    prof_wait_for(file, PROF_MEASURE_WAITS, PROF_CALLER);                                                              \
    const ssize_t result = name arguments;                                                                             \
    prof_wait_for(file, PROF_MEASURE_GOES_ON, PROF_CALLER);                                                            \
    const bool known = result >= 0 && room > 0;                                                                        \
    const socklen_t wrote = known ? *length : 0;                                                                       \
    moved(PROF_MEASURE_RECV, fd, file, result, begin, PROF_CALLER, known ? from : NULL, wrote < room ? wrote : room);  \
    return result;                                                                                                     \
  }
RECEIVES(recvfrom, (int fd, void *to, size_t bytes, int flags, struct sockaddr *from, socklen_t *length),
         (fd, to, bytes, flags, from, length))
RECEIVES(__recvfrom_chk,
         (int fd, void *to, size_t bytes, size_t space, int flags, struct sockaddr *from, socklen_t *length),
         (fd, to, bytes, space, flags, from, length))

static ssize_t wrap_sendto(int fd, const void *from, size_t bytes, int flags, const struct sockaddr *to,
                           socklen_t length) {
  const uint32_t file = prof_file_of(fd);
  const uint64_t begin = prof_measure.ticks();
  const ssize_t result = sendto(fd, from, bytes, flags, to, length);
  moved(PROF_MEASURE_SEND, fd, file, result, begin, PROF_CALLER, was_sent(result) ? to : NULL, length);
  return result;
}

static ssize_t wrap_sendmsg(int fd, const struct msghdr *message, int flags) {
  const uint32_t file = prof_file_of(fd);
  const uint64_t begin = prof_measure.ticks();
  const ssize_t result = sendmsg(fd, message, flags);
  const struct msghdr *sent = was_sent(result) ? message : NULL;
  moved(PROF_MEASURE_SENDMSG, fd, file, result, begin, PROF_CALLER, sent ? sent->msg_name : NULL,
        sent ? sent->msg_namelen : 0);
  return result;
}

static ssize_t wrap_recvmsg(int fd, struct msghdr *message, int flags) {
  const uint32_t file = prof_file_of(fd);
  const socklen_t room = room_in(fd, message);
  const uint64_t begin = prof_measure.ticks();
  prof_wait_for(file, PROF_MEASURE_WAITS, PROF_CALLER);
  const ssize_t result = recvmsg(fd, message, flags);
  prof_wait_for(file, PROF_MEASURE_GOES_ON, PROF_CALLER);
  const struct msghdr *got = result >= 0 && room > 0 ? message : NULL;
  const socklen_t wrote = got ? got->msg_namelen : 0;
  moved(PROF_MEASURE_RECVMSG, fd, file, result, begin, PROF_CALLER, got ? got->msg_name : NULL,
        wrote < room ? wrote : room);
  return result;
}

/* ---- several ---- */

static int wrap_sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags) {
  const uint32_t file = prof_file_of(fd);
  const uint64_t begin = prof_measure.ticks();
  const int result = sendmmsg(fd, messages, count, flags);
  const struct msghdr *first = was_sent(result) && count > 0 ? &messages[0].msg_hdr : NULL;
  moved(PROF_MEASURE_SENDMSG, fd, file, sum_of(messages, result), begin, PROF_CALLER, first ? first->msg_name : NULL,
        first ? first->msg_namelen : 0);
  return result;
}

static int wrap_recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *limit) {
  const uint32_t file = prof_file_of(fd);
  const socklen_t room = count > 0 && messages ? room_in(fd, &messages[0].msg_hdr) : 0;
  const uint64_t begin = prof_measure.ticks();
  prof_wait_for(file, PROF_MEASURE_WAITS, PROF_CALLER);
  const int result = recvmmsg(fd, messages, count, flags, limit);
  prof_wait_for(file, PROF_MEASURE_GOES_ON, PROF_CALLER);
  const struct msghdr *first = result > 0 && room > 0 ? &messages[0].msg_hdr : NULL;
  const socklen_t wrote = first ? first->msg_namelen : 0;
  moved(PROF_MEASURE_RECVMSG, fd, file, sum_of(messages, result), begin, PROF_CALLER, first ? first->msg_name : NULL,
        wrote < room ? wrote : room);
  return result;
}

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
struct prof_wrapped prof_wrapped_datagrams[] = {
    ROW(recvfrom), ROW(__recvfrom_chk), ROW(sendto), ROW(recvmsg), ROW(sendmsg), ROW(recvmmsg), ROW(sendmmsg), {0},
};
/* With --locks alone: what may block. */
struct prof_wrapped prof_wrapped_datagram_input[] = {
    ROW(recvfrom), ROW(__recvfrom_chk), ROW(recvmsg), ROW(recvmmsg), {0},
};
