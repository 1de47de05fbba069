/*
 * tools/record/tables/process_table.h - the process images of a recording: their PROCESS chunks, and which are gone.
 *
 * In: PROCESS records of the log.  Used by the pump only.  Processes are identified by their numbers (wire/control.h).
 */
#ifndef PROF_RECORD_PROCESS_TABLE_H
#define PROF_RECORD_PROCESS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "control.h"
#include "trace/write/write.h"

struct prof_process_entry {
  uint32_t number;
  pid_t pid;
  int handle; /* pidfd; -1: none */
  bool gone;
  bool over;       /* prof_processes_each_over has told it */
  bool unknowable; /* of another pid namespace: its state is unknown */
  uint32_t event_cost;
  char *executable; /* NULL: no memory */
};

struct prof_processes {
  PROF_VEC(struct prof_process_entry) entries; /* few live ones; searched from the end */
};

/* Takes a record of the log and writes its PROCESS chunk; writer NULL: writes nothing. */
void prof_processes_add(struct prof_processes *, prof_writer *, const struct prof_log_process *,
                        const char *executable);
/* A process that has reported nothing; it counts as live until it ends. */
void prof_processes_add_silent(struct prof_processes *, pid_t);
/* Of this pid namespace, at the last poll. */
void prof_processes_each_live(const struct prof_processes *, void (*visit)(void *context, pid_t), void *context);
/* Once for each that has ended and for which `may` says yes. */
void prof_processes_each_over(struct prof_processes *, bool (*may)(void *context, uint32_t number),
                              void (*visit)(void *context, uint32_t number), void *context);
void prof_processes_fini(struct prof_processes *);

/* The number of the live process with this pid; 0: there is none. */
uint32_t prof_processes_of_pid(const struct prof_processes *, pid_t);
/* The number of the last process that had this pid and has ended; 0: there was none. */
uint32_t prof_processes_ended_of_pid(const struct prof_processes *, pid_t);

pid_t prof_processes_pid(const struct prof_processes *, uint32_t number); /* 0: unknown number */

/* Its executable; NULL: not known. */
const char *prof_processes_executable(const struct prof_processes *, uint32_t number);

/* At the last poll. */
bool prof_processes_lives(const struct prof_processes *, uint32_t number);

void prof_processes_end(struct prof_processes *, uint32_t number); /* it reported its end */

/* Asks the kernel about the live ones; returns how many still live. */
uint32_t prof_processes_poll(struct prof_processes *);

/* Is a thread gone although its process isn't?  Asks the kernel. */
bool prof_processes_thread_is_gone(const struct prof_processes *, uint32_t number, pid_t tid);

/* The mean calibrated cost of an event, thousandths of a tick; 0: no process has reported it. */
uint32_t prof_processes_event_cost(const struct prof_processes *);

#endif
