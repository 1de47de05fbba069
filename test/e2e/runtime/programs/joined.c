/*
 * Waits for commands on standard input and answers each with a line, while threads allocate and a timer interrupts.
 *
 *   joined THREADS LIBRARY    count N | plug N | unplug | fork N | user UID | leave | end
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 8
#define NOCLONE __attribute__((noinline, noclone))

static volatile int ends;
static volatile sig_atomic_t handled;
static volatile uint64_t sink;
static uint64_t bad[MOST];
static void *library;

NOCLONE uint64_t mixed(uint64_t x) {
  for (int i = 0; i < 3; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

NOCLONE void counted(int i) {
  sink += mixed((uint64_t)i + 1);
}

/* Fills memory, checks it, gives it back: wrong registers or flags would show. */
NOCLONE uint64_t churned(uint64_t x) {
  size_t bytes = 16 + x % 3000;
  unsigned char *memory = malloc(bytes);
  memset(memory, (int)(x & 0xff), bytes);
  double sum = 0;
  for (size_t i = 0; i < bytes; i += 64)
    sum += memory[i];
  uint64_t wrong = sum != (double)((x & 0xff) * ((bytes + 63) / 64));
  free(memory);
  return wrong;
}

static void *work(void *argument) {
  uint64_t *wrong = argument, x = (uint64_t)(uintptr_t)argument | 1;
  const struct timespec pause = {0, 200000};
  while (!ends) {
    for (int i = 0; i < 100; i++)
      *wrong += churned(x = mixed(x));
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static void on_alarm(int number) {
  (void)number;
  handled++;
  sink += mixed((uint64_t)handled);
}

static void timer_begin(void) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
  struct itimerspec each = {{0, 2000000}, {0, 2000000}};
  timer_t timer;
  sigaction(event.sigev_signo, &action, NULL);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &each, NULL) != 0)
    abort();
}

/* Calls a function of the library, loaded now if it isn't. */
static int plug(const char *path, int count) {
  library = library ? library : dlopen(path, RTLD_NOW);
  void (*plugged)(int) = library ? (void (*)(int))(uintptr_t)dlsym(library, "plugged") : NULL;
  for (int i = 0; plugged && i < count; i++)
    plugged(i);
  return plugged ? count : -1;
}

static int unplug(void) {
  int failed = library ? dlclose(library) : -1;
  library = NULL;
  return failed;
}

static int forked(int count) {
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < count; i++)
      counted(i);
    usleep(30000);
    _exit(5);
  }
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv) {
  int threads = argc > 2 ? atoi(argv[1]) : 2, number;
  pthread_t thread[MOST];
  char line[64], word[64];
  timer_begin();
  for (int i = 0; i < threads; i++)
    pthread_create(&thread[i], NULL, work, &bad[i]);
  while (fgets(line, sizeof line, stdin)) {
    number = 0;
    if (sscanf(line, "%63s %d", word, &number) < 1 || strcmp(word, "end") == 0)
      break;
    if (strcmp(word, "count") == 0)
      for (int i = 0; i < number; i++)
        counted(i);
    else if (strcmp(word, "plug") == 0)
      number = plug(argv[2], number);
    else if (strcmp(word, "unplug") == 0)
      number = unplug();
    else if (strcmp(word, "fork") == 0)
      number = forked(number);
    else if (strcmp(word, "user") == 0)
      number = setuid((uid_t)number);
    else if (strcmp(word, "leave") == 0) {
      ends = 1;
      pthread_exit(NULL);
    }
    printf("%s %d\n", word, number);
    fflush(stdout);
  }
  ends = 1;
  uint64_t wrong = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
    wrong += bad[i];
  }
  while (handled == 0)
    usleep(1000);
  printf("wrong %d\n", (int)wrong);
  return 3;
}
