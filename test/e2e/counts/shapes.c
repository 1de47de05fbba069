/* Every way that control takes in C, for counts of lines.  Prints a few sums; ends by exit(). */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;

static int branches(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      sum += i;
    else if (i % 5 == 0) {
      sum -= 1;
      continue;
    }
    if (sum > 400)
      break;
    sum ^= i & 1 ? 3 : 5;
  }
  return sum;
}

static int one_line(int n) {
  int s = 0;
  while (n-- > 0) {
    if (n & 1)
      s += n;
  }
  return s;
}

static int cases(int n) {
  switch (n % 7) {
  case 0:
    return 10;
  case 1:
    n += 2; /* falls through */
  case 2:
    n *= 3;
    break;
  default:
    n = n > 20 && n < 40 ? n - 1 : n + 1;
  }
  return n;
}

static int jumps(int n) {
  int rounds = 0;
again:
  rounds++;
  if (--n > 0)
    goto again;
  do
    rounds += 2;
  while (rounds < 9);
  return rounds;
}

/* Jumps on lines of their own, and labels one behind another. */
static int apart(int n) {
  int rounds = 0;
  for (;;) {
    if (n > 20)
      n -= 3;
    else if (n > 2)
      n--;
    else
      break;
    if (n == 11)
      goto seldom;
    if (n % 4 == 0)
      goto often;
    if (n == 17)
      return rounds;
    continue;
  seldom:
  often:
    rounds++;
  }
  if (rounds > 3)
    return 1;
  return 0;
}

static int computed(int n) {
  static void *const labels[] = {&&zero, &&one, &&two};
  int sum = 0;
next:
  if (n <= 0)
    return sum;
  goto *labels[n-- % 3];
zero:
  sum += 1;
  goto next;
one:
  sum += 10;
  goto next;
two:
  sum += 100;
  goto next;
}

static int recursive(int n) {
  return n < 2 ? 1 : recursive(n - 1) + recursive(n - 2);
}

static void leaves(int n) {
  if (n == 3)
    longjmp(place, 1);
}

static int never(int n) {
  if (n > 1000)
    abort();
  return n;
}

int main(void) {
  volatile int total = 0;
  for (int i = 0; i < 30; i++)
    total += branches(i) + one_line(i) + cases(i) + jumps(i) + computed(i) + never(i) + apart(i);
  total += recursive(12);
  for (volatile int i = 0; i < 6; i++) /* longjmp leads back in here */
    if (setjmp(place) == 0)
      leaves(i);
    else
      total += 1000;
  printf("%d\n", total);
  if (total)
    exit(0);
  return 1;
}
