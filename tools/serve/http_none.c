/*
 * tools/serve/http_none.c - in place of http.c, in a build without libmicrohttpd.
 */
#ifndef PROF_HAS_MICROHTTPD

#include "base/diag.h"
#include "serve/http.h"

bool prof_http_is_there(void) {
  return false;
}

prof_status prof_http_start(const struct prof_http_spec *spec, struct prof_diag *diag, struct prof_http **out) {
  (void)spec;
  *out = NULL;
  return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET,
                        "write a file with -o report.html, or apt-get install libmicrohttpd-dev and build prof again",
                        "this prof was built without libmicrohttpd, which the server needs");
}

void prof_http_stop(struct prof_http *http) {
  (void)http;
}

const char *prof_http_address(const struct prof_http *http) {
  (void)http;
  return "";
}

bool prof_http_number(const struct prof_http_request *request, const char *key, uint64_t *out) {
  (void)request, (void)key, (void)out;
  return false;
}

bool prof_http_is_gone(const struct prof_http_request *request) {
  (void)request;
  return false;
}

const char *prof_http_nonce(const struct prof_http_request *request) {
  (void)request;
  return "";
}

void prof_http_say(struct prof_http_answer *answer, unsigned status, const char *text) {
  (void)text;
  *answer = (struct prof_http_answer){.status = status};
}

#endif
