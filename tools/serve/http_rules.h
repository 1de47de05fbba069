/*
 * tools/serve/http_rules.h - which requests are answered.  In: parts of a request.  Out: a status, or the path.
 */
#ifndef PROF_SERVE_HTTP_RULES_H
#define PROF_SERVE_HTTP_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define PROF_HTTP_TOKEN_BYTES 16
#define PROF_HTTP_TOKEN_DIGITS (2 * PROF_HTTP_TOKEN_BYTES)

/* Fills in `token` with random hexadecimal digits and a NUL; false: the system has no random bytes. */
bool prof_http_token_make(char token[PROF_HTTP_TOKEN_DIGITS + 1]);

/* Whether a Host header names this server: 127.0.0.1 or localhost with the port, without it for port 80.  NULL: no. */
bool prof_http_host_fits(const char *host, uint16_t port);

/*
 * 0: the request is answered, and *path is the part of `url` behind "/TOKEN/"; else the status.  `url` is decoded and
 * begins with '/'.  The time that it takes does not depend on the token.
 */
unsigned prof_http_check(const char *method, const char *host, const char *url, const char *token, uint16_t port,
                         const char **path);

#endif
