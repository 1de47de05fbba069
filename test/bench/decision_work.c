/* Functions of known work: decision_work [NAME=FACTOR]...  Each is called 60 times (calls=N), and does its work, or a
 * part of it (part=FACTOR), so many times as much.  Function N has also a factor of this run, drawn from the kernel's
 * random numbers, whose logarithm has the standard deviation deviations[N % 5].  One binary for both sides: code lies
 * at the same addresses.  Prints nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { FUNCTIONS = 20, LEAST = 4000, STEP = 600 };
static const double deviations[] = {0, 0.02, 0.04, 0.08, 0.15};
static double factors[FUNCTIONS], part = 1;
static volatile unsigned long sink;

__attribute__((always_inline)) static inline void work(unsigned long steps) {
  unsigned long x = steps;
  for (; steps; steps--) {
    x = x * 6364136223846793005ul + 1442695040888963407ul;
    __asm__ volatile("" : "+r"(x));
  }
  sink = x;
}

#define FUNCTION(N)                                                                                                    \
  __attribute__((noinline, noclone)) static void work_##N(void) {                                                      \
    work((unsigned long)((LEAST + STEP * N) * factors[N] * part));                                                     \
  }
#define ALL(DO)                                                                                                        \
  DO(0)                                                                                                                \
  DO(1)                                                                                                                \
  DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19)
ALL(FUNCTION)

#define ENTRY(N) {"work_" #N, work_##N},
static const struct {
  const char *name;
  void (*run)(void);
} functions[] = {ALL(ENTRY)};

/* Box and Muller's: of a normal distribution. */
static double normal(void) {
  unsigned numbers[2];
  if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers)
    abort();
  return sqrt(-2 * log((numbers[0] + 1.0) / 4294967297.0)) * cos(2 * M_PI * numbers[1] / 4294967296.0);
}

int main(int count, char **words) {
  long calls = 60;
  for (int i = 0; i < FUNCTIONS; i++)
    factors[i] = exp(deviations[i % 5] * normal());
  for (int word = 1; word < count; word++) {
    size_t bytes = strcspn(words[word], "=");
    if (!strncmp(words[word], "calls=", 6))
      calls = atol(words[word] + 6);
    if (!strncmp(words[word], "part=", 5))
      part = atof(words[word] + 5);
    for (int i = 0; i < FUNCTIONS; i++)
      if (strlen(functions[i].name) == bytes && !memcmp(functions[i].name, words[word], bytes) && words[word][bytes])
        factors[i] *= atof(words[word] + bytes + 1);
  }
  for (long call = 0; call < calls; call++)
    for (int i = 0; i < FUNCTIONS; i++)
      functions[i].run();
  return 0;
}
