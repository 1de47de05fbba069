/* Two threads share work.  Planted: row i costs i, and each gets a half of the rows.  CLEAN: every second row. */
#include <pthread.h>
#include <stdio.h>

enum { ROWS = 1200 };
static double sums[2];

__attribute__((noinline)) static double row_cost(int row) {
  double sum = 0;
  for (int i = 0; i < row * 200; i++)
    sum = sum * 0.999 + (double)(i ^ row);
  return sum;
}

static void *work(void *half) {
  int which = (int)(long)half;
#ifdef CLEAN
  for (int row = which; row < ROWS; row += 2)
#else
  for (int row = which * ROWS / 2; row < (which + 1) * ROWS / 2; row++)
#endif
    sums[which] += row_cost(row);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%f\n", sums[0] + sums[1]);
  return 0;
}
