/* inlined.h - a function of a header that is inlined, with two lines that call. */
#define NOINLINE __attribute__((noinline, noclone))
#ifdef __clang__
#undef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

NOINLINE long spin(long turns);

static inline __attribute__((always_inline)) long in_header(long n) {
  long sum = 1 + spin(n);                 /* calls: 1 */
  return sum + 2 * spin(n) + spin(n + 1); /* calls: 2 */
}

/* Nobody calls it, and what it does takes no time. */
static inline __attribute__((always_inline)) long in_two_places(long n) {
  return n ^ 5; /* quiet */
}
