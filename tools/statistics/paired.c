/*
 * tools/statistics/paired.c - see paired.h.
 *
 * Sources: J. Hodges, E. Lehmann, "Estimates of location based on rank tests" (1963); the normal approximations of the
 * distributions of signed ranks and of rank sums.
 */
#include "statistics/paired.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

#define USUAL 1.96
#define CAUTIOUS 3.5 /* for looks that are repeated */
#define FEWEST_PAIRS 6u
#define ALIKE 0.5 /* rank correlation of the runs of a pair from which on they are compared as pairs */

static int ascending(const void *left, const void *right) {
  return prof_order(*(const double *)left, *(const double *)right);
}

/* How many of the values are smaller, less how many are larger: a rank, ties shared. */
static double rank_of(double value, const double *values, size_t count) {
  double rank = 0;
  for (size_t i = 0; i < count; i++)
    rank += (values[i] < value) - (values[i] > value);
  return rank;
}

/* Spearman's correlation of the two runs of a pair; 0: one side doesn't vary. */
static double correlation(const struct prof_turns *turns) {
  double products = 0, squares[2] = {0};
  for (size_t i = 0; i < turns->count; i++) {
    const double left = rank_of(turns->values[0][i], turns->values[0], turns->count);
    const double right = rank_of(turns->values[1][i], turns->values[1], turns->count);
    products += left * right;
    squares[0] += left * left;
    squares[1] += right * right;
  }
  return squares[0] > 0 && squares[1] > 0 ? products / sqrt(squares[0] * squares[1]) : 0;
}

/* Sorted values, two of which make a candidate: the means of two differences of pairs, or new less old of any two. */
struct candidates {
  double *old, *new; /* pairs: `new` has the differences */
  size_t count;
  bool pairs;
};

/* How many candidates are at most that large? */
static size_t count_up_to(const struct candidates *candidates, double most) {
  const double *old = candidates->old, *new = candidates->new;
  size_t all = 0, other = candidates->pairs ? candidates->count : 0;
  for (size_t i = 0; i < candidates->count; i++)
    if (candidates->pairs) {
      while (other && (new[i] + new[other - 1]) / 2 > most)
        other--;
      all += other > i ? other - i : 0;
    } else {
      while (other<candidates->count &&new[i] - old[other]> most)
        other++;
      all += candidates->count - other;
    }
  return all;
}

/* The candidate of that rank, from 0 on; to a part of 2^60 of the range. */
static double at_rank(const struct candidates *candidates, size_t rank) {
  const size_t last = candidates->count - 1;
  double low = candidates->pairs ? candidates->new[0] : candidates->new[0] - candidates->old[last];
  double high = candidates->pairs ? candidates->new[last] : candidates->new[last] - candidates->old[0];
  if (count_up_to(candidates, low) > rank)
    return low;
  for (int i = 0; i < 60; i++) {
    const double middle = low + (high - low) / 2;
    if (count_up_to(candidates, middle) > rank)
      high = middle;
    else
      low = middle;
  }
  return high;
}

static void prepare(const struct prof_turns *turns, struct candidates *candidates) {
  for (size_t i = 0; i < turns->count; i++) {
    candidates->old[i] = turns->values[0][i];
    candidates->new[i] = turns->values[1][i] - (candidates->pairs ? turns->values[0][i] : 0);
  }
  qsort(candidates->old, turns->count, sizeof *candidates->old, ascending);
  qsort(candidates->new, turns->count, sizeof *candidates->new, ascending);
}

bool prof_turns_middle(const struct prof_turns *turns, double deviations, struct prof_paired *out) {
  const size_t count = turns->count;
  const double n = (double)count;
  double *room = malloc((count ? 2 * count : 1) * sizeof *room);
  *out = (struct prof_paired){.low = -INFINITY, .high = INFINITY};
  if (room && count) {
    struct candidates candidates = {room, room + count, count, correlation(turns) > ALIKE};
    prepare(turns, &candidates);
    const size_t all = candidates.pairs ? count * (count + 1) / 2 : count * count;
    const double scatter = candidates.pairs ? n * (n + 1) * (2 * n + 1) / 24 : n * n * (2 * n + 1) / 12;
    const double rank = floor((double)all / 2 - deviations * sqrt(scatter));
    out->estimate = (at_rank(&candidates, (all - 1) / 2) + at_rank(&candidates, all / 2)) / 2;
    if (count >= FEWEST_PAIRS && rank >= 0) {
      out->low = at_rank(&candidates, (size_t)rank);
      out->high = at_rank(&candidates, all - 1 - (size_t)rank);
    }
  }
  free(room);
  return room != NULL;
}

bool prof_pairs_look(const struct prof_turns *turns, double half, double margin, enum prof_pairs_end *end,
                     struct prof_paired *out) {
  struct prof_paired wide;
  *end = PROF_PAIRS_GO_ON;
  if (!prof_turns_middle(turns, USUAL, out) || !prof_turns_middle(turns, CAUTIOUS, &wide))
    return false;
  if (turns->count < PROF_PAIRS_FIRST)
    return true;
  if ((out->high - out->low) / 2 <= half) {
    *end = PROF_PAIRS_PRECISE;
  } else if (wide.low > margin || wide.high < -margin) {
    *end = PROF_PAIRS_CLEAR;
    *out = wide;
  }
  return true;
}

size_t prof_pairs_needed(const struct prof_paired *paired, size_t count, double half) {
  const double now = (paired->high - paired->low) / 2;
  if (!isfinite(now) || half <= 0)
    return 0;
  const double needed = ceil((double)count * (now / half) * (now / half));
  return needed > 1e6 ? 0 : (size_t)needed;
}
