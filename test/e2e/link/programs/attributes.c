/*
 * attributes.c - attributes and kinds of functions; main calls each as often as it says.  See also special_functions.c
 * of e2e/plugin.  What a compiler doesn't know is left out, so that all compile the rest.
 */
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noinline))
#define HAS(attribute) __has_attribute(attribute)

static volatile int order;

__attribute__((constructor(101))) static void first(void) {
  order = order * 10 + 1;
}
__attribute__((constructor(65535))) static void last(void) {
  order = order * 10 + 2;
}
__attribute__((hot)) APART int hot_one(int x) {
  return x + 1;
}
#if HAS(optimize)
__attribute__((optimize("O0"))) APART int unoptimized(int x) {
  return x + 2;
}
__attribute__((optimize("O3,unroll-loops,no-omit-frame-pointer"))) APART int optimized(int x) {
  int sum = 0;
  for (int i = 0; i < x; i++)
    sum ^= i * x;
  return sum;
}
#elif HAS(optnone)
__attribute__((optnone)) APART int unoptimized(int x) {
  return x + 2;
}
APART int optimized(int x) {
  int sum = 0;
  for (int i = 0; i < x; i++)
    sum ^= i * x;
  return sum;
}
#endif
__attribute__((target("sse4.2"))) APART int for_target(int x) {
  return __builtin_popcount((unsigned)x);
}
__attribute__((section("own_section"))) APART int in_section(int x) {
  return x + 4;
}
#if HAS(retain)
__attribute__((used, retain)) APART int retained(int x) {
  return x + 5;
}
#else
__attribute__((used)) APART int retained(int x) {
  return x + 5;
}
#endif
#if HAS(patchable_function_entry)
__attribute__((patchable_function_entry(4, 2)))
#endif
APART int
patchable(int x) {
  return x + 6;
}
#if HAS(no_split_stack)
__attribute__((no_split_stack))
#endif
APART int
unsplit(int x) {
  return x + 7;
}
#if HAS(zero_call_used_regs)
__attribute__((zero_call_used_regs("used")))
#endif
APART int
zeroed(int x) {
  return x + 8;
}
__attribute__((aligned(64))) APART int aligned(int x) {
  return x + 9;
}
#if HAS(nocf_check)
__attribute__((nocf_check))
#endif
APART int
unchecked(int x) {
  return x + 10;
}
__attribute__((sysv_abi)) APART int system_abi(int x) {
  return x + 11;
}
#if HAS(force_align_arg_pointer)
__attribute__((force_align_arg_pointer))
#endif
APART int
realigned(int x) {
  volatile double values[4] = {x, 1, 2, 3};
  return (int)(values[0] + values[3]);
}
APART int labelled(int x) {
  static const void *const labels[] = {&&one, &&two, &&three};
  goto *labels[x % 3];
one:
  x += 1;
two:
  x += 2;
three:
  return x;
}
APART int varying(int x) {
  char room[x + 1];
  memset(room, x, (size_t)x + 1);
  return room[x / 2];
}
#if defined(__clang__)
#define NESTED 0
APART int outer(int x) {
  return x + 8;
}
#else
#define NESTED 2
APART int outer(int x) {
  int base = 3;
  APART int nested(int y) {
    return y + base;
  }
  int (*volatile through)(int) = nested;
  base++;
  return through(x) + nested(0);
}
#endif
#if HAS(interrupt)
struct frame;
__attribute__((interrupt, target("general-regs-only"), used)) void interrupted(struct frame *frame) {
  (void)frame; /* nobody can call it */
}
#endif
int _Complex complex_sum(int x);
APART int _Complex complex_sum(int x) {
  return x + 2i;
}
struct big {
  int values[20];
};
APART struct big returned(int x) {
  struct big big = {{x, x + 1}};
  return big;
}

int main(void) {
  int x = order; /* 12, with both constructors in their order */
  int sum = hot_one(x) + unoptimized(x) + optimized(x) + for_target(x) + in_section(x) + retained(x) + patchable(x) +
            unsplit(x) + zeroed(x) + aligned(x) + unchecked(x) + system_abi(x) + realigned(x) + labelled(x) +
            labelled(x + 1) + varying(x) + outer(x) + __real__ complex_sum(x) + returned(x).values[1];
  printf("order %d, sum %d\n", order, sum);
  static const char *const names[] = {"main",      "first",      "last",       "hot_one",     "unoptimized",
                                      "optimized", "for_target", "in_section", "retained",    "patchable",
                                      "unsplit",   "zeroed",     "aligned",    "unchecked",   "system_abi",
                                      "realigned", "varying",    "outer",      "complex_sum", "returned"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    printf("calls\t1\t%s\n", names[i]);
  printf("calls\t2\tlabelled\n");
  if (NESTED)
    printf("calls\t2\tnested|nested.0\n");
}
