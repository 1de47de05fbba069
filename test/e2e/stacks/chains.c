/*
 * test/e2e/stacks/chains.c - spends its time at the ends of known call chains: each way to spin has a leaf of its own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__clang__)
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif
static volatile unsigned long sum;
static volatile int one = 1; /* what no compiler knows */

/* A leaf: no call, so its time is its own. */
#define LEAF(name)                                                                                                     \
  APART unsigned long name(unsigned long rounds) {                                                                     \
    unsigned long x = rounds | 1;                                                                                      \
    for (unsigned long i = 0; i < rounds; i++)                                                                         \
      x = (x ^ x >> 29) * 6364136223846793005u + i;                                                                    \
    return x;                                                                                                          \
  }
LEAF(leaf_chain)
LEAF(leaf_deep)
LEAF(leaf_callback)
LEAF(leaf_handler)
LEAF(leaf_large)
LEAF(leaf_thread)
LEAF(leaf_child)
LEAF(leaf_aligned)

#define ROUNDS (40ul * 1000 * 1000)

/* Nothing is a tail call: each adds to what it got. */
APART unsigned long third(unsigned long rounds) {
  return leaf_chain(rounds) + (unsigned long)one;
}
APART unsigned long second(unsigned long rounds) {
  return third(rounds) * 3 + (unsigned long)one;
}
APART unsigned long first(unsigned long rounds) {
  return second(rounds) ^ (unsigned long)one;
}

APART unsigned long deeper(unsigned depth, unsigned long rounds) {
  return (depth == 0 ? leaf_deep(rounds) : deeper(depth - 1, rounds)) + (unsigned long)one;
}

APART int compare(const void *left, const void *right) {
  sum += leaf_callback(ROUNDS / 40);
  return *(const int *)left - *(const int *)right;
}
APART int sorts(void) {
  int numbers[16];
  for (int i = 0; i < 16; i++)
    numbers[i] = i * 7 % 16 * one;
  qsort(numbers, 16, sizeof *numbers, compare);
  return numbers[0];
}

APART void handler(int number) {
  sum += leaf_handler(ROUNDS) + (unsigned long)number;
}
APART int is_signalled(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  return raise(SIGUSR1) + one;
}

/* Its caller's frame lies beyond what is copied of the stack. */
APART unsigned long large(unsigned long rounds) {
  volatile char bytes[100000];
  memset((char *)bytes, one, sizeof bytes);
  return leaf_large(rounds) + (unsigned long)bytes[one];
}

/* A frame pointer, as the stack is aligned and grows by a size that isn't known. */
APART unsigned long aligned(unsigned long rounds) {
  _Alignas(64) volatile char bytes[64];
  volatile char *more = __builtin_alloca((unsigned long)one * 100);
  bytes[one] = more[one] = 1;
  return leaf_aligned(rounds) + (unsigned long)bytes[one] + (unsigned long)more[one];
}

APART void *in_thread(void *argument) {
  sum += leaf_thread(ROUNDS);
  return argument;
}

APART int in_child(void) {
  sum += leaf_child(ROUNDS);
  return one;
}

/* The vDSO, as far as the kernel doesn't say no. */
APART int reads_clock(void) {
  struct timespec now = {0};
  for (int i = 0; i < 1000 * 1000; i++)
    clock_gettime(CLOCK_MONOTONIC, &now);
  return (int)now.tv_nsec;
}

int main(void) {
  pthread_t thread;
  sum += first(ROUNDS) + deeper(40, ROUNDS) + (unsigned long)sorts() + (unsigned long)is_signalled() + large(ROUNDS) +
         aligned(ROUNDS) + (unsigned long)reads_clock();
  if (pthread_create(&thread, NULL, in_thread, NULL) == 0)
    pthread_join(thread, NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(in_child() - one);
  waitpid(child, NULL, 0);
  return 0;
}
