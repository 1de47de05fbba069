/* Loops that are left in other ways than by their condition, and loops that no statement makes. */
#include <setjmp.h>

#include "by_hand.h"

static int cells[500];
static jmp_buf back;

struct item {
  struct item *next;
  int value;
};
static struct item items[200];

APART static void touch(int i) {
  cells[(unsigned)i % 500]++;
}

APART static int by_break(int n, int stop) {
  int i;
  LOOP_IN(by_break);
  for (i = 0; i < n; i++) { /* loop by_break merged */
    LOOP_IT(by_break);
    if (i == stop)
      break;
    touch(i);
  }
  return i;
}

APART static int break_at_end(int n, int stop) {
  int i;
  LOOP_IN(break_at_end);
  for (i = 0; i < n; i++) { /* loop break_at_end */
    LOOP_IT(break_at_end);
    touch(i);
    if ((i * 5 + n) % 23 == stop)
      break;
  }
  return i;
}

APART static int by_return(int n, int stop) {
  LOOP_IN(by_return);
  for (int i = 0; i < n; i++) { /* loop by_return */
    LOOP_IT(by_return);
    touch(i);
    if (i == stop)
      return i;
    touch(i + 1);
  }
  return -1;
}

APART static int several_ways(int n, int stop) {
  LOOP_IN(several_ways);
  for (int i = 0; i < n; i++) { /* loop several_ways */
    LOOP_IT(several_ways);
    if (i == stop)
      return 1;
    touch(i);
    if (i == 2 * stop)
      break;
    if (cells[i] == 77)
      goto out;
  }
  touch(n);
out:
  return 2;
}

APART static void by_continue(int n) {
  LOOP_IN(by_continue);
  for (int i = 0; i < n; i++) { /* loop by_continue */
    LOOP_IT(by_continue);
    if (i % 3 == 1)
      continue;
    touch(i);
  }
}

APART static void continue_in_while(int n) {
  LOOP_IN(continue_in_while);
  while (n > 0) { /* loop continue_in_while */
    LOOP_IT(continue_in_while);
    n--;
    if (n % 4 == 1)
      continue;
    touch(n);
  }
}

/* A variable that stays as it is where `continue` ends an iteration: GCC makes two nested loops of this one. */
APART static int continue_unchanged(struct item *item) {
  int taken = 0;
  LOOP_IN(continue_unchanged);
  while ((item = item->next) != NULL) { /* loop continue_unchanged */
    LOOP_IT(continue_unchanged);
    if (item->value % 3 == 1)
      continue;
    touch(item->value);
    taken++;
  }
  return taken;
}

/* And four of this one, with a loop in it on one way. */
APART static int continue_often(struct item *item) {
  int odd = 0, fives = 0, rest = 0;
  LOOP_IN(continue_often);
  do { /* loop continue_often */
    LOOP_IT(continue_often);
    if (item->value % 7 == 1)
      continue;
    touch(item->value);
    if (item->value % 2 == 1) {
      odd++;
      continue;
    }
    if (item->value % 5 == 0) {
      LOOP_IN(between_continues);
      for (int i = unknown(0); i < item->value % 9; i++) { /* loop between_continues depth=2 */
        LOOP_IT(between_continues);
        touch(i + fives);
      }
      fives += 3;
      continue;
    }
    rest += item->value;
    touch(rest % 500);
  } while ((item = item->next) != NULL);
  return odd + fives * 5 + rest;
}

APART static int for_ever(int stop) {
  int i = 0;
  LOOP_IN(for_ever);
  for (;;) { /* loop for_ever early */
    LOOP_IT(for_ever);
    if (i >= stop)
      break;
    touch(i++);
  }
  return i;
}

APART static int while_one(int stop) {
  int i = 0;
  LOOP_IN(while_one);
  while (1) { /* loop while_one early */
    LOOP_IT(while_one);
    touch(i++);
    if (i >= stop)
      return i;
    touch(i * 3);
  }
}

APART static int two_conditions(const int *from, int n, int stop) {
  int i = 0;
  LOOP_IN(two_conditions);
  while (i < n && from[i] != stop) { /* loop two_conditions */
    LOOP_IT(two_conditions);
    touch(i++);
  }
  return i;
}

/* What is tested before the body stands on two lines. */
APART static int on_two_lines(const int *from, int n, int stop) {
  int i = 0;
  LOOP_IN(on_two_lines);
  while (i < n /* loop on_two_lines */
         && (from[i] != stop || from[i + 1] == stop)) {
    LOOP_IT(on_two_lines);
    touch(i++);
  }
  return i;
}

/* Body and condition stand on one line. */
APART static int on_one_line(const int *from, int n, int stop) {
  int i = 0;
  LOOP_IN(on_one_line);
  // clang-format off
  while (i < n) { LOOP_IT(on_one_line); touch(i); if (from[i++] == stop) break; touch(i); } /* loop on_one_line */
  // clang-format on
  return i;
}

APART static int any_condition(const int *from, int n) {
  int i = 0;
  LOOP_IN(any_condition);
  while (i < n || (i < 400 && from[i])) { /* loop any_condition */
    LOOP_IT(any_condition);
    touch(i++);
  }
  return i;
}

APART static int do_conditions(const int *from, int n) {
  int i = 0;
  LOOP_IN(do_conditions);
  do { /* loop do_conditions */
    LOOP_IT(do_conditions);
    if (from[i] == 5)
      break;
    touch(i++);
  } while (i < n && from[i] < 50);
  return i;
}

/* The line is that of the label or of what follows it. */
APART static void by_goto(int n) {
  int i = 0;
  LOOP_IN(by_goto);
again: /* loop by_goto lines=5 */
  LOOP_IT(by_goto);
  touch(i);
  if (++i < n)
    goto again;
}

APART static void goto_tested(int n) {
  int i = 0;
  LOOP_IN(goto_tested);
again: /* loop goto_tested tested lines=7 */
  if (i < n) {
    LOOP_IT(goto_tested);
    touch(i++);
    goto again;
  }
}

/* Two ways in: no loop for a compiler. */
APART static void two_ways_in(int n, int way) {
  int i = 0;
  if (way)
    goto middle;
again: /* loop two_ways_in unseen */
  touch(i);
middle:
  touch(i + 1);
  if (++i < n)
    goto again;
}

APART static int switching(const int *from, int n) {
  LOOP_IN(switching);
  for (int i = 0; i < n; i++) { /* loop switching */
    LOOP_IT(switching);
    switch (from[i] % 7) {
    case 0:
      continue;
    case 1:
      touch(i); /* fallthrough */
    case 2:
      touch(i + 2);
      break;
    case 3:
      if (i > 150)
        return i;
      break;
    default:
      touch(from[i]);
    }
    touch(9);
  }
  return n;
}

APART static int interpreted(const char *code) {
  static const void *const to[] = {&&add, &&twice, &&end};
  int value = 1;
  LOOP_IN(interpreted);
  for (;;) { /* loop interpreted early */
    LOOP_IT(interpreted);
    goto *to[*code++ - 'a'];
  add:
    value += 3;
    continue;
  twice:
    value = value * 2 % 1001;
    continue;
  end:
    touch(value);
    break;
  }
  return value;
}

/* Every operation jumps to the next by itself. */
APART static int threaded(const char *code) {
  static const void *const to[] = {&&add, &&twice, &&end};
  int value = 1;
  goto *to[*code++ - 'a'];
add: /* loop threaded unseen */
  value += 3;
  goto *to[*code++ - 'a'];
twice:
  value = value * 2 % 1001;
  goto *to[*code++ - 'a'];
end:
  return value;
}

APART static int chase(const struct item *at) {
  int sum = 0;
  LOOP_IN(chase);
  while (at) { /* loop chase */
    LOOP_IT(chase);
    sum += at->value;
    at = at->next;
  }
  return sum;
}

APART static long length(const char *text) {
  const char *at = text;
  LOOP_IN(length);
  while (*at) { /* loop length removable */
    LOOP_IT(length);
    at++;
  }
  return at - text;
}

APART static int search(const int *from, int n, int value) {
  LOOP_IN(search);
  for (int i = 0; i < n; i++) { /* loop search */
    LOOP_IT(search);
    if (from[i] == value)
      return i;
  }
  return -1;
}

APART static int depth_first(int depth) {
  int sum = depth;
  LOOP_IN(depth_first);
  for (int i = 0; i < depth; i++) { /* loop depth_first */
    LOOP_IT(depth_first);
    sum += depth_first(i);
  }
  return sum;
}

APART static void jump(int i, int stop) {
  if (i == stop)
    longjmp(back, i + 1);
  touch(i);
}

/* What is counted in this visit is lost: the jump passes every exit. */
APART static void jumped_out(int n, int stop) {
  LOOP_IN(jumped_out);
  for (int i = 0; i < n; i++) { /* loop jumped_out entries-only */
    LOOP_IT(jumped_out);
    jump(i, stop);
  }
}

APART static void jump_caught_outside(int n, int stop) {
  if (setjmp(back) == 0)
    jumped_out(n, stop);
  touch(3);
}

APART static void jump_within(int n) {
  volatile int i;
  LOOP_IN(jump_within);
  for (i = 0; i < n; i++) { /* loop jump_within */
    LOOP_IT(jump_within);
    if (setjmp(back) == 0)
      jump(i, i % 3 ? i : -1);
    touch(i + 20);
  }
}

APART static void jump_away(int i) {
  touch(i);
  longjmp(back, 1);
}

/* The call that doesn't return jumps back into the loop: an iteration, and no way out. */
APART static void jump_away_within(int n) {
  volatile int i;
  LOOP_IN(jump_away_within);
  for (i = 0; i < n; i++) { /* loop jump_away_within */
    LOOP_IT(jump_away_within);
    if (setjmp(back) == 0)
      jump_away(i);
    touch(i + 20);
  }
}

/* The loop is left, and jumped back into from behind it. */
APART static void jump_from_behind(int n) {
  volatile int i;
  LOOP_IN(jump_from_behind);
  for (i = 0; i < n; i++) { /* loop jump_from_behind split */
    LOOP_IT(jump_from_behind);
    if (setjmp(back) == 0)
      break;
    touch(i + 30);
  }
  jump(i, i < n ? i : -1);
}

APART static int jump_over(int n, int stop) {
  LOOP_IN(jump_over);
  if (setjmp(back) == 0)
    for (int i = 0; i < n; i++) { /* loop jump_over entries-only */
      LOOP_IT(jump_over);
      jump(i, stop);
    }
  LOOP_IN(after_jump);
  for (int j = 0; j < n; j++) { /* loop after_jump */
    LOOP_IT(after_jump);
    touch(j);
  }
  return cells[0];
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 5, 13, 60, 199};
  unsigned sum = 0;
  for (int i = 0; i < 200; i++)
    items[i] = (struct item){i < 199 ? &items[i + 1] : NULL, i};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = unknown(sizes[i]);
    char text[256];
    memset(text, 'a' + (int)i % 2, sizeof text);
    text[n] = 'b', text[n + 1] = 'c', text[n + 2] = 0;
    sum += (unsigned)(by_break(n, unknown(9)) + break_at_end(n, unknown(5)) + by_return(n, unknown(30)));
    sum += (unsigned)several_ways(n, unknown(21));
    by_continue(n), continue_in_while(n);
    sum += (unsigned)(continue_unchanged(&items[n]) + continue_often(&items[n]));
    sum += (unsigned)(for_ever(n) + while_one(n) + two_conditions(cells, n, unknown(3)) + any_condition(cells, n));
    sum += (unsigned)(do_conditions(cells, n) + on_two_lines(cells, n, unknown(5)) + on_one_line(cells, n, unknown(4)));
    by_goto(n), goto_tested(n), two_ways_in(n, unknown((int)i % 2));
    sum += (unsigned)(switching(cells, n) + interpreted(text) + threaded(text) + chase(&items[n]));
    sum += (unsigned)length(text) + (unsigned)search(cells, n, cells[n / 2]) + (unsigned)depth_first(n % 9);
    jump_caught_outside(n, unknown(12)), jump_within(n), jump_away_within(n), jump_from_behind(n);
    sum += (unsigned)jump_over(n, unknown(7));
  }
  for (int i = 0; i < 500; i++)
    sum = sum * 31 + (unsigned)cells[i];
  printf("%u\n", sum);
  return 0;
}
