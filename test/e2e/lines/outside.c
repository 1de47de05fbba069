/*
 * outside.c - lines that spend their time in uninstrumented code.  "outside: WHERE": the line leads there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, PAGE = 4096, VALUES = 100000 };
static char block[BLOCK];
static int values[VALUES];

__attribute__((noinline)) static unsigned fill(int times) {
  unsigned sum = 0;
  for (int i = 0; i < times; i++) {
    memset(block, i, sizeof block); /* outside: libc */
    sum += (unsigned char)block[i % BLOCK];
  }
  return sum;
}

__attribute__((noinline)) static unsigned form(int times) {
  unsigned sum = 0;
  char text[64];
  for (int i = 0; i < times; i++)
    sum += (unsigned)snprintf(text, sizeof text, "%.9f", i / 7.0); /* outside: libc, some calls deep */
  return sum;
}

__attribute__((noinline)) static unsigned take(int times) {
  unsigned sum = 0;
  int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  for (int i = 0; i < times; i++) {
    ssize_t got = read(zeros, block, sizeof block); /* outside: kernel */
    sum += got > 0;
  }
  close(zeros);
  return sum;
}

__attribute__((noinline)) static unsigned touch(int times) {
  unsigned sum = 0;
  for (int i = 0; i < times; i++) {
    volatile char *fresh =
        mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* outside: kernel */
    for (int at = 0; fresh != MAP_FAILED && at < BLOCK; at += PAGE)
      fresh[at] = 1; /* outside: kernel, by page faults */
    sum += fresh != MAP_FAILED;
    munmap((char *)fresh, BLOCK); /* outside: kernel */
  }
  return sum;
}

__attribute__((noinline)) static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static unsigned sort(int times) {
  for (int i = 0; i < times; i++) {
    for (int at = 0; at < VALUES; at++)
      values[at] = (int)((unsigned)(at + i) * 2654435761u >> 9);
    qsort(values, VALUES, sizeof *values, compare); /* outside: libc, which calls back all the time */
  }
  return (unsigned)values[0];
}

__attribute__((noinline)) static ssize_t drop(void *count, const char *text, size_t bytes) {
  *(unsigned *)count += text[0] != 0;
  return (ssize_t)bytes;
}

__attribute__((noinline)) static unsigned print(int times) {
  unsigned count = 0;
  FILE *out = fopencookie(&count, "w", (cookie_io_functions_t){.write = drop});
  for (int i = 0; i < times; i++)
    fprintf(out, "%.9f", i / 7.0); /* outside: libc, which calls back now and then */
  fclose(out);
  return count;
}

int main(void) {
  unsigned sum = fill(4000) + form(400000) + take(2000) + touch(200) + sort(2) + print(200000);
  return sum == 0;
}
