/*
 * slice_waits.c - short calls by the thousand, then a wait in a known function: by poll, nanosleep or a futex.
 *
 *   slice_waits COUNT     so many waits, a third of each kind; each waits 300 us at least
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_NS = 300000, CALLS = 4000 };
static volatile unsigned sink;

__attribute__((noinline)) static void first(unsigned x) {
  sink += x;
}

__attribute__((noinline)) static void second(unsigned x) {
  sink ^= x;
}

__attribute__((noinline)) static void busy(void) {
  for (unsigned i = 0; i < CALLS; i++) {
    first(i);
    second(i);
  }
}

__attribute__((noinline)) static void wait_poll(void) {
  struct timespec wait = {.tv_nsec = WAIT_NS};
  sink += (unsigned)ppoll(NULL, 0, &wait, NULL);
}

__attribute__((noinline)) static void wait_sleep(void) {
  struct timespec wait = {.tv_nsec = WAIT_NS};
  sink += (unsigned)nanosleep(&wait, NULL);
}

__attribute__((noinline)) static void wait_futex(void) {
  static uint32_t word;
  struct timespec wait = {.tv_nsec = WAIT_NS};
  sink += (unsigned)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &wait, NULL, 0);
}

__attribute__((noinline)) static void turn(unsigned x) {
  static void (*const waits[])(void) = {wait_poll, wait_sleep, wait_futex};
  first(x);
  second(x);
  waits[x % 3]();
  second(x);
  first(x);
  busy();
  sink += x; /* else it would be no call but a jump */
}

int main(int argument_count, char **arguments) {
  unsigned count = argument_count > 1 ? (unsigned)atoi(arguments[1]) : 3;
  for (unsigned i = 0; i < count; i++)
    turn(i);
  return 0;
}
