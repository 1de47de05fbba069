// Objects with constructors and destructors: global, static in a function, thread_local in main and in a thread.
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(make, "Loud::Loud")                                                                                                \
  F(end, "Loud::~Loud")                                                                                                \
  F(leaf, "leaf")                                                                                                      \
  F(once, "once")                                                                                                      \
  F(local, "local")                                                                                                    \
  F(body, "body")
#include "matrix.h"
#include <pthread.h>

NOINLINE static void leaf(const char *text) {
  COUNT(leaf);
  printf("%s ", text);
  fflush(stdout);
}

struct Loud {
  const char *name;
  NOINLINE explicit Loud(const char *text) : name(text) {
    COUNT(make);
    leaf(name);
    BARRIER();
  }
  NOINLINE ~Loud() {
    COUNT(end);
    leaf(name);
    BARRIER();
  }
};

static Loud one("one");
static Loud two("two");

NOINLINE static void once() {
  COUNT(once);
  static Loud kept("kept");
  leaf("once");
  BARRIER();
}

NOINLINE static void local() {
  COUNT(local);
  thread_local Loud own("own");
  leaf(own.name);
  BARRIER();
}

NOINLINE static void *body(void *) {
  COUNT(body);
  local();
  local();
  return nullptr;
}

int main(int argc, char **argv) {
  pthread_t thread;
  COUNT(main);
  once();
  once();
  local();
  pthread_create(&thread, nullptr, body, nullptr);
  pthread_join(thread, nullptr);
  leaf("main");
  return 0;
}
