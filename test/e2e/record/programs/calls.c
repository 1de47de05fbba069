/* Calls leaf() a known number of times, in the ways that a recorder has to cope with.  See `modes` for the arguments.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leaf.h"

extern char **environ;

static void *thread(void *count) {
  calls((long)count);
  return NULL;
}

static int plain(char **arguments) { /* COUNT STATUS */
  calls(atol(arguments[0]));
  printf("done\n");
  return atoi(arguments[1]);
}

static int threads(char **arguments) { /* THREADS COUNT: at the same time */
  int count = atoi(arguments[0]);
  pthread_t ids[256];
  for (int i = 0; i < count; i++)
    pthread_create(&ids[i], NULL, thread, (void *)atol(arguments[1]));
  for (int i = 0; i < count; i++)
    pthread_join(ids[i], NULL);
  return 0;
}

static int sequence(char **arguments) { /* THREADS COUNT: one after the other */
  for (int i = 0; i < atoi(arguments[0]); i++) {
    pthread_t id;
    pthread_create(&id, NULL, thread, (void *)atol(arguments[1]));
    pthread_join(id, NULL);
  }
  return 0;
}

static int forks(char **arguments) { /* CHILDREN COUNT: the children leave by _exit */
  for (int i = 0; i < atoi(arguments[0]); i++)
    if (fork() == 0) {
      calls(atol(arguments[1]));
      _exit(0);
    }
  while (wait(NULL) > 0)
    ;
  return 0;
}

static int nested(char **arguments) { /* DEPTH COUNT: each process makes the next and waits for it; they return */
  int depth = atoi(arguments[0]), status = 0;
  calls(atol(arguments[1]));
  for (pid_t child = 0; depth > 0 && child == 0; depth--) {
    child = fork();
    if (child == 0)
      calls(atol(arguments[1]));
    else
      waitpid(child, &status, 0);
  }
  return 0;
}

static int execs(char **arguments) { /* COUNT: goes on as another image, whose child is a third */
  calls(atol(arguments[0]));
  execl("/bin/sh", "sh", "-c", "\"$0\" plain \"$1\" 0; exec \"$0\" plain \"$1\" 7", arguments[-2], arguments[0], NULL);
  return 1;
}

static int spawns(char **arguments) { /* CHILDREN COUNT: posix_spawn */
  for (int i = 0; i < atoi(arguments[0]); i++) {
    pid_t pid;
    char *words[] = {arguments[-2], "plain", arguments[1], "0", NULL};
    posix_spawn(&pid, words[0], NULL, NULL, words, environ);
  }
  while (wait(NULL) > 0)
    ;
  return 0;
}

static int library(char **arguments) { /* FILE COUNT: opened, used, closed, three times */
  for (int i = 0; i < 3; i++) {
    void *handle = dlopen(arguments[0], RTLD_NOW);
    void (*function)(long) = handle ? (void (*)(long))dlsym(handle, "library_calls") : NULL;
    if (!function)
      return 1;
    function(atol(arguments[1]));
    dlclose(handle);
  }
  return 0;
}

static _Atomic long *counters; /* a file's page that the test looks at too */
static int share(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, 4096) != 0)
    return 1;
  counters = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return counters == MAP_FAILED;
}

/* FILE: counts in it how many calls have returned, until it is killed.  A thread does the same in its second half. */
static void *count_for_ever(void *index) {
  for (long i = 0;; i++) {
    leaf(i);
    atomic_store(&counters[(long)index], i + 1);
  }
  return NULL;
}
static int endless(char **arguments) {
  if (share(arguments[0]))
    return 1;
  pthread_t id;
  pthread_create(&id, NULL, count_for_ever, (void *)1);
  count_for_ever((void *)0);
  return 0;
}

static int
until(char **arguments) { /* FILE: counts in it what has returned, until its second word isn't 0; prints how often */
  if (share(arguments[0]))
    return 1;
  while (!atomic_load(&counters[1])) {
    calls(1000);
    atomic_fetch_add(&counters[0], 1000);
  }
  printf("%ld\n", atomic_load(&counters[0]));
  return 5;
}

static int raises(char **arguments) { /* COUNT SIGNAL */
  calls(atol(arguments[0]));
  raise(atoi(arguments[1]));
  return 0;
}

static volatile sig_atomic_t got;
static void on_signal(int number) {
  got = number;
}
static int waits(char **arguments) { /* COUNT: says "ready", waits for SIGTERM, ends with 9 */
  signal(SIGTERM, on_signal);
  calls(atol(arguments[0]));
  printf("ready\n");
  fflush(stdout);
  while (!got)
    usleep(1000);
  return 9;
}

static int orphan(char **arguments) { /* COUNT FILE: a child goes on alone until FILE is there */
  int ready[2];
  char byte = 0;
  calls(atol(arguments[0]));
  if (pipe(ready) != 0)
    return 1;
  if (fork() == 0) {
    calls(10);
    if (write(ready[1], &byte, 1) != 1)
      _exit(1);
    setsid();
    close(0);
    close(1);
    close(2);
    while (access(arguments[1], F_OK) != 0) {
      calls(10);
      usleep(1000);
    }
    /* Standard output and error of one more program, started when nobody records any more. */
    char path[4096], done[4096];
    snprintf(path, sizeof path, "%s.words", arguments[1]);
    snprintf(done, sizeof done, "%s.done", arguments[1]);
    if (open("/dev/null", O_RDONLY) != 0 || open(path, O_WRONLY | O_CREAT, 0600) != 1 || dup(1) != 2)
      _exit(1);
    execl("/bin/sh", "sh", "-c", "\"$0\" plain 10 0; : > \"$1\"", arguments[-2], done, NULL);
    _exit(1);
  }
  return read(ready[0], &byte, 1) == 1 ? 0 : 1;
}

static int scribble(char **arguments) { /* SEED COUNT: writes nonsense all over the region that it shares with prof */
  const char *path = getenv("PROF_RING");
  int fd = path ? open(path, O_RDWR) : -1;
  if (fd < 0)
    return 1;
  size_t bytes = 32 << 20; /* header, threads, log and the first segments */
  unsigned char *region = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (region == MAP_FAILED)
    return 1;
  calls(100000);
  srandom((unsigned)atoi(arguments[0]));
  for (long i = atol(arguments[1]); i > 0; i--) {
    /* Mostly where the words are that the recorder goes by. */
    size_t within = random() % 4 == 0 ? bytes : random() % 2 == 0 ? 8192 : 4096;
    region[(size_t)random() % within] = (unsigned char)random();
  }
  usleep(300000);
  _exit(3); /* the runtime is as confused as anybody */
}

static int descriptors(char **arguments) { /* says which descriptors are open */
  (void)arguments;
  for (int fd = 0; fd < 1024; fd++)
    if (fcntl(fd, F_GETFD) >= 0)
      printf("%d ", fd);
  printf("\n");
  return 0;
}

static const struct mode {
  const char *name;
  int arguments;
  int (*run)(char **);
} modes[] = {
    {"scribble", 2, scribble}, {"plain", 2, plain},   {"threads", 2, threads},
    {"sequence", 2, sequence}, {"forks", 2, forks},   {"nested", 2, nested},
    {"execs", 1, execs},       {"spawns", 2, spawns}, {"library", 2, library},
    {"endless", 1, endless},   {"until", 1, until},   {"raises", 2, raises},
    {"waits", 1, waits},       {"orphan", 2, orphan}, {"descriptors", 0, descriptors},
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 1 && !strcmp(argv[1], modes[i].name) && argc - 2 == modes[i].arguments)
      return modes[i].run(argv + 2);
  return 64;
}
