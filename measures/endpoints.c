/*
 * endpoints.c - see endpoints.h.
 *
 * A socket of datagrams that isn't connected has a peer per datagram.  Whether its own address tells more is a matter
 * of who chose it: a server binds it to a port, and clients come; a client leaves the port to the system.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "endpoints.h"

union address {
  struct sockaddr_storage any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un un;
};

/* bytes: of the address, at least its family. */
static bool name_address(const char *kind, const char *whose, const union address *address, socklen_t bytes,
                         char out[PROF_NAME_BYTES]) {
  char text[INET6_ADDRSTRLEN];
  if (address->any.ss_family == AF_INET && inet_ntop(AF_INET, &address->v4.sin_addr, text, sizeof text))
    snprintf(out, PROF_NAME_BYTES, "%s %s%s:%u", kind, whose, text, ntohs(address->v4.sin_port));
  else if (address->any.ss_family == AF_INET6 && inet_ntop(AF_INET6, &address->v6.sin6_addr, text, sizeof text))
    snprintf(out, PROF_NAME_BYTES, "%s %s[%s]:%u", kind, whose, text, ntohs(address->v6.sin6_port));
  else if (address->any.ss_family == AF_UNIX && bytes > sizeof(sa_family_t) && address->un.sun_path[0])
    snprintf(out, PROF_NAME_BYTES, "unix %s%.108s", whose, address->un.sun_path);
  else
    return false;
  return true;
}

static bool has_no_port(const union address *address) {
  return (address->any.ss_family == AF_INET && address->v4.sin_port == 0) ||
         (address->any.ss_family == AF_INET6 && address->v6.sin6_port == 0);
}

bool prof_endpoint_of_socket(int descriptor, enum prof_socket_use use, char out[PROF_NAME_BYTES],
                             enum prof_datagrams *datagrams) {
  union address address;
  int type = 0;
  socklen_t type_bytes = sizeof type, bytes = sizeof address;
  memset(&address, 0, sizeof address);
  *datagrams = PROF_DATAGRAMS_NONE;
  getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_bytes);
  const char *kind = type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "ip";
  const bool accepted = use == PROF_SOCKET_ACCEPTED;
  if (!accepted && getpeername(descriptor, (struct sockaddr *)&address, &bytes) == 0)
    return name_address(kind, "", &address, bytes, out);
  bytes = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &bytes) != 0)
    return false;
  const bool is_unix = address.any.ss_family == AF_UNIX;
  if ((type == SOCK_DGRAM || type == SOCK_RAW) && (use == PROF_SOCKET_ANY_PORT || is_unix || has_no_port(&address)))
    *datagrams = type == SOCK_DGRAM ? PROF_DATAGRAMS_UDP : PROF_DATAGRAMS_OTHERS;
  if (*datagrams != PROF_DATAGRAMS_NONE && !is_unix) {
    snprintf(out, PROF_NAME_BYTES, "%s socket", kind);
    return true;
  }
  return name_address(kind, accepted ? "clients of " : "", &address, bytes, out);
}

bool prof_endpoint_of_peer(enum prof_datagrams datagrams, const struct sockaddr *peer, socklen_t bytes,
                           char out[PROF_NAME_BYTES]) {
  union address address;
  memset(&address, 0, sizeof address);
  if (bytes < sizeof(sa_family_t))
    return false;
  memcpy(&address, peer, bytes < sizeof address ? bytes : sizeof address);
  return name_address(datagrams == PROF_DATAGRAMS_UDP ? "udp" : "ip", "", &address, bytes, out);
}
