/*
 * tools/serve/http.h - an HTTP server for one user of this machine.
 *
 * Job: listens on 127.0.0.1 only; answers GET requests below a path that has a random token.  In: a table of paths,
 * each with a function.  Out: its address.  Threads: one per connection, at most 64; so functions run at the same time.
 *
 *    http://127.0.0.1:40123/5f0c...e1/             the path ""
 *    http://127.0.0.1:40123/5f0c...e1/view?t0=1    the path "view"
 *
 * 421: a Host that is not this address (another site's name that leads here); 403: no or a wrong token; 405: no GET;
 * 404: no such path.  These have no body, but for 405 and 404 one line.  No answer may be kept, or read by another
 * site.
 */
#ifndef PROF_SERVE_HTTP_H
#define PROF_SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#define PROF_HTTP_DATA "application/octet-stream"
#define PROF_HTTP_PAGE "text/html; charset=utf-8"
#define PROF_HTTP_TEXT "text/plain; charset=utf-8"

struct prof_http;         /* a server that runs */
struct prof_http_request; /* lives as long as the call that has it */

struct prof_http_answer { /* zeroed: 500 */
  unsigned status;        /* 200, ... */
  const char *type;       /* of the above; NULL: no body */
  uint8_t *bytes;         /* malloc; the server frees it; may be NULL without a body */
  size_t count;
};

struct prof_http_path {
  const char *name; /* "view" */
  void (*answer)(void *context, const struct prof_http_request *, struct prof_http_answer *);
};

struct prof_http_spec {
  const struct prof_http_path *paths; /* ends at a name NULL; borrowed */
  void *context;                      /* of all paths */
  uint64_t port;                      /* 0: any that is free; at most 65,535 */
};

/* Loads libmicrohttpd.  false: it is not there, or prof was built without it; prof_http_start then fails with
 * PROF_UNSUPPORTED. */
bool prof_http_is_there(void);

/* PROF_IO: the port is in use, or not allowed. */
prof_status prof_http_start(const struct prof_http_spec *, struct prof_diag *, struct prof_http **out) PROF_MUST_CHECK;

/* Waits for the answers that are being made.  NULL: nothing. */
void prof_http_stop(struct prof_http *);

const char *prof_http_address(const struct prof_http *); /* with the token, ends with '/'; until prof_http_stop */

/* A number of the query: decimal digits.  false: it is missing, or is none. */
bool prof_http_number(const struct prof_http_request *, const char *key, uint64_t *out);

/* Has the client closed the connection?  Then nobody reads the answer.  From any thread, until the answer is made. */
bool prof_http_is_gone(const struct prof_http_request *);

/* A script in a page has to carry this in its attribute `nonce`, or it does not run. */
const char *prof_http_nonce(const struct prof_http_request *);

/* The answer is one line of text. */
void prof_http_say(struct prof_http_answer *, unsigned status, const char *text);

#endif
