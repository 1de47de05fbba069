/*
 * Is joined by a recorder without being prepared for it, in the middle of what the first argument says.
 *
 *   late WAIT       waits again and again, and counts waits that end otherwise than they should; ends when it gets a
 * line late line       waits for lines; answers each late spin       no system calls until SIGTERM late PLACE qsort,
 * handler, coroutine: waits there; ends when it gets a line late filter     the same as line, with a seccomp filter
 *   late load FILE  the same as line, while another thread loads FILE, which makes the file LATE_BEGUN
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define WAIT_NS 40000000
#define NOCLONE __attribute__((noinline, noclone))

static const struct timespec span = {0, WAIT_NS};
static volatile sig_atomic_t ends;
static volatile uint64_t sink;
static int queue, pair[2];

NOCLONE void counted(int i) {
  sink += (uint64_t)i * 3;
}

static struct timespec end_of(clockid_t clock) {
  struct timespec end;
  clock_gettime(clock, &end);
  end.tv_nsec += WAIT_NS;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  return end;
}

static int result(long got, int error) {
  return error == 0 ? got == 0 : got < 0 && errno == error;
}

static int on_condition(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  struct timespec end = end_of(CLOCK_REALTIME);
  int got = 0;
  pthread_mutex_lock(&mutex);
  while (got == 0)
    got = pthread_cond_timedwait(&condition, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  return got == ETIMEDOUT;
}

static int on_semaphore(void) {
  static sem_t semaphore;
  struct timespec end = end_of(CLOCK_REALTIME);
  return result(sem_timedwait(&semaphore, &end), ETIMEDOUT);
}

static int on_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return result(sigtimedwait(&set, NULL, &span), EAGAIN);
}

static int on_semaphore_set(void) {
  static int set = -1;
  struct sembuf wish = {.sem_op = -1};
  if (set < 0)
    set = semget(IPC_PRIVATE, 1, 0600);
  return result(semtimedop(set, &wish, 1, &span), EAGAIN);
}

static int on_futex(void) {
  static uint32_t word;
  return result(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &span, NULL, 0), ETIMEDOUT);
}

static int on_select(void) {
  struct timeval most = {0, WAIT_NS / 1000};
  return result(select(0, NULL, NULL, NULL, &most), 0);
}

static int on_epoll(void) {
  struct epoll_event event;
  return result(epoll_wait(queue, &event, 1, WAIT_NS / 1000000), 0);
}

static int on_epoll_masked(void) {
  struct epoll_event event;
  sigset_t none;
  sigemptyset(&none);
  return result(epoll_pwait(queue, &event, 1, WAIT_NS / 1000000, &none), 0);
}

static int on_receive(void) {
  char byte;
  return result(recv(pair[0], &byte, 1, 0), EAGAIN);
}

static int on_read(void) {
  char byte;
  return result(read(pair[0], &byte, 1), EAGAIN);
}

static int on_poll(void) {
  return result(poll(NULL, 0, WAIT_NS / 1000000), 0);
}

static int on_sleep(void) {
  struct timespec rest;
  return result(nanosleep(&span, &rest), 0);
}

static int on_sleep_until(void) {
  struct timespec end = end_of(CLOCK_MONOTONIC);
  return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == 0;
}

static const struct wait {
  const char *name;
  int (*once)(void); /* 1: as it should be */
} waits[] = {
    {"condition", on_condition},
    {"semaphore", on_semaphore},
    {"signal", on_signal},
    {"semaphore-set", on_semaphore_set},
    {"futex", on_futex},
    {"select", on_select},
    {"epoll", on_epoll},
    {"epoll-masked", on_epoll_masked},
    {"receive", on_receive},
    {"read", on_read},
    {"poll", on_poll},
    {"sleep", on_sleep},
    {"sleep-until", on_sleep_until},
};

static int has_line(void) {
  struct pollfd input = {.fd = 0, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

static void wait_for_line(void) {
  char line[64];
  if (fgets(line, sizeof line, stdin) == NULL)
    exit(4);
}

static void wait_again(const struct wait *wait) {
  const struct timeval most = {0, WAIT_NS / 1000};
  int wrong = 0;
  queue = epoll_create1(0);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
    abort();
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  puts("ready");
  fflush(stdout);
  while (!has_line()) {
    wrong += !wait->once();
    counted(wrong);
  }
  printf("wrong %d\n", wrong);
}

static void answer_lines(void) {
  char line[64];
  puts("ready");
  fflush(stdout);
  for (int i = 0; fgets(line, sizeof line, stdin) != NULL && strcmp(line, "end\n") != 0; i++) {
    counted(i);
    fputs(line, stdout);
    fflush(stdout);
  }
  puts("wrong 0");
}

static void on_end(int number) {
  (void)number;
  ends = 1;
}

static void spin(void) {
  uint64_t a = 1, b = 1;
  signal(SIGTERM, on_end);
  puts("ready");
  fflush(stdout);
  for (int i = 0; !ends; i++) {
    counted(i);
    a = a * 6364136223846793005u + 1;
    b = b * 6364136223846793005u + 1;
  }
  printf("wrong %d\n", a != b);
}

static void wait_here(void) {
  puts("ready");
  fflush(stdout);
  wait_for_line();
  puts("wrong 0");
}

static int compare(const void *left, const void *right) {
  static int first = 1;
  if (first)
    wait_here();
  first = 0;
  return *(const int *)left - *(const int *)right;
}

static void sort(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
}

static void on_user(int number) {
  (void)number;
  wait_here();
}

static void handle(void) {
  signal(SIGUSR1, on_user);
  raise(SIGUSR1);
}

static void coroutine(void) {
  static ucontext_t back, other;
  static char stack[1 << 16];
  getcontext(&other);
  other.uc_stack.ss_sp = stack;
  other.uc_stack.ss_size = sizeof stack;
  other.uc_link = &back;
  makecontext(&other, wait_here, 0);
  swapcontext(&back, &other);
}

static void filter(void) {
  struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {1, &allow};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    puts("refused");
  answer_lines();
}

static void *load(void *path) {
  if (dlopen(path, RTLD_NOW) == NULL)
    abort();
  return NULL;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } places[] = {{"line", answer_lines}, {"spin", spin},     {"qsort", sort},
                {"handler", handle},    {"filter", filter}, {"coroutine", coroutine}};
  pthread_t thread;
  const char *name = argc > 1 ? argv[1] : "line";
  if (strcmp(name, "load") == 0) {
    if (argc < 3 || pthread_create(&thread, NULL, load, argv[2]) != 0)
      abort();
    while (access(getenv("LATE_BEGUN"), F_OK) != 0)
      usleep(1000);
    answer_lines();
    pthread_join(thread, NULL);
    return 3;
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(name, places[i].name) == 0)
      places[i].run();
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
    if (strcmp(name, waits[i].name) == 0)
      wait_again(&waits[i]);
  return 3;
}
