/* signals.c - handlers on their own stack, nested, and one that repairs a fault. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile sig_atomic_t depth, deepest, faults;
static char *page;

NOINLINE static int work(int x) {
  return x * 3 + 1;
}
static void handler(int signal) {
  depth++;
  if (depth > deepest)
    deepest = depth;
  if (depth < 4)
    raise(signal == SIGUSR1 ? SIGUSR2 : SIGUSR1);
  work(signal);
  depth--;
}
static void repair(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  if (info->si_addr == page)
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
  faults++;
}

int main(void) {
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  struct sigaction fault = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &fault, NULL);
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page[0] = 'a';
  for (int i = 0; i < 100; i++)
    raise(SIGUSR1);
  printf("%d %d %c %d\n", (int)deepest, (int)faults, page[0], work(2));
  return 0;
}
