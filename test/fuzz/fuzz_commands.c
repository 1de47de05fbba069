/*
 * test/fuzz/fuzz_commands.c - any bytes as a trace, read by whole commands: fold, samples, lines, loops, exports, JSON.
 *
 * A long hunt runs two of them on each input, chosen by its bytes; in a test run all of them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "reader_runs.h"
#include "trace_input.h"

#ifdef FUZZ_WHOLE
#define CHOSEN 0 /* all */
#else
#define CHOSEN 2
#endif
#define USAGE 2 /* the greatest status that a reader ends with */

void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static size_t chosen; /* by the input */

static void run(size_t at, const char *path) {
  const struct reader_run *command = &reader_runs[at % reader_run_count];
  if (command->flags & READER_PROGRAMS)
    return;
  int status = reader_run(command, path);
  if (status < 0 || status > USAGE)
    abort();
}

static void read_all(const char *path) {
  for (size_t i = 0; i < (CHOSEN ? CHOSEN : reader_run_count); i++)
    run(CHOSEN ? chosen / (i ? reader_run_count : 1) : i, path);
}

/* Nobody reads what they say; reports of sanitizers go where they went before. */
static int null_stream(void) {
  static int null = -1;
  if (null >= 0)
    return null;
  null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (__sanitizer_set_report_fd)
    __sanitizer_set_report_fd((void *)(intptr_t)dup(STDERR_FILENO));
  return null;
}

static int turn(int stream) {
  int kept = dup(stream);
  dup2(null_stream(), stream);
  return kept;
}

static void turn_back(int stream, int kept) {
  dup2(kept, stream);
  close(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  fflush(stdout);
  int out = turn(STDOUT_FILENO), error = turn(STDERR_FILENO);
  chosen = crc32(0, data, (uInt)bytes);
  fuzz_trace_input(data, bytes, read_all);
  fflush(stdout);
  turn_back(STDOUT_FILENO, out);
  turn_back(STDERR_FILENO, error);
  return 0;
}
