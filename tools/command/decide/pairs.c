/*
 * tools/command/decide/pairs.c - see pairs.h.
 *
 * User and system time decide: they vary less than elapsed time.  The order within a pair is random, so that what the
 * first run leaves behind (caches, frequency) is not taken for a difference.
 */
#include "command/decide/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"

#define USUAL 1.96

uint64_t prof_pairs_random(uint64_t *seed) { /* splitmix64, by S. Vigna */
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static prof_status warm_up(const struct prof_trial trials[2], const struct prof_pairs_plan *plan,
                           struct prof_diag *diag) {
  struct prof_trial_times times;
  prof_status status = PROF_OK;
  for (size_t i = 0; status == PROF_OK && i < plan->warm_ups; i++)
    for (int side = 0; status == PROF_OK && side < 2; side++) {
      prof_trial_progress("warm-up: %s", trials[side].title);
      status = prof_trial_plain(&trials[side], &plan->streams, diag, &times);
    }
  return status;
}

static prof_status run_pair(const struct prof_trial trials[2], const struct prof_pairs_plan *plan, uint64_t *seed,
                            struct prof_diag *diag, struct prof_pairs *pairs) {
  struct prof_pair pair = {.new_first = prof_pairs_random(seed) >> 63};
  prof_status status = PROF_OK;
  prof_trial_progress("pair %zu of at most %zu", pairs->pairs.count + 1, plan->most);
  for (int turn = 0; status == PROF_OK && turn < 2; turn++) {
    const int side = turn ^ pair.new_first;
    status = prof_trial_plain(&trials[side], &plan->streams, diag, &pair.times[side]);
  }
  if (status == PROF_OK && !prof_vec_push(&pairs->pairs, pair))
    status = prof_diag_memory(diag);
  return status;
}

/* Logarithms of each run's times; the kernel counts CPU time in steps, so 0 is taken for a step. */
static void take_logarithms(const struct prof_pairs *pairs, double *values[2][2]) {
  for (size_t i = 0; i < pairs->pairs.count; i++)
    for (int side = 0; side < 2; side++) {
      const struct prof_trial_times *times = &pairs->pairs.items[i].times[side];
      values[0][side][i] = log(fmax((double)times->cpu_ns, 1000));
      values[1][side][i] = log(fmax((double)times->wall_ns, 1000));
    }
}

/* Of the differences of pairs. */
static double deviation_of(const struct prof_turns *turns) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < turns->count; i++)
    sum += turns->values[1][i] - turns->values[0][i];
  for (size_t i = 0; i < turns->count; i++) {
    const double away = turns->values[1][i] - turns->values[0][i] - sum / (double)turns->count;
    squares += away * away;
  }
  return turns->count > 1 ? sqrt(squares / (double)(turns->count - 1)) : 0;
}

/* `room`: for four times as many numbers as there are pairs.  False: no memory. */
static bool look(const struct prof_pairs_plan *plan, double *room, struct prof_pairs *pairs) {
  const size_t count = pairs->pairs.count;
  double *values[2][2] = {{room, room + count}, {room + 2 * count, room + 3 * count}};
  take_logarithms(pairs, values);
  const struct prof_turns cpu = {{values[0][0], values[0][1]}, count}, wall = {{values[1][0], values[1][1]}, count};
  pairs->deviation = deviation_of(&cpu);
  return prof_pairs_look(&cpu, plan->half, plan->margin, &pairs->end, &pairs->cpu) &&
         prof_turns_middle(&wall, USUAL, &pairs->wall);
}

/* looks: how often the differences were looked at; after one, the usual interval may decide. */
static void judge(const struct prof_pairs_plan *plan, size_t looks, struct prof_pairs *pairs) {
  const struct prof_paired *cpu = &pairs->cpu;
  const bool sure = pairs->end != PROF_PAIRS_GO_ON || looks <= 1;
  if (sure && cpu->low > plan->margin)
    pairs->verdict = PROF_VERDICT_SLOWER;
  else if (sure && cpu->high < -plan->margin)
    pairs->verdict = PROF_VERDICT_FASTER;
  else if (cpu->low >= log1p(-plan->same) && cpu->high <= log1p(plan->same))
    pairs->verdict = PROF_VERDICT_SAME;
  else
    pairs->needed = prof_pairs_needed(cpu, pairs->pairs.count, plan->half);
}

prof_status prof_pairs_measure(const struct prof_trial trials[2], const struct prof_pairs_plan *plan,
                               struct prof_diag *diag, struct prof_pairs *pairs) {
  struct prof_machine_load machine = {0};
  double *room = calloc(plan->most * 4, sizeof *room);
  uint64_t seed = plan->seed, own_ns = 0;
  size_t looks = 0;
  *pairs = (struct prof_pairs){.end = PROF_PAIRS_GO_ON};
  prof_status status = room ? warm_up(trials, plan, diag) : prof_diag_memory(diag);
  prof_machine_load_begin(&machine);
  while (status == PROF_OK && pairs->end == PROF_PAIRS_GO_ON && pairs->pairs.count < plan->most) {
    status = run_pair(trials, plan, &seed, diag, pairs);
    const size_t count = pairs->pairs.count;
    prof_machine_load_look(&machine);
    if (status != PROF_OK ||
        (count < plan->most && (count < PROF_PAIRS_FIRST || (count - PROF_PAIRS_FIRST) % PROF_PAIRS_STEP)))
      continue;
    looks++;
    if (!look(plan, room, pairs))
      status = prof_diag_memory(diag);
  }
  prof_trial_progress(NULL);
  for (size_t i = 0; i < pairs->pairs.count; i++)
    own_ns += pairs->pairs.items[i].times[0].cpu_ns + pairs->pairs.items[i].times[1].cpu_ns;
  pairs->machine = prof_machine_load_end(&machine, own_ns);
  if (status == PROF_OK)
    judge(plan, looks, pairs);
  free(room);
  return status;
}

void prof_pairs_fini(struct prof_pairs *pairs) {
  prof_vec_fini(&pairs->pairs);
}
