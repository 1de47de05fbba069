/*
 * test/e2e/record/programs/clock_back.c - a double of the C library's wall clock, to be preloaded into `prof record`.
 *
 * Once the file is there that CLOCK_BACK names, the clock is set back by a day, as an administrator or NTP might do.
 * Steady clocks are left alone.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { DAY_S = 86400 };

static const char *file;

__attribute__((constructor)) static void begin(void) {
  file = getenv("CLOCK_BACK");
  unsetenv("LD_PRELOAD"); /* not the program */
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long failed = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME && failed == 0 && file && access(file, F_OK) == 0)
    now->tv_sec -= DAY_S;
  return (int)failed;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out)
    *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
