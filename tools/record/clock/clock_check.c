/*
 * tools/record/clock/clock_check.c - see clock_check.h.
 *
 * Compares cores with the first usable one: a thread on each pass a turn to and fro through one cache line.  A reading
 * that one core makes between two of the other must lie between them.  If it doesn't, the clocks differ.
 */
#include "record/clock/clock_check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "record/clock/ticks.h"

enum {
  ROUNDS = 200,    /* some 100 ns each, while both threads run */
  CORES_MOST = 16, /* spread over all cores */
  TURN_NS = 8000000,
};
#define SKEW_MOST_NS 1000.0 /* a larger skew makes durations of calls that move to another core wrong */

bool prof_clock_choose_tsc(const struct prof_clock_facts *facts, enum prof_clock_wish wish, const char **why) {
  const char *fault = NULL;
  if (!facts->invariant)
    fault = "this processor's time stamp counter may stop or change its rate";
  else if (facts->kernel_known && !facts->kernel_has_tsc)
    fault = "the kernel has found this machine's time stamp counter unsteady";
  else if (facts->compared && facts->skew_ns > SKEW_MOST_NS)
    fault = "the time stamp counters of this machine's cores differ";
  *why = wish == PROF_CLOCK_OS ? NULL : fault;
  return wish == PROF_CLOCK_TSC || (wish == PROF_CLOCK_AUTO && fault == NULL);
}

uint64_t prof_clock_skew_of(uint64_t before, uint64_t there, uint64_t after) {
  return there < before ? before - there : there > after ? there - after : 0;
}

/* ---- the kernel's data ---- */

#define CLOCKS "/sys/devices/system/clocksource/clocksource0/"

static bool read_line(const char *path, char *line, size_t bytes) {
  FILE *file = fopen(path, "re");
  bool read = file != NULL && fgets(line, (int)bytes, file) != NULL;
  if (file != NULL)
    fclose(file);
  if (read)
    line[strcspn(line, "\n")] = 0;
  return read;
}

static bool has_word(const char *line, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(line, word); at != NULL; at = strstr(at + 1, word))
    if ((at == line || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return true;
  return false;
}

static void ask_kernel(struct prof_clock_facts *facts) {
  char line[256];
  if (!read_line(CLOCKS "current_clocksource", facts->kernel_clock, sizeof facts->kernel_clock))
    facts->kernel_clock[0] = 0;
  facts->kernel_known = facts->kernel_clock[0] != 0 && read_line(CLOCKS "available_clocksource", line, sizeof line);
  facts->kernel_has_tsc = facts->kernel_known && has_word(line, "tsc");
}

/* ---- the cores against each other ---- */

struct game {
  _Alignas(64) atomic_uint turn; /* even: ours; odd: theirs */
  _Alignas(64) uint64_t there;
  int core, home;
  unsigned rounds; /* finished rounds */
  uint64_t skew;
};

static bool stay_on(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

/* false: timeout. */
static bool wait_for(struct game *game, unsigned turn, uint64_t until_ns) {
  for (unsigned tries = 0; atomic_load_explicit(&game->turn, memory_order_acquire) != turn; tries++)
    if (tries % 1024 == 1023 && prof_steady_ns() > until_ns)
      return false;
  return true;
}

static void *play_there(void *argument) {
  struct game *game = argument;
  uint64_t until_ns = prof_steady_ns() + TURN_NS;
  bool on = stay_on(game->core);
  for (unsigned round = 0; on && round < ROUNDS && wait_for(game, 2 * round + 1, until_ns); round++) {
    game->there = prof_tsc_now();
    atomic_store_explicit(&game->turn, 2 * round + 2, memory_order_release);
  }
  return NULL;
}

static void *play_here(void *argument) {
  struct game *game = argument;
  uint64_t until_ns = prof_steady_ns() + TURN_NS;
  bool on = stay_on(game->home);
  for (unsigned round = 0; on && round < ROUNDS; round++) {
    uint64_t before = prof_tsc_now();
    atomic_store_explicit(&game->turn, 2 * round + 1, memory_order_release);
    if (!wait_for(game, 2 * round + 2, until_ns))
      break;
    uint64_t skew = prof_clock_skew_of(before, game->there, prof_tsc_now());
    game->skew = skew > game->skew ? skew : game->skew;
    game->rounds++;
  }
  return NULL;
}

/* false: no round was finished. */
static bool compare(int home, int core, uint64_t *skew) {
  struct game game = {.core = core, .home = home};
  pthread_t here, there;
  if (pthread_create(&there, NULL, play_there, &game) != 0)
    return false;
  bool played = pthread_create(&here, NULL, play_here, &game) == 0;
  if (played)
    pthread_join(here, NULL);
  pthread_join(there, NULL);
  *skew = game.skew > *skew ? game.skew : *skew;
  return played && game.rounds > 0;
}

static void compare_cores(struct prof_clock_facts *facts, double ns_per_tick) {
  cpu_set_t all;
  int cores[CPU_SETSIZE], count = 0;
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &all))
      cores[count++] = core;
  int step = (count + CORES_MOST - 1) / CORES_MOST;
  uint64_t skew = 0;
  facts->compared = true;
  for (int i = step; i < count; i += step)
    facts->compared &= compare(cores[0], cores[i], &skew);
  facts->skew_ns = (double)skew * ns_per_tick;
}

void prof_clock_facts_find(struct prof_clock_facts *facts) {
  *facts = (struct prof_clock_facts){.invariant = prof_clock_is_invariant()};
  ask_kernel(facts);
  uint64_t begin_ns = prof_steady_ns(), begin = prof_tsc_now(), passed;
  do
    passed = prof_steady_ns() - begin_ns;
  while (passed < 50000); /* enough to tell ticks from nanoseconds */
  compare_cores(facts, (double)passed / (double)(prof_tsc_now() - begin));
}
