/*
 * test_http_rules.c - which requests the server of `prof view` answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "serve/http_rules.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define HOST "127.0.0.1:4711"

static void tokens_differ(void **state) {
  (void)state;
  char one[PROF_HTTP_TOKEN_DIGITS + 1], other[PROF_HTTP_TOKEN_DIGITS + 1];
  assert_true(prof_http_token_make(one));
  assert_true(prof_http_token_make(other));
  assert_int_equal(strlen(one), 32);
  assert_int_equal(strspn(one, "0123456789abcdef"), 32);
  assert_string_not_equal(one, other);
}

static void hosts_are_this_address(void **state) {
  (void)state;
  assert_true(prof_http_host_fits("127.0.0.1:4711", 4711));
  assert_true(prof_http_host_fits("localhost:4711", 4711));
  assert_true(prof_http_host_fits("LocalHost:4711", 4711));
  assert_true(prof_http_host_fits("localhost", 80));
  assert_true(prof_http_host_fits("127.0.0.1:80", 80));
  static const char *const wrong[] = {
      "",          "localhost",      "127.0.0.1",        "localhost:47110", "127.0.0.1:4711.example.com",
      " ",         "127.0.0.2:4711", "example.com:4711", ":4711",           "localhost:4711 ",
      "[::1]:4711"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(prof_http_host_fits(wrong[i], 4711));
  assert_false(prof_http_host_fits(NULL, 4711));
}

static void requests_need_all_of_it(void **state) {
  (void)state;
  static const struct {
    const char *method, *host, *url;
    unsigned status;
    const char *path;
  } cases[] = {
      {"GET", HOST, "/" TOKEN "/", 0, ""},
      {"GET", HOST, "/" TOKEN "/view", 0, "view"},
      {"GET", HOST, "/" TOKEN "/../etc", 0, "../etc"}, /* no path of the table */
      {"GET", HOST, "/" TOKEN, 403, NULL},
      {"GET", HOST, "/", 403, NULL},
      {"GET", HOST, "", 403, NULL},
      {"GET", HOST, "*", 403, NULL},
      {"GET", HOST, "/" TOKEN "0/view", 403, NULL},
      {"GET", HOST, "/1123456789abcdef0123456789abcdef/view", 403, NULL},
      {"GET", HOST, "/0123456789ABCDEF0123456789abcdef/view", 403, NULL},
      {"GET", HOST, "x" TOKEN "/view", 403, NULL},
      {"GET", HOST, "//" TOKEN "/view", 403, NULL},
      {"POST", HOST, "/" TOKEN "/view", 405, NULL},
      {"HEAD", HOST, "/" TOKEN "/view", 405, NULL},
      {"get", HOST, "/" TOKEN "/view", 405, NULL},
      {"POST", HOST, "/view", 403, NULL}, /* who has no token learns nothing */
      {"GET", "example.com", "/" TOKEN "/view", 421, NULL},
      {"GET", NULL, "/" TOKEN "/view", 421, NULL},
      {"POST", "example.com", "/", 421, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *path = "before";
    assert_int_equal(prof_http_check(cases[i].method, cases[i].host, cases[i].url, TOKEN, 4711, &path),
                     cases[i].status);
    if (cases[i].path)
      assert_string_equal(path, cases[i].path);
    else
      assert_null(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_differ),
      cmocka_unit_test(hosts_are_this_address),
      cmocka_unit_test(requests_need_all_of_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
