/*
 * tools/serve/http_rules.c - see http_rules.h.
 */
#include "serve/http_rules.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#define PLAIN_PORT 80 /* of HTTP: clients leave it out */

bool prof_http_token_make(char token[PROF_HTTP_TOKEN_DIGITS + 1]) {
  uint8_t bytes[PROF_HTTP_TOKEN_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (unsigned i = 0; i < sizeof bytes; i++)
    snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

bool prof_http_host_fits(const char *host, uint16_t port) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char with_port[32];
  for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
    snprintf(with_port, sizeof with_port, "%s:%u", names[i], port);
    if (!strcasecmp(host, with_port) || (port == PLAIN_PORT && !strcasecmp(host, names[i])))
      return true;
  }
  return false;
}

static bool has_token(const char *url, const char *token) {
  unsigned differ = url[0] != '/';
  if (strnlen(url, PROF_HTTP_TOKEN_DIGITS + 2) < PROF_HTTP_TOKEN_DIGITS + 2)
    return false;
  for (unsigned i = 0; i < PROF_HTTP_TOKEN_DIGITS; i++)
    differ |= (unsigned char)(url[1 + i] ^ token[i]);
  return !differ && url[1 + PROF_HTTP_TOKEN_DIGITS] == '/';
}

unsigned prof_http_check(const char *method, const char *host, const char *url, const char *token, uint16_t port,
                         const char **path) {
  *path = NULL;
  if (!prof_http_host_fits(host, port))
    return 421;
  if (!has_token(url, token))
    return 403;
  if (strcmp(method, "GET") != 0)
    return 405;
  *path = url + PROF_HTTP_TOKEN_DIGITS + 2;
  return 0;
}
