// memory.cc - allocates in every way of C++, and prints what `prof memory` must show: "want FUNCTION CALLS BYTES LEFT".
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#define APART __attribute__((noinline, noclone))
struct alignas(128) wide {
  char bytes[256];
};
static void *volatile keep;

APART static void single() {
  for (int i = 0; i < 5; i++) {
    int *volatile number = new int(i);
    delete number;
  }
  keep = new char[33];
}

APART static void over_aligned() {
  wide *volatile one = new wide, *volatile two = new (std::nothrow) wide[2];
  delete one;
  delete[] two;
}

APART static void container() {
  std::vector<long> numbers;
  numbers.reserve(1000);
  std::string text(500, 'x');
  numbers.push_back(static_cast<long>(text.size()));
  keep = numbers.data() ? keep : nullptr;
}

APART static int thrown() {
  volatile std::size_t huge = std::size_t{1} << 46;
  try {
    char *volatile block = new char[huge];
    delete[] block;
  } catch (const std::bad_alloc &) {
    void *volatile after = std::malloc(21); // not named by the operator that threw; the exception takes 136
    std::free(after);
    return 6;
  }
  return 7;
}

int main() {
  single();
  over_aligned();
  container();
  const int status = thrown();
  std::puts("want single 6 53 33\nwant over_aligned 2 768 0\nwant container 2 8501 0\nwant thrown 2 157 0");
  return status;
}
