/*
 * tools/tally/sums_prune.c - the coldest rows of measures become rows [other], so that memory is bounded.
 *
 * Of each family the colder half of its rows goes, until about half of the limit is used.  Locks that are held or
 * waited for stay.
 */
#include "tally/sums_move.h"

#include <string.h>

#include "base/order.h"

#define HISTOGRAM_BYTES 512u /* of a row: two or three blocks */
#define BLOCK_BYTES 96u      /* the table of blocks is at most half full */

static uint64_t site_bytes(const struct prof_call_sites *sites) {
  return sites->items.count * (sizeof *sites->items.items + 4 * sizeof(struct prof_index_slot));
}

uint64_t prof_tally_sums_bytes(const struct prof_tally_sums *sums) {
  uint64_t lists = 0;
  for (size_t i = 0; i < sums->locks.locks.count; i++) {
    const struct prof_lock *lock = &sums->locks.locks.items[i];
    lists += lock->parts.capacity * sizeof *lock->parts.items + lock->waited.capacity * sizeof *lock->waited.items +
             lock->waiters.threads.capacity * sizeof(uint32_t) + (lock->waits ? HISTOGRAM_BYTES : 0);
  }
  return sums->paths.nodes.count * (sizeof *sums->paths.nodes.items + 4 * sizeof(struct prof_index_slot)) +
         site_bytes(&sums->memory.sites) + site_bytes(&sums->locks.sites) + site_bytes(&sums->io.sites) +
         site_bytes(&sums->queries.sites) + site_bytes(&sums->regions.sites) +
         sums->memory.groups.count * sizeof *sums->memory.groups.items + lists +
         sums->locks.locks.count * sizeof *sums->locks.locks.items +
         sums->io.sums.count * (sizeof *sums->io.sums.items + HISTOGRAM_BYTES) +
         sums->queries.sums.count * (sizeof *sums->queries.sums.items + HISTOGRAM_BYTES) +
         sums->regions.sums.count * (sizeof *sums->regions.sums.items + 4 * sizeof(struct prof_index_slot));
}

struct warm { /* of a row */
  uint64_t heat;
  uint32_t row;
};

static int coldest_first(const void *left, const void *right) {
  const struct warm *a = left, *b = right;
  return prof_order(a->heat, b->heat) ?: prof_order(b->row, a->row);
}

/* By row: 0 for the colder half of those with heat less than UINT64_MAX.  NULL: no memory. */
static uint8_t *choose(size_t count, uint64_t (*heat)(const struct prof_tally_sums *, size_t row),
                       const struct prof_tally_sums *sums, uint64_t *cold) {
  struct warm *rows = malloc((count + 1) * sizeof *rows);
  uint8_t *kept = malloc(count + 1);
  if (rows && kept) {
    memset(kept, 1, count + 1);
    for (size_t i = 0; i < count; i++)
      rows[i] = (struct warm){heat(sums, i), (uint32_t)i};
    qsort(rows, count, sizeof *rows, coldest_first);
    for (size_t i = 0; i < count / 2 && rows[i].heat != UINT64_MAX; i++) {
      kept[rows[i].row] = 0;
      (*cold)++;
    }
  } else {
    free(kept);
    kept = NULL;
  }
  free(rows);
  return kept;
}

/* A row [other] is as warm as can be: it is one already. */
static bool is_other(const struct prof_call_sites *sites, uint32_t site) {
  return sites->items.items[site].process == 0 && sites->items.items[site].time_ticks == 0;
}

static uint64_t group_heat(const struct prof_tally_sums *sums, size_t row) {
  const struct prof_memory_group *group = &sums->memory.groups.items[row];
  return is_other(&sums->memory.sites, (uint32_t)(group->key / 128)) ? UINT64_MAX : group->sum.bytes;
}

static uint64_t lock_heat(const struct prof_tally_sums *sums, size_t row) {
  const struct prof_lock *lock = &sums->locks.locks.items[row];
  const bool stays = lock->address == PROF_TALLY_OTHER_LOCK || lock->holds.count + lock->waiting.count > 0;
  return stays ? UINT64_MAX : lock->wait_ticks + lock->acquisitions;
}

static uint64_t io_heat(const struct prof_tally_sums *sums, size_t row) {
  const struct prof_io_sum *sum = &sums->io.sums.items[row];
  return is_other(&sums->io.sites, sum->site) ? UINT64_MAX : sum->ticks;
}

static uint64_t region_heat(const struct prof_tally_sums *sums, size_t row) {
  const struct prof_openmp_sum *sum = &sums->regions.sums.items[row];
  uint64_t ticks = sum->work + sum->end;
  for (size_t i = 0; i < PROF_OPENMP_CAUSES; i++)
    ticks += sum->waits[i];
  return is_other(&sums->regions.sites, sum->site) ? UINT64_MAX : ticks;
}

static uint64_t query_heat(const struct prof_tally_sums *sums, size_t row) {
  const struct prof_query_sum *sum = &sums->queries.sums.items[row];
  return is_other(&sums->queries.sites, sum->site) ? UINT64_MAX : sum->ticks;
}

/* ---- paths ---- */

static void mark(const struct prof_tally_sums *sums, const struct prof_call_sites *sites, uint32_t site,
                 uint32_t *used) {
  for (uint32_t node = sites->items.items[site].node; node != 0 && used[node] == PROF_NONE;
       node = sums->paths.nodes.items[node].parent)
    used[node] = 0;
}

static void mark_lock(const struct prof_tally_sums *sums, const struct prof_lock *lock, uint32_t *used) {
  const uint32_t sites[] = {lock->first_site, lock->last_site, lock->longest_site};
  for (size_t i = 0; i < 3; i++)
    if (sites[i] != PROF_NONE)
      mark(sums, &sums->locks.sites, sites[i], used);
  for (size_t i = 0; i < lock->holds.count; i++)
    mark(sums, &sums->locks.sites, lock->holds.items[i].site, used);
  for (size_t i = 0; i < lock->waiting.count; i++)
    mark(sums, &sums->locks.sites, lock->waiting.items[i].site, used);
  for (size_t i = 0; i < lock->parts.count; i++)
    mark(sums, &sums->locks.sites, lock->parts.items[i].site, used);
  for (size_t i = 0; i < lock->waited.count; i++)
    mark(sums, &sums->locks.sites, lock->waited.items[i].site, used);
}

/* Paths of rows that are kept, into `to`.  By node: the one there.  NULL: no memory. */
static uint32_t *move_paths(const struct prof_tally_sums *from, const struct prof_tally_kept *kept,
                            struct prof_tally_sums *to) {
  const size_t count = from->paths.nodes.count;
  uint32_t *nodes = malloc(count * sizeof *nodes);
  if (!nodes)
    return NULL;
  memset(nodes, 0xff, count * sizeof *nodes);
  for (size_t i = 0; i < from->memory.groups.count; i++)
    if (kept->groups[i])
      mark(from, &from->memory.sites, (uint32_t)(from->memory.groups.items[i].key / 128), nodes);
  for (size_t i = 0; i < from->locks.locks.count; i++)
    if (kept->locks[i])
      mark_lock(from, &from->locks.locks.items[i], nodes);
  for (size_t i = 0; i < from->io.sums.count; i++)
    if (kept->io[i])
      mark(from, &from->io.sites, from->io.sums.items[i].site, nodes);
  for (size_t i = 0; i < from->queries.sums.count; i++)
    if (kept->queries[i])
      mark(from, &from->queries.sites, from->queries.sums.items[i].site, nodes);
  for (size_t i = 0; i < from->regions.sums.count; i++)
    if (kept->regions[i])
      mark(from, &from->regions.sites, from->regions.sums.items[i].site, nodes);
  for (size_t i = 0; i < from->regions.runs.count; i++)
    mark(from, &from->regions.sites, from->regions.runs.items[i].site, nodes);
  nodes[0] = 0;
  for (size_t i = 1; i < count; i++) {
    const struct prof_measured_node *node = &from->paths.nodes.items[i];
    if (nodes[i] == PROF_NONE)
      continue;
    nodes[i] = prof_measured_path_below(&to->paths, nodes[node->parent], node->function);
    if (nodes[i] == UINT32_MAX) {
      free(nodes);
      return NULL;
    }
  }
  return nodes;
}

/* ---- all ---- */

static bool move_all(struct prof_tally_sums *sums, struct prof_tally_sums *to, const struct prof_tally_kept *kept) {
  uint32_t *nodes = move_paths(sums, kept, to);
  const struct prof_tally_moving moving = {.from = sums, .to = to, .nodes = nodes, .kept = *kept};
  for (size_t i = 0; i < sums->memory.groups.count; i++)
    prof_memory_group_settle(&sums->memory, &sums->memory.groups.items[i]);
  const bool good = nodes && prof_tally_move_memory(&moving) && prof_tally_move_locks(&moving) &&
                    prof_tally_move_io(&moving) && prof_tally_move_queries(&moving) && prof_tally_move_regions(&moving);
  free(nodes);
  return good;
}

/* Keys, processes and what else has no rows. */
static void take_rest(struct prof_tally_sums *to, struct prof_tally_sums *from) {
  memcpy(&to->keys, &from->keys, sizeof to->keys);
  to->known_keys = from->known_keys;
  memcpy(&to->processes, &from->processes, sizeof to->processes);
  memcpy(&to->over, &from->over, sizeof to->over);
  to->cold += from->cold;
  memset(&from->keys, 0, sizeof from->keys);
  memset(&from->known_keys, 0, sizeof from->known_keys);
  memset(&from->processes, 0, sizeof from->processes);
  memset(&from->over, 0, sizeof from->over);
}

static prof_status halve(struct prof_tally_sums *sums) {
  struct prof_tally_sums to;
  prof_status status = prof_tally_sums_init(&to);
  uint8_t *groups = choose(sums->memory.groups.count, group_heat, sums, &to.cold);
  uint8_t *locks = choose(sums->locks.locks.count, lock_heat, sums, &to.cold);
  uint8_t *io = choose(sums->io.sums.count, io_heat, sums, &to.cold);
  uint8_t *queries = choose(sums->queries.sums.count, query_heat, sums, &to.cold);
  uint8_t *regions = choose(sums->regions.sums.count, region_heat, sums, &to.cold);
  const struct prof_tally_kept kept = {groups, locks, io, queries, regions};
  if (status == PROF_OK && !(groups && locks && io && queries && regions && move_all(sums, &to, &kept)))
    status = PROF_NO_MEMORY;
  free(groups);
  free(locks);
  free(io);
  free(queries);
  free(regions);
  if (status == PROF_OK)
    take_rest(&to, sums);
  else
    prof_tally_sums_fini(&to);
  if (status == PROF_OK) {
    prof_tally_sums_fini(sums);
    *sums = to;
  }
  return status;
}

prof_status prof_tally_sums_prune(struct prof_tally_sums *sums, uint64_t bytes) {
  prof_status status = PROF_OK;
  sums->memory.most_blocks = bytes > 0 ? 2 * bytes / BLOCK_BYTES + 1 : 0;
  if (bytes == 0 || prof_tally_sums_bytes(sums) <= bytes)
    return PROF_OK;
  for (uint64_t before = UINT64_MAX, now; status == PROF_OK; before = now) {
    now = prof_tally_sums_bytes(sums);
    if (now <= bytes / 2 || now >= before)
      break;
    status = halve(sums);
  }
  return status;
}
