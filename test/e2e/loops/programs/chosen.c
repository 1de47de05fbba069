/*
 * Loops of statements and loops made by goto, for the listing of what has probes: a loop statement's first line says
 * `loop`, and functions that say `goto` have no others than those.  C and C++.
 */
extern int work(int), token;

int labels_next(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* loop */
    if (i & 1)
      goto next;
    s += work(i);
    s ^= work(s);
  next:;
  }
  return s;
}

int ever_next(int n) {
  int s = 0, i = 0;
  for (;;) { /* loop */

    if (i++ > n)
      break;
    if (i & 1)
      goto next;
    s += work(i);
  next:;
  }
  return s;
}

int while_true(int n) {
  int s = 0;
  while (1) { /* loop */

    s += work(s);
    if (s > n)
      break;
    s += work(s);
  }
  return s;
}

int at_end(int n) {
  int s = 0;
  do { /* loop */

    if (s & 4)
      continue;
    s += work(s);
  } while (s < n);
  return s;
}

int on_lines(int n, int m) {
  int s = 0;
  while (s < n /* loop */
         && m > work(s)) {
    s += work(s);
    m--;
  }
  return s;
}

static inline int accepted(int n) {
  if (token == n) {
    work(n);
    return 1;
  }
  return 0;
}

int nothing_else(int n) {
  while (accepted(n)) { /* loop */
  }
  return n;
}

int retry(int n) { /* goto */
  int s = 0;
again:
  s = work(s);
  if (s < n)
    goto again;
  s += work(s);
  return s;
}

int retry_once_asked(int n) { /* goto */
  int s = 0;
again:
  if (s >= n)
    return s;
  s += work(s);
  if (work(n))
    goto again;
  s++;
  goto again;
}

int retry_in_the_middle(int n) { /* goto */
  int s = 0;
  goto test;
body:
  s += work(s);
  s += work(s);
test:
  if (s < n)
    goto body;
  return s;
}

int retry_from_everywhere(int n) { /* goto */
  int s = 0;
  do { /* no loop */
  again:
    s += work(s);
    if (s == 3)
      goto again;
    if (s == 5) {
      work(7);
      goto again;
    }
    if (s < n)
      goto again;
  } while (0);
  return s;
}
