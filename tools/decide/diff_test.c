/*
 * tools/decide/diff_test.c - see diff_test.h.
 *
 * Values are logarithms.  A difference as measured becomes a ratio of the time without probes: what probes cost is on
 * both sides, and what they cost more on one side (other numbers of calls) is removed by the cost of an event.
 */
#include "decide/diff_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/discoveries.h"
#include "statistics/median.h"
#include "statistics/moderated.h"

#define MISSED 0.05         /* of intervals, and of rows called */
#define ALONE_MISSED 0.01   /* of verdicts about the whole program, and about what all rows have in common */
#define CHANGED_CHANCE 0.01 /* of a row that is left out of what all rows have in common */
#define FACTOR_STEPS 3
#define MANY_CALLS 50u   /* their median is known */
#define MANY_STEPS 10.0  /* of the clock, likewise */
#define FEW_WAITING 0.05 /* of a function's time: durations are then mostly running */
#define SAMPLES_PART 0.3 /* of a row's variance that samples make: from there on longer runs tell more */
#define LEAST_PART 0.05  /* of a time as measured that is taken for the program's, however large the probes' */

struct scale { /* from a difference as measured to a ratio without probes */
  double raw_ns, own_ns;
  double most_ns; /* bound of own_ns: if less than what was removed is of the probes */
};

struct matrix {
  size_t rows;
  double *values[2], *least; /* least: variances known otherwise */
  struct scale *scales;
  struct prof_difference *effects;
  double *chances;
  bool *called, *by_median;
};

static double per_call(double ns, uint64_t calls) {
  return calls ? ns / (double)calls : ns;
}

double prof_diff_value(const struct prof_diff_table *table, uint32_t entry, enum prof_diff_metric metric, int side,
                       size_t run) {
  const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, run);
  return cell.present ? per_call(metric == PROF_DIFF_WAITING ? cell.waiting_ns : cell.raw_ns, cell.calls) : 0;
}

/* ---- the matrix of a family ---- */

static void matrix_fini(struct matrix *matrix) {
  free(matrix->values[0]);
  free(matrix->values[1]);
  free(matrix->least);
  free(matrix->scales);
  free(matrix->effects);
  free(matrix->chances);
  free(matrix->called);
  free(matrix->by_median);
}

static bool matrix_init(struct matrix *matrix, const struct prof_run_group groups[2], size_t rows) {
  *matrix = (struct matrix){.rows = rows,
                            .values = {calloc(rows * groups[0].count, sizeof **matrix->values),
                                       calloc(rows * groups[1].count, sizeof **matrix->values)},
                            .least = calloc(rows, sizeof *matrix->least),
                            .scales = calloc(rows, sizeof *matrix->scales),
                            .effects = calloc(rows, sizeof *matrix->effects),
                            .chances = calloc(rows, sizeof *matrix->chances),
                            .called = calloc(rows, sizeof *matrix->called),
                            .by_median = calloc(rows, sizeof *matrix->by_median)};
  return matrix->values[0] && matrix->values[1] && matrix->least && matrix->scales && matrix->effects &&
         matrix->chances && matrix->called && matrix->by_median;
}

/* Does every run have enough calls, long enough, of a function that hardly waits? */
static bool knows_medians(const struct prof_diff_table *table, uint32_t entry) {
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < table->groups[side].count; i++) {
      const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, i);
      if (cell.calls < MANY_CALLS || cell.median_ns < MANY_STEPS * table->groups[side].runs[i].clock_step_ns ||
          cell.median_ns <= 0 || cell.noise > 0 || cell.waiting_ns > FEW_WAITING * cell.self_ns)
        return false;
    }
  return true;
}

/* What an event costs in this row's time as measured, ns: the median over all runs.  `room`: for as many numbers. */
static double event_cost(const struct prof_diff_table *table, uint32_t entry, double *room) {
  size_t count = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < table->groups[side].count; i++) {
      const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, i);
      if (cell.events)
        room[count++] = fmax(0, (cell.raw_ns - cell.self_ns) / (double)cell.events);
    }
  return prof_median(room, count);
}

/* Mean over the runs of a side: probe overhead of a call, ns. */
static double call_overhead(const struct prof_diff_table *table, uint32_t entry, int side, double cost_ns) {
  double sum = 0;
  for (size_t i = 0; i < table->groups[side].count; i++) {
    const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, i);
    sum += per_call(cost_ns * (double)cell.events, cell.calls);
  }
  return sum / (double)table->groups[side].count;
}

static double own_part(double raw_ns, double overhead_ns) {
  return fmax(raw_ns - overhead_ns, LEAST_PART * raw_ns);
}

/* overhead_ns is in raw_ns; of it, or of what was removed before, doubtful_ns may be the program's. */
static struct scale scale_of(double raw_ns, double overhead_ns, double doubtful_ns) {
  const double own_ns = own_part(raw_ns, overhead_ns);
  return (struct scale){raw_ns, own_ns, own_ns + doubtful_ns};
}

/* The largest of all runs. */
static double doubt_of(const struct prof_run_group groups[2]) {
  double doubt = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++)
      doubt = fmax(doubt, groups[side].runs[i].overhead_doubt);
  return doubt;
}

static void fill_row(struct matrix *matrix, size_t at, const struct prof_diff_table *table, uint32_t entry,
                     enum prof_diff_metric metric, const struct prof_diff_factors *factors, double *room) {
  const struct prof_run_group *groups = table->groups;
  const enum prof_run_kind kind = table->all.rows.items[entry].kind;
  const bool running = metric == PROF_DIFF_RUNNING;
  const bool by_median = running && (kind == PROF_RUN_FUNCTION || kind == PROF_RUN_ZONE) && knows_medians(table, entry);
  const double cost_ns = running && !by_median ? event_cost(table, entry, room) : 0;
  const double overhead_ns = call_overhead(table, entry, PROF_OLD, cost_ns);
  double sum = 0, noise = 0;
  for (int side = 0; side < 2; side++) {
    const double more_ns = call_overhead(table, entry, side, cost_ns) - overhead_ns;
    for (size_t i = 0; i < groups[side].count; i++) {
      const struct prof_diff_cell cell = prof_diff_cell(table, entry, side, i);
      const double raw_ns = by_median ? cell.median_ns : prof_diff_value(table, entry, metric, side, i);
      const double value = log(fmax(raw_ns - more_ns, LEAST_PART * raw_ns));
      matrix->values[side][at * groups[side].count + i] = value - (factors ? factors->of[side][i] : 0);
      sum += side == PROF_OLD ? value : 0;
      const double step = by_median ? groups[side].runs[i].clock_step_ns / cell.median_ns : 0;
      noise += running ? cell.noise * cell.noise + step * step / 12 : 0;
    }
  }
  const double raw_ns = exp(sum / (double)groups[PROF_OLD].count);
  matrix->by_median[at] = by_median;
  matrix->scales[at] =
      scale_of(raw_ns, by_median ? 0 : overhead_ns,
               doubt_of(groups) *
                   (by_median ? call_overhead(table, entry, PROF_OLD, event_cost(table, entry, room)) : overhead_ns));
  matrix->least[at] = noise / (double)(groups[0].count + groups[1].count);
}

/* ---- verdicts ---- */

static double ratio_of(const struct scale *scale, double difference, double own_ns) {
  return fmax(0, 1 + scale->raw_ns * expm1(difference) / own_ns);
}

/* The difference as measured that a ratio without probes makes. */
static double difference_of(const struct scale *scale, double ratio) {
  return log1p((ratio - 1) * scale->own_ns / scale->raw_ns);
}

/* called: beyond the margin; missed: of its interval. */
static void judge(struct prof_diff_row *row, const struct prof_difference *effect, const struct scale *scale,
                  bool called, double missed, const struct prof_diff_options *options, double margin) {
  const struct prof_bounds_of_effect bounds = prof_effect_bounds(effect, missed);
  row->has_ratio = true;
  row->ratio = ratio_of(scale, effect->estimate, scale->own_ns);
  row->low = ratio_of(scale, bounds.low, bounds.low < 0 ? scale->own_ns : scale->most_ns);
  row->high = ratio_of(scale, bounds.high, bounds.high > 0 ? scale->own_ns : scale->most_ns);
  row->changed_ns = row->self_ns[PROF_OLD] * (row->ratio - 1);
  if (called) {
    row->verdict = effect->estimate > 0 ? PROF_VERDICT_SLOWER : PROF_VERDICT_FASTER;
  } else if (row->low >= 1 - options->same && row->high <= 1 + options->same) {
    row->verdict = PROF_VERDICT_SAME;
  } else {
    const size_t needed = prof_effect_runs(effect, difference_of(scale, 1 + options->same), log1p(margin));
    row->verdict = PROF_VERDICT_UNKNOWN;
    row->why = PROF_WHY_NOISE;
    row->runs_needed = needed == SIZE_MAX ? 0 : needed;
  }
}

static bool compute(struct matrix *matrix, const struct prof_run_group groups[2], bool shared, double margin,
                    size_t *called) {
  const struct prof_two_groups two = {.rows = matrix->rows,
                                      .runs = {groups[0].count, groups[1].count},
                                      .values = {matrix->values[0], matrix->values[1]},
                                      .least_variance = matrix->least,
                                      .shared_noise = shared};
  if (!prof_moderated(&two, matrix->effects))
    return false;
  for (size_t i = 0; i < matrix->rows; i++)
    matrix->chances[i] = prof_effect_chance(&matrix->effects[i], log1p(margin));
  *called = prof_discoveries(matrix->chances, matrix->rows, MISSED, matrix->called);
  return *called != SIZE_MAX;
}

bool prof_diff_test(const struct prof_diff_table *table, const struct prof_diff_family *family,
                    const struct prof_diff_factors *factors, const struct prof_diff_options *options,
                    struct prof_diff *out) {
  struct matrix matrix;
  size_t called = 0;
  double *room = calloc(table->groups[0].count + table->groups[1].count, sizeof *room);
  bool done = matrix_init(&matrix, table->groups, family->count) && room;
  for (size_t i = 0; done && i < family->count; i++)
    fill_row(&matrix, i, table, family->items[i].entry, out->rows.items[family->items[i].row].metric, factors, room);
  done = done && compute(&matrix, table->groups, factors != NULL, out->margin, &called);
  for (size_t i = 0; done && i < family->count; i++) {
    struct prof_diff_row *row = &out->rows.items[family->items[i].row];
    const double missed = matrix.called[i] ? MISSED * (double)called / (double)matrix.rows : MISSED;
    const double deviation = matrix.effects[i].deviation;
    row->by_median = matrix.by_median[i];
    row->by_samples = !row->by_median && matrix.least[i] > SAMPLES_PART * deviation * deviation;
    judge(row, &matrix.effects[i], &matrix.scales[i], matrix.called[i], missed, options, out->margin);
  }
  if (done) {
    out->tested += family->count;
    out->called += called;
  }
  matrix_fini(&matrix);
  free(room);
  return done;
}

bool prof_diff_test_plain(const struct prof_two_groups *two, bool single, const struct prof_diff_options *options,
                          struct prof_diff_row *const *rows, struct prof_diff *out) {
  const struct scale same = {1, 1, 1};
  struct prof_difference *effects = calloc(two->rows, sizeof *effects);
  double *chances = calloc(two->rows, sizeof *chances);
  bool *is_called = calloc(two->rows, sizeof *is_called);
  bool done = effects && chances && is_called && prof_moderated(two, effects);
  for (size_t i = 0; done && i < two->rows; i++)
    chances[i] = prof_effect_chance(&effects[i], log1p(out->margin));
  const size_t called = done ? prof_discoveries(chances, two->rows, single ? ALONE_MISSED : MISSED, is_called) : 0;
  done = done && called != SIZE_MAX;
  for (size_t i = 0; done && i < two->rows; i++)
    judge(rows[i], &effects[i], &same, is_called[i],
          is_called[i] && !single ? MISSED * (double)called / (double)two->rows : MISSED, options, out->margin);
  free(effects);
  free(chances);
  free(is_called);
  return done;
}

/* ---- the factor of a run, and the whole program ---- */

bool prof_diff_factors_init(struct prof_diff_factors *factors, const struct prof_diff_table *table) {
  for (int side = 0; side < 2; side++)
    factors->of[side] = calloc(table->groups[side].count, sizeof **factors->of);
  return factors->of[0] && factors->of[1];
}

void prof_diff_factors_fini(struct prof_diff_factors *factors) {
  free(factors->of[0]);
  free(factors->of[1]);
}

static void move_values(struct matrix *matrix, const struct prof_run_group groups[2],
                        const struct prof_diff_factors *factors, double times) {
  for (int side = 0; side < 2; side++)
    for (size_t row = 0; row < matrix->rows; row++)
      for (size_t i = 0; i < groups[side].count; i++)
        matrix->values[side][row * groups[side].count + i] += times * factors->of[side][i];
}

/* Of each run, the median over rows of how far the row lies from its median over all runs.  Without those `called`. */
static void find_factors(struct prof_diff_factors *factors, const struct prof_run_group groups[2],
                         const struct matrix *matrix, double *room) {
  double *centres = matrix->chances; /* not used yet */
  for (size_t row = 0; row < matrix->rows; row++) {
    size_t count = 0;
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < groups[side].count; i++)
        room[count++] = matrix->values[side][row * groups[side].count + i];
    centres[row] = prof_median(room, count);
  }
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++) {
      size_t count = 0;
      for (size_t row = 0; row < matrix->rows; row++)
        if (!matrix->called[row])
          room[count++] = matrix->values[side][row * groups[side].count + i] - centres[row];
      factors->of[side][i] = prof_median(room, count);
    }
}

/*
 * Rows that changed pull the median their way, by more than quiet rows scatter.  Marks those that differ beyond doubt,
 * at most half; the factors are removed from the values for that, and added again.
 */
static bool mark_changed(const struct prof_diff_factors *factors, const struct prof_run_group groups[2],
                         struct matrix *matrix, double margin) {
  const struct prof_two_groups two = {.rows = matrix->rows,
                                      .runs = {groups[0].count, groups[1].count},
                                      .values = {matrix->values[0], matrix->values[1]},
                                      .least_variance = matrix->least};
  size_t marked = 0;
  move_values(matrix, groups, factors, -1);
  const bool done = prof_moderated(&two, matrix->effects);
  move_values(matrix, groups, factors, 1);
  for (size_t row = 0; done && row < matrix->rows; row++) {
    matrix->called[row] = prof_effect_chance(&matrix->effects[row], log1p(margin)) <= CHANGED_CHANCE;
    marked += matrix->called[row];
  }
  for (size_t row = 0; marked > matrix->rows / 2 && row < matrix->rows; row++)
    matrix->called[row] = false; /* then nobody knows which half changed */
  return done;
}

/* Tests one row of values, alone. */
static bool test_alone(const struct prof_diff_table *table, double *const values[2], const struct scale *scale,
                       const struct prof_diff_options *options, double margin, struct prof_diff_row *row) {
  const struct prof_two_groups two = {
      .rows = 1, .runs = {table->groups[0].count, table->groups[1].count}, .values = {values[0], values[1]}};
  struct prof_difference effect;
  if (!prof_moderated(&two, &effect))
    return false;
  judge(row, &effect, scale, prof_effect_chance(&effect, log1p(margin)) <= ALONE_MISSED, MISSED, options, margin);
  return true;
}

bool prof_diff_factors_find(struct prof_diff_factors *factors, const struct prof_diff_table *table,
                            const struct prof_diff_family *family, const struct prof_diff_options *options,
                            struct prof_diff *out) {
  struct matrix matrix;
  const struct scale same = {1, 1, 1};
  double *room = calloc(table->groups[0].count + table->groups[1].count + family->count, sizeof *room);
  bool done = matrix_init(&matrix, table->groups, family->count) && room;
  for (size_t i = 0; done && i < family->count; i++)
    fill_row(&matrix, i, table, family->items[i].entry, PROF_DIFF_RUNNING, NULL, room);
  for (int step = 0; done && step < FACTOR_STEPS; step++) {
    find_factors(factors, table->groups, &matrix, room);
    done = step + 1 == FACTOR_STEPS || mark_changed(factors, table->groups, &matrix, out->margin);
  }
  out->everything = (struct prof_diff_row){.kind = "everything", .name = "everything", .file = "", .guess_name = ""};
  done = done && test_alone(table, factors->of, &same, options, out->margin, &out->everything);
  matrix_fini(&matrix);
  free(room);
  return done;
}

static uint64_t events_of(const struct prof_run *run) {
  uint64_t events = 0;
  for (size_t i = 0; i < run->rows.count; i++)
    events += run->rows.items[i].events;
  return events;
}

/* Sums of a run, and what an event costs: the median over all runs. */
static double program_cost(const struct prof_run_group groups[2], struct prof_diff_row *row, double *room,
                           double events[2]) {
  size_t count = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++) {
      const struct prof_run *run = &groups[side].runs[i];
      const double all = (double)events_of(run), runs = (double)groups[side].count;
      row->self_ns[side] += (double)run->self_ns / runs;
      events[side] += all / runs;
      if (all > 0)
        room[count++] = fmax(0, ((double)run->raw_ns - (double)run->self_ns) / all);
    }
  return prof_median(room, count);
}

bool prof_diff_test_program(const struct prof_diff_table *table, const struct prof_diff_options *options,
                            struct prof_diff *out) {
  const struct prof_run_group *groups = table->groups;
  const bool few = groups[0].count < 3 || groups[1].count < 3;
  struct prof_diff_factors values = {0};
  struct prof_diff_row *row = &out->program;
  double events[2] = {0}, *room = calloc(groups[0].count + groups[1].count, sizeof *room);
  bool known = true, done = prof_diff_factors_init(&values, table) && room;
  *row = (struct prof_diff_row){.kind = "program",
                                .name = groups[PROF_NEW].runs[0].command,
                                .file = "",
                                .guess_name = "",
                                .share = 1,
                                .runs = {groups[0].count, groups[1].count},
                                .why = out->modes_differ ? PROF_WHY_MODES : PROF_WHY_FEW_RUNS};
  const double cost_ns = done ? program_cost(groups, row, room, events) : 0;
  double sum = 0;
  for (int side = 0; done && side < 2; side++)
    for (size_t i = 0; i < groups[side].count; i++) {
      const double raw_ns = (double)groups[side].runs[i].raw_ns;
      known &= raw_ns > 0;
      values.of[side][i] = log(fmax(own_part(raw_ns, cost_ns * (events[side] - events[PROF_OLD])), 1));
      sum += side == PROF_OLD ? values.of[side][i] : 0;
    }
  const double raw_ns = exp(sum / (double)groups[PROF_OLD].count);
  const double overhead_ns = cost_ns * events[PROF_OLD];
  const struct scale scale = scale_of(raw_ns, overhead_ns, doubt_of(groups) * overhead_ns);
  if (done && known && !few && !out->modes_differ)
    done = test_alone(table, values.of, &scale, options, out->margin, row);
  prof_diff_factors_fini(&values);
  free(room);
  return done;
}
