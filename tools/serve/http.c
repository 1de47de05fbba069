/*
 * tools/serve/http.c - see http.h: libmicrohttpd with our rules.
 *
 * Threads: libmicrohttpd has one that accepts, and one per connection; all of them only read struct prof_http.
 */
#ifdef PROF_HAS_MICROHTTPD

#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/library.h"
#include "serve/http_rules.h"

#define LIBRARY "libmicrohttpd.so.12"
#define FUNCTIONS(X)                                                                                                   \
  X(add_response_header)                                                                                               \
  X(create_response_from_buffer)                                                                                       \
  X(destroy_response)                                                                                                  \
  X(get_connection_info)                                                                                               \
  X(lookup_connection_value)                                                                                           \
  X(queue_response)                                                                                                    \
  X(start_daemon)                                                                                                      \
  X(stop_daemon)

#define MOST_CONNECTIONS 64u
#define IDLE_SECONDS 60u
#define WAITING 32 /* connections that are not accepted yet */

struct prof_http {
  struct MHD_Daemon *daemon;
  struct prof_http_spec spec;
  uint16_t port;
  char token[PROF_HTTP_TOKEN_DIGITS + 1];
  char nonce[PROF_HTTP_TOKEN_DIGITS + 1];
  char address[64 + PROF_HTTP_TOKEN_DIGITS];
};

struct prof_http_request {
  const struct prof_http *http;
  struct MHD_Connection *connection;
};

#define MEMBER(name) __typeof__(MHD_##name) *name;
static struct { FUNCTIONS(MEMBER) } mhd; /* only read once a server has been started */

bool prof_http_is_there(void) {
#define ROW(name) {"MHD_" #name, offsetof(__typeof__(mhd), name)},
  static const struct prof_library_function functions[] = {FUNCTIONS(ROW){0}};
  return prof_library_load(LIBRARY, functions, &mhd);
}

bool prof_http_number(const struct prof_http_request *request, const char *key, uint64_t *out) {
  const char *text = mhd.lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, key);
  if (!text || !*text || strspn(text, "0123456789") != strlen(text))
    return false;
  errno = 0;
  *out = strtoull(text, NULL, 10);
  return errno == 0;
}

bool prof_http_is_gone(const struct prof_http_request *request) {
  const union MHD_ConnectionInfo *info =
      mhd.get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  struct pollfd peer = {.fd = info ? info->connect_fd : -1, .events = POLLRDHUP};
  return info && poll(&peer, 1, 0) == 1 && (peer.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

void prof_http_say(struct prof_http_answer *answer, unsigned status, const char *text) {
  free(answer->bytes);
  *answer = (struct prof_http_answer){.status = status, .type = PROF_HTTP_TEXT, .count = strlen(text) + 1};
  answer->bytes = malloc(answer->count + 1);
  if (!answer->bytes)
    answer->count = 0;
  else
    snprintf((char *)answer->bytes, answer->count + 1, "%s\n", text);
}

/* The page loads nothing but itself; styles are attributes too.  Its script has the server's nonce. */
static void add_headers(const struct prof_http *http, struct MHD_Response *response,
                        const struct prof_http_answer *answer) {
  static const char *const headers[][2] = {
      {"Cache-Control", "no-store"},      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"}, {"Cross-Origin-Resource-Policy", "same-origin"},
      {"X-Frame-Options", "DENY"},        {"Cross-Origin-Opener-Policy", "same-origin"},
  };
  char policy[320];
  snprintf(policy, sizeof policy,
           "default-src 'none'; script-src 'nonce-%s'; style-src 'unsafe-inline'; img-src data: blob:; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
           http->nonce);
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    mhd.add_response_header(response, headers[i][0], headers[i][1]);
  mhd.add_response_header(response, "Content-Security-Policy", policy);
  if (answer->type)
    mhd.add_response_header(response, "Content-Type", answer->type);
  if (answer->status == 405)
    mhd.add_response_header(response, "Allow", "GET");
}

static enum MHD_Result send_answer(const struct prof_http *http, struct MHD_Connection *connection,
                                   struct prof_http_answer *answer) {
  static char nothing[1];
  struct MHD_Response *response =
      answer->bytes ? mhd.create_response_from_buffer(answer->count, answer->bytes, MHD_RESPMEM_MUST_FREE)
                    : mhd.create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
  if (!response) {
    free(answer->bytes);
    return MHD_NO;
  }
  add_headers(http, response, answer);
  enum MHD_Result result = mhd.queue_response(connection, answer->status ? answer->status : 500, response);
  mhd.destroy_response(response);
  return result;
}

static void find_answer(const struct prof_http *http, struct MHD_Connection *connection, const char *path,
                        struct prof_http_answer *answer) {
  const struct prof_http_request request = {http, connection};
  for (const struct prof_http_path *known = http->spec.paths; known->name; known++)
    if (!strcmp(known->name, path)) {
      known->answer(http->spec.context, &request, answer);
      return;
    }
  prof_http_say(answer, 404, "there is no such path");
}

static enum MHD_Result take(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *upload, size_t *upload_bytes, void **state) {
  static char seen;
  const struct prof_http *http = context;
  struct prof_http_answer answer = {.status = 0};
  const char *path;
  (void)version, (void)upload, (void)upload_bytes;
  unsigned status = prof_http_check(method, mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host"), url,
                                    http->token, http->port, &path);
  if (status) {
    answer.status = status;
    return send_answer(http, connection, &answer); /* what is uploaded is not read */
  }
  if (!*state) { /* the headers; the request's end follows */
    *state = &seen;
    return MHD_YES;
  }
  find_answer(http, connection, path, &answer);
  return send_answer(http, connection, &answer);
}

/* A socket that listens; -1: errno says why. */
static int listen_on(uint16_t *port) {
  const int one = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) || /* after a server that has just ended */
      bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, WAITING) ||
      getsockname(fd, (struct sockaddr *)&address, &bytes)) {
    int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  *port = ntohs(address.sin_port);
  return fd;
}

static void ignore(void *context, const char *format, va_list values) {
  (void)context, (void)format, (void)values; /* of clients; what matters is in the answers */
}

static prof_status start(struct prof_http *http, struct prof_diag *diag) {
  char action[64];
  snprintf(action, sizeof action, "can't listen on 127.0.0.1, port %u", http->port);
  if (!prof_http_token_make(http->token) || !prof_http_token_make(http->nonce))
    return prof_diag_system(diag, errno, NULL, "no random bytes for the address", NULL);
  int fd = listen_on(&http->port);
  if (fd < 0)
    return prof_diag_system(diag, errno, NULL, action, "choose another port with --port=N, or none: any free one");
  http->daemon = mhd.start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG, 0, NULL, NULL,
      take, http, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
      MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_END);
  if (!http->daemon) {
    int error = errno;
    close(fd);
    return prof_diag_system(diag, error ? error : EAGAIN, NULL, "can't start the server", NULL);
  }
  snprintf(http->address, sizeof http->address, "http://127.0.0.1:%u/%s/", http->port, http->token);
  return PROF_OK;
}

prof_status prof_http_start(const struct prof_http_spec *spec, struct prof_diag *diag, struct prof_http **out) {
  struct prof_http *http;
  *out = NULL;
  if (!prof_http_is_there())
    return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET,
                          "write a file with -o report.html, or apt-get install libmicrohttpd12",
                          "the server needs the library " LIBRARY ", which is not there");
  http = calloc(1, sizeof *http);
  if (!http)
    return prof_diag_memory(diag);
  http->spec = *spec;
  http->port = (uint16_t)spec->port;
  prof_status status = start(http, diag);
  if (status == PROF_OK)
    *out = http;
  else
    free(http);
  return status;
}

void prof_http_stop(struct prof_http *http) {
  if (!http)
    return;
  mhd.stop_daemon(http->daemon);
  free(http);
}

const char *prof_http_address(const struct prof_http *http) {
  return http->address;
}

const char *prof_http_nonce(const struct prof_http_request *request) {
  return request->http->nonce;
}

#endif
