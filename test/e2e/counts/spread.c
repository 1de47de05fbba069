/* Statements that stretch over several lines, and scopes that are left in every way, for counts of lines. */
#include <stdio.h>

static int sink;

static int sum(int a, int b, int c) {
  return a + b + c;
}

/* Where lines end is what is tested. */
/* clang-format off */
static int twice(int n) {
  return 2 *
         n;
}

/* Calls in arguments: control leaves the statement's first line and comes back to it. */
static int arguments(int n) {
  int const made = sum(
      n,
      twice(n),
      twice(n + 1));
  int other =
      sum(n, made,
          twice(made));
  other += sum(twice(n),
               n > 5 ? twice(3) :
                       twice(4),
               7);
  sink = sum(n,
             other, sum(1,
                        twice(n),
                        2));
  return other;
}

/* Conditions over several lines, with calls. */
static int conditions(int n) {
  if (n > 2
      && twice(n) < 30
      && twice(n) % 3)
    sink++;
  if ((n & 1 && sink < 0)
      || (!(n & 1) && sink < 0)) { /* never */
    sink--;
    return 1;
  }
  while (twice(n) < 10
         && sum(n, n,
                n) < 12)
    n++;
  return n > 3
             ? twice(n)
             : n;
}
/* clang-format on */

#define CHECK(value)                                                                                                   \
  do {                                                                                                                 \
    int const checked = (value);                                                                                       \
    if (checked > 50)                                                                                                  \
      return checked;                                                                                                  \
  } while (0)

/* Scopes with variables, that end, go on, break off and return. */
static int scopes(int n) {
  CHECK(twice(n));
  for (int i = 0; i < n; i++) {
    int here[4];
    here[i & 3] = twice(i);
    if (i == 5)
      continue;
    if (i == 20)
      break;
    {
      int inner = here[i & 3];
      if (inner == 36)
        return inner;
      sink += inner;
    }
  }
  switch (n) {
  case 3: {
    int const three = twice(n);
    if (three > 100)
      return three;
    sink += three;
    break;
  }
  case 4:
    sink++;
  }
  /* clang-format off */
  CHECK(sum(n,
            twice(n),
            1));
  /* clang-format on */
  return n;
}

/* A statement that is left in its middle. */
#define NEXT(value)                                                                                                    \
  {                                                                                                                    \
    if (n == 7) {                                                                                                      \
      (value) = 1;                                                                                                     \
    } else {                                                                                                           \
      (value) = twice(n);                                                                                              \
      if ((value) > 50)                                                                                                \
        goto end;                                                                                                      \
    }                                                                                                                  \
  }

static int steps(int n) {
  int value = 0;
  /* clang-format off */
  switch (n & 3) {
  case 1: sink++; NEXT(value); break;
  case 2: NEXT(value); sink++; break;
  default: NEXT(value);
  }
  /* clang-format on */
  return value;
end:
  return -1;
}

/* One return, out of a scope, and the end is never reached. */
static void only_return(int n) {
  for (;;) {
    int const now = twice(n);
    sink += now;
    if (now > 40) {
      int const left = twice(now);
      sink += left;
      return;
    }
    n++;
  }
}

/* Tests that a compiler makes one of when it optimises. */
/* clang-format off */
static int folded(int n) {
  unsigned const bits = (unsigned)n;
  int found = 0;
  if (n < 3
      || n > 9)
    found++;
  if ((bits & 1) == 0
      && (bits & 2) != 0
      && (bits & 4) != 0)
    found += 2;
  while (n == 5
         || n == 6)
    n++;
  return found + (n >= 2
                  && n <= 7);
}
/* clang-format on */

/* A loop without a condition, with variables around. */
static int endless(int n) {
  int const last = twice(n);
  while (1) {
    if (n > last)
      break;
    if (n & 1) {
      int const next = n + 3;
      n = next;
      continue;
    }
    n += 1 + (n & 2);
  }
  do {
    int const now = twice(n);
    if (now & 4)
      continue;
    sink += now;
  } while (0);
  return last;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 30; i++)
    total += arguments(i) + conditions(i) + scopes(i) + steps(i) + endless(i) + folded(i);
  only_return(total & 15);
  for (;;) {
    int const now = twice(total);
    if (now > 100000)
      break;
    total = now;
  }
  printf("%d %d\n", total, sink);
  return 0;
}
