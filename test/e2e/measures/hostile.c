/*
 * hostile.c CASE - measured functions in unusual places: signal handlers, before and after main, forked children, small
 * stacks, an own allocator, restricted system calls, long names.  Prints what it did; with every measure the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prof.h"

#define APART __attribute__((noinline))

static void must(int good, const char *what) {
  if (good)
    return;
  dprintf(2, "%s: errno %d\n", what, errno);
  _exit(9);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A bit of everything. */
static APART void work(int turns) {
  for (int i = 0; i < turns; i++) {
    char *block = malloc((size_t)(i % 300 + 1)), *volatile kept = realloc(block, 500);
    pthread_mutex_lock(&mutex);
    int fd = open("/dev/null", O_WRONLY);
    must(kept && fd >= 0 && write(fd, kept, 10) == 10 && close(fd) == 0, "work");
    pthread_mutex_unlock(&mutex);
    free(kept);
  }
}

/* ---- signal handlers ---- */

static int ends[2];
static sem_t posted;
static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void handler(int signal) {
  int error = errno;
  char byte;
  struct pollfd ready = {ends[0], POLLIN, 0};
  (void)signal;
  if (write(ends[1], "x", 1) != 1 || poll(&ready, 1, 0) != 1 || read(ends[0], &byte, 1) != 1)
    _exit(8);
  sem_post(&posted);
  handled++;
  errno = error;
}
static void leaves(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static APART void handlers(void) {
  char *stack = malloc(65536), byte;
  stack_t alternate = {.ss_sp = stack, .ss_size = 65536};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  must(pipe(ends) == 0 && sem_init(&posted, 0, 0) == 0 && sigaltstack(&alternate, NULL) == 0, "handlers");
  must(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0, "timer");
  while (handled < 200)
    work(20);
  setitimer(ITIMER_REAL, &never, NULL);
  for (int i = 0; i < 200; i++)
    must(sem_wait(&posted) == 0, "posted");
  action = (struct sigaction){.sa_handler = leaves, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  for (volatile int i = 0; i < 20; i++) /* a handler that leaves a wait for good */
    if (sigsetjmp(back, 1) == 0) {
      const struct itimerval once = {{0, 0}, {0, 1000}};
      action.sa_handler = leaves;
      sigaction(SIGALRM, &action, NULL);
      setitimer(ITIMER_REAL, &once, NULL);
      must(read(ends[0], &byte, 1) < 0, "nothing to read");
    }
  work(10);
  puts("handlers done");
}

/* ---- before and after main ---- */

static void early(void) __attribute__((constructor(101)));
static void late(void) __attribute__((destructor(101)));
static void first(int count, char **arguments, char **environment) {
  (void)count, (void)arguments, (void)environment;
  work(3);
}
__attribute__((section(".preinit_array"), used)) static void (*preinit)(int, char **, char **) = first;
static void early(void) {
  work(3);
}
static void late(void) {
  work(3);
}
static void at_end(void *value) {
  free(value);
  work(3);
}
static void *ends_late(void *unused) {
  pthread_key_t key;
  (void)unused;
  must(pthread_key_create(&key, at_end) == 0 && pthread_setspecific(key, malloc(77)) == 0, "key");
  return NULL;
}
static APART void edges(void) {
  pthread_t thread;
  must(pthread_create(&thread, NULL, ends_late, NULL) == 0 && pthread_join(thread, NULL) == 0, "thread");
  puts("edges done");
}

/* ---- forks ---- */

static volatile int stop;
static void *busy(void *unused) {
  (void)unused;
  while (!stop)
    work(5);
  return NULL;
}
static APART void forks(void) {
  pthread_t threads[3];
  int sum = 0;
  must(pipe(ends) == 0, "pipe");
  for (int i = 0; i < 3; i++)
    must(pthread_create(&threads[i], NULL, busy, NULL) == 0, "thread");
  for (int i = 0; i < 20; i++) {
    int status;
    pthread_mutex_lock(&mutex);
    pid_t pid = fork();
    pthread_mutex_unlock(&mutex);
    if (pid == 0) {
      work(5);
      _exit(write(ends[1], "y", 1) == 1 ? i : 99);
    }
    must(waitpid(pid, &status, 0) == pid && WIFEXITED(status), "child");
    sum += WEXITSTATUS(status);
    pid = vfork();
    if (pid == 0) {
      execl("/bin/true", "true", (char *)NULL);
      _exit(98);
    }
    must(waitpid(pid, &status, 0) == pid && status == 0, "vforked child");
  }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("forks done: %d\n", sum);
}

/* ---- small stacks ---- */

static void *on_little(void *unused) {
  (void)unused;
  int fd = socket(AF_INET, SOCK_DGRAM, 0); /* its name is looked up */
  must(fd >= 0 && recv(fd, (char[1]){0}, 1, MSG_DONTWAIT) < 0 && close(fd) == 0, "socket");
  work(20);
  return NULL;
}
static APART void stacks(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  must(pthread_attr_setstacksize(&attributes, 20480) == 0, "stack size");
  for (int i = 0; i < 5; i++)
    must(pthread_create(&thread, &attributes, on_little, NULL) == 0 && pthread_join(thread, NULL) == 0, "thread");
  puts("stacks done");
}

/* ---- restricted system calls ---- */

#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
static APART void restricted(void) {
  struct sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                                ALLOW(SYS_write),
                                ALLOW(SYS_read),
                                ALLOW(SYS_openat),
                                ALLOW(SYS_close),
                                ALLOW(SYS_futex),
                                ALLOW(SYS_brk),
                                ALLOW(SYS_mmap),
                                ALLOW(SYS_munmap),
                                ALLOW(SYS_mprotect),
                                ALLOW(SYS_madvise),
                                ALLOW(SYS_newfstatat),
                                ALLOW(SYS_fstat),
                                ALLOW(SYS_sched_yield),
                                ALLOW(SYS_exit_group),
                                ALLOW(SYS_rt_sigprocmask),
                                ALLOW(SYS_getcpu), /* these three are the runtime's (docs/reliability.md) */
                                ALLOW(SYS_prctl),
                                ALLOW(SYS_clock_gettime),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
       "seccomp");
  work(50);
  puts("restricted done");
  fflush(stdout);
}

/* ---- an end by a signal ---- */

static APART void aborts(void) {
  work(5);
  pthread_mutex_lock(&mutex);
  puts("aborts");
  fflush(stdout);
  abort();
}
static APART void killed(void) {
  work(5);
  puts("killed");
  fflush(stdout);
  kill(getpid(), SIGTERM);
  pause();
}
static APART void faults(void) {
  work(5);
  puts("faults");
  fflush(stdout);
  *(volatile int *)(intptr_t)16 = 1;
}
static APART void exits(void) {
  work(5);
  exit(42);
}

/* ---- long names ---- */

#define X16(x) x x x x x x x x x x x x x x x x
static APART void names(void) {
  PROF_ZONE(X16(X16(X16("zone of 16 chars"))));
  PROF_MARK(X16(X16(X16("mark \"<&>\" \t it "))));
  work(20);
  puts("names done");
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"handlers", handlers},     {"edges", edges},   {"forks", forks},   {"stacks", stacks},
               {"restricted", restricted}, {"aborts", aborts}, {"killed", killed}, {"faults", faults},
               {"exits", exits},           {"names", names}};
  for (size_t i = 0; count > 1 && i < sizeof cases / sizeof *cases; i++)
    if (strcmp(arguments[1], cases[i].name) == 0) {
      cases[i].run();
      return 0;
    }
  return 2;
}
