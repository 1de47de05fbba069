/* faults.c - touches a known number of new pages in two functions, one of them through another; then works. */
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 4096, MANY = 3000, FEW = 1000 };

static char *map(long pages) {
  char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    madvise(memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
  return memory;
}

__attribute__((noinline)) static void touch(volatile char *at, long pages) {
  for (long i = 0; i < pages; i++)
    at[i * PAGE] = 1; /* this line */
}

__attribute__((noinline)) static void many(void) {
  char *memory = map(MANY);
  touch(memory, MANY);
  munmap(memory, (size_t)MANY * PAGE);
}

__attribute__((noinline)) static void few(void) {
  volatile char *memory = map(FEW);
  for (long i = 0; i < FEW; i++)
    memory[i * PAGE] = 1;
  munmap((void *)memory, (size_t)FEW * PAGE);
}

__attribute__((noinline)) static double works(void) {
  double sum = 0;
  for (long i = 0; i < 100000000; i++)
    sum += (double)i * 0.5;
  return sum;
}

int main(void) {
  many();
  few();
  printf("%g\n", works());
  return 0;
}
