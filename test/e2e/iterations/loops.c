/* loops.c - loops whose iterations are recorded; test_iterations.py has how many each has.  Prints what it computes. */
#include <setjmp.h>
#include <stdio.h>

#define APART __attribute__((noinline))

static volatile int sink;
static jmp_buf target;
static float numbers[100];

static APART void work(int n) {
  for (int i = 0; i < n; i++)
    sink += i;
}

static APART int counted(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * sink;
  return sum;
}

static APART int fixed(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += sink + i;
  return sum;
}

static APART void vector(int n) {
  for (int i = 0; i < n; i++)
    numbers[i] = numbers[i] * 2 + 1;
}

static APART int nested(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 3; j++)
      work(j);
    sum += i;
  }
  for (int i = 0; i < 2; i++)
    work(i);
  return sum;
}

static APART int ways(int n) {
  int i = 0, sum = 0;
  while (1) {
    i++;
    if (i % 3 == 0)
      continue;
    if (i > n)
      break;
    if (i == 1000)
      return 7;
    switch (i & 3) {
    case 0:
      sum++;
      break;
    case 1:
      work(i);
      break;
    default:
      sum += 2;
    }
    if (sum > 1000000)
      goto out;
  }
  do {
    work(1);
    i--;
    if (i == 2)
      continue;
  } while (i > 0);
out:
  return sum;
}

static APART int returns(int n) {
  for (;;) {
    if (n-- == 0)
      return counted(2);
    work(n);
  }
}

static APART int leaves(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      work(j);
      if (i == 2 && j == 1)
        goto out;
      if (j > i)
        goto next;
    next:;
    }
out:
  return n;
}

static APART int scans(const char *text) {
  int length = 0;
  while (*text++ && ++length)
    ;
  return length;
}

static APART int never(int n) {
  int sum = 0;
  while (n > 1000)
    sum += n--;
  do
    sum++;
  while (0);
  return sum;
}

static APART int recursive(int n) {
  int sum = 1;
  for (int i = 0; i < n; i++)
    sum += recursive(n - 1);
  return sum;
}

/* Its body is entered in the middle: left out. */
static APART int middle(int n) {
  int sum = 0;
  switch (n & 3) {
  case 0:
    do {
      sum++;
      __attribute__((fallthrough));
    case 3:
      sum++;
      __attribute__((fallthrough));
    case 2:
      sum++;
      __attribute__((fallthrough));
    default:
      sum++;
    } while ((n -= 4) > 0);
  }
  return sum;
}

/* Left out as well: `goto *` knows the labels of its body only at run time. */
static APART int threaded(const unsigned char *code) {
  static const void *const places[] = {&&add, &&twice, &&end};
  int value = 1;
  goto *places[*code];
  for (;;) {
  add:
    value++;
    goto *places[*++code];
  twice:
    value *= 2;
    goto *places[*++code];
  }
end:
  return value;
}

static APART void jump(int i) {
  if (i == 3)
    longjmp(target, 1);
}

static APART int caught(int n) {
  volatile int i = 0;
  int sum = 0;
  while (i < n) {
    i++;
    if (setjmp(target) == 0)
      jump(i);
    else
      sum++;
  }
  return sum;
}

static APART int again(int n) {
  volatile int done = 0;
  if (setjmp(target))
    done = 1;
  for (int i = 0; i < n; i++)
    if (done)
      work(1);
    else
      jump(i);
  return done;
}

static inline __attribute__((always_inline)) int inlined(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += sink;
  return sum;
}

static int once(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += sink + i;
  return sum;
}

static APART int unnamed(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    work(i);
  for (int i = 0; i < n; i++) /* LINE */
    for (int j = 0; j < 2; j++)
      sum += sink + j;
  return sum;
}

int main(void) {
  static const unsigned char code[] = {0, 1, 0, 2};
  int total = counted(10) + fixed() + nested(5) + ways(20) + returns(3) + leaves(4) + scans("abc") + never(5);
  vector(100);
  total += recursive(3) + middle(9) + threaded(code) + caught(5) + again(6) + inlined(4) + inlined(5) + once(6);
  total += unnamed(3);
  printf("%d %d\n", total - total % 1, (int)numbers[99]);
  return 0;
}
