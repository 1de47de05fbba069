/*
 * leak.c - a service that handles requests of sessions: 20,000, or as many as the first argument says.
 *
 * Its memory grows: session_end gives the session back, but not its name.  -DFREE_NAMES mends it.  The cache of answers
 * grows too, until it is full: that is no leak.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REQUESTS = 20000, ANSWERS = 500, NAME_BYTES = 100, ANSWER_BYTES = 1000 };

struct session {
  char *name;
  unsigned long requests;
};

static char *answers[ANSWERS];
static unsigned long total;

__attribute__((noinline)) static char *name_of(unsigned number) {
  char *name = malloc(NAME_BYTES);
  snprintf(name, NAME_BYTES, "session %u", number);
  return name;
}

__attribute__((noinline)) static struct session *session_begin(unsigned number) {
  struct session *session = calloc(1, sizeof *session);
  session->name = name_of(number);
  return session;
}

__attribute__((noinline)) static void session_end(struct session *session) {
#ifdef FREE_NAMES
  free(session->name);
#endif
  free(session);
}

__attribute__((noinline)) static const char *answer_of(unsigned number) {
  char **answer = &answers[number % ANSWERS];
  if (!*answer) {
    *answer = malloc(ANSWER_BYTES);
    snprintf(*answer, ANSWER_BYTES, "answer %u", number % ANSWERS);
  }
  return *answer;
}

__attribute__((noinline)) static void handle(unsigned number) {
  struct session *session = session_begin(number);
  session->requests++;
  total += strlen(answer_of(number)) + strlen(session->name);
  session_end(session);
}

int main(int count, char **words) {
  const struct timespec pause = {0, 1000000};
  const unsigned requests = count > 1 ? (unsigned)atoi(words[1]) : REQUESTS;
  for (unsigned i = 0; i < requests; i++) {
    handle(i);
    if (i % 100 == 0)
      nanosleep(&pause, NULL); /* until the next requests come */
  }
  printf("total %lu\n", total);
  return 0;
}
