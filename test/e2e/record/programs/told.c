/* Tells which signals have reached it.
 *
 * In: MODE (see `modes`).  Out: "ready N" at the start and after each time that it was continued; "taken N" when N
 * signals from keys had come; on SIGUSR1 how often each signal came, and its end with 4.  It calls leaf meanwhile.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "leaf.h"

static volatile sig_atomic_t counts[65];

static void count(int number) {
  counts[number]++;
}

static void stop_again(int number) { /* as an editor does: its own affairs first */
  counts[number]++;
  raise(SIGSTOP);
}

static const int told[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT};

static const struct mode {
  const char *name;
  void (*interrupt)(int); /* for SIGINT, SIGQUIT, SIGTERM, SIGHUP */
  void (*stop)(int);      /* for SIGTSTP */
} modes[] = {
    {"dies", SIG_DFL, SIG_DFL},
    {"counts", count, SIG_DFL},
    {"stays", count, SIG_IGN},
    {"stops", count, stop_again},
};

static void take(int number, void (*handler)(int)) {
  const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(number, &action, NULL);
}

int main(int argc, char **argv) {
  const struct mode *mode = modes;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 1 && !strcmp(argv[1], modes[i].name))
      mode = &modes[i];
  for (size_t i = 0; i < 4; i++)
    take(told[i], mode->interrupt);
  take(SIGTSTP, mode->stop);
  take(SIGCONT, count);
  take(SIGUSR1, count);
  setvbuf(stdout, NULL, _IOLBF, 0);
  int continued = -1, taken = 0;
  for (long i = 0; !counts[SIGUSR1]; i++) {
    leaf(i);
    if (continued != counts[SIGCONT])
      printf("ready %d\n", continued = counts[SIGCONT]);
    if (taken != counts[SIGINT] + counts[SIGQUIT])
      printf("taken %d\n", taken = counts[SIGINT] + counts[SIGQUIT]);
    usleep(100);
  }
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    printf("%s %d\n", sigabbrev_np(told[i]), counts[told[i]]);
  return 4;
}
