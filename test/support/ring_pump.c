/*
 * ring_pump.c SEGMENTS THREAD_SEGMENTS wait|drop PROGRAM ARGS... - runs a program with a test double of the recorder.
 *
 * For tests that compare counts: prints one line per process image and thread record, and a sum.  Exit status: the
 * program's.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring_double.h"

struct sums {
  uint64_t kinds[PROF_EVENT_KINDS];
};

static void count(void *context, uint32_t thread, const struct prof_event *event) {
  (void)thread;
  ((struct sums *)context)->kinds[prof_event_kind(event->what)]++;
}

static uint32_t log_print(const struct ring_double *ring) {
  uint64_t offset = 0;
  uint32_t processes = 0;
  const struct prof_log_head *head;
  while ((head = ring_double_log(ring, &offset))) {
    if (head->kind == PROF_LOG_PROCESS) {
      const struct prof_log_process *process = (const void *)head;
      printf("process %u parent %u cost %u %s\n", process->process, process->parent, process->body_ticks_x1000,
             (const char *)(process + 1));
      processes++;
    } else if (head->kind == PROF_LOG_MODULE) {
      const struct prof_log_module *module = (const void *)head;
      printf("module of %u sites %u+%u skipped %u %s\n", module->process, module->first_site, module->site_count,
             module->skipped, (const char *)(module + 1));
    } else if (head->kind == PROF_LOG_ERROR) {
      printf("error %s\n", (const char *)((const struct prof_log_number *)(const void *)head + 1));
    }
  }
  return processes;
}

int main(int argc, char **argv) {
  static struct ring_double ring;
  static struct ring_reader readers[2048];
  struct sums sums = {{0}};
  if (argc < 5)
    return 2;
  ring_double_open(&ring, (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]),
                   strcmp(argv[3], "drop") == 0 ? PROF_WHEN_FULL_DROP : PROF_WHEN_FULL_WAIT);
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[4], argv + 4);
    _exit(127);
  }
  int status = 0;
  bool over = false;
  uint64_t lost = 0, holes = 0;
  for (;;) {
    ring.control->heartbeat++;
    for (uint32_t i = 0; i < ring.control->threads_used; i++)
      ring_double_drain(&ring, &readers[i], i, over, count, &sums);
    if (over)
      break;
    over = waitpid(child, &status, WNOHANG) == child;
    usleep(100);
  }
  for (uint32_t i = 0; i < ring.control->threads_used; i++) {
    lost += ring.threads[i].lost;
    holes += readers[i].holes;
  }
  uint32_t processes = log_print(&ring);
  printf("processes %u threads %u entries %lu exits %lu landed %lu frames %lu stalls %lu gaps %lu stops %lu lost %lu "
         "holes %lu\n",
         processes, ring.control->threads_used, sums.kinds[1], sums.kinds[2], sums.kinds[3], sums.kinds[4],
         sums.kinds[5], sums.kinds[7], sums.kinds[8], lost, holes);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
