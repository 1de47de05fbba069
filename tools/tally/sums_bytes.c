/*
 * tools/tally/sums_bytes.c - sums of measures as the payload of MEASURES, and back: docs/trace-format-summary.md.
 *
 * Each row is described once: a codec either puts a member or gets it.
 */
#include "fold/summary/histogram_bytes.h"
#include "fold/summary/rows.h"
#include "tally/sums.h"

#define ANY UINT64_MAX /* no limit */
#define ANY32 (1ull << 32)

struct codec {
  struct prof_payload *out; /* NULL: it gets from: */
  struct prof_byte_reader *in;
  bool failed; /* no memory */
};

static uint64_t number(struct codec *codec, uint64_t value, uint64_t limit) {
  if (codec->out) {
    prof_payload_varint(codec->out, value);
    return value;
  }
  value = prof_byte_reader_varint(codec->in);
  codec->in->bad |= limit != ANY && value >= limit;
  return codec->in->bad ? 0 : value;
}

/* A member that is less than a limit, and one that may be PROF_NONE. */
#define NUMBER(codec, member, limit) ((member) = (__typeof__(member))number(codec, (uint64_t)(member), limit))
#define MAYBE(codec, member, limit)                                                                                    \
  ((member) = (uint32_t)number(codec, (uint32_t)((member) + 1u), (uint64_t)(limit) + 1) - 1u)

/* How many rows there are: of a list of its own, or within a row. */
static size_t rows_of(struct codec *codec, size_t count, bool is_within) {
  if (is_within) {
    count = number(codec, count, ANY);
    if (!codec->out)
      codec->in->bad |= count > (size_t)(codec->in->end - codec->in->at);
    return codec->out || !codec->in->bad ? count : 0;
  }
  if (!codec->out)
    return prof_rows_count(codec->in, 1);
  prof_payload_u32(codec->out, (uint32_t)count);
  return count;
}

static bool goes_on(const struct codec *codec) {
  return !codec->failed && (codec->out || !codec->in->bad);
}

/* Each row of a vector; one that is gotten is pushed first, as zeros. */
#define EACH(codec, vec, within, index)                                                                                \
  for (size_t index = 0, rows_left_ = rows_of(codec, (vec)->count, within);                                            \
       rows_left_ > 0 && goes_on(codec) &&                                                                             \
       ((codec)->out ||                                                                                                \
        (prof_vec_reserve(vec, 1) ? (memset(&(vec)->items[(vec)->count++], 0, sizeof *(vec)->items), true)             \
                                  : !((codec)->failed = true)));                                                       \
       index++, rows_left_--)

static void histogram(struct codec *codec, struct prof_histogram_pool *pool, struct prof_histogram *of) {
  if (codec->out)
    prof_histogram_bytes_put(codec->out, pool, of);
  else
    codec->failed |= !prof_histogram_bytes_get(codec->in, pool, of);
}

static void threads(struct codec *codec, struct prof_thread_set *set) {
  EACH(codec, &set->threads, true, i)
  NUMBER(codec, set->threads.items[i], ANY32);
}

static void keys_and_paths(struct codec *codec, struct prof_tally_sums *sums) {
  EACH(codec, &sums->keys, false, i) {
    NUMBER(codec, sums->keys.items[i].kind, ANY32);
    NUMBER(codec, sums->keys.items[i].module, ANY32);
    NUMBER(codec, sums->keys.items[i].index, ANY32);
  }
  const size_t count = rows_of(codec, sums->paths.nodes.count - 1, false);
  for (size_t i = 1; i <= count && goes_on(codec); i++) {
    struct prof_measured_node node = codec->out ? sums->paths.nodes.items[i] : (struct prof_measured_node){0};
    NUMBER(codec, node.parent, i);
    MAYBE(codec, node.function, sums->keys.count);
    if (!codec->out && !codec->in->bad)
      codec->failed |= !prof_vec_push(&sums->paths.nodes, node);
  }
}

static void sites(struct codec *codec, struct prof_tally_sums *sums, struct prof_call_sites *of) {
  EACH(codec, &of->items, false, i) {
    struct prof_call_site *site = &of->items.items[i];
    NUMBER(codec, site->process, ANY32);
    NUMBER(codec, site->node, sums->paths.nodes.count);
    MAYBE(codec, site->function, sums->keys.count);
    NUMBER(codec, site->operation, 256);
    NUMBER(codec, site->caller, ANY);
    NUMBER(codec, site->time_ticks, ANY);
  }
}

static void memory(struct codec *codec, struct prof_memory_tally *tally) {
  NUMBER(codec, tally->frees, ANY);
  NUMBER(codec, tally->unknown_frees, ANY);
  NUMBER(codec, tally->unfollowed_calls, ANY);
  NUMBER(codec, tally->unfollowed_bytes, ANY);
  NUMBER(codec, tally->live_processes, ANY);
  for (size_t i = 0; i < 2; i++) {
    NUMBER(codec, tally->totals[i].peak_bytes, ANY);
    NUMBER(codec, tally->totals[i].peak_ticks, ANY);
  }
  EACH(codec, &tally->groups, false, i) {
    struct prof_memory_group group = tally->groups.items[i]; /* as it is when all has ended */
    prof_memory_group_settle(tally, &group);
    uint64_t site = group.key / 128, class = group.key % 128;
    group.sum.live_bytes += group.left_bytes;
    group.sum.live_calls += group.left_calls;
    NUMBER(codec, site, tally->sites.items.count);
    NUMBER(codec, class, 65);
    NUMBER(codec, group.mapped, 2);
    NUMBER(codec, group.sum.calls, ANY);
    NUMBER(codec, group.sum.bytes, ANY);
    NUMBER(codec, group.sum.live_calls, ANY);
    NUMBER(codec, group.sum.live_bytes, ANY);
    NUMBER(codec, group.sum.peak_bytes, ANY);
    NUMBER(codec, group.sum.temporary, ANY);
    group.key = site * 128 + class;
    if (!codec->out)
      tally->groups.items[i] = group;
  }
}

static void lock_lists(struct codec *codec, struct prof_lock *lock, size_t site_count) {
  EACH(codec, &lock->holds, true, i) {
    NUMBER(codec, lock->holds.items[i].thread, ANY32);
    NUMBER(codec, lock->holds.items[i].site, site_count);
    NUMBER(codec, lock->holds.items[i].depth, ANY32);
    NUMBER(codec, lock->holds.items[i].since, ANY);
  }
  EACH(codec, &lock->waiting, true, i) {
    NUMBER(codec, lock->waiting.items[i].thread, ANY32);
    NUMBER(codec, lock->waiting.items[i].site, site_count);
    NUMBER(codec, lock->waiting.items[i].begin, ANY);
    NUMBER(codec, lock->waiting.items[i].since, ANY);
    NUMBER(codec, lock->waiting.items[i].shown, 2);
  }
  EACH(codec, &lock->parts, true, i) {
    NUMBER(codec, lock->parts.items[i].site, site_count);
    NUMBER(codec, lock->parts.items[i].held_ticks, ANY);
    NUMBER(codec, lock->parts.items[i].handover_ticks, ANY);
  }
  EACH(codec, &lock->waited, true, i) {
    NUMBER(codec, lock->waited.items[i].site, site_count);
    NUMBER(codec, lock->waited.items[i].ticks, ANY);
  }
  threads(codec, &lock->waiters);
}

static void lock_waits(struct codec *codec, struct prof_lock_states *states, struct prof_lock *lock) {
  struct prof_histogram none = {0}, got = {0};
  if (codec->out) {
    histogram(codec, &states->pool, lock->waits ? &states->histograms.items[lock->waits - 1] : &none);
    return;
  }
  histogram(codec, &states->pool, &got);
  struct prof_histogram *to = prof_histogram_is_empty(&got) ? &none : prof_lock_waits(states, lock);
  codec->failed |= !to;
  if (to)
    *to = got;
}

static void locks(struct codec *codec, struct prof_lock_states *states) {
  const size_t site_count = states->sites.items.count;
  EACH(codec, &states->locks, false, i) {
    struct prof_lock *lock = &states->locks.items[i];
    NUMBER(codec, lock->process, ANY32);
    NUMBER(codec, lock->kind, 256);
    NUMBER(codec, lock->address, ANY);
    MAYBE(codec, lock->first_site, site_count);
    MAYBE(codec, lock->last_site, site_count);
    MAYBE(codec, lock->longest_site, site_count);
    NUMBER(codec, lock->last_thread, ANY32);
    NUMBER(codec, lock->released, ANY);
    NUMBER(codec, lock->acquisitions, ANY);
    NUMBER(codec, lock->contended, ANY);
    NUMBER(codec, lock->wait_ticks, ANY);
    NUMBER(codec, lock->unknown_ticks, ANY);
    NUMBER(codec, lock->hold_ticks, ANY);
    NUMBER(codec, lock->longest_ticks, ANY);
    lock_waits(codec, states, lock);
    lock_lists(codec, lock, site_count);
  }
}

static void io_errors(struct codec *codec, struct prof_io_errors *errors) {
  size_t count = 0;
  while (count < PROF_IO_ERRORS && errors->items[count].error)
    count++;
  count = number(codec, count, PROF_IO_ERRORS + 1);
  for (size_t i = 0; i < count && goes_on(codec); i++) {
    NUMBER(codec, errors->items[i].error, ANY32);
    NUMBER(codec, errors->items[i].calls, ANY);
  }
}

static void io(struct codec *codec, struct prof_io_tally *tally) {
  EACH(codec, &tally->sums, false, i) {
    struct prof_io_sum *sum = &tally->sums.items[i];
    NUMBER(codec, sum->site, tally->sites.items.count);
    NUMBER(codec, sum->file, ANY32);
    NUMBER(codec, sum->operation, PROF_IO_OPERATIONS);
    NUMBER(codec, sum->calls, ANY);
    NUMBER(codec, sum->failed, ANY);
    NUMBER(codec, sum->bytes, ANY);
    NUMBER(codec, sum->ticks, ANY);
    NUMBER(codec, sum->errors.more, 2);
    histogram(codec, &tally->pool, &sum->times);
    io_errors(codec, &sum->errors);
    threads(codec, &sum->threads);
    if (!codec->out && !codec->in->bad)
      sum->process = tally->sites.items.items[sum->site].process;
  }
}

static void queries(struct codec *codec, struct prof_query_tally *tally) {
  EACH(codec, &tally->sums, false, i) {
    struct prof_query_sum *sum = &tally->sums.items[i];
    NUMBER(codec, sum->site, tally->sites.items.count);
    NUMBER(codec, sum->text, ANY32);
    NUMBER(codec, sum->postgres, 2);
    NUMBER(codec, sum->calls, ANY);
    NUMBER(codec, sum->failed, ANY);
    NUMBER(codec, sum->rows, ANY);
    NUMBER(codec, sum->ticks, ANY);
    NUMBER(codec, sum->prepared, ANY);
    NUMBER(codec, sum->prepare_ticks, ANY);
    histogram(codec, &tally->pool, &sum->times);
    if (!codec->out && !codec->in->bad)
      sum->process = tally->sites.items.items[sum->site].process;
  }
}

static void regions(struct codec *codec, struct prof_openmp_tally *tally) {
  EACH(codec, &tally->sums, false, i) {
    struct prof_openmp_sum *sum = &tally->sums.items[i];
    NUMBER(codec, sum->site, tally->sites.items.count);
    MAYBE(codec, sum->thread, UINT32_MAX);
    NUMBER(codec, sum->runs, ANY);
    NUMBER(codec, sum->threads, ANY);
    NUMBER(codec, sum->time, ANY);
    NUMBER(codec, sum->work, ANY);
    for (size_t cause = 0; cause < PROF_OPENMP_CAUSES; cause++)
      NUMBER(codec, sum->waits[cause], ANY);
    NUMBER(codec, sum->end, ANY);
    NUMBER(codec, sum->longest, ANY);
    NUMBER(codec, sum->mean, ANY);
  }
}

static void all(struct codec *codec, struct prof_tally_sums *sums) {
  keys_and_paths(codec, sums);
  sites(codec, sums, &sums->memory.sites);
  sites(codec, sums, &sums->locks.sites);
  sites(codec, sums, &sums->io.sites);
  sites(codec, sums, &sums->queries.sites);
  memory(codec, &sums->memory);
  locks(codec, &sums->locks);
  io(codec, &sums->io);
  queries(codec, &sums->queries);
  NUMBER(codec, sums->cold, ANY);
  if (codec->out || codec->in->at != codec->in->end) { /* appended: older recordings have no more */
    sites(codec, sums, &sums->regions.sites);
    regions(codec, &sums->regions);
  }
}

void prof_tally_sums_write(const struct prof_tally_sums *sums, struct prof_payload *payload) {
  struct codec codec = {.out = payload};
  const uint64_t left = sums->memory.live_processes;
  struct prof_tally_sums *same = (struct prof_tally_sums *)(uintptr_t)sums; /* what is put stays as it is */
  same->memory.live_processes += prof_memory_tally_living(&sums->memory);
  all(&codec, same);
  same->memory.live_processes = left;
}

prof_status prof_tally_sums_read(const uint8_t *bytes, size_t count, struct prof_tally_sums *out) {
  struct prof_byte_reader reader = {bytes, bytes + count, false};
  struct codec codec = {.in = &reader};
  if (prof_tally_sums_init(out) != PROF_OK)
    return PROF_NO_MEMORY;
  all(&codec, out);
  const bool failed = codec.failed || out->locks.pool.failed || out->io.pool.failed || out->queries.pool.failed;
  if (!failed && !reader.bad)
    return PROF_OK;
  prof_tally_sums_fini(out);
  return failed ? PROF_NO_MEMORY : PROF_CORRUPT;
}
