/*
 * owner.c - a program that begins as root may become another user's.  libc changes the user of its own threads only, so
 * a thread of ours follows by itself: it must not stay root's in a program that has given that up.
 *
 * In: /proc/self/status (proc(5)), of the first thread.  Changing the user makes a process's memory unreadable to
 * others; the program decides that, so the setting is kept.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "owner.h"
#include "system.h"

#define STATUS_BYTES 1024

struct ids { /* real, effective, saved */
  uint32_t user[3], group[3];
};

static const char *numbers_read(const char *at, uint32_t out[3]) {
  for (int i = 0; i < 3; i++) {
    while (*at == ' ' || *at == '\t')
      at++;
    for (out[i] = 0; *at >= '0' && *at <= '9'; at++)
      out[i] = out[i] * 10 + (uint32_t)(*at - '0');
  }
  return at;
}

/* false: not known. */
static bool ids_read(struct ids *ids) {
  char text[STATUS_BYTES];
  long fd = prof_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/status", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0)
    return false;
  long got = prof_syscall(SYS_read, fd, (long)text, sizeof text - 1, 0, 0, 0);
  prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  text[got > 0 ? got : 0] = 0;
  int found = 0;
  for (const char *at = text; *at && found < 2; at++) {
    bool line = at > text && at[-1] == '\n' && at[1] == 'i' && at[2] == 'd' && at[3] == ':';
    if (line && (*at == 'U' || *at == 'G')) {
      at = numbers_read(at + 4, *at == 'U' ? ids->user : ids->group);
      found++;
    }
  }
  return found == 2;
}

bool prof_owner_may_change(void) {
  return prof_syscall(SYS_geteuid, 0, 0, 0, 0, 0, 0) == 0 || prof_syscall(SYS_getuid, 0, 0, 0, 0, 0, 0) == 0;
}

void prof_owner_follow(void) {
  struct ids now;
  if (!prof_owner_may_change() || !ids_read(&now) || now.user[0] == 0 || now.user[1] == 0)
    return;
  long dumpable = prof_syscall(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0, 0);
  prof_syscall(SYS_setgroups, 0, 0, 0, 0, 0, 0);
  prof_syscall(SYS_setresgid, now.group[0], now.group[1], now.group[2], 0, 0, 0);
  prof_syscall(SYS_setresuid, now.user[0], now.user[1], now.user[2], 0, 0, 0);
  if (dumpable == 1)
    prof_syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0, 0);
}
