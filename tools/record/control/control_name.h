/*
 * tools/record/control/control_name.h - the name of a recorder's socket, which clients find in /proc/net/unix.
 *
 * It lies in the abstract namespace of unix(7): no file is left behind by a recorder that was killed.  Everybody may
 * connect; both sides check that the other one is of the same user (SO_PEERCRED).
 */
#ifndef PROF_RECORD_CONTROL_NAME_H
#define PROF_RECORD_CONTROL_NAME_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#define PROF_CONTROL_NAME "prof-control-%ld-%ld" /* the program's pid, the recorder's */
#define PROF_CONTROL_LINE_BYTES 4600             /* of an answer, at most: a path and some words */

static inline socklen_t prof_control_address(pid_t program, pid_t recorder, struct sockaddr_un *out) {
  *out = (struct sockaddr_un){.sun_family = AF_UNIX};
  int bytes = snprintf(out->sun_path + 1, sizeof out->sun_path - 1, PROF_CONTROL_NAME, (long)program, (long)recorder);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)bytes);
}

/* The user at the other end; -1: not known. */
static inline uid_t prof_control_peer(int fd) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 ? peer.uid : (uid_t)-1;
}

#endif
