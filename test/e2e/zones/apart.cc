/*
 * apart.cc - zones that end in another function than they began in, as C and as C++.  The word says which case; each is
 * a function of its own, that a zone of the same name is around.
 */
#include <prof.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static volatile int sink;
static jmp_buf back;

#define FUNCTION PROF_PROBE __attribute__((noinline)) static

FUNCTION void work(int turns) {
  for (int i = 0; i < turns * 1000; i++)
    sink += i;
}

/* They do something before and after. */
FUNCTION void open_file(void) {
  work(1);
  PROF_ZONE_BEGIN("file");
  work(2);
}
FUNCTION void close_file(void) {
  work(1);
  PROF_ZONE_END("file");
  work(2);
}
FUNCTION void begin_a(void) {
  work(1);
  PROF_ZONE_BEGIN("a");
  work(1);
}
FUNCTION void end_a(void) {
  work(1);
  PROF_ZONE_END("a");
  work(1);
}
FUNCTION void begin_b(void) {
  work(1);
  PROF_ZONE_BEGIN("b");
  work(1);
}
FUNCTION void end_b(void) {
  work(1);
  PROF_ZONE_END("b");
  work(1);
}

FUNCTION void callee(void) {
  PROF_ZONE("callee");
  open_file();
  work(3);
  close_file();
  work(1);
}

FUNCTION void lower(void) {
  open_file();
  work(1);
}
FUNCTION void upper(void) {
  lower();
  work(1);
}
/* It ends in the caller's caller. */
FUNCTION void caller(void) {
  PROF_ZONE("caller");
  upper();
  work(1);
  PROF_ZONE_END("file");
  work(1);
}

/* In functions, and in one function. */
FUNCTION void overlap(void) {
  PROF_ZONE("overlap");
  begin_a();
  begin_b();
  work(1);
  end_a();
  work(1);
  end_b();
  PROF_ZONE_BEGIN("c");
  work(1);
  PROF_ZONE_BEGIN("d");
  work(1);
  PROF_ZONE_END("c");
  work(1);
  PROF_ZONE_END("d");
}

/* Each turn begins one and ends that of the turn before; control also leaves by longjmp, out of a call and of a zone.
 */
FUNCTION void jump(int turn) {
  open_file();
  if (turn == 2)
    longjmp(back, 1);
  close_file();
}
FUNCTION void loops(void) {
  PROF_ZONE("loops");
  for (int i = 0; i < 4; i++) {
    if (i > 0)
      end_a();
    begin_a();
  }
  end_a();
  for (volatile int i = 0; i < 4; i++)
    if (setjmp(back) == 0)
      jump(i);
}

FUNCTION void leak(void) {
  PROF_ZONE_BEGIN("leaked");
  work(1);
}
FUNCTION void end_leaked(void) {
  PROF_ZONE_END("leaked");
  work(1);
}
/* 100 begins, of which one has an end. */
FUNCTION void left(void) {
  PROF_ZONE("left");
  for (int i = 0; i < 100; i++)
    leak();
  end_leaked();
}

FUNCTION void named(void) {
  char name[8];
  PROF_ZONE("named");
  snprintf(name, sizeof name, "n%d", (int)strlen("12"));
  PROF_ZONE_NAMED_BEGIN(name);
  work(1);
}
FUNCTION void end_named(void) {
  work(1);
  PROF_ZONE_NAMED_END();
  work(1);
}
FUNCTION void by_name(void) {
  named();
  work(1);
  end_named();
}

#ifdef __cplusplus
struct file {
  PROF_PROBE __attribute__((noinline)) file() {
    work(1);
    PROF_ZONE_BEGIN("file");
    work(1);
  }
  PROF_PROBE __attribute__((noinline)) ~file() {
    work(1);
    PROF_ZONE_END("file");
    work(1);
  }
};
FUNCTION void throwing(void) {
  file opened;
  work(1);
  throw 1;
}
FUNCTION void exceptions(void) {
  PROF_ZONE("exceptions");
  for (int i = 0; i < 3; i++)
    try {
      throwing();
    } catch (int) {
      work(1);
    }
}
#else
#define exceptions callee
#endif

int main(int argc, char **argv) {
  static const struct {
    const char *word;
    void (*run)(void);
  } ways[] = {{"callee", callee}, {"caller", caller}, {"overlap", overlap},      {"loops", loops},
              {"left", left},     {"named", by_name}, {"exceptions", exceptions}};
  for (int i = 0; i < 7; i++)
    if (argc > 1 && strcmp(argv[1], ways[i].word) == 0)
      ways[i].run();
  return 3;
}

#ifdef __cplusplus
}
#endif
