/*
 * tools/fold/summary/burst_prune.c - functions in bursts within a limit of memory.
 *
 * Rows for each thread, function and caller grow with the threads that ever were: those of threads that are over become
 * rows of one of them in each process.  Estimates are means of rates, weighed by time (estimate/burst/rate.h), so the
 * sums stand for all of these threads as well.  Then the coldest callers are no longer distinguished.  Of samples the
 * coldest rows lose their callers, then their addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fold/summary/summary.h"

#define INDEX_BYTES 16u /* of a row's place in its look-up table */
#define ROWS_BYTES(rows) ((rows).count * (sizeof *(rows).items + INDEX_BYTES))

static uint64_t thread_bytes(const struct prof_summary_bursts *bursts) {
  return ROWS_BYTES(bursts->threads) + ROWS_BYTES(bursts->frames) + ROWS_BYTES(bursts->rates);
}

static uint64_t sample_bytes(const struct prof_summary *summary) {
  return ROWS_BYTES(summary->samples) + ROWS_BYTES(summary->bursts.chains);
}

uint64_t prof_summary_bursts_bytes(const struct prof_summary_bursts *bursts) {
  return thread_bytes(bursts) + ROWS_BYTES(bursts->places) + ROWS_BYTES(bursts->chains);
}

/* ---- threads and callers ---- */

struct pooling {
  const struct prof_summary_bursts *from;
  struct prof_index_map of_process; /* index of the thread that has the rows of those that are over */
  struct prof_summary_bursts out;
};

/* The thread whose rows a thread's are from now on; its number. */
static uint32_t pooled(const struct pooling *pooling, uint32_t number) {
  uint32_t at = prof_index_of(&pooling->from->known_threads, number);
  if (at == UINT32_MAX || !pooling->from->threads.items[at].over)
    return number;
  at = prof_index_of(&pooling->of_process, pooling->from->threads.items[at].process);
  return pooling->from->threads.items[at].thread;
}

static bool pool_threads(struct pooling *pooling) {
  const struct prof_summary_bursts *from = pooling->from;
  bool done = true;
  for (uint32_t i = 0; i < from->threads.count && done; i++) {
    const struct prof_summary_window_thread *thread = &from->threads.items[i];
    if (thread->over && prof_index_of(&pooling->of_process, thread->process) == UINT32_MAX)
      done = prof_index_add(&pooling->of_process, thread->process, i);
  }
  for (uint32_t i = 0; i < from->threads.count && done; i++) {
    struct prof_summary_window_thread row = from->threads.items[i];
    row.thread = pooled(pooling, row.thread);
    pooling->out.pooled += row.thread != from->threads.items[i].thread;
    done = prof_summary_add_window_thread(&pooling->out, &row);
    uint32_t at = done ? prof_index_of(&pooling->out.known_threads, row.thread) : UINT32_MAX;
    if (at != UINT32_MAX && row.thread == from->threads.items[i].thread) {
      pooling->out.threads.items[at].used_ns = row.used_ns;
      pooling->out.threads.items[at].process = row.process;
      pooling->out.threads.items[at].over = row.over;
    }
  }
  for (size_t i = 0; i < from->frames.count && done; i++) {
    struct prof_summary_frame row = from->frames.items[i];
    row.thread = pooled(pooling, row.thread);
    done = prof_summary_add_frame(&pooling->out, &row);
  }
  for (size_t i = 0; i < from->rates.count && done; i++) {
    struct prof_summary_rate row = from->rates.items[i];
    row.thread = pooled(pooling, row.thread);
    done = prof_summary_add_rate(&pooling->out, &row);
  }
  return done;
}

static int by_counted(const void *left, const void *right) {
  const struct prof_summary_rate *a = left, *b = right;
  return prof_order(b->counted, a->counted) ?: prof_order(a->key, b->key) ?: prof_order(a->thread, b->thread)
      ?: prof_order(a->caller, b->caller);
}

/* The coldest callers, all but `most`, are not known any more. */
static bool pool_callers(struct pooling *pooling, size_t most) {
  const struct prof_summary_bursts *from = pooling->from;
  PROF_VEC(struct prof_summary_rate) rows = {0};
  bool done = prof_vec_reserve(&rows, from->rates.count + 1);
  for (size_t i = 0; i < from->rates.count && done; i++)
    rows.items[rows.count++] = from->rates.items[i];
  prof_vec_sort(&rows, by_counted);
  for (size_t i = 0; i < rows.count && done; i++) {
    if (i >= most && rows.items[i].caller >= PROF_SUMMARY_CALLERS)
      rows.items[i].caller = PROF_SUMMARY_CALLER_UNKNOWN;
    done = prof_summary_add_rate(&pooling->out, &rows.items[i]);
  }
  prof_vec_fini(&rows);
  return done;
}

/* The rows of one become the other's, which loses its own. */
#define MOVE_ROWS(to, from, rows, known)                                                                               \
  do {                                                                                                                 \
    prof_vec_fini(&(to)->rows);                                                                                        \
    prof_index_fini(&(to)->known);                                                                                     \
    memcpy(&(to)->rows, &(from)->rows, sizeof(to)->rows);                                                              \
    (to)->known = (from)->known;                                                                                       \
  } while (0)

static bool prune_threads(struct prof_summary_bursts *bursts, uint64_t bytes) {
  if (thread_bytes(bursts) <= bytes)
    return true;
  struct pooling pooling = {.from = bursts};
  bool done = pool_threads(&pooling);
  prof_index_fini(&pooling.of_process);
  if (done) {
    bursts->pooled += pooling.out.pooled;
    MOVE_ROWS(bursts, &pooling.out, threads, known_threads);
    MOVE_ROWS(bursts, &pooling.out, frames, known_frames);
    MOVE_ROWS(bursts, &pooling.out, rates, known_rates);
  } else {
    prof_summary_bursts_fini(&pooling.out);
  }
  if (!done || ROWS_BYTES(bursts->rates) <= bytes / 2)
    return done;
  struct pooling callers = {.from = bursts};
  done = pool_callers(&callers, bytes / 4 / (sizeof *bursts->rates.items + INDEX_BYTES));
  if (done)
    MOVE_ROWS(bursts, &callers.out, rates, known_rates);
  else
    prof_summary_bursts_fini(&callers.out);
  return done;
}

/* ---- samples ---- */

static int by_count(const void *left, const void *right) {
  const struct prof_summary_sample *a = left, *b = right;
  return prof_order(b->count, a->count) ?: prof_order(a->node, b->node) ?: prof_order(a->address, b->address)
      ?: prof_order(a->chain, b->chain);
}

/* Of the chain only what the sample lies in.  false: no memory. */
static bool cut_chain(struct prof_summary *summary, uint32_t *chain) {
  if (*chain == 0)
    return true;
  struct prof_summary_chain own = summary->bursts.chains.items[*chain - 1];
  own.around = 0;
  *chain = prof_summary_chain(&summary->bursts, own);
  return *chain != 0;
}

/* All rows but the `most` heaviest ones. */
static bool thin(struct prof_summary *summary, size_t most, bool addresses) {
  struct prof_summary rows = {0};
  bool done = true;
  prof_vec_sort(&summary->samples, by_count);
  for (size_t i = 0; i < summary->samples.count && done; i++) {
    struct prof_summary_sample row = summary->samples.items[i];
    if (i >= most) {
      done = cut_chain(summary, &row.chain);
      row.address = addresses && row.module != 0 ? 0 : row.address;
    }
    done = done && prof_summary_add_sample(&rows, row);
  }
  if (done)
    MOVE_ROWS(summary, &rows, samples, known_samples);
  else
    prof_summary_fini(&rows);
  return done;
}

/* Chains that no sample has any more are dropped. */
bool prof_summary_renumber_chains(struct prof_summary *summary) {
  struct prof_summary_bursts *bursts = &summary->bursts, kept = {0};
  size_t count = bursts->chains.count;
  uint32_t *moved = calloc(count + 1, sizeof *moved);
  uint8_t *wanted = calloc(count + 1, 1);
  struct prof_summary rows = {0};
  bool done = moved && wanted;
  for (size_t i = 0; i < summary->samples.count && done; i++)
    wanted[summary->samples.items[i].chain] = 1;
  for (size_t i = count; i > 0 && done; i--) /* those around have smaller numbers */
    if (wanted[i])
      wanted[bursts->chains.items[i - 1].around] = 1;
  for (size_t i = 1; i <= count && done; i++) {
    struct prof_summary_chain chain = bursts->chains.items[i - 1];
    chain.around = moved[chain.around];
    moved[i] = wanted[i] ? prof_summary_chain(&kept, chain) : 0;
    done = !wanted[i] || moved[i] != 0;
  }
  for (size_t i = 0; i < summary->samples.count && done; i++) {
    struct prof_summary_sample row = summary->samples.items[i];
    row.chain = moved[row.chain];
    done = prof_summary_add_sample(&rows, row);
  }
  if (done) {
    MOVE_ROWS(bursts, &kept, chains, known_chains);
    MOVE_ROWS(summary, &rows, samples, known_samples);
  } else {
    prof_summary_bursts_fini(&kept);
    prof_summary_fini(&rows);
  }
  free(moved);
  free(wanted);
  return done;
}

static bool prune_samples(struct prof_summary *summary, uint64_t bytes) {
  bool done = true;
  for (int addresses = 0; addresses < 2 && done && sample_bytes(summary) > bytes; addresses++) {
    double each = (double)sample_bytes(summary) / (double)summary->samples.count; /* with its chain */
    done = thin(summary, (size_t)((double)bytes / 2 / each), addresses) && prof_summary_renumber_chains(summary);
  }
  return done;
}

bool prof_summary_prune_bursts(struct prof_summary *summary, uint64_t bytes) {
  if (!summary->bursts.used)
    return true;
  return prune_threads(&summary->bursts, bytes / 4) && prune_samples(summary, bytes / 2);
}
