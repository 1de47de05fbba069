/*
 * tools/decide/run.c - see run.h: holds the rows of a run.
 */
#include "decide/run.h"

#include <string.h>

const char *const prof_run_kind_words[] = {"function", "zone",   "loop",        "line",
                                           "command",  "memory", "memory_line", NULL};

const char *prof_run_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_same(const struct prof_run_row *left, const struct prof_run_row *right) {
  return left->kind == right->kind && !strcmp(left->name, right->name) &&
         !strcmp(prof_run_base(left->file), prof_run_base(right->file));
}

static uint32_t hash_of(const struct prof_run_row *row) {
  uint64_t hash = row->kind;
  for (const char *c = row->name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  return (uint32_t)(hash ^ hash >> 32);
}

bool prof_run_same_way(const struct prof_run *left, const struct prof_run *right) {
  bool known = left->budget_permille > 0 && right->budget_permille > 0;
  return left->has_switches == right->has_switches && left->has_budget == right->has_budget &&
         left->measures == right->measures && (!known || left->budget_permille == right->budget_permille);
}

uint32_t prof_run_find(const struct prof_run *run, const struct prof_run_row *row) {
  return prof_index_find(&run->by_identity, hash_of(row), i, is_same(&run->rows.items[i], row));
}

static bool copy_texts(struct prof_run *run, struct prof_run_row *row) {
  const char **texts[] = {&row->name, &row->file, &row->caller};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *text = *texts[i] ? *texts[i] : "";
    *texts[i] = prof_arena_copy(&run->texts, text, strlen(text));
    if (!*texts[i])
      return false;
  }
  return true;
}

/* Functions of one name in one file name: templates' instances in two modules, clones. */
static void join(struct prof_run_row *into, const struct prof_run_row *row) {
  const bool more = row->calls > into->calls;
  into->calls += row->calls;
  into->raw_ns += row->raw_ns;
  into->self_ns += row->self_ns;
  into->waiting_ns += row->waiting_ns;
  into->preempted_ns += row->preempted_ns;
  into->total_ns += row->total_ns;
  into->events += row->events;
  into->bytes += row->bytes;
  into->peak_bytes += row->peak_bytes;
  into->median_ns = 0;
  into->noise = row->noise > into->noise ? row->noise : into->noise;
  into->p50_ns = into->p95_ns = into->p99_ns = 0;
  into->max_ns = row->max_ns > into->max_ns ? row->max_ns : into->max_ns;
  into->line = more ? row->line : into->line;
}

bool prof_run_add(struct prof_run *run, const struct prof_run_row *row) {
  struct prof_run_row copy = *row;
  const uint32_t at = prof_run_find(run, row);
  if (at != UINT32_MAX) {
    join(&run->rows.items[at], row);
    return true;
  }
  return copy_texts(run, &copy) && prof_vec_push(&run->rows, copy) &&
         prof_index_add(&run->by_identity, hash_of(row), (uint32_t)run->rows.count - 1);
}

void prof_run_fini(struct prof_run *run) {
  prof_index_fini(&run->by_identity);
  prof_vec_fini(&run->rows);
  prof_arena_fini(&run->texts);
  *run = (struct prof_run){0};
}
