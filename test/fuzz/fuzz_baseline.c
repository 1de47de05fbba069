/*
 * test/fuzz/fuzz_baseline.c - any bytes as a baseline: read, compared with itself, and held against limits.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decide/baseline.h"
#include "decide/diff.h"
#include "decide/limit.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "fuzz_baseline: not so: %s (line %d)\n", #condition, __LINE__);                                  \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

static void compare(const struct prof_run_group *group) {
  const struct prof_run_group groups[2] = {*group, *group};
  const struct prof_diff_options options = {.same = 0.05, .min_share = 0.01};
  struct prof_diff diff;
  INSIST(prof_diff_make(groups, &options, NULL, &diff) == PROF_OK);
  INSIST(diff.called == 0); /* it is the same */
  for (size_t i = 0; i < diff.rows.count; i++) {
    const struct prof_diff_row *row = &diff.rows.items[i];
    INSIST(row->verdict <= PROF_VERDICT_SAME && (!row->has_ratio || (row->low <= row->high && row->low >= 0)));
  }
  prof_diff_fini(&diff);
}

static void check_limits(const struct prof_run_group *group) {
  static const char *const texts[] = {"p99 of * < 5ms", "calls of * <= 1.05x baseline", "self share of f > 1%",
                                      "running < 2x baseline"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct prof_limit limit;
    struct prof_limit_checked checked;
    INSIST(prof_limit_parse(texts[i], NULL, &limit) == PROF_OK);
    INSIST(prof_limit_check(&limit, group, group, NULL, &checked) == PROF_OK);
    INSIST(checked.result <= PROF_GATE_UNKNOWN);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  char path[64];
  struct prof_run_group group = {0};
  struct prof_diag diag = {.status = PROF_OK};
  int fd = memfd_create("fuzz_baseline", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
    abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  (void)prof_baseline_is(path);
  if (prof_baseline_read(path, &diag, &group) == PROF_OK) {
    INSIST(group.count > 0);
    compare(&group);
    check_limits(&group);
  } else {
    INSIST(diag.status != PROF_OK && diag.what[0]);
  }
  prof_run_group_fini(&group);
  close(fd);
  return 0;
}
