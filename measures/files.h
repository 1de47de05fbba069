/* files.h - numbers and names of what descriptors stand for, and of other texts. */
#ifndef PROF_MEASURES_FILES_H
#define PROF_MEASURES_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* The number of the file or endpoint of a descriptor; 0: not known.  Keeps errno. */
uint32_t prof_file_of(int descriptor);
/* A pipe, socket or terminal: reading from it may last until somebody writes. */
bool prof_file_blocks(uint32_t file);
/* The descriptor may stand for something else from now on. */
void prof_file_forget(int descriptor);
/* The same of a connection that was just accepted: its name is that of all clients of the address that they connected
 * to.
 */
uint32_t prof_file_accepted(int descriptor);
/* The number of a path that could not be opened, by errno; 0: there is no readable path, or names of such paths have no
 * room.  Keeps errno. */
uint32_t prof_file_missed(const char *path);
/* It was bound to this address: where that has no port, the system chose one. */
void prof_file_bound(int descriptor, const struct sockaddr *, socklen_t bytes);
/* A socket of datagrams without a peer and a port of its own, which was looked up before. */
bool prof_file_has_peers(int descriptor);
/* The number of the peer that a datagram went to or came from; `file` where that socket has another name, or names of
 * peers have no room.  Keeps errno. */
uint32_t prof_file_of_peer(int descriptor, uint32_t file, const struct sockaddr *peer, socklen_t bytes);
/* The number of a text, which equal ones share; 0: no room, or another thread is at it.  Keeps errno. */
uint32_t prof_text_number(const char *text);
/* 1: the program restricts its system calls, so that no names are looked up any more. */
extern uint32_t prof_files_sealed __attribute__((visibility("hidden")));

#endif
