/*
 * double_tracer.c - stands for the runtime: makes each sled a breakpoint and writes what is hit, in order.
 *
 * Out: the file $DOUBLE_TRACE, records of two 32-bit words: thread, then offset of the sled's row in its module's
 * table (modules are numbered in the top 8 bits).  Slow and simple, so that nothing of the real runtime is needed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "module.h"
#include "row.h"
#include "version.h"

enum { table_slots = 1 << 14 };

static struct {
  uintptr_t sled;
  uint32_t what;
} table[table_slots];
static unsigned modules;
static int trace = -1;

void prof_runtime_attach_v1(const struct prof_module_start *start);
void prof_runtime_detach_v1(const struct prof_module_start *start);

static unsigned slot_of(uintptr_t sled) {
  unsigned slot = (unsigned)(sled * 2654435761u >> 8) % table_slots;
  while (table[slot].sled && table[slot].sled != sled)
    slot = (slot + 1) % table_slots;
  return slot;
}

static void hit(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  int saved = errno;
  ucontext_t *at = context;
  uintptr_t sled = (uintptr_t)at->uc_mcontext.gregs[REG_RIP] - 1;
  unsigned slot = slot_of(sled);
  if (!table[slot].sled)
    _exit(99);
  uint32_t record[2] = {(uint32_t)syscall(SYS_gettid), table[slot].what};
  if (write(trace, record, sizeof record) != sizeof record)
    _exit(98);
  at->uc_mcontext.gregs[REG_RIP] += 4;
  errno = saved;
}

void prof_runtime_attach_v1(const struct prof_module_start *start) {
  if (trace < 0) {
    struct sigaction action = {.sa_sigaction = hit, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGTRAP, &action, NULL);
    trace = open(getenv("DOUBLE_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  int memory = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
  for (const struct prof_row *row = start->rows_begin; row < start->rows_end; row++) {
    uintptr_t sled = (uintptr_t)&row->sled + (intptr_t)row->sled;
    unsigned slot = slot_of(sled);
    table[slot].sled = sled;
    table[slot].what = modules << 24 | (uint32_t)(row - start->rows_begin);
    if (pwrite(memory, "\xcc", 1, (off_t)sled) != 1)
      _exit(97);
  }
  close(memory);
  modules++;
  start->hooks->wire_version = PROF_WIRE_VERSION;
}

void prof_runtime_detach_v1(const struct prof_module_start *start) {
  (void)start;
}
