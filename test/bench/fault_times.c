/* fault_times.c - touches new pages, then computes; prints the CPU time of both in nanoseconds (rows_counters.py). */
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, PAGES = 10000, ROUNDS = 20, TERMS = 100000000 };

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

__attribute__((noinline)) static void touch(volatile char *memory) {
  for (long i = 0; i < PAGES; i++)
    memory[i * PAGE] = 1;
}

__attribute__((noinline)) static double work(void) {
  double sum = 0;
  for (long i = 0; i < TERMS; i++)
    sum += (double)i * 0.5;
  return sum;
}

int main(void) {
  long begin = now_ns();
  for (int i = 0; i < ROUNDS; i++) {
    char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return 1;
    madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    touch(memory);
    munmap(memory, (size_t)PAGES * PAGE);
  }
  long touched = now_ns();
  double sum = work();
  printf("%ld %ld\n", touched - begin, now_ns() - touched);
  return sum < 0;
}
