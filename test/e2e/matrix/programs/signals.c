/* Signal handlers: raised, nested, on a stack of their own, out of a fault by siglongjmp, with all signals blocked. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(work, "work")                                                                                                      \
  F(on_signal, "on_signal")                                                                                            \
  F(on_second, "on_second")                                                                                            \
  F(leaf, "leaf")                                                                                                      \
  F(on_stack, "on_stack")                                                                                              \
  F(deep, "deep")                                                                                                      \
  F(on_fault, "on_fault")                                                                                              \
  F(faults, "faults")                                                                                                  \
  F(blocked, "blocked")
#include "matrix.h"
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static volatile sig_atomic_t seen;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  seen = seen + 1;
}

static void on_second(int number) {
  COUNT(on_second);
  leaf();
  BARRIER();
}

static void on_signal(int number) {
  COUNT(on_signal);
  leaf();
  raise(SIGUSR2);
  leaf();
  BARRIER();
}

NOINLINE static void work(void) {
  COUNT(work);
  raise(SIGUSR1);
  leaf();
  BARRIER();
}

NOINLINE static int deep(int level) {
  volatile char room[256];
  COUNT(deep);
  room[level] = (char)level;
  int got = level > 0 ? deep(level - 1) : 0;
  BARRIER();
  return got + room[level];
}

static void on_stack(int number) {
  COUNT(on_stack);
  seen = seen + deep(4);
}

static void on_fault(int number) {
  COUNT(on_fault);
  leaf();
  siglongjmp(back, 1);
}

NOINLINE static void faults(void) {
  COUNT(faults);
  if (sigsetjmp(back, 1) == 0)
    *(volatile int *)8 = 1;
  leaf();
  BARRIER();
}

NOINLINE static void blocked(void) {
  sigset_t all, before;
  COUNT(blocked);
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  raise(SIGUSR2); /* waits */
  leaf();
  sigprocmask(SIG_SETMASK, &before, NULL);
  BARRIER();
}

static void handle(int number, void (*handler)(int), int flags) __attribute__((no_instrument_function));
static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(number, &action, NULL);
}

int main(int argc, char **argv) {
  static char room[65536];
  stack_t other = {.ss_sp = room, .ss_size = sizeof room};
  COUNT(main);
  handle(SIGUSR1, on_signal, 0);
  handle(SIGUSR2, on_second, 0);
  handle(SIGURG, on_stack, SA_ONSTACK);
  handle(SIGSEGV, on_fault, SA_ONSTACK);
  sigaltstack(&other, NULL);
  work();
  work();
  raise(SIGURG);
  faults();
  faults();
  blocked();
  printf("%d\n", seen);
  return 0;
}
