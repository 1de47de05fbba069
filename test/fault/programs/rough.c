/* Programs that are rough with themselves: they give up descriptors, rights and memory, and leave in odd ways.
 *
 * In: WAY FOLDER (see `ways`; an empty folder).  Out: what the way has found, and, where it comes to its end, how often
 * leaf was called. The same text and status are expected of it plain and recorded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../e2e/record/programs/leaf.h"

#define NOBODY 65534

static _Atomic long *called; /* shared with forked children */
static const char *own_path, *folder;

static void counted(long count) {
  calls(count);
  atomic_fetch_add(called, count);
}

static void *thread(void *count) {
  counted((long)count);
  return NULL;
}

/* How many could be made. */
static int threads(int count, long each) {
  pthread_t ids[16];
  int made = 0;
  for (int i = 0; i < count; i++)
    made += pthread_create(&ids[made], NULL, thread, (void *)each) == 0;
  for (int i = 0; i < made; i++)
    pthread_join(ids[i], NULL);
  return made;
}

/* Wait status of a child that calls. */
static int child(void) {
  int status = -1;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    counted(5000);
    _exit(3);
  }
  if (pid > 0)
    waitpid(pid, &status, 0);
  return status;
}

/* For longer than it takes the recorder to ask who lives. */
static void *calls_now_and_then(void *unused) {
  for (int i = 0; i < 30; i++) {
    counted(1000);
    usleep(30000);
  }
  return unused;
}

static int go_on(void) {
  counted(200000);
  int status = child();
  printf("child %d, threads %d\n", status, threads(4, 50000));
  return 6;
}

static int closes(void) {
  counted(10);
  for (int fd = 3; fd < 1024; fd++)
    close(fd);
  return go_on();
}

static int limited(int what, rlim_t value) {
  const struct rlimit limit = {value, value};
  counted(10);
  printf("limit %d\n", setrlimit(what, &limit));
  return go_on();
}

static int no_descriptors(void) {
  return limited(RLIMIT_NOFILE, 0);
}

static int no_files(void) {
  return limited(RLIMIT_FSIZE, 0);
}

static int no_rights(void) {
  counted(10);
  int root = chroot(folder), group = setgid(NOBODY), user = setuid(NOBODY);
  printf("chroot %d, setgid %d, setuid %d\n", root, group, user);
  return go_on();
}

/* Nobody makes space, and there is no memory for what is dropped then. */
static int no_memory(void) {
  char line[256];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status) && sscanf(line, "VmSize: %ld", &kilobytes) != 1)
    continue;
  const struct rlimit limit = {(rlim_t)kilobytes << 10, (rlim_t)kilobytes << 10};
  const char *ring = getenv("PROF_RING");
  counted(10);
  if (ring)
    kill(getppid(), SIGSTOP);
  int limited = setrlimit(RLIMIT_AS, &limit);
  counted(1000000);
  if (ring)
    kill(getppid(), SIGCONT);
  printf("limit %d\n", limited);
  return 6;
}

static int daemonises(void) {
  int ends[2];
  char text[64] = "";
  counted(10);
  fflush(stdout);
  if (pipe(ends) != 0)
    return 1;
  if (fork() == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    dup2(ends[1], 0);
    for (int fd = 1; fd < 1024; fd++)
      close(fd);
    umask(0);
    if (chdir("/") != 0)
      _exit(1);
    counted(20000);
    int made = threads(2, 20000), length = snprintf(text, sizeof text, "status %d, threads %d\n", child(), made);
    _exit(write(0, text, (size_t)length) != length);
  }
  close(ends[1]);
  wait(NULL);
  ssize_t got = read(ends[0], text, sizeof text - 1);
  printf("daemon: %s", got > 0 ? text : "gone\n");
  while (read(ends[0], text, 1) > 0) /* until it has ended */
    continue;
  return 6;
}

static int vforks(void) {
  int odd = 0, status;
  char *words[] = {(char *)own_path, "one_call", (char *)folder, NULL}, *none[] = {NULL};
  for (int i = 0; i < 10; i++) {
    pid_t pid = vfork();
    if (pid == 0) {
      leaf(1);
      if (i % 2)
        execve(own_path, words, none);
      _exit(i);
    }
    waitpid(pid, &status, 0);
    odd += status != (i % 2 ? 0 : i << 8);
  }
  atomic_fetch_add(called, 10);
  printf("odd ends %d\n", odd);
  return 6;
}

static int clones(void) {
  int odd = 0, status;
  struct clone_args how = {.exit_signal = SIGCHLD};
  for (int i = 0; i < 10; i++) {
    long pid = syscall(SYS_clone3, &how, sizeof how);
    if (pid == 0) {
      counted(1000);
      _exit(5);
    }
    waitpid((pid_t)pid, &status, 0);
    odd += status != 5 << 8;
  }
  printf("odd ends %d\n", odd);
  return 6;
}

/* Its number is 1 there, and its threads' too are others' outside. */
static int pid_namespace(void) {
  int status = -1;
  counted(10);
  if (unshare(CLONE_NEWPID) != 0)
    return 77;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t ids[3];
    for (int i = 0; i < 3; i++)
      pthread_create(&ids[i], NULL, calls_now_and_then, NULL);
    for (int i = 0; i < 3; i++)
      pthread_join(ids[i], NULL);
    _exit(child() >> 8);
  }
  waitpid(pid, &status, 0);
  printf("child %d\n", status);
  return 6;
}

static int many_children(void) {
  for (int i = 0; i < 300; i++) {
    if (fork() == 0) {
      counted(10);
      _exit(0);
    }
    if (i % 20 == 19)
      while (wait(NULL) > 0)
        continue;
  }
  return 6;
}

static void *outlives_main(void *count) {
  usleep(20000);
  counted((long)count);
  printf("after main\n");
  return NULL;
}
static int main_leaves(void) {
  pthread_t id;
  counted(10);
  pthread_create(&id, NULL, outlives_main, (void *)100000l);
  pthread_exit(NULL);
}

static void *calls_for_ever(void *unused) {
  for (long i = 0;; i++)
    leaf(i);
  return unused;
}
static void *leaves(void *count) {
  counted((long)count);
  exit(7);
}
static int thread_leaves(void) {
  pthread_t id;
  for (int i = 0; i < 3; i++)
    pthread_create(&id, NULL, calls_for_ever, NULL);
  pthread_create(&id, NULL, leaves, (void *)100000l);
  for (;;)
    pause();
}

static void leave(int number) {
  leaf(number);
  _exit(11);
}
static int handler_leaves(void) {
  signal(SIGALRM, leave);
  ualarm(20000, 0);
  calls_for_ever(NULL);
  return 1;
}

static sigjmp_buf before;
static volatile int jumps;
static void jump(int number) {
  leaf(number);
  siglongjmp(before, 1);
}
static int handler_jumps(void) {
  signal(SIGALRM, jump);
  jumps += sigsetjmp(before, 1);
  if (jumps < 50) {
    ualarm(1000, 0);
    calls_for_ever(NULL);
  }
  printf("jumps %d\n", jumps);
  return 6;
}

static ucontext_t here, there;
static void other_stack(void) {
  for (;;) {
    counted(1);
    swapcontext(&there, &here);
  }
}
static int contexts(void) {
  static char stack[16384];
  getcontext(&there);
  there.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
  makecontext(&there, other_stack, 0);
  for (int i = 0; i < 1000; i++) {
    swapcontext(&here, &there);
    counted(100);
  }
  return 6;
}

static void burn(int number) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    leaf(number);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 50000000);
}
static int small_signal_stack(void) {
  size_t bytes = (size_t)sysconf(_SC_MINSIGSTKSZ) + 2048;
  const stack_t stack = {.ss_sp = malloc(bytes), .ss_size = bytes};
  const struct sigaction action = {.sa_handler = burn, .sa_flags = SA_ONSTACK};
  printf("stack %d\n", sigaltstack(&stack, NULL));
  sigaction(SIGUSR1, &action, NULL);
  burn(1);         /* ld.so has found what it calls */
  counted(200000); /* the runtime looks now and then */
  raise(SIGUSR1);
  return 8;
}

static int one_call(void) {
  leaf(1);
  return 0;
}

static const struct way {
  const char *name;
  int (*run)(void);
} ways[] = {
    {"closes", closes},
    {"no_descriptors", no_descriptors},
    {"no_files", no_files},
    {"no_rights", no_rights},
    {"no_memory", no_memory},
    {"daemonises", daemonises},
    {"vforks", vforks},
    {"clones", clones},
    {"many_children", many_children},
    {"pid_namespace", pid_namespace},
    {"main_leaves", main_leaves},
    {"thread_leaves", thread_leaves},
    {"handler_leaves", handler_leaves},
    {"handler_jumps", handler_jumps},
    {"contexts", contexts},
    {"small_signal_stack", small_signal_stack},
    {"one_call", one_call},
};

int main(int argc, char **argv) {
  if (argc != 3)
    return 64;
  own_path = argv[0];
  folder = argv[2];
  called = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; called != MAP_FAILED && i < sizeof ways / sizeof *ways; i++)
    if (!strcmp(argv[1], ways[i].name)) {
      int status = ways[i].run();
      if (status == 6)
        printf("called %ld\n", atomic_load(called));
      return status;
    }
  return 64;
}
