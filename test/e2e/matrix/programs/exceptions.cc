// Exceptions: caught in the caller, three frames up, rethrown, thrown on, and with destructors that call on the way.
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(thrower, "thrower")                                                                                                \
  F(caller, "caller")                                                                                                  \
  F(top, "top")                                                                                                        \
  F(middle, "middle")                                                                                                  \
  F(bottom, "bottom")                                                                                                  \
  F(again, "again")                                                                                                    \
  F(catches, "catches")                                                                                                \
  F(scope, "scope")                                                                                                    \
  F(scope_end, "Scope::~Scope")                                                                                        \
  F(note, "note")                                                                                                      \
  F(other, "other")                                                                                                    \
  F(filter, "filter")                                                                                                  \
  F(after, "after")                                                                                                    \
  F(recursive, "recursive")
#include "matrix.h"

NOINLINE static void note(int what) {
  COUNT(note);
  printf("%d ", what);
}

NOINLINE static void thrower(int what) {
  COUNT(thrower);
  if (what > 0)
    throw what;
  if (what < 0)
    throw "text";
}

NOINLINE static void caller(int what) {
  COUNT(caller);
  try {
    thrower(what);
  } catch (int caught) {
    note(caught);
  }
}

NOINLINE static void bottom() {
  COUNT(bottom);
  thrower(2);
  BARRIER();
}
NOINLINE static void middle() {
  COUNT(middle);
  bottom();
  BARRIER();
}
NOINLINE static void top() {
  COUNT(top);
  try {
    middle();
  } catch (int caught) {
    note(caught);
  }
  note(20);
  BARRIER();
}

NOINLINE static void again() {
  COUNT(again);
  try {
    thrower(3);
  } catch (int caught) {
    note(caught);
    throw;
  }
}
NOINLINE static void other() {
  COUNT(other);
  try {
    again();
  } catch (int caught) {
    throw "other";
  }
}
NOINLINE static void catches() {
  COUNT(catches);
  try {
    other();
  } catch (const char *text) {
    note(text[0]);
  }
}

struct Scope {
  int number;
  explicit Scope(int n) : number(n) {}
  NOINLINE ~Scope() {
    COUNT(scope_end);
    note(number);
    try { // while another exception is on its way
      thrower(number);
    } catch (int caught) {
      note(caught + 1);
    }
  }
};

NOINLINE static void scope(int what) {
  COUNT(scope);
  Scope one(40);
  thrower(what);
  Scope two(50);
  thrower(what);
}

// Not caught by the first, which catches something else.
NOINLINE static void filter(int what) {
  COUNT(filter);
  try {
    thrower(what);
  } catch (const char *text) {
    note(60);
  }
}

NOINLINE static void after() {
  COUNT(after);
  BARRIER();
}

NOINLINE static void recursive(int level) {
  COUNT(recursive);
  if (level == 4)
    thrower(4);
  try {
    recursive(level + 1);
    BARRIER();
  } catch (int caught) {
    after();
    if (level > 1)
      throw caught - 1;
  }
  BARRIER();
}

int main(int argc, char **argv) {
  COUNT(main);
  caller(1);
  caller(0);
  top();
  catches();
  try {
    scope(5);
  } catch (int caught) {
    after();
  }
  scope(0);
  try {
    filter(-1);
    filter(6);
  } catch (int caught) {
    note(caught);
  }
  recursive(0);
  puts("");
  return 0;
}
