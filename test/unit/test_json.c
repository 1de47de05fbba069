/* test_json.c - the JSON writer: layout and escapes, byte by byte. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

struct sink {
  FILE *file;
  char *text;
  size_t bytes;
};

static void sink_open(struct sink *sink) {
  sink->file = open_memstream(&sink->text, &sink->bytes);
}

static void sink_check(struct sink *sink, const char *expected) {
  fclose(sink->file);
  assert_string_equal(sink->text, expected);
  free(sink->text);
}

static void containers_nest(void **state) {
  (void)state;
  struct sink sink;
  struct prof_json json;
  sink_open(&sink);
  prof_json_init(&json, sink.file, 0);
  prof_json_object(&json, NULL);
  prof_json_count(&json, "a", UINT64_MAX);
  prof_json_array(&json, "b");
  prof_json_array_end(&json);
  prof_json_array(&json, "c");
  prof_json_bool(&json, NULL, true);
  prof_json_text(&json, NULL, NULL);
  prof_json_number(&json, NULL, 0.125);
  prof_json_number(&json, NULL, NAN);
  prof_json_array_end(&json);
  prof_json_object_end(&json);
  sink_check(&sink, "{\"a\":18446744073709551615,\"b\":[],\"c\":[true,null,0.125,null]}\n");
}

/* Of a whole number no digit is missing, as far as a double has it. */
static void numbers_have_their_digits(void **state) {
  (void)state;
  const double numbers[] = {0,
                            -0.5,
                            1234567,
                            -1234567890123,
                            9007199254740991,
                            9007199254740992.0,
                            1e300,
                            1234567890.1,
                            1.0 / 3,
                            -9007199254740991.0,
                            1e-300};
  struct sink sink;
  struct prof_json json;
  sink_open(&sink);
  prof_json_init(&json, sink.file, 0);
  prof_json_array(&json, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    prof_json_number(&json, NULL, numbers[i]);
  prof_json_array_end(&json);
  sink_check(&sink,
             "[0,-0.5,1234567,-1234567890123,9007199254740991,9.00719925474099e+15,1e+300,1234567890.1,0.333333333,"
             "-9007199254740991,1e-300]\n");
}

static void outer_containers_take_lines(void **state) {
  (void)state;
  struct sink sink;
  struct prof_json json;
  sink_open(&sink);
  prof_json_init(&json, sink.file, 2);
  prof_json_object(&json, NULL);
  prof_json_array(&json, "rows");
  for (int i = 0; i < 2; i++) {
    prof_json_object(&json, NULL);
    prof_json_count(&json, "n", (uint64_t)i);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
  sink_check(&sink, "{\n \"rows\":[\n  {\"n\":0},\n  {\"n\":1}\n ]\n}\n");
}

static void hostile_texts_stay_texts(void **state) {
  (void)state;
  static const struct {
    const char *raw, *quoted;
  } cases[] = {
      {"", "\"\""},
      {"say \"hi\\\"", "\"say \\\"hi\\\\\\\"\""},
      {"a\nb\tc\x1b[0m\x7f", "\"a\\u000ab\\u0009c\\u001b[0m\\u007f\""},
      {"gr\xc3\xb6\xc3\x9f"
       "e",
       "\"gr\xc3\xb6\xc3\x9f"
       "e\""},
      {"\xff\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\""},
      {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
      {"<script>", "\"<script>\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sink sink;
    sink_open(&sink);
    prof_json_quote(sink.file, cases[i].raw, strlen(cases[i].raw));
    sink_check(&sink, cases[i].quoted);
  }
}

static void a_nul_inside_is_escaped(void **state) {
  (void)state;
  struct sink sink;
  sink_open(&sink);
  prof_json_quote(sink.file, "a\0b", 3);
  sink_check(&sink, "\"a\\u0000b\"");
}

static void hostile_keys_are_escaped(void **state) {
  (void)state;
  struct sink sink;
  struct prof_json json;
  sink_open(&sink);
  prof_json_init(&json, sink.file, 0);
  prof_json_object(&json, NULL);
  prof_json_count(&json, "a\\b\"", 1);
  prof_json_array(&json, "\x1b\xff");
  prof_json_array_end(&json);
  prof_json_object_end(&json);
  sink_check(&sink, "{\"a\\\\b\\\"\":1,\"\\u001b\xef\xbf\xbd\":[]}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(containers_nest),
      cmocka_unit_test(numbers_have_their_digits),
      cmocka_unit_test(outer_containers_take_lines),
      cmocka_unit_test(hostile_texts_stay_texts),
      cmocka_unit_test(a_nul_inside_is_escaped),
      cmocka_unit_test(hostile_keys_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
