/*
 * tools/decide/diff_guess.c - see diff_table.h: what became of functions that only one side has.
 *
 * A function that only the old side has, and one that only the new side has, are taken for one that was renamed or
 * moved if they are called equally often by the same caller, and cost about the same.  A function whose caller took
 * over about its cost is taken for inlined: the caller is then compared with both.
 */
#include <math.h>
#include <string.h>

#include "decide/diff_table.h"

#define NONE UINT32_MAX
#define ALIKE 0.3         /* relative difference of times that a renamed function may have */
#define LEAST_SHARE 0.001 /* functions that cost less aren't guessed about */
#define LEAST_TAKEN 0.5   /* of its time that the caller must have taken over */
#define MOST_TAKEN 2.0

static const struct prof_run_row *first_row(const struct prof_diff_table *table, uint32_t entry, int side) {
  const struct prof_run_row *row = NULL;
  for (size_t i = 0; !row && i < table->groups[side].count; i++)
    row = prof_diff_row_at(table, entry, side, i);
  return row;
}

static bool only_on(const struct prof_diff_table *table, uint32_t entry, int side) {
  const struct prof_diff_entry *of = &table->entries.items[entry];
  return table->all.rows.items[entry].kind == PROF_RUN_FUNCTION && of->runs[side] && !of->runs[!side] &&
         of->share[side] >= LEAST_SHARE && !of->hidden;
}

static bool near(double left, double right, double tolerance) {
  return fabs(left - right) <= tolerance * fmax(left, right);
}

/* Mean self time of an entry over the runs of a side. */
static double mean_self(const struct prof_diff_table *table, uint32_t entry, int side) {
  double sum = 0;
  for (size_t i = 0; i < table->groups[side].count; i++)
    sum += prof_diff_cell(table, entry, side, i).self_ns;
  return sum / (double)table->groups[side].count;
}

static bool may_be_renamed(const struct prof_diff_table *table, uint32_t gone, uint32_t fresh) {
  const struct prof_run_row *old = first_row(table, gone, PROF_OLD), *new = first_row(table, fresh, PROF_NEW);
  const bool same_name = !strcmp(old->name, new->name);
  return old->calls == new->calls && (same_name || !strcmp(old->caller, new->caller)) &&
         near(mean_self(table, gone, PROF_OLD), mean_self(table, fresh, PROF_NEW), ALIKE);
}

static void guess_renamed(struct prof_diff_table *table, uint32_t gone) {
  uint32_t found = NONE, candidates = 0;
  for (uint32_t i = 0; i < table->entries.count; i++)
    if (only_on(table, i, PROF_NEW) && table->entries.items[i].guess == PROF_GUESS_NONE &&
        may_be_renamed(table, gone, i))
      found = i, candidates++;
  if (candidates != 1)
    return;
  struct prof_diff_entry *fresh = &table->entries.items[found], *old = &table->entries.items[gone];
  fresh->guess = PROF_GUESS_RENAMED;
  fresh->guess_entry = gone;
  fresh->joined[PROF_OLD] = gone;
  fresh->runs[PROF_OLD] = old->runs[PROF_OLD];
  fresh->share[PROF_OLD] = old->share[PROF_OLD];
  fresh->waiting_share[PROF_OLD] = old->waiting_share[PROF_OLD];
  old->hidden = true;
}

/* Its caller on the side that has it, if both sides have that. */
static uint32_t caller_of(const struct prof_diff_table *table, uint32_t entry, int side) {
  const char *caller = first_row(table, entry, side)->caller;
  for (uint32_t i = 0; caller[0] && i < table->entries.count; i++)
    if (table->all.rows.items[i].kind == PROF_RUN_FUNCTION && !strcmp(table->all.rows.items[i].name, caller) &&
        table->entries.items[i].runs[PROF_OLD] && table->entries.items[i].runs[PROF_NEW])
      return i;
  return NONE;
}

static void guess_inlined(struct prof_diff_table *table, uint32_t entry, int side) {
  const uint32_t caller = caller_of(table, entry, side);
  if (caller == NONE || table->entries.items[caller].guess != PROF_GUESS_NONE)
    return;
  const double own = mean_self(table, entry, side);
  const double taken = mean_self(table, caller, !side) - mean_self(table, caller, side);
  if (taken < LEAST_TAKEN * own || taken > MOST_TAKEN * own)
    return;
  struct prof_diff_entry *into = &table->entries.items[caller];
  into->guess = side == PROF_OLD ? PROF_GUESS_INLINED : PROF_GUESS_OUTLINED;
  into->guess_entry = entry;
  into->joined[side] = entry;
  table->entries.items[entry].hidden = true;
}

void prof_diff_guess(struct prof_diff_table *table) {
  for (uint32_t i = 0; i < table->entries.count; i++)
    if (only_on(table, i, PROF_OLD))
      guess_renamed(table, i);
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < table->entries.count; i++)
      if (only_on(table, i, side) && table->entries.items[i].guess == PROF_GUESS_NONE)
        guess_inlined(table, i, side);
}
