/*
 * floor_work.c - the functions that probe_floor calls: each plain, with two bare reads of the clock, and probed.
 *
 * A library, so that any compiler can make one.  Its probes are written by hand, or, with FLOOR_BY_PLUGIN, put in by
 * the plugin that it is compiled with; only the probed pair may have any.
 */
#include "floor_work.h"

#include "sled.h"

#define CLOCK_READ()                                                                                                   \
  do {                                                                                                                 \
    uint32_t low, high;                                                                                                \
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));                                                                 \
    uint64_t ticks = (uint64_t)high << 32 | low;                                                                       \
    __asm__ volatile("" : : "r"(ticks));                                                                               \
  } while (0)
#define NOTHING()
#ifdef FLOOR_BY_PLUGIN
#define ENTRY()
#define EXIT()
#else
#define ENTRY() PROF_TEST_SLED(1)
#define EXIT() PROF_TEST_SLED(2)
#endif
#define UNPROBED __attribute__((no_instrument_function, noinline))
#define PROBED __attribute__((noinline))

#define TINY(name, attributes, enter, leave)                                                                           \
  attributes static int name(int x) {                                                                                  \
    enter();                                                                                                           \
    __asm__ volatile("" : "+r"(x));                                                                                    \
    x++;                                                                                                               \
    leave();                                                                                                           \
    return x;                                                                                                          \
  }
/* The empty statements keep compilers from making a loop out of one of the calls. */
#define FIB(name, attributes, enter, leave)                                                                            \
  attributes static long name(int n) {                                                                                 \
    enter();                                                                                                           \
    long result = n;                                                                                                   \
    if (n >= 2) {                                                                                                      \
      long left = name(n - 1);                                                                                         \
      __asm__ volatile("" : "+r"(left));                                                                               \
      long right = name(n - 2);                                                                                        \
      __asm__ volatile("" : "+r"(right));                                                                              \
      result = left + right;                                                                                           \
    }                                                                                                                  \
    leave();                                                                                                           \
    return result;                                                                                                     \
  }
TINY(tiny_plain, UNPROBED, NOTHING, NOTHING)
TINY(tiny_clock, UNPROBED, CLOCK_READ, CLOCK_READ)
TINY(tiny_probed, PROBED, ENTRY, EXIT)
FIB(fib_plain, UNPROBED, NOTHING, NOTHING)
FIB(fib_clock, UNPROBED, CLOCK_READ, CLOCK_READ)
FIB(fib_probed, PROBED, ENTRY, EXIT)

UNPROBED static struct prof_module_start start(struct prof_hooks *hooks) {
  return prof_test_start(hooks);
}

const struct floor_work floor_work = {
    .tiny = {tiny_plain, tiny_clock, tiny_probed, tiny_probed},
    .fib = {fib_plain, fib_clock, fib_probed, fib_probed},
    .start = start,
};
