// scoped.cc - marked by NVTX's C++ header.
#include <nvtx3/nvtx3.hpp>

#include <string>

struct library {
  static constexpr char const *name{"library"};
};

static void function() {
  NVTX3_FUNC_RANGE();
}

int main() {
  for (int i = 0; i < 3; i++) {
    nvtx3::scoped_range outer{"outer " + std::to_string(i)};
    nvtx3::scoped_range_in<library> inner{"inner"};
    nvtx3::unique_range unique{"unique"};
    function();
    nvtx3::mark("mark");
  }
}
