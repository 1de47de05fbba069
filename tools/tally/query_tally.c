/*
 * tools/tally/query_tally.c - see query_tally.h.
 */
#include "tally/query_tally.h"

#include "measure.h"

static void count(struct prof_query_tally *tally, struct prof_query_sum *to, const struct prof_measured *event) {
  const uint64_t rows = event->first & PROF_MEASURE_IO_FAILED;
  if (event->operation == PROF_MEASURE_SQLITE_PREPARE || event->operation == PROF_MEASURE_POSTGRES_PREPARE) {
    to->prepared++;
    to->prepare_ticks += event->second;
    return;
  }
  to->calls++;
  to->failed += rows == PROF_MEASURE_IO_FAILED;
  to->rows += rows == PROF_MEASURE_IO_FAILED ? 0 : rows;
  to->ticks += event->second;
  prof_histogram_add(&tally->pool, &to->times, event->second);
}

/* NULL: no memory. */
static struct prof_query_sum *sum_of(struct prof_query_tally *tally, uint32_t site, uint32_t process, uint32_t text,
                                     bool postgres) {
  const struct prof_query_sum *sums = tally->sums.items;
  const struct prof_query_sum fresh = {.site = site, .process = process, .text = text, .postgres = postgres};
  const uint64_t key = (uint64_t)text << 32 | site, rest = (uint64_t)process << 1 | postgres;
  uint32_t at = prof_index_meet(&tally->known, &tally->sums, prof_index_hash(key, rest), i,
                                sums[i].site == site && sums[i].text == text && sums[i].process == process &&
                                    sums[i].postgres == postgres,
                                fresh);
  return at == UINT32_MAX ? NULL : &tally->sums.items[at];
}

bool prof_query_tally_take(struct prof_query_tally *tally, const struct prof_measured *event) {
  if (event->operation < PROF_MEASURE_SQLITE_PREPARE || event->operation > PROF_MEASURE_POSTGRES_RUN)
    return true;
  tally->recorded = true;
  if (!event->shown)
    return true;
  uint32_t site = UINT32_MAX;
  if (tally->by_place && (site = prof_call_site_of(&tally->sites, event)) == UINT32_MAX)
    return false;
  struct prof_query_sum *to = sum_of(tally, site, event->process, (uint32_t)(event->first >> PROF_MEASURE_IO_BYTES),
                                     event->operation >= PROF_MEASURE_POSTGRES_PREPARE);
  if (!to)
    return false;
  count(tally, to, event);
  return !tally->pool.failed;
}

bool prof_query_tally_add(struct prof_query_tally *tally, const struct prof_query_sum *from,
                          const struct prof_histogram_pool *pool) {
  struct prof_query_sum *to = sum_of(tally, from->site, from->process, from->text, from->postgres);
  if (!to)
    return false;
  to->calls += from->calls;
  to->failed += from->failed;
  to->rows += from->rows;
  to->ticks += from->ticks;
  to->prepared += from->prepared;
  to->prepare_ticks += from->prepare_ticks;
  prof_histogram_merge(&tally->pool, &to->times, pool, &from->times);
  return !tally->pool.failed;
}

void prof_query_tally_fini(struct prof_query_tally *tally) {
  prof_vec_fini(&tally->sums);
  prof_index_fini(&tally->known);
  prof_call_sites_fini(&tally->sites);
  prof_histogram_pool_free(&tally->pool);
}
