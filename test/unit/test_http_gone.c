/*
 * test_http_gone.c - an answer that takes long learns that its client has closed the connection.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/http.h"

#define TRIES 60000 /* of a millisecond: for a machine under load */
#define SKIPPED 77

struct meeting {
  sem_t begun, closed, over;
  bool gone_before, gone_after;
};

/* The client closes the connection between the two questions. */
static void answer(void *context, const struct prof_http_request *request, struct prof_http_answer *out) {
  struct meeting *meeting = context;
  meeting->gone_before = prof_http_is_gone(request);
  sem_post(&meeting->begun);
  sem_wait(&meeting->closed);
  for (int i = 0; i < TRIES && !meeting->gone_after; i++) {
    meeting->gone_after = prof_http_is_gone(request);
    usleep(1000);
  }
  prof_http_say(out, 503, "nobody reads this");
  sem_post(&meeting->over);
}

static const struct prof_http_path paths[] = {{"long", answer}, {NULL, NULL}};

static int connect_to(const struct prof_http *http, const char *path) {
  unsigned port;
  char token[80], request[256];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  assert_int_equal(sscanf(prof_http_address(http), "http://127.0.0.1:%u/%79[0-9a-f]/", &port, token), 2);
  address.sin_port = htons((uint16_t)port);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  int bytes = snprintf(request, sizeof request, "GET /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", token, path, port);
  assert_int_equal(write(fd, request, (size_t)bytes), bytes);
  return fd;
}

static void a_closed_connection_is_seen(void **state) {
  (void)state;
  struct meeting meeting = {.gone_before = true};
  struct prof_http *http;
  sem_init(&meeting.begun, 0, 0);
  sem_init(&meeting.closed, 0, 0);
  sem_init(&meeting.over, 0, 0);
  const struct prof_http_spec spec = {.paths = paths, .context = &meeting};
  assert_int_equal(prof_http_start(&spec, NULL, &http), PROF_OK);
  int fd = connect_to(http, "long");
  sem_wait(&meeting.begun);
  close(fd);
  sem_post(&meeting.closed);
  sem_wait(&meeting.over);
  prof_http_stop(http);
  assert_false(meeting.gone_before);
  assert_true(meeting.gone_after);
}

int main(void) {
  if (!prof_http_is_there()) {
    puts("skipped: built without libmicrohttpd");
    return SKIPPED;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_closed_connection_is_seen)};
  return cmocka_run_group_tests_name("http_gone", tests, NULL, NULL);
}
