/* jumps.c - setjmp and longjmp over frames, from handlers, the builtins, and locals that live through them. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

static jmp_buf outer_buffer, inner_buffer;
static sigjmp_buf signal_buffer;
static void *builtin_buffer[5];

NOINLINE static void dive(int depth, int value) {
  if (depth == 0)
    longjmp(outer_buffer, value);
  dive(depth - 1, value);
  printf("never\n");
}

NOINLINE static int twice(int value) {
  volatile int tries = 0;
  int code = setjmp(outer_buffer);
  tries++;
  if (code < value)
    dive(tries * 3, code + 1);
  return tries * 100 + code;
}

NOINLINE static int nested(void) {
  int result = 0;
  if (setjmp(outer_buffer) == 0) {
    if (setjmp(inner_buffer) == 0)
      longjmp(inner_buffer, 1);
    else
      dive(2, 9);
  } else
    result = 1;
  return result;
}

NOINLINE static void builtin_dive(void) {
  __builtin_longjmp(builtin_buffer, 1);
}
NOINLINE static int builtin(void) {
  if (__builtin_setjmp(builtin_buffer))
    return 2;
  builtin_dive();
  return 1;
}

static void handler(int signal) {
  siglongjmp(signal_buffer, signal);
}
NOINLINE static int from_handler(void) {
  int code = sigsetjmp(signal_buffer, 1);
  if (!code)
    raise(SIGUSR1);
  return code == SIGUSR1;
}

NOINLINE static int contexts(void) {
  ucontext_t here;
  volatile int times = 0;
  getcontext(&here);
  if (times++ < 3)
    setcontext(&here);
  return times;
}

int main(void) {
  signal(SIGUSR1, handler);
  printf("%d %d %d %d %d\n", twice(5), nested(), builtin(), from_handler(), from_handler());
  printf("%d\n", contexts());
  return 0;
}
