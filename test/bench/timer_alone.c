/*
 * timer_alone.c - a program beside the timer that samples it, and no sampler.
 *
 *   timer_alone HZ PROGRAM [ARGUMENT...]
 *
 * perf_event_open(2): the same timer of processor time as prof's and perf's sampling, but nobody maps a buffer, so that
 * an interrupt comes and no sample is written.  What the program loses then is the least that sampling can take here.
 * Exit status: the program's; 1 and a message: there is no such timer.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3 || atol(argv[1]) <= 0)
    return fprintf(stderr, "timer_alone HZ PROGRAM [ARGUMENT...]\n"), 1;
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.freq = 1;
  attributes.sample_freq = (unsigned long)atol(argv[1]);
  attributes.sample_type = PERF_SAMPLE_IP;
  attributes.exclude_kernel = geteuid() != 0;
  attributes.disabled = attributes.enable_on_exec = 1;
  if (syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL) < 0) /* stays open across exec */
    return perror("timer_alone: perf_event_open"), 1;
  execvp(argv[2], argv + 2);
  return perror(argv[2]), 1;
}
