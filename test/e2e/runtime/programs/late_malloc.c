/* A program with a malloc of its own, which a lock guards.  spin: calls it until SIGTERM; else waits for a line. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char memory[1 << 26];
static size_t used;
static volatile sig_atomic_t ends;
static volatile uintptr_t sink;

void *malloc(size_t bytes) {
  pthread_mutex_lock(&mutex);
  size_t *head = (size_t *)(void *)(memory + used);
  used = (used + bytes + 31) / 16 * 16 % (sizeof memory / 2);
  *head = bytes;
  pthread_mutex_unlock(&mutex);
  return (char *)head + 16;
}

void free(void *pointer) {
  (void)pointer;
}

void *calloc(size_t count, size_t bytes) {
  return memset(malloc(count * bytes), 0, count * bytes);
}

void *realloc(void *pointer, size_t bytes) {
  void *grown = malloc(bytes);
  if (pointer != NULL)
    memcpy(grown, pointer, ((size_t *)pointer)[-2] < bytes ? ((size_t *)pointer)[-2] : bytes);
  return grown;
}

static void on_end(int number) {
  (void)number;
  ends = 1;
}

int main(int argc, char **argv) {
  struct pollfd input = {.fd = 0, .events = POLLIN};
  char byte;
  if (argc > 1)
    signal(SIGTERM, on_end);
  (void)!write(1, "ready\n", 6);
  if (argc > 1 && strcmp(argv[1], "spin") == 0) {
    while (!ends)
      sink += (uintptr_t)malloc(100);
  } else {
    poll(&input, 1, -1);
  }
  while (read(0, &byte, 1) == 1 && byte != '\n')
    ;
  (void)!write(1, "wrong 0\n", 8);
  return 3;
}
