/*
 * say.c - the runtime's messages: one line on standard error, one per process.
 */
#include <string.h>
#include <sys/uio.h>

#include "arch.h"
#include "say.h"
#include "state.h"

void prof_say(const char *text, const char *detail) {
  static uint32_t said;
  if (prof_runtime.standby || /* the recorder says it to its user */
      __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    return;
  const char *parts[] = {"prof: ", text, detail ? ": " : "", detail ? detail : "", "\n"};
  struct iovec vector[5];
  for (int i = 0; i < 5; i++)
    vector[i] = (struct iovec){(void *)(uintptr_t)parts[i], strlen(parts[i])};
  prof_syscall(SYS_writev, 2, (long)vector, 5, 0, 0, 0);
}
