/*
 * test/unit/test_base_proto.c - messages of protocol buffers, byte for byte as the encoding's documentation has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/proto.h"

static void assert_bytes(const struct prof_proto *message, const char *bytes, size_t count) {
  assert_false(message->failed);
  assert_int_equal(message->bytes.count, count);
  assert_memory_equal(message->bytes.items, bytes, count);
}

static void test_numbers(void **state) {
  struct prof_proto message = {0};
  (void)state;
  prof_proto_number(&message, 1, 150);
  assert_bytes(&message, "\x08\x96\x01", 3);
  prof_proto_clear(&message);
  prof_proto_number(&message, 16, 0); /* the first field whose key has two bytes */
  assert_bytes(&message, "\x80\x01\x00", 3);
  prof_proto_clear(&message);
  prof_proto_varint(&message, UINT64_MAX);
  assert_bytes(&message, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
  prof_proto_clear(&message);
  prof_proto_fixed64(&message, 1, 0x0102030405060708);
  assert_bytes(&message, "\x09\x08\x07\x06\x05\x04\x03\x02\x01", 9);
  prof_proto_fini(&message);
}

static void test_texts_and_messages(void **state) {
  struct prof_proto inner = {0}, outer = {0};
  char large[300];
  (void)state;
  prof_proto_text(&inner, 2, "testing");
  assert_bytes(&inner, "\x12\x07testing", 9);
  prof_proto_message(&outer, 3, &inner);
  assert_bytes(&outer, "\x1a\x09\x12\x07testing", 11);
  prof_proto_clear(&inner);
  prof_proto_clear(&outer);
  prof_proto_message(&outer, 3, &inner); /* an empty one */
  assert_bytes(&outer, "\x1a\x00", 2);
  memset(large, 'x', sizeof large);
  prof_proto_clear(&outer);
  prof_proto_bytes(&outer, 1, large, sizeof large);
  assert_int_equal(outer.bytes.count, 3 + sizeof large);
  assert_memory_equal(outer.bytes.items, "\x0a\xac\x02", 3);
  prof_proto_fini(&inner);
  prof_proto_fini(&outer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_texts_and_messages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
