/*
 * test/fuzz/fuzz_profile.c - any bytes as a trace: folded and walked, without a filter and with one that cuts, with
 * loops and without; and what is said of the loops.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/loops.h"
#include "estimate/profile_build.h"
#include "fold/walk.h"
#include "names/loop_frames.h"
#include "trace_input.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "fuzz_profile: not so: %s (line %d)\n", #condition, __LINE__);                                   \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

static void check_tree(const struct prof_profile *profile) {
  size_t functions;
  prof_trace_functions(profile->trace, &functions);
  uint32_t frames = prof_frame_count(profile->trace);
  for (uint32_t i = 0; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    INSIST(i ? node->parent < i : node->parent == PROF_NONE);
    INSIST(node->function == PROF_NONE || node->function < functions ||
           (profile->loops && node->function > functions && node->function < frames));
    INSIST(node->first_child == PROF_NONE || (node->first_child > i && node->first_child < profile->node_count));
    INSIST(node->next_sibling == PROF_NONE || node->next_sibling < profile->node_count);
  }
}

static void check_loops(const struct prof_profile *profile) {
  struct prof_names *names;
  struct prof_loop_rows rows;
  struct prof_diag diag;
  uint64_t sum = 0;
  if (prof_names_new(profile->trace, PROF_DEMANGLE_FULL, &names) != PROF_OK)
    abort();
  for (int sort = PROF_LOOP_SORT_SELF; sort <= PROF_LOOP_SORT_LINE; sort++) {
    INSIST(prof_loops_rank(profile, names, PROF_TIME_RUNNING, (enum prof_loop_sort)sort, &diag, &rows) == PROF_OK);
    for (size_t i = 0; i < rows.count; i++) {
      const struct prof_loop_row *row = &rows.rows[i];
      INSIST(row->parent == PROF_NONE ? row->level == 0 : row->parent < i);
      INSIST(!row->has_times || row->entries > 0);
      sum += strlen(row->function) + strlen(row->inlined) + strlen(row->file);
    }
    prof_loops_free(&rows);
  }
  INSIST(sum < SIZE_MAX);
  prof_names_free(names);
}

static bool visit(void *context, const struct prof_walk_event *event) {
  uint64_t *left = context;
  INSIST(event->kind <= PROF_WALK_WAIT);
  return --*left > 0;
}

static void fold_and_walk(const prof_trace *trace, const struct prof_filter_spec *spec) {
  struct prof_diag diag;
  struct prof_filter filter;
  if (prof_filter_init(&filter, trace, spec, &diag) != PROF_OK)
    return;
  struct prof_profile *profile;
  if (prof_profile_fold(trace, &filter, &(struct prof_fold_options){.workers = 1}, &diag, &profile) == PROF_OK) {
    check_tree(profile);
    check_loops(profile);
    prof_profile_free(profile);
  }
  for (int order = PROF_WALK_BY_THREAD; order <= PROF_WALK_BY_TIME; order++) {
    uint64_t left = 100000;
    (void)!prof_walk(trace, &filter, order, visit, &left, &diag);
  }
  prof_filter_fini(&filter);
}

static void read_all(const char *path) {
  static const char *const main_only[] = {"main"};
  static const struct prof_filter_spec everything = {.end_ns = UINT64_MAX}, cutting = {.only = main_only,
                                                                                       .only_count = 1,
                                                                                       .depth = 3,
                                                                                       .min_ns = 2,
                                                                                       .begin_ns = 1500,
                                                                                       .end_ns = 3002};
  prof_trace *trace;
  struct prof_diag diag;
  if (prof_trace_open(path, &diag, &trace) != PROF_OK)
    return;
  struct prof_filter_spec specs[] = {everything, cutting, everything, cutting};
  for (int i = 0; i < 4; i++) {
    specs[i].loops = i >= 2;
    fold_and_walk(trace, &specs[i]);
  }
  prof_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  fuzz_trace_input(data, bytes, read_all);
  return 0;
}
