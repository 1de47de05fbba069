// Exceptions and longjmp through frames that have no probes, and unprobed functions that catch.
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(thrower, "thrower")                                                                                                \
  F(probed, "probed")                                                                                                  \
  F(catcher, "catcher")                                                                                                \
  F(note, "note")                                                                                                      \
  F(held_end, "Held::~Held")                                                                                           \
  F(jumper, "jumper")                                                                                                  \
  F(lands, "lands")
#include "matrix.h"
#include <setjmp.h>

static jmp_buf back;

NOINLINE static void note(int what) {
  COUNT(note);
  printf("%d ", what);
}

struct Held {
  NOINLINE ~Held() {
    COUNT(held_end);
    note(1);
    BARRIER();
  }
};

NOINLINE static void thrower() {
  COUNT(thrower);
  throw 7;
}

NOINLINE UNPROBED static void silent(void (*next)()) {
  next();
  BARRIER();
}

NOINLINE UNPROBED static void silent_held() {
  Held held;
  silent(thrower);
  BARRIER();
}

NOINLINE static void probed() {
  COUNT(probed);
  Held held;
  silent(silent_held);
  BARRIER();
}

NOINLINE static void catcher() {
  COUNT(catcher);
  try {
    silent(probed);
  } catch (int caught) {
    note(caught);
  }
  note(2);
  BARRIER();
}

// Nobody probed catches: the frames above are left without a landing, and the next event shows it.
NOINLINE UNPROBED static void silent_catcher() {
  try {
    probed();
  } catch (...) {
    BARRIER();
  }
}

NOINLINE static void jumper() {
  COUNT(jumper);
  longjmp(back, 1);
}

NOINLINE static void lands() {
  COUNT(lands);
  if (setjmp(back) == 0)
    silent(jumper);
  note(3);
  BARRIER();
}

int main(int argc, char **argv) {
  COUNT(main);
  catcher();
  silent_catcher();
  lands();
  puts("");
  return 0;
}
