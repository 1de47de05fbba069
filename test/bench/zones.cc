/*
 * test/bench/zones.cc - what a zone costs a loop: nanoseconds per begin and end.
 *
 *   zones off    nobody records: base, zone, mark, counter, value, request, span, named (a zone of a name made at run
 *                time), flag (a test of a variable), call (an empty function)
 *   zones on     under `prof record`: the same without flag; call is an instrumented function; iteration, of a loop
 *                that is compiled with iterations=iterations_ns
 *
 * Out: `base_ns`, `zone_ns`, ... lines; CPU time, medians of ROUNDS taken in turn.
 */
#include <prof.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

enum { ROUNDS = 101, WAYS = 10 };

static double now_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

static volatile int flag;
static uint64_t step(uint64_t x) {
  return x * 3 + 1;
}

PROF_PROBE __attribute__((noinline)) static void call(uint64_t *x) {
  *x = step(*x);
}
PROF_NO_PROBE __attribute__((noinline)) static void plain_call(uint64_t *x) {
  *x = step(*x);
}

struct base_way {
  static void run(uint64_t *x) { *x = step(*x); }
};
struct zone_way {
  static void run(uint64_t *x) {
    PROF_ZONE("bench");
    *x = step(*x);
  }
};
struct mark_way {
  static void run(uint64_t *x) {
    PROF_MARK("bench");
    *x = step(*x);
  }
};
struct counter_way {
  static void run(uint64_t *x) {
    PROF_COUNTER("bench", *x, "steps");
    *x = step(*x);
  }
};
struct value_way {
  static void run(uint64_t *x) {
    PROF_VALUE("bench", *x);
    *x = step(*x);
  }
};
struct request_way {
  static void run(uint64_t *x) {
    PROF_REQUEST(*x);
    *x = step(*x);
  }
};
struct span_way { /* its begin and end: two points */
  static void run(uint64_t *x) {
    PROF_SPAN_BEGIN("bench", *x);
    PROF_SPAN_END("bench", *x);
    *x = step(*x);
  }
};
struct named_way {
  static void run(uint64_t *x) {
    static const char *const names[] = {"assemble", "solve", "write the result", "exchange of halos"};
    PROF_ZONE_NAMED(names[*x & 3]);
    *x = step(*x);
  }
};
struct flag_way {
  static void run(uint64_t *x) {
    if (__builtin_expect(flag, 0))
      plain_call(x);
    *x = step(*x);
  }
};
struct plain_way {
  static void run(uint64_t *x) { plain_call(x); }
};
struct call_way {
  static void run(uint64_t *x) { call(x); }
};

template <class Way> PROF_NO_PROBE __attribute__((noinline)) static double round_ns(long count) {
  uint64_t x = 1;
  double begin = now_ns();
  for (long i = 0; i < count; i++) {
    Way::run(&x);
    __asm__ volatile("" : "+r"(x));
  }
  return (now_ns() - begin) / static_cast<double>(count);
}

__attribute__((noinline)) static double iterations_ns(long count) {
  uint64_t x = 1;
  double begin = now_ns();
  for (long i = 0; i < count; i++) {
    x = step(x);
    __asm__ volatile("" : "+r"(x));
  }
  return (now_ns() - begin) / static_cast<double>(count);
}

struct way {
  const char *name;
  double (*round_ns)(long);
  double ns[ROUNDS];
};

int main(int argc, char **argv) {
  bool on = argc > 1 && !strcmp(argv[1], "on");
  long count = argc > 2 ? atol(argv[2]) : on ? 20000 : 2000000;
  way off_ways[] = {{"base", round_ns<base_way>, {}},   {"zone", round_ns<zone_way>, {}},
                    {"mark", round_ns<mark_way>, {}},   {"counter", round_ns<counter_way>, {}},
                    {"value", round_ns<value_way>, {}}, {"request", round_ns<request_way>, {}},
                    {"span", round_ns<span_way>, {}},   {"named", round_ns<named_way>, {}},
                    {"flag", round_ns<flag_way>, {}},   {"call", round_ns<plain_way>, {}}};
  way on_ways[] = {{"base", round_ns<base_way>, {}},   {"zone", round_ns<zone_way>, {}},
                   {"mark", round_ns<mark_way>, {}},   {"counter", round_ns<counter_way>, {}},
                   {"value", round_ns<value_way>, {}}, {"request", round_ns<request_way>, {}},
                   {"span", round_ns<span_way>, {}},   {"named", round_ns<named_way>, {}},
                   {"call", round_ns<call_way>, {}},   {"iteration", iterations_ns, {}}};
  way *ways = on ? on_ways : off_ways;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < WAYS; i++)
      ways[i].ns[round] = ways[i].round_ns(count);
  for (int i = 0; i < WAYS; i++) {
    std::sort(ways[i].ns, ways[i].ns + ROUNDS);
    printf("%s_ns %.3f\n", ways[i].name, ways[i].ns[ROUNDS / 2]);
  }
  return 0;
}
