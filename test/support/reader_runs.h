/*
 * test/support/reader_runs.h - runs every reader in every format within this process, as `prof` does.
 *
 * For tests with unusual traces.  Output goes to this process's streams.
 */
#ifndef PROF_TEST_READER_RUNS_H
#define PROF_TEST_READER_RUNS_H

#include <stdbool.h>
#include <stddef.h>

enum reader_run_flags {
  READER_JSON = 1,     /* prints JSON */
  READER_ANY = 2,      /* succeeds for each recording with calls: status 0 */
  READER_PROGRAMS = 4, /* starts other programs: slow, and not for a fuzzer */
  READER_WRITES = 8,   /* changes the recording */
  READER_JUDGES = 16,  /* its status is its answer: 1 where the recording isn't whole */
  READER_DEAR = 32,    /* takes as long as all others together */
};

struct reader_run {
  unsigned flags;
  const char *words[6]; /* command and options, without -i; "@" at the end of one is the recording */
};

extern const struct reader_run reader_runs[];
extern const size_t reader_run_count;

/* Runs one on a recording (a folder or a trace file); returns the exit status. */
int reader_run(const struct reader_run *, const char *input);

/* "report --format=json" */
void reader_run_name(const struct reader_run *, char *to, size_t bytes);

/* Is it one JSON value, and nothing else?  Syntax only. */
bool reader_json_is_right(const char *text, size_t bytes);

#endif
