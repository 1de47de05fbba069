/*
 * test/fuzz/fuzz_profile.c - any bytes as a trace: folded and walked, without a filter and with one that cuts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/profile.h"
#include "model/walk.h"
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
  for (uint32_t i = 0; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    INSIST(i ? node->parent < i : node->parent == PROF_NONE);
    INSIST(node->function == PROF_NONE || node->function < functions);
    INSIST(node->first_child == PROF_NONE || (node->first_child > i && node->first_child < profile->node_count));
    INSIST(node->next_sibling == PROF_NONE || node->next_sibling < profile->node_count);
  }
}

static bool visit(void *context, const struct prof_walk_event *event) {
  uint64_t *left = context;
  INSIST(event->kind <= PROF_WALK_GAP);
  return --*left > 0;
}

static void fold_and_walk(const prof_trace *trace, const struct prof_filter_spec *spec) {
  struct prof_diag diag;
  struct prof_filter filter;
  if (prof_filter_init(&filter, trace, spec, &diag) != PROF_OK)
    return;
  struct prof_profile *profile;
  if (prof_profile_fold(trace, &filter, 1, &diag, &profile) == PROF_OK) {
    check_tree(profile);
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
  fold_and_walk(trace, &everything);
  fold_and_walk(trace, &cutting);
  prof_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  fuzz_trace_input(data, bytes, read_all);
  return 0;
}
