/*
 * tools/tally/io_tally.c - see io_tally.h.
 */
#include "tally/io_tally.h"

#include "measure.h"

#define FIRST PROF_MEASURE_READ
#define LAST PROF_MEASURE_ACCEPT
static const char *const operations[] = {"read",    "pread", "readv",   "preadv",  "write",     "pwrite",   "writev",
                                         "pwritev", "open",  "close",   "fsync",   "fdatasync", "sendfile", "copy",
                                         "receive", "send",  "recvmsg", "sendmsg", "connect",   "accept"};
_Static_assert(sizeof operations / sizeof *operations == LAST - FIRST + 1, "a word for each");
_Static_assert(LAST - FIRST + 1 == PROF_IO_OPERATIONS, "as many");

const char *prof_io_operation(uint32_t operation) {
  return operation >= FIRST && operation <= LAST ? operations[operation - FIRST] : NULL;
}

static void add_error(struct prof_io_errors *errors, uint32_t error, uint64_t calls) {
  size_t at = 0;
  while (at < PROF_IO_ERRORS && errors->items[at].error && errors->items[at].error != error)
    at++;
  errors->more |= error && at == PROF_IO_ERRORS;
  if (!error || at == PROF_IO_ERRORS)
    return;
  errors->items[at].error = error;
  errors->items[at].calls += calls;
  for (; at > 0 && errors->items[at].calls > errors->items[at - 1].calls; at--) {
    const __typeof__(errors->items[0]) item = errors->items[at];
    errors->items[at] = errors->items[at - 1];
    errors->items[at - 1] = item;
  }
}

void prof_io_errors_add(struct prof_io_errors *to, const struct prof_io_errors *from) {
  for (size_t i = 0; i < PROF_IO_ERRORS; i++)
    add_error(to, from->items[i].error, from->items[i].calls);
  to->more |= from->more;
}

/* NULL: no memory. */
static struct prof_io_sum *sum_of(struct prof_io_tally *tally, uint32_t site, uint32_t process, uint32_t file,
                                  uint32_t operation) {
  const struct prof_io_sum *sums = tally->sums.items;
  const struct prof_io_sum fresh = {.site = site, .process = process, .file = file, .operation = operation};
  const uint64_t key = (uint64_t)file << 32 | site, rest = (uint64_t)process << 8 | operation;
  uint32_t at = prof_index_meet(&tally->known, &tally->sums, prof_index_hash(key, rest), i,
                                sums[i].site == site && sums[i].file == file && sums[i].process == process &&
                                    sums[i].operation == operation,
                                fresh);
  return at == UINT32_MAX ? NULL : &tally->sums.items[at];
}

bool prof_io_tally_take(struct prof_io_tally *tally, const struct prof_measured *event) {
  if (!prof_io_operation(event->operation))
    return true;
  tally->recorded = true;
  if (!event->shown)
    return true;
  const uint64_t bytes = event->first & PROF_MEASURE_IO_FAILED;
  const bool failed = bytes > PROF_MEASURE_IO_MOST;
  uint32_t site = UINT32_MAX;
  if (tally->by_place && (site = prof_call_site_of(&tally->sites, event)) == UINT32_MAX)
    return false;
  struct prof_io_sum *to =
      sum_of(tally, site, event->process, (uint32_t)(event->first >> PROF_MEASURE_IO_BYTES), event->operation - FIRST);
  if (!to)
    return false;
  to->calls++;
  to->failed += failed;
  to->bytes += failed ? 0 : bytes;
  if (failed)
    add_error(&to->errors, (uint32_t)(PROF_MEASURE_IO_FAILED - bytes), 1);
  to->ticks += event->second;
  prof_histogram_add(&tally->pool, &to->times, event->second);
  return !tally->pool.failed && prof_thread_set_add(&to->threads, event->thread);
}

bool prof_io_tally_add(struct prof_io_tally *tally, const struct prof_io_sum *from,
                       const struct prof_histogram_pool *pool) {
  struct prof_io_sum *to = sum_of(tally, from->site, from->process, from->file, from->operation);
  if (!to)
    return false;
  to->calls += from->calls;
  to->failed += from->failed;
  to->bytes += from->bytes;
  to->ticks += from->ticks;
  prof_io_errors_add(&to->errors, &from->errors);
  prof_histogram_merge(&tally->pool, &to->times, pool, &from->times);
  return !tally->pool.failed && prof_thread_set_join(&to->threads, &from->threads);
}

void prof_io_tally_fini(struct prof_io_tally *tally) {
  for (size_t i = 0; i < tally->sums.count; i++)
    prof_thread_set_fini(&tally->sums.items[i].threads);
  prof_vec_fini(&tally->sums);
  prof_index_fini(&tally->known);
  prof_call_sites_fini(&tally->sites);
  prof_histogram_pool_free(&tally->pool);
}
