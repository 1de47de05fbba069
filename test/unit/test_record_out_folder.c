/*
 * test_record_out_folder.c - folders of recordings: made, moved aside, left alone; ranks of a job together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/out_folder.h"

static char top[64];
static const struct prof_rank alone;

static const char *in_top(const char *name) {
  static char paths[4][256];
  static int turn;
  char *path = paths[turn++ % 4];
  snprintf(path, 256, "%s/%s", top, name);
  return path;
}

static int setup(void **state) {
  (void)state;
  strcpy(top, "/tmp/prof-test.XXXXXX");
  return mkdtemp(top) != NULL ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", top);
  return system(command);
}

static void put(const char *name, const char *text) {
  FILE *file = fopen(in_top(name), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static bool holds(const char *name, const char *text) {
  char found[64] = "";
  FILE *file = fopen(in_top(name), "r");
  if (file == NULL)
    return false;
  bool same = fgets(found, sizeof found, file) != NULL && strcmp(found, text) == 0;
  fclose(file);
  return same;
}

static prof_status open_folder(const char *name, const struct prof_rank *rank) {
  struct prof_diag diag = {0};
  struct prof_out_folder out;
  prof_status status = prof_out_folder_open(in_top(name), rank, &diag, &out);
  assert_true(status == PROF_OK || diag.what[0] != 0);
  return status;
}

/* Opens and writes a trace, as the recorder does. */
static prof_status record(const char *name, const struct prof_rank *rank, const char *text) {
  struct prof_diag diag;
  struct prof_out_folder out;
  char file[PATH_MAX + 8];
  prof_status status = prof_out_folder_open(in_top(name), rank, &diag, &out);
  if (status != PROF_OK)
    return status;
  snprintf(file, sizeof file, "%s/trace", out.path);
  FILE *trace = fopen(file, "wx");
  assert_non_null(trace);
  fputs(text, trace);
  fclose(trace);
  return prof_out_folder_settle(&out, &diag);
}

static void rotation(void **state) {
  (void)state;
  struct stat status;
  assert_int_equal(record("d", &alone, "1"), PROF_OK);
  assert_int_equal(stat(in_top("d"), &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  assert_int_equal(record("d/", &alone, "2"), PROF_OK);
  assert_int_equal(record("d", &alone, "3"), PROF_OK);
  assert_true(holds("d/trace", "3"));
  assert_true(holds("d.old/trace", "2"));
}

static void an_empty_folder_is_used(void **state) {
  (void)state;
  assert_int_equal(mkdir(in_top("d"), 0755), 0);
  assert_int_equal(record("d", &alone, "1"), PROF_OK);
  assert_int_equal(access(in_top("d.old"), F_OK), -1);
}

static void what_is_not_ours_stays(void **state) {
  (void)state;
  assert_int_equal(mkdir(in_top("d"), 0755), 0);
  put("d/trace", "mine");
  put("d/letter", "mine");
  assert_int_equal(open_folder("d", &alone), PROF_USAGE);
  assert_true(holds("d/letter", "mine"));
  put("file", "mine");
  assert_int_equal(open_folder("file", &alone), PROF_USAGE);
  assert_true(holds("file", "mine"));
  assert_int_equal(symlink("d", in_top("link")), 0);
  assert_int_equal(open_folder("link", &alone), PROF_USAGE);
  assert_true(holds("d/trace", "mine"));
}

/* What a recorder that was killed left while it replaced the trace. */
static void an_unfinished_trace_is_ours(void **state) {
  (void)state;
  assert_int_equal(mkdir(in_top("d"), 0755), 0);
  put("d/trace.next", "1");
  assert_int_equal(record("d", &alone, "2"), PROF_OK);
  assert_true(holds("d/trace", "2") && holds("d.old/trace.next", "1"));
}

/* The .old that would be deleted holds something else. */
static void what_is_not_ours_stays_behind(void **state) {
  (void)state;
  assert_int_equal(record("d", &alone, "1"), PROF_OK);
  assert_int_equal(mkdir(in_top("d.old"), 0755), 0);
  put("d.old/letter", "mine");
  assert_int_equal(open_folder("d", &alone), PROF_USAGE);
  assert_true(holds("d.old/letter", "mine"));
  assert_true(holds("d/trace", "1"));
}

static void folders_in_rank_folders_stay(void **state) {
  (void)state;
  assert_int_equal(mkdir(in_top("d"), 0755), 0);
  assert_int_equal(mkdir(in_top("d/rank-1"), 0755), 0);
  assert_int_equal(mkdir(in_top("d/rank-1/trace"), 0755), 0);
  put("d/rank-1/trace/letter", "mine");
  struct prof_diag diag;
  struct prof_out_folder out;
  for (int i = 0; i < 2; i++)
    if (prof_out_folder_open(in_top("d"), &alone, &diag, &out) == PROF_OK)
      (void)!prof_out_folder_settle(&out, &diag);
  assert_true(holds("d/rank-1/trace/letter", "mine") || holds("d.old/rank-1/trace/letter", "mine"));
}

/* Parts, and those of ranks, are moved and deleted with their recording; a part in a part is not ours. */
static void parts_go_along(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_out_folder out;
  assert_int_equal(mkdir(in_top("d"), 0755), 0);
  assert_int_equal(mkdir(in_top("d/part-0001"), 0755), 0);
  put("d/part-0001/trace", "1");
  assert_int_equal(mkdir(in_top("d/rank-0"), 0755), 0);
  assert_int_equal(mkdir(in_top("d/rank-0/part-0002"), 0755), 0);
  put("d/rank-0/part-0002/trace", "2");
  assert_int_equal(record("d", &alone, "3"), PROF_OK);
  assert_true(holds("d/trace", "3"));
  assert_true(holds("d.old/part-0001/trace", "1") && holds("d.old/rank-0/part-0002/trace", "2"));
  assert_int_equal(record("d", &alone, "4"), PROF_OK);
  assert_true(holds("d.old/trace", "3") && !holds("d.old/part-0001/trace", "1"));
  unlink(in_top("d/trace"));
  assert_int_equal(mkdir(in_top("d/part-0001"), 0755), 0);
  assert_int_equal(mkdir(in_top("d/part-0001/part-0001"), 0755), 0);
  put("d/part-0001/part-0001/trace", "mine");
  assert_int_equal(prof_out_folder_open(in_top("d"), &alone, &diag, &out), PROF_USAGE);
  assert_true(holds("d/part-0001/part-0001/trace", "mine"));
}

static struct prof_rank rank_of(uint32_t number, const char *job, bool certain) {
  struct prof_rank rank = {.there = true, .number = number, .certain = certain};
  snprintf(rank.job, sizeof rank.job, "%s", job);
  return rank;
}

static void ranks(void **state) {
  (void)state;
  for (int job = 1; job <= 3; job++)
    for (uint32_t number = 0; number < 3; number++) {
      char name[8], text[8];
      snprintf(name, sizeof name, "j%d", job);
      snprintf(text, sizeof text, "%d.%u", job, number);
      struct prof_rank rank = rank_of((number + (uint32_t)job) % 3, name, true);
      assert_int_equal(record("d", &rank, text), PROF_OK);
    }
  assert_true(holds("d/rank-0/trace", "3.0"));
  assert_true(holds("d/rank-1/trace", "3.1"));
  assert_true(holds("d.old/rank-2/trace", "2.0"));
}

static void ranks_without_a_job(void **state) {
  (void)state;
  for (int job = 1; job <= 3; job++)
    for (uint32_t number = 0; number < 3; number++) {
      char text[8];
      snprintf(text, sizeof text, "%d.%u", job, number);
      struct prof_rank rank = rank_of(number, "session", false);
      assert_int_equal(record("d", &rank, text), PROF_OK);
    }
  for (uint32_t number = 0; number < 3; number++) {
    char path[32], text[8];
    snprintf(path, sizeof path, "d/rank-%u/trace", number);
    snprintf(text, sizeof text, "3.%u", number);
    assert_true(holds(path, text));
  }
  assert_true(holds("d.old/rank-1/trace", "2.1"));
}

static void undo(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_out_folder out;
  assert_int_equal(prof_out_folder_open(in_top("d"), &alone, &diag, &out), PROF_OK);
  prof_out_folder_undo(out.path);
  assert_int_equal(access(in_top("d"), F_OK), -1);
}

/* Until a recording has something to hold, the older one stays; and it stays if nothing comes. */
static void an_empty_recording_moves_nothing(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_out_folder out;
  assert_int_equal(record("d", &alone, "1"), PROF_OK);
  assert_int_equal(record("d", &alone, "2"), PROF_OK);
  assert_int_equal(prof_out_folder_open(in_top("d"), &alone, &diag, &out), PROF_OK);
  assert_true(holds("d/trace", "2"));
  assert_true(holds("d.old/trace", "1"));
  assert_string_not_equal(out.path, in_top("d"));
  prof_out_folder_undo(out.path);
  assert_int_equal(access(out.path, F_OK), -1);
  assert_true(holds("d/trace", "2"));
  assert_true(holds("d.old/trace", "1"));
  assert_int_equal(record("d", &alone, "3"), PROF_OK);
  assert_true(holds("d/trace", "3"));
  assert_true(holds("d.old/trace", "2"));
}

static void bad_names(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_out_folder out;
  char long_name[PATH_MAX + 2];
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  assert_int_equal(prof_out_folder_open("", &alone, &diag, &out), PROF_USAGE);
  assert_int_equal(prof_out_folder_open(long_name, &alone, &diag, &out), PROF_USAGE);
  assert_int_equal(open_folder("no/where", &alone), PROF_NOT_FOUND);
}

static void environment_of_launchers(void **state) {
  (void)state;
  struct prof_rank rank;
  unsetenv("PMI_RANK"), unsetenv("PMIX_RANK"), unsetenv("SLURM_PROCID"), unsetenv("OMPI_COMM_WORLD_RANK");
  unsetenv("SLURM_JOB_ID"), unsetenv("PMIX_NAMESPACE"), unsetenv("OMPI_MCA_ess_base_jobid");
  prof_rank_find(&rank);
  assert_false(rank.there);
  setenv("SLURM_PROCID", "12", 1), setenv("SLURM_JOB_ID", "99", 1), setenv("SLURM_STEP_ID", "4", 1);
  prof_rank_find(&rank);
  assert_true(rank.there && rank.certain);
  assert_int_equal(rank.number, 12);
  assert_string_equal(rank.job, "99.4.");
  setenv("SLURM_PROCID", "-1", 1);
  prof_rank_find(&rank);
  assert_false(rank.there);
  setenv("PMI_RANK", "3", 1);
  prof_rank_find(&rank);
  assert_true(rank.there && !rank.certain && rank.job[0] != 0);
  unsetenv("PMI_RANK"), unsetenv("SLURM_PROCID"), unsetenv("SLURM_JOB_ID");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(rotation),
      CASE(an_empty_folder_is_used),
      CASE(what_is_not_ours_stays),
      CASE(an_unfinished_trace_is_ours),
      CASE(what_is_not_ours_stays_behind),
      CASE(folders_in_rank_folders_stay),
      CASE(parts_go_along),
      CASE(ranks),
      CASE(ranks_without_a_job),
      CASE(undo),
      CASE(an_empty_recording_moves_nothing),
      CASE(bad_names),
      cmocka_unit_test(environment_of_launchers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
