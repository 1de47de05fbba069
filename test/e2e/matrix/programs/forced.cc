// Threads that end below frames with destructors and handlers: pthread_exit, and cancelled at a cancellation point.
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(body, "body")                                                                                                      \
  F(deep, "deep")                                                                                                      \
  F(guard_end, "Guard::~Guard")                                                                                        \
  F(leaf, "leaf")                                                                                                      \
  F(handler, "handler")
#include "matrix.h"
#include <pthread.h>

static int ready;

NOINLINE static void leaf() {
  COUNT(leaf);
  BARRIER();
}

struct Guard {
  NOINLINE ~Guard() {
    COUNT(guard_end);
    leaf();
    BARRIER();
  }
};

NOINLINE static void handler() {
  COUNT(handler);
  leaf();
  BARRIER();
}

NOINLINE static void deep(int level, bool leaves) {
  COUNT(deep);
  Guard guard;
  if (level > 0)
    deep(level - 1, leaves);
  else if (leaves)
    pthread_exit(nullptr);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  for (;;)
    pause();
}

static void *body(void *leaves) {
  COUNT(body);
  try {
    deep(2, leaves != nullptr);
  } catch (...) {
    handler();
    throw;
  }
  return nullptr;
}

int main(int argc, char **argv) {
  pthread_t thread;
  COUNT(main);
  pthread_create(&thread, nullptr, body, &ready);
  pthread_join(thread, nullptr);
  pthread_create(&thread, nullptr, body, nullptr);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
    usleep(100);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  leaf();
  return 0;
}
