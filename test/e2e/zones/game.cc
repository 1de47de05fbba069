/* game.cc - a program that is marked for Tracy: zones of blocks and templates, an exception, a plot, frames. */
#include "tracy/Tracy.hpp"

#include <mutex>
#include <stdexcept>

static TracyLockableN(std::mutex, guard, "guard");

template <class T> static T twice(T value) {
  ZoneScoped;
  return value + value;
}

struct world {
  int bodies = 0;
  void step(int count) {
    ZoneScopedN("step");
    ZoneValue(count);
    for (int i = 0; i < count; i++) {
      ZoneNamedN(inner, "body", true);
      ZoneTextV(inner, "text", 4);
      bodies = twice(bodies) + 1;
      if (i == 1)
        continue;
    }
  }
  void fail() {
    ZoneScopedNC("fail", 0xff0000);
    throw std::runtime_error("falls out of a zone");
  }
};

int main() {
  tracy::SetThreadName("game");
  world all;
  for (int frame = 0; frame < 3; frame++) {
    ZoneScopedN("frame");
    std::lock_guard<LockableBase(std::mutex)> lock(guard);
    LockMark(guard);
    all.step(4);
    TracyPlot("bodies", all.bodies);
    try {
      all.fail();
    } catch (const std::runtime_error &) {
      TracyMessageL("failed");
    }
    FrameMark;
  }
  return TracyIsConnected == 7;
}
