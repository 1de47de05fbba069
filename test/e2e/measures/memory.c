/*
 * memory.c - allocates in every way of C, and prints what `prof memory` must show: "want FUNCTION CALLS BYTES LEFT".
 *
 * argv[1]: the library for dlopen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
static void *volatile keep[64];
static unsigned kept;

APART static void plain(void) {
  for (int i = 0; i < 10; i++) {
    void *volatile block = malloc(100);
    free(block);
  }
  keep[kept++] = malloc(77);
}

APART static void zeroed(void) {
  void *volatile block = calloc(30, 7);
  if (((char *)block)[209])
    abort();
  free(block);
  volatile size_t huge = SIZE_MAX / 2;
  if (calloc(huge, 3) || errno != ENOMEM)
    abort();
}

APART static void resized(void) {
  char *volatile block = realloc(NULL, 10);
  strcpy(block, "text");
  block = realloc(block, 100000);
  block = reallocarray(block, 20, 10);
  void *volatile refused = realloc(block, SIZE_MAX / 4);
  if (refused || errno != ENOMEM || strcmp(block, "text"))
    abort();
  block = realloc(block, 40);
  keep[kept++] = block;
}

APART static void aligned(void) {
  void *block;
  if (posix_memalign(&block, 64, 1000) || (uintptr_t)block % 64)
    abort();
  free(block);
  if (posix_memalign(&block, 3, 1000) != EINVAL)
    abort();
  block = keep[60] = aligned_alloc(256, 512);
  free(block);
  free(memalign(32, 33));
  keep[kept++] = valloc(5);
}

APART static void through_libc(void) {
  char *volatile copy = strdup("eleven byte");
  free(copy);
  copy = strndup("abcdef", 3);
  free(copy);
}

APART static void by_pointer(void *(*allocate)(size_t), void (*give_back)(void *)) {
  for (int i = 0; i < 3; i++)
    give_back(allocate(50));
}

static void *(*volatile of_data)(size_t) = malloc;

static void *passed;
APART static void *in_thread(void *unused) {
  passed = malloc(3000);
  return unused;
}
APART static void elsewhere(void) { /* given back by another thread than took it */
  pthread_t thread;
  if (pthread_create(&thread, NULL, in_thread, NULL) || pthread_join(thread, NULL))
    abort();
  free(passed);
}

static volatile int caught;
static void handler(int number) {
  void *volatile block = malloc(24); /* not while another allocation runs here */
  free(block);
  caught = number;
}
APART static void signalled(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
}

APART static void maps(void) {
  char *block = mmap(NULL, 30000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED || munmap(block, 4096) || munmap(block + 4096, 4096))
    abort();
  keep[kept++] = block + 8192;
}

APART static void child_work(void) {
  void *volatile block = malloc(600);
  (void)block;
}
APART static void forked(void) {
  pid_t child = fork();
  if (child == 0) {
    free(keep[0]); /* of the parent: not known in the child */
    child_work();
    _exit(3);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)
    abort();
}

APART static void loaded(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *(*make)(void) = library ? (void *(*)(void))dlsym(library, "plugin_make") : NULL;
  if (!make)
    abort();
  keep[kept++] = make();
  dlclose(library);
}

int main(int argc, char **argv) {
  errno = 5;
  plain();
  if (errno != 5)
    abort();
  zeroed();
  resized();
  aligned();
  through_libc();
  by_pointer(of_data, free);
  elsewhere();
  signalled();
  maps();
  forked();
  if (argc > 1)
    loaded(argv[1]);
  puts("want plain 11 1077 77\nwant zeroed 1 210 0\nwant resized 4 100250 40\nwant aligned 4 1550 5\n"
       "want through_libc 2 16 0\nwant by_pointer 3 150 0\nwant in_thread 1 3000 0\nwant handler 1 24 0\n"
       "want maps 1 32768 24576\nwant child_work 1 600 600\nwant loaded/plugin_make 2 1234 1234");
  return caught == SIGUSR1 ? 4 : 5;
}
