/*
 * tools/record/control/control_server.c - see control_server.h.
 */
#include "record/control/control_server.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORD_BYTES = PROF_CONTROL_LINE_BYTES, WAITING = 4 };
static const struct timeval patience = {.tv_sec = 2}; /* with a client that says nothing */

/* A client's word, without the end of its line; false: there is none. */
static bool read_word(int client, char word[WORD_BYTES]) {
  size_t used = 0;
  for (ssize_t got; used < WORD_BYTES - 1 && (got = recv(client, word + used, WORD_BYTES - 1 - used, 0)) > 0;) {
    used += (size_t)got;
    if (memchr(word, '\n', used) != NULL)
      break;
  }
  word[used] = 0;
  word[strcspn(word, "\n")] = 0;
  return used > 0;
}

static void serve(const struct prof_control_server *server, int client) {
  char word[WORD_BYTES], text[PROF_CONTROL_LINE_BYTES], line[PROF_CONTROL_LINE_BYTES + 8];
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (prof_control_peer(client) != geteuid() || !read_word(client, word))
    return;
  bool done = server->answer(server->context, word, text, sizeof text);
  int bytes = snprintf(line, sizeof line, "%s%s\n", done ? "ok " : "no ", text);
  (void)!send(client, line, (size_t)bytes, MSG_NOSIGNAL); /* the client may be gone */
}

/* Until the socket is shut down. */
static void *run(void *context) {
  const struct prof_control_server *server = context;
  int client;
  while ((client = accept4(server->socket, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    serve(server, client);
    close(client);
  }
  return NULL;
}

void prof_control_server_start(struct prof_control_server *server, pid_t program,
                               bool (*answer)(void *context, const char *word, char *text, size_t text_bytes),
                               void *context) {
  struct sockaddr_un address;
  socklen_t bytes = prof_control_address(program, getpid(), &address);
  *server = (struct prof_control_server){.answer = answer, .context = context};
  server->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool listens = server->socket >= 0 && bind(server->socket, (struct sockaddr *)&address, bytes) == 0 &&
                 listen(server->socket, WAITING) == 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  server->started = listens && pthread_create(&server->thread, NULL, run, server) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!server->started && server->socket >= 0)
    close(server->socket);
}

void prof_control_server_stop(struct prof_control_server *server) {
  if (!server->started)
    return;
  shutdown(server->socket, SHUT_RDWR);
  pthread_join(server->thread, NULL);
  close(server->socket);
  server->started = false;
}
