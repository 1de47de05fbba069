/* links_main.cc - with links_other.cc: two units with one inline function, static functions of one name, a cold part.
 */
#include "links.h"

[[gnu::noinline]] static int same_name(int x) {
  return shared_inline(x) + 3;
}

[[gnu::noinline]] int unused_main(int x) {
  return same_name(x) * 5;
}

int main() {
  std::printf("%d %d", same_name(3), other(shared_template(2)));
  try {
    other(1000);
  } catch (int caught) {
    std::printf(" caught %d\n", caught - 991);
  }
}
