/* threads.cc - threads, thread-local objects with destructors, once, and statics that threads race to make. */
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<int> made, ended, total;

struct Local {
  int value;
  Local() : value(made++ >= 0 ? 1 : 0) {}
  ~Local() { ended++; }
};

[[gnu::noinline]] static int local() {
  thread_local Local one;
  return one.value;
}
[[gnu::noinline]] static int shared() {
  static const int value = local() + 41;
  return value;
}
static std::once_flag flag;

static void body(int n) {
  std::call_once(flag, [] { total += 1000; });
  for (int i = 0; i < n; i++)
    total += local() + (shared() == 42);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back(body, 100);
  for (auto &thread : threads)
    thread.join();
  std::printf("%d %d %d\n", total.load(), made.load(), ended.load());
}
