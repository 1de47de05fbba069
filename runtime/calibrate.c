/*
 * calibrate.c - measures the cost of one event in the program itself, once per recording (wire/control.h).
 *
 * Trampolines are generated and run with a private cell and segment, before anything is patched.  They run in two ways:
 * one right after another, which gives the highest cost; and between stretches of work that keep the processor's units
 * busy and so fill part of the wait for the clock.  The time of the same work without trampolines is subtracted.  The
 * cost in a program lies between the two, or lower where the program itself waits (for memory, for a long chain of
 * instructions).
 *
 * Another thread on the same core, such as the recorder when a program begins, disturbs more than one round: work then
 * takes up to twice as long, and a trampoline among it half as long again (measured: 16 ticks, and 22 to 28).  So each
 * round with trampolines stands between two without, and beside a chain of dependent instructions, which takes one
 * cycle each on a shared core too.  A round is quiet if its work takes no longer than the chain.  If too few are quiet,
 * more rounds follow a little later; if that doesn't help, costs are scaled by the time that the work should have
 * taken.  On a processor with fewer than four additions per cycle no round is quiet: there the cost is up to a quarter
 * too low.
 */
#include "calibrate.h"
#include "arch.h"
#include "clock.h"
#include "system.h"
#include "times.h"

#define AREA_BYTES ((size_t)16384)
#define EVENT_BYTES ((size_t)65536)
#define ROUND_PAIRS 100u
#define WORK_GROUPS PROF_CHAIN_STEPS /* of four instructions: about 20 ns, as between two probes of a program */
#define TRY_SETS 24u
#define TRIES 4u
#define QUIET_SETS 12u   /* with so many, no more tries are needed */
#define PAUSE_NS 500000u /* before the second try; doubled before each further one */

enum loop { LOOP_ALONE, LOOP_AMONG, LOOP_WORK, LOOP_COUNT };

struct bench { /* what rounds run */
  uint8_t *memory, *run[LOOP_COUNT];
  struct prof_cell cell;
};

struct set { /* rounds one right after another, ticks */
  int64_t chain, work, slowest_work, trampolines;
};

struct sets {
  struct set items[TRIES * TRY_SETS];
  uint32_t count;
  int64_t chain, alone; /* the least of all */
};

static int64_t round_run(struct bench *bench, enum loop loop) {
  bench->cell.cursor = (char *)bench->memory + AREA_BYTES;
  bench->cell.end = bench->cell.cursor + EVENT_BYTES;
  uint64_t begin = prof_clock_ticks();
  ((void (*)(uint32_t))(uintptr_t)bench->run[loop])(ROUND_PAIRS);
  return (int64_t)(prof_clock_ticks() - begin);
}

static int64_t chain_run(void) {
  uint64_t begin = prof_clock_ticks();
  prof_chain_run(2 * ROUND_PAIRS);
  return (int64_t)(prof_clock_ticks() - begin);
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static void set_run(struct bench *bench, struct sets *sets) {
  int64_t chain = chain_run(), before = round_run(bench, LOOP_WORK), trampolines = round_run(bench, LOOP_AMONG),
          after = round_run(bench, LOOP_WORK), alone = round_run(bench, LOOP_ALONE);
  sets->items[sets->count] = (struct set){chain, (before + after) / 2, before > after ? before : after, trampolines};
  sets->chain = sets->count ? least(sets->chain, chain) : chain;
  sets->alone = sets->count ? least(sets->alone, alone) : alone;
  sets->count++;
}

static bool is_quiet(const struct sets *sets, const struct set *set) {
  return set->slowest_work <= sets->chain + sets->chain / 32;
}

static uint32_t count_quiet(const struct sets *sets) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < sets->count; i++)
    count += is_quiet(sets, &sets->items[i]);
  return count;
}

static void sets_run(struct bench *bench, struct sets *sets) {
  for (int i = 0; i < LOOP_COUNT; i++)
    round_run(bench, (enum loop)i); /* warms caches */
  for (uint32_t i = 0; i < TRIES && count_quiet(sets) < QUIET_SETS; i++) {
    if (i > 0)
      prof_nap((int64_t)PAUSE_NS << (i - 1));
    for (uint32_t j = 0; j < TRY_SETS; j++)
      set_run(bench, sets);
  }
}

/* Inserts into the sorted array. */
static void insert(int64_t *sorted, uint32_t count, int64_t value) {
  for (; count > 0 && sorted[count - 1] > value; count--)
    sorted[count] = sorted[count - 1];
  sorted[count] = value;
}

/* Cost of a round's trampolines: the lower quartile of quiet rounds, as disturbance only adds; else the median. */
static int64_t among_of(const struct sets *sets) {
  int64_t costs[TRIES * TRY_SETS];
  uint32_t count = 0;
  bool quiet = count_quiet(sets) >= QUIET_SETS;
  for (uint32_t i = 0; i < sets->count; i++) {
    const struct set *set = &sets->items[i];
    if (quiet && !is_quiet(sets, set))
      continue;
    int64_t cost = set->trampolines - set->work;
    insert(costs, count++, quiet || set->work <= 0 ? cost : cost * sets->chain / set->work);
  }
  int64_t cost = costs[quiet ? count / 4 : count / 2];
  return cost < 0 ? 0 : least(cost, sets->alone);
}

static uint32_t of_one(int64_t ticks) {
  return (uint32_t)(ticks * 1000 / (2 * ROUND_PAIRS));
}

struct kind {       /* of trampoline, and where its cost is shared */
  const void *slot; /* of lines; else NULL */
  bool counts;
  struct prof_shared_cost *shared;
};

/* *settled: nothing disturbed the measurement. */
static bool cost_measure(const struct kind *kind, struct prof_calibrated_cost *cost, bool *settled) {
  const struct prof_trampoline_loop loops[LOOP_COUNT] = {[LOOP_ALONE] = {true, kind->counts, kind->slot, 0},
                                                         [LOOP_AMONG] = {true, kind->counts, kind->slot, WORK_GROUPS},
                                                         [LOOP_WORK] = {false, false, NULL, WORK_GROUPS}};
  struct bench bench = {.memory = prof_memory_map(AREA_BYTES + EVENT_BYTES)};
  if (!bench.memory)
    return false;
  uint8_t *at = prof_trampoline_begin(bench.memory);
  for (int i = 0; i < LOOP_COUNT; i++)
    at = prof_trampoline_loop_write(bench.memory, at, &loops[i], &bench.run[i]);
  prof_code_written(bench.memory, AREA_BYTES);
  bool is_allowed = prof_syscall(SYS_mprotect, (long)bench.memory, AREA_BYTES, PROT_READ | PROT_EXEC, 0, 0, 0) == 0;
  if (is_allowed) {
    struct sets sets = {.count = 0};
    uint64_t mask = prof_signals_block();
    struct prof_cell *before = prof_self;
    bench.cell.line = kind->slot ? PROF_LINE_NONE : 0;
    bench.cell.counts = (uint64_t *)(void *)(bench.memory + AREA_BYTES);
    prof_self = &bench.cell;
    sets_run(&bench, &sets);
    prof_self = before;
    prof_signals_restore(mask);
    cost->alone = of_one(sets.alone);
    cost->among = of_one(among_of(&sets));
    *settled = count_quiet(&sets) >= QUIET_SETS;
  }
  prof_syscall(SYS_munmap, (long)bench.memory, AREA_BYTES + EVENT_BYTES, 0, 0, 0, 0);
  return is_allowed;
}

#define COST_MASK 0x7fffffffu

static struct prof_calibrated_cost cost_unpack(uint64_t figure) {
  return (struct prof_calibrated_cost){(uint32_t)(figure >> 32) & COST_MASK, (uint32_t)figure};
}

/* Stores the cost for the next process, unless a better one is there; returns the better one. */
static struct prof_calibrated_cost cost_share(struct prof_shared_cost *shared, struct prof_calibrated_cost found,
                                              bool settled) {
  uint64_t *word = &shared->figure, seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  uint64_t mine = (settled ? PROF_COST_SETTLED : 0) | (uint64_t)(found.alone & COST_MASK) << 32 | found.among;
  if (!settled)
    __atomic_fetch_add(&shared->tries, 1, __ATOMIC_RELAXED);
  do {
    bool is_rough = seen && !(seen & PROF_COST_SETTLED);
    if ((seen && !is_rough) || (is_rough && !settled && cost_unpack(seen).among <= found.among))
      return cost_unpack(seen);
  } while (!__atomic_compare_exchange_n(word, &seen, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return found;
}

static struct prof_calibrated_cost cost_find(const struct kind *kind) {
  uint64_t seen = __atomic_load_n(&kind->shared->figure, __ATOMIC_RELAXED);
  uint32_t tries = __atomic_load_n(&kind->shared->tries, __ATOMIC_RELAXED);
  struct prof_calibrated_cost found = {0, 0};
  bool settled = false;
  if (seen && ((seen & PROF_COST_SETTLED) || tries >= PROF_COST_TRIES))
    return cost_unpack(seen);
  return cost_measure(kind, &found, &settled) ? cost_share(kind->shared, found, settled) : found;
}

struct prof_calibrated_cost prof_calibrate(void) {
  return cost_find(&(struct kind){.shared = &prof_runtime.control->costs[0]});
}

struct prof_calibrated_cost prof_calibrate_line(void) {
  static struct prof_times_slot slot; /* under the lock of attaching */
  return cost_find(&(struct kind){.slot = &slot, .shared = &prof_runtime.control->costs[1]});
}

struct prof_calibrated_cost prof_calibrate_count(void) {
  if (!prof_runtime.counters.at)
    return (struct prof_calibrated_cost){0, 0};
  return cost_find(&(struct kind){.counts = true, .shared = &prof_runtime.control->count_cost});
}
