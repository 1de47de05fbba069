/*
 * test/fault/unfinished.c - recordings that are not whole, read by every reader in every format.
 *
 *   unfinished [--each=N] [--programs] RECORDING...
 *   unfinished --says=TEXT RECORDING...
 *   unfinished --as-it-is RECORDING...
 *
 * Of each recording: one without any chunk of a kind, for every kind in it, and one that ends behind each chunk; of
 * them every Nth.  No reader may die, hang, print broken JSON, or show nothing where there are calls; when END is
 * missing, each says so, and else which kind is.  --programs: also readers that start other programs, and each variant
 * for a reader that takes long.  --says: the recordings as they are, which have calls and no END; each reader says
 * TEXT.  --as-it-is: the same, of recordings that have calls, and may have an END; of a summary, readers may say that
 * it has no single calls.
 */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "reader_runs.h"
#include "trace/chunk_kinds.h"

#define SECONDS 120 /* one reader: far more than any needs */
#define KINDS 64
#define DEAR_EACH 4 /* every so many variants, the first among them */
#define FAULTS_SHOWN 20

struct chunk {
  size_t begin, end;
  uint16_t kind;
};

struct whole { /* a recording, taken apart */
  uint8_t *data;
  size_t bytes;
  PROF_VEC(struct chunk) chunks;
};

struct variant {
  char name[64];
  bool has_end, has_events, is_summary;
  char lacks[48];   /* what readers say if it has an END */
  const char *path; /* what readers are given */
  PROF_VEC(uint8_t) data;
};

struct shared { /* with the child */
  size_t run;
  unsigned long variants, runs, faults;
};

static struct shared *shared;
static bool programs;
static const char *says = "cut short";
static struct scratch { /* files without a disk beneath them */
  int fd;
  char path[32];
} trace, out, error;

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static void load(const char *path, struct whole *whole) {
  char inside[PATH_MAX];
  struct stat status;
  snprintf(inside, sizeof inside, "%s%s", path, stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? "/trace" : "");
  int fd = open(inside, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status))
    fail(inside);
  *whole = (struct whole){.bytes = (size_t)status.st_size};
  whole->data = malloc(whole->bytes + 1);
  if (!whole->data || read(fd, whole->data, whole->bytes) != (ssize_t)whole->bytes)
    fail(inside);
  close(fd);
  for (size_t at = sizeof(struct prof_format_file); at + sizeof(struct prof_format_chunk) <= whole->bytes;) {
    struct prof_format_chunk head;
    memcpy(&head, whole->data + at, sizeof head);
    size_t bytes = sizeof head + (head.packed_bytes + (size_t)PROF_FORMAT_ALIGNMENT - 1) / PROF_FORMAT_ALIGNMENT *
                                     PROF_FORMAT_ALIGNMENT;
    if (head.magic != PROF_FORMAT_CHUNK_MAGIC || bytes > whole->bytes - at)
      break;
    if (!prof_vec_push(&whole->chunks, ((struct chunk){at, at + bytes, head.kind})))
      fail(inside);
    at += bytes;
  }
}

static void add_bytes(struct variant *variant, const uint8_t *from, size_t bytes) {
  if (!prof_vec_reserve(&variant->data, bytes))
    fail("memory");
  memcpy(variant->data.items + variant->data.count, from, bytes);
  variant->data.count += bytes;
}

/* The first `count` chunks of it, but for those of kind `without`. */
static void make(const struct whole *whole, size_t count, uint16_t without, struct variant *variant) {
  variant->data.count = 0;
  variant->has_end = variant->has_events = false;
  unsigned left_out = 0;
  add_bytes(variant, whole->data, sizeof(struct prof_format_file));
  for (size_t i = 0; i < count; i++) {
    const struct chunk *chunk = &whole->chunks.items[i];
    left_out += chunk->kind == without;
    if (chunk->kind == without)
      continue;
    add_bytes(variant, whole->data + chunk->begin, chunk->end - chunk->begin);
    variant->has_end |= chunk->kind == PROF_FORMAT_END;
    variant->has_events |= chunk->kind == PROF_FORMAT_EVENTS;
  }
  bool counted = left_out > 0 && without != PROF_FORMAT_PACK; /* that is appended behind END */
  variant->lacks[0] = 0;
  if (counted)
    snprintf(variant->lacks, sizeof variant->lacks, "%u of %u %s", left_out, left_out, prof_chunk_kind_name(without));
}

static void scratch_open(struct scratch *scratch, const char *name) {
  scratch->fd = memfd_create(name, MFD_CLOEXEC);
  if (scratch->fd < 0)
    fail(name);
  snprintf(scratch->path, sizeof scratch->path, "/proc/self/fd/%d", scratch->fd);
}

static void scratch_clear(const struct scratch *scratch) {
  if (ftruncate(scratch->fd, 0) || lseek(scratch->fd, 0, SEEK_SET))
    fail(scratch->path);
}

static char *scratch_text(const struct scratch *scratch, size_t *bytes) {
  struct stat status;
  if (fstat(scratch->fd, &status))
    fail(scratch->path);
  char *text = calloc((size_t)status.st_size + 1, 1);
  if (!text || pread(scratch->fd, text, (size_t)status.st_size, 0) != status.st_size)
    fail(scratch->path);
  *bytes = (size_t)status.st_size;
  return text;
}

static void tell(const char *recording, const struct variant *variant, const char *what) {
  char name[200];
  reader_run_name(&reader_runs[shared->run], name, sizeof name);
  if (shared->faults++ < FAULTS_SHOWN)
    fprintf(stderr, "%s, %s: prof %s: %s\n", recording, variant->name, name, what);
}

static void judge(const struct reader_run *run, const struct variant *variant, int status, char *problem,
                  size_t problem_bytes) {
  size_t out_bytes, error_bytes;
  char *said = scratch_text(&out, &out_bytes), *complained = scratch_text(&error, &error_bytes);
  bool needs_calls = variant->is_summary && strstr(complained, "a summary has no single calls");
  bool found_faulty = run->flags & READER_JUDGES && status == 1; /* its words are its own */
  problem[0] = 0;
  if (status < 0 || status > 2)
    snprintf(problem, problem_bytes, "status %d: %.200s", status, complained);
  else if (status != 0 && !strstr(complained, "prof: ") && !found_faulty)
    snprintf(problem, problem_bytes, "failed without a word");
  else if (status != 0 && run->flags & READER_ANY && variant->has_events && !needs_calls)
    snprintf(problem, problem_bytes, "there are calls, but: %.200s", complained);
  else if (run->flags & READER_JSON && (status == 0 || out_bytes > 0) && !reader_json_is_right(said, out_bytes))
    snprintf(problem, problem_bytes, "broken JSON: %.100s", said);
  else if (!variant->has_end && !found_faulty && !strstr(said, says) && !strstr(complained, says))
    snprintf(problem, problem_bytes, "doesn't say \"%s\" (status %d): %.200s", says, status, complained);
  else if (variant->has_end && !found_faulty && !strstr(said, variant->lacks) && !strstr(complained, variant->lacks))
    snprintf(problem, problem_bytes, "doesn't say \"%s\" (status %d): %.200s", variant->lacks, status, complained);
  else if (variant->has_end && !variant->lacks[0] && strstr(complained, "the file lacks"))
    snprintf(problem, problem_bytes, "lacks nothing, but: %.200s", complained);
  free(said);
  free(complained);
}

static void child(const char *recording, const struct variant *variant) {
  int own = dup(STDERR_FILENO);
  if (own < 0 || dup2(out.fd, STDOUT_FILENO) < 0)
    fail("streams");
  for (shared->run = 0; shared->run < reader_run_count; shared->run++) {
    const struct reader_run *run = &reader_runs[shared->run];
    char problem[400];
    if (!programs && (run->flags & READER_PROGRAMS || (run->flags & READER_DEAR && shared->variants % DEAR_EACH)))
      continue;
    scratch_clear(&out);
    scratch_clear(&error);
    dup2(error.fd, STDERR_FILENO);
    alarm(SECONDS);
    int status = reader_run(run, variant->path);
    alarm(0);
    fflush(stdout);
    fflush(stderr);
    dup2(own, STDERR_FILENO);
    judge(run, variant, status, problem, sizeof problem);
    if (problem[0])
      tell(recording, variant, problem);
    shared->runs++;
  }
  _exit(0);
}

static void try(const char *recording, const struct variant *variant) {
  int status;
  pid_t pid = fork();
  if (pid == 0)
    child(recording, variant);
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    fail("fork");
  shared->variants++;
  if (!WIFSIGNALED(status) && WEXITSTATUS(status) == 0)
    return;
  char what[60];
  size_t error_bytes;
  snprintf(what, sizeof what, WIFSIGNALED(status) ? "died of signal %d" : "exited with %d",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  tell(recording, variant, what);
  char *complained = scratch_text(&error, &error_bytes); /* what a sanitizer said */
  if (shared->faults < FAULTS_SHOWN)
    fprintf(stderr, "%.3000s", complained);
  free(complained);
}

static void try_data(const char *recording, const struct variant *variant) {
  scratch_clear(&trace);
  if (write(trace.fd, variant->data.items, variant->data.count) != (ssize_t)variant->data.count)
    fail(trace.path);
  try(recording, variant);
}

static void try_all(const char *recording, unsigned long each, unsigned long *count) {
  struct whole whole;
  struct variant variant = {.path = trace.path};
  load(recording, &whole);
  for (uint16_t kind = 1; kind < KINDS; kind++) {
    bool is_there = false;
    for (size_t i = 0; i < whole.chunks.count; i++)
      is_there |= whole.chunks.items[i].kind == kind;
    if (!is_there || (*count)++ % each)
      continue;
    snprintf(variant.name, sizeof variant.name, "without kind %u", kind);
    make(&whole, whole.chunks.count, kind, &variant);
    try_data(recording, &variant);
  }
  for (size_t i = 0; i <= whole.chunks.count; i++) {
    if (i < whole.chunks.count && (*count)++ % each) /* the whole one always */
      continue;
    snprintf(variant.name, sizeof variant.name, "%zu of %zu chunks", i, whole.chunks.count);
    make(&whole, i, 0, &variant);
    try_data(recording, &variant);
  }
  free(whole.data);
  prof_vec_fini(&whole.chunks);
  prof_vec_fini(&variant.data);
}

static void try_as_it_is(const char *recording, bool may_end) {
  struct variant variant = {.name = "as it is", .has_events = true, .path = recording};
  struct whole whole;
  load(recording, &whole);
  for (size_t i = 0; i < whole.chunks.count; i++) {
    variant.has_end |= may_end && whole.chunks.items[i].kind == PROF_FORMAT_END;
    variant.is_summary |= whole.chunks.items[i].kind == PROF_FORMAT_SUMMARY;
  }
  try(recording, &variant);
  free(whole.data);
  prof_vec_fini(&whole.chunks);
}

int main(int argc, char **argv) {
  unsigned long each = 1, count = 0;
  bool as_it_is = false, may_end = false;
  int first = 1;
  for (; first < argc && !strncmp(argv[first], "--", 2); first++) {
    programs |= !strcmp(argv[first], "--programs");
    if (!strncmp(argv[first], "--each=", 7))
      each = strtoul(argv[first] + 7, NULL, 10);
    if (!strncmp(argv[first], "--says=", 7)) {
      says = argv[first] + 7;
      as_it_is = true;
    }
    may_end |= !strcmp(argv[first], "--as-it-is");
    as_it_is |= may_end;
  }
  if (first == argc || each == 0) {
    fputs("usage: unfinished [--each=N] [--programs] [--says=TEXT] [--as-it-is] RECORDING...\n", stderr);
    return 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    fail("memory");
  scratch_open(&trace, "trace");
  scratch_open(&out, "out");
  scratch_open(&error, "error");
  for (int i = first; i < argc; i++)
    if (as_it_is)
      try_as_it_is(argv[i], may_end);
    else
      try_all(argv[i], each, &count);
  printf("%lu readings, %lu faults\n", shared->runs, shared->faults);
  return shared->faults || !shared->runs;
}
