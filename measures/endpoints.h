/* endpoints.h - names of sockets, and of the addresses that datagrams go to and come from. */
#ifndef PROF_MEASURES_ENDPOINTS_H
#define PROF_MEASURES_ENDPOINTS_H

#include <stdbool.h>
#include <sys/socket.h>

#define PROF_NAME_BYTES 1024

enum prof_socket_use {
  PROF_SOCKET_PLAIN,
  PROF_SOCKET_ACCEPTED, /* a connection: its name is that of all clients of the address that they connected to */
  PROF_SOCKET_ANY_PORT, /* it was bound, but not to a port that the program chose */
};

/* What is known of a socket besides its name. */
enum prof_datagrams {
  PROF_DATAGRAMS_NONE,   /* a stream, connected, or bound by choice: its own name says it */
  PROF_DATAGRAMS_UDP,    /* each datagram has a peer of its own */
  PROF_DATAGRAMS_OTHERS, /* likewise */
};

/* "tcp 127.0.0.1:80", "tcp clients of 127.0.0.1:80", "unix /run/x"; "udp socket": it has no address yet.  False: it has
 * no name. */
bool prof_endpoint_of_socket(int descriptor, enum prof_socket_use, char out[PROF_NAME_BYTES], enum prof_datagrams *);
/* The same of a peer.  bytes: how long its address is.  False: of another kind, or without an address. */
bool prof_endpoint_of_peer(enum prof_datagrams, const struct sockaddr *, socklen_t bytes, char out[PROF_NAME_BYTES]);

#endif
