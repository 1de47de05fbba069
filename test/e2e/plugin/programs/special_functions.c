/* special_functions.c - functions of special kinds: ifunc, target_clones, naked, constructors, aliases, weak, noreturn,
 * odd names. */
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static int order;

static int plain(int x) {
  return x + 1;
}
static int other(int x) {
  return x + 2;
}
static int (*resolve(void))(int) {
  return sizeof(void *) == 8 ? plain : other;
}
int indirect(int x) __attribute__((ifunc("resolve")));

__attribute__((target_clones("avx2", "default"))) int cloned(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    total += values[i];
  return total;
}

__attribute__((naked)) int naked(void) {
  __asm__(".byte 0xb8,42,0,0,0\n\tret"); /* as bytes: right in both assembler dialects */
}
__attribute__((constructor(200))) static void early(void) {
  order = order * 10 + 1;
}
__attribute__((constructor)) static void late(void) {
  order = order * 10 + 2;
}
__attribute__((destructor)) static void end(void) {
  printf("end\n");
}
NOINLINE int target(int x) {
  return x * 5;
}
int alias(int x) __attribute__((alias("target")));
__attribute__((weak)) int weak(int x) {
  return x * 7;
}
__attribute__((noreturn, noinline)) static void die(int status) {
  printf("die %d\n", status);
  exit(status);
}
NOINLINE int named(int x) __asm__("odd$name.with.dots");
NOINLINE int named(int x) {
  return x + 11;
}
NOINLINE int größe(int x) {
  return x + 12;
}
__attribute__((section(".text.elsewhere"), noinline)) int elsewhere(int x) {
  return x + 13;
}
__attribute__((cold, noinline)) int cold(int x) {
  return x + 14;
}
__attribute__((no_instrument_function, noinline)) int untouched(int x) {
  return x + 15;
}
__attribute__((returns_twice, noinline)) int said_to_return_twice(int x) {
  return x + 16;
}
__attribute__((ms_abi, noinline)) int foreign(int x, double y) {
  return x + (int)y;
}
__attribute__((no_caller_saved_registers, target("general-regs-only"), noinline)) long saves_all(long x) {
  return x * 3;
}
inline __attribute__((always_inline)) int inlined(int x) {
  return target(x);
}

int main(void) {
  int values[] = {1, 2, 3, 4};
  printf("%d %d %d %d\n", indirect(1), cloned(values, 4), naked(), order);
  printf("%d %d %d %d %d %d\n", alias(2), weak(2), named(1), größe(1), elsewhere(1), cold(1));
  printf("%d %d %d %ld %d\n", untouched(1), said_to_return_twice(1), foreign(1, 2.5), saves_all(5), inlined(3));
  die(9);
}
