/* fork.h - numbers of forks, by which the recorder follows them. */
#ifndef PROF_RUNTIME_FORK_H
#define PROF_RUNTIME_FORK_H

#include <stdint.h>

/* The fork that this thread is in, or that made it and is not reported yet; number 0: none.  A fork copies it. */
struct prof_process_fork {
  uint32_t number;
  uint32_t record; /* of the thread that forked */
};
extern __thread struct prof_process_fork prof_fork_self __attribute__((tls_model("initial-exec")));
void prof_fork_init(void);

#endif
