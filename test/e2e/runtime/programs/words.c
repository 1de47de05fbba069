/* words.c - names its threads, and has the recording begin in the middle, inside of an open call. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prof.h"

static volatile int sink;
PROF_PROBE __attribute__((noinline)) static void warm_up(void) {
  sink += 2;
}
PROF_PROBE __attribute__((noinline)) static void work(void) {
  sink++;
}

static void *before(void *unused) {
  prof_thread_name("ended before");
  warm_up();
  return unused;
}

static void *after(void *unused) {
  prof_thread_name("");
  prof_thread_name("forty-two bytes and one more character \xe2\x82\xac\xe2\x82\xac");
  for (int i = 0; i < 7; i++)
    work();
  return unused;
}

static void *renamed(void *unused) {
  work();
  prof_thread_name("given \033[1m");
  prof_thread_name("");
  pthread_setname_np(pthread_self(), "of the system");
  return unused;
}

static void join(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

PROF_PROBE __attribute__((noinline)) static void open_at_clear(void) {
  work();
  printf("cleared %d\n", prof_clear());
  work();
  sink++;
}

PROF_PROBE __attribute__((noinline)) static void gone_child(void) {
  warm_up();
  _exit(0);
}

/* The recorder may learn of its end after prof_clear. */
static void child(void) {
  pid_t pid = fork();
  if (pid == 0)
    gone_child();
  waitpid(pid, NULL, 0);
}

int main(int argc, char **argv) {
  join(before);
  warm_up();
  prof_clear();
  warm_up();
  unsigned pause_us = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  usleep(pause_us);
  child();
  open_at_clear();
  usleep(pause_us);
  join(after);
  join(renamed);
  return 0;
}
