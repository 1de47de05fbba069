/* links_other.cc - see links_main.cc. */
#include "links.h"

[[gnu::noinline]] static int same_name(int x) {
  return shared_inline(x) + 7;
}

[[gnu::noinline]] int unused_other(int x) {
  return same_name(x) * 5;
}

int other(int x) {
  return shared_template(x) / 2 + same_name(x) - x;
}
