/* test_function_key.c - names of one function have one key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "names/function_key.h"

static void check(const char *name, const char *key) {
  char text[200];
  snprintf(text, sizeof text, "%s", name);
  prof_function_key(text);
  assert_string_equal(text, key);
}

static void clones_are_their_function(void **state) {
  (void)state;
  check("foo", "foo");
  check("foo.constprop.0", "foo");
  check("foo.part.2.cold", "foo");
  check("foo.isra.0.cold.12", "foo");
  check("foo.lto_priv.3", "foo");
  check("foo() [clone .part.0]", "foo");
  check("do_work.isra.0_[k]", "do_work");
  check("fib'2", "fib");
}

static void other_names_stay(void **state) {
  (void)state;
  check("", "");
  check("part.0", "part.0");
  check(".cold", ".cold");
  check("foo.12", "foo.12");
  check("cold", "cold");
  check("_ZN3foo4coldEv", "_ZN3foo4coldEv");
  check("[unknown]", "[unknown]");
  check("(below main)", "(below main)");
  check("loop main.c:12", "loop main.c:12");
  check("memcpy [libc.so.6]", "memcpy [libc.so.6]");
  check("'2", "'2");
  check("_[k]", "_[k]");
  check("a;b", "a:b");
}

static void templates_are_their_function(void **state) {
  (void)state;
  check("void ns::foo<int>(int)", "ns::foo");
  check("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back");
  check("a::f(int) [clone .constprop.0]", "a::f");
  check("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
  check("std::ostream& operator<< <char>(std::ostream&, char)", "operator<<");
  check("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clones_are_their_function),
      cmocka_unit_test(other_names_stay),
      cmocka_unit_test(templates_are_their_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
