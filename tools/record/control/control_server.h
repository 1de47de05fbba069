/*
 * tools/record/control/control_server.h - the thread of a recorder that answers `prof ctl`.
 *
 * One client at a time: its line is a word, the answer a line.  Without the socket the recording runs as with it.
 */
#ifndef PROF_RECORD_CONTROL_SERVER_H
#define PROF_RECORD_CONTROL_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "record/control/control_name.h"

struct prof_control_server {
  int socket; /* -1: there is none */
  bool started;
  pthread_t thread;
  /* Answers a client's word; runs in the thread.  Returns false: the answer is why it can't be done. */
  bool (*answer)(void *context, const char *word, char *text, size_t text_bytes);
  void *context;
};

void prof_control_server_start(struct prof_control_server *, pid_t program,
                               bool (*answer)(void *context, const char *word, char *text, size_t text_bytes),
                               void *context);
void prof_control_server_stop(struct prof_control_server *); /* zeroed or stopped before: no effect */

#endif
