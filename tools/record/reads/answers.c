/*
 * tools/record/reads/answers.c - see answers.h.
 *
 * `prof answer` writes a struct prof_read_answer for each name to its standard output.  Whatever goes wrong there, the
 * answer is that there are no figures.
 */
#include "record/reads/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 50 /* between two looks whether the answer is still wanted */

enum { WORDS_BEFORE_NAMES = 7 };

struct reader { /* a process of `prof answer` */
  pid_t pid;
  int output;
};

/* With our standard descriptors closed, or ours for the pipe, the order matters: 1 first. */
static bool spawn(struct reader *reader, int write_end, char *const *words) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  if (posix_spawn_file_actions_init(&actions) != 0)
    return false;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return false;
  }
  bool good = posix_spawn_file_actions_adddup2(&actions, write_end, 1) == 0 &&
              posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
              posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
              posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
              posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
              posix_spawn(&reader->pid, "/proc/self/exe", &actions, &attributes, words, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return good;
}

static bool start(struct reader *reader, char *const *words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  bool good = spawn(reader, ends[1], words);
  close(ends[1]);
  reader->output = ends[0];
  if (!good)
    close(ends[0]);
  return good;
}

/* Does a thread wait for one of the answers, and does the recording go on? */
static bool is_wanted(const struct prof_answers *answers, pid_t pid) {
  bool waits = false;
  for (size_t i = 0; i < answers->slots.count; i++)
    waits |= answers->slots.batch[i].pid == pid && prof_read_slots_waits(answers->region, &answers->slots.batch[i]);
  return waits && !__atomic_load_n(&answers->ends, __ATOMIC_ACQUIRE);
}

/* Returns the bytes that came before the end of the output. */
static size_t read_all(const struct prof_answers *answers, const struct reader *reader, pid_t asker, void *out,
                       size_t bytes) {
  size_t used = 0;
  while (used < bytes && is_wanted(answers, asker)) {
    struct pollfd look = {.fd = reader->output, .events = POLLIN};
    if (poll(&look, 1, LOOK_MS) <= 0)
      continue;
    ssize_t got = read(reader->output, (char *)out + used, bytes - used);
    if (got <= 0)
      break;
    used += (size_t)got;
  }
  return used;
}

static void end(struct prof_answers *answers, const struct reader *reader) {
  struct rusage usage;
  int status;
  close(reader->output);
  kill(reader->pid, SIGKILL); /* it has written all, or is not wanted any more */
  pid_t got;
  while ((got = wait4(reader->pid, &status, 0, &usage)) < 0 && errno == EINTR)
    ;
  if (got == reader->pid)
    answers->cpu_ns += ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000000000u +
                       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000u;
}

/* Finds figures of a process for requests of the batch, by their numbers in it. */
static void ask_reader(struct prof_answers *answers, pid_t pid, const size_t *asked, size_t count,
                       struct prof_read_answer *found) {
  char name[] = "prof", command[] = "answer", input[] = "-i", dashes[] = "--", processes[32];
  char *words[WORDS_BEFORE_NAMES + PROF_READ_SLOTS + 1] = {name, command, input, answers->folder, processes, dashes};
  size_t used = 6;
  struct reader reader;
  snprintf(processes, sizeof processes, "--pid=%ld", (long)pid);
  for (size_t i = 0; i < count; i++)
    words[used++] = answers->slots.batch[asked[i]].name;
  if (!start(&reader, words))
    return;
  size_t whole = read_all(answers, &reader, pid, found, count * sizeof *found) / sizeof *found;
  memset(found + whole, 0, (count - whole) * sizeof *found);
  end(answers, &reader);
}

/* All requests of one process, from a first one on. */
static void answer_process(struct prof_answers *answers, size_t first, bool *done) {
  struct prof_read_answer found[PROF_READ_SLOTS] = {{0}};
  const struct prof_read_request *batch = answers->slots.batch;
  size_t asked[PROF_READ_SLOTS], count = 0;
  for (size_t i = first; i < answers->slots.count; i++)
    if (batch[i].pid == batch[first].pid)
      asked[count++] = i;
  if (batch[first].pid > 0 && is_wanted(answers, batch[first].pid))
    ask_reader(answers, batch[first].pid, asked, count, found);
  for (size_t i = 0; i < count; i++) {
    found[i].figures.time_ns = found[i].found ? answers->time_ns : 0;
    prof_read_slots_give(answers->region, &batch[asked[i]], &found[i]);
    done[asked[i]] = true;
  }
}

static void *run(void *context) {
  struct prof_answers *answers = context;
  bool done[PROF_READ_SLOTS] = {false};
  for (size_t i = 0; i < answers->slots.count; i++)
    if (!done[i])
      answer_process(answers, i, done);
  __atomic_store_n(&answers->busy, 0, __ATOMIC_RELEASE);
  prof_region_ring_bell(answers->region); /* the next batch waits */
  return NULL;
}

static void join(struct prof_answers *answers) {
  if (answers->started)
    pthread_join(answers->thread, NULL);
  answers->started = false;
}

bool prof_answers_busy(const struct prof_answers *answers) {
  return __atomic_load_n(&answers->busy, __ATOMIC_ACQUIRE) != 0;
}

size_t prof_answers_take(struct prof_answers *answers, struct prof_region *region,
                         const struct prof_processes *processes, uint64_t now_ns) {
  join(answers);
  answers->region = region;
  answers->time_ns = now_ns;
  size_t count = prof_read_slots_take(&answers->slots, region, processes, now_ns);
  __atomic_store_n(&answers->busy, count > 0, __ATOMIC_RELEASE);
  return count;
}

void prof_answers_begin(struct prof_answers *answers, const struct prof_processes *processes, const char *folder) {
  prof_read_slots_find_pids(&answers->slots, processes);
  snprintf(answers->folder, sizeof answers->folder, "%s", folder);
  answers->started = pthread_create(&answers->thread, NULL, run, answers) == 0; /* the pump blocks all signals */
  if (!answers->started)
    prof_answers_refuse(answers);
}

void prof_answers_refuse(struct prof_answers *answers) {
  const struct prof_read_answer none = {0};
  for (size_t i = 0; i < answers->slots.count; i++)
    prof_read_slots_give(answers->region, &answers->slots.batch[i], &none);
  answers->slots.count = 0;
  __atomic_store_n(&answers->busy, 0, __ATOMIC_RELEASE);
}

void prof_answers_end(struct prof_answers *answers) {
  __atomic_store_n(&answers->ends, 1, __ATOMIC_RELEASE);
  join(answers);
  if (prof_answers_busy(answers))
    prof_answers_refuse(answers);
}
