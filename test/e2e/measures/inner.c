/* inner.c - a program whose allocator takes a lock, maps memory and writes, so that all measures meet inside of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *arena, *arena_end;
static unsigned long blocks;
static int null = -1;

void *malloc(size_t bytes) {
  bytes = (bytes + 31) & ~(size_t)15;
  pthread_mutex_lock(&mutex);
  if (null < 0)
    null = open("/dev/null", O_WRONLY);
  if ((size_t)(arena_end - arena) < bytes) {
    arena = mmap(NULL, bytes + (1 << 20), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    arena_end = arena + bytes + (1 << 20);
  }
  size_t *block = (size_t *)arena;
  arena += bytes;
  block[1] = bytes - 16;
  if (write(null, block, 8) == 8)
    blocks++;
  pthread_mutex_unlock(&mutex);
  return block + 2;
}
void free(void *block) {
  if (block && write(null, block, 1) == 1)
    __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
}
void *calloc(size_t count, size_t bytes) {
  return memset(malloc(count * bytes), 0, count * bytes);
}
void *realloc(void *old, size_t bytes) {
  void *block = malloc(bytes);
  if (old)
    memcpy(block, old, ((size_t *)old)[-1] < bytes ? ((size_t *)old)[-1] : bytes);
  free(old);
  return block;
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  return (void *)(((uintptr_t)malloc(bytes + alignment) + alignment - 1) & ~(alignment - 1));
}
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = aligned_alloc(alignment, bytes);
  return 0;
}

static void *thread(void *unused) {
  char *volatile text = NULL;
  (void)unused;
  for (int i = 0; i < 200; i++) {
    free(text);
    text = strdup("a text");
    text = realloc(text, (size_t)(100 + i));
  }
  free(text);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%s\n", blocks > 3 * 1200 ? "inner done" : "too few");
  return 0;
}
