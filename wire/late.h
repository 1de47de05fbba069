/*
 * wire/late.h - how a recorder brings the runtime into a program that was started without any preparation.
 *
 * Each module's start-up group has a note: section PROF_LATE_SECTION (SHT_NOTE, loaded), name "prof", type
 * PROF_LATE_NOTE, then struct prof_late_note.  The distances are from the field itself.
 *
 *   begin   C function (prof_late_find *): what the module's constructor does for a recording.  The argument takes the
 *           place of getenv, and names the runtime's file.
 *   call    a thread that a recorder stopped goes on here.  Not to be called.
 *   gate    .. leave: while its program counter lies here, the call is over, and the recorder may put it back.
 *
 * The recorder stops one thread (ptrace), writes this below the red zone of its stack, and lets it run from `call`,
 * with rbx at the block and rsp below the texts:
 *
 *    rsp          rbx                                                     the thread's rsp - 128
 *    v            v                                                       v
 *    | texts      | struct prof_late_block      | struct prof_late_frame  |
 *
 * The code takes a stack of its own, keeps vector registers and errno, loads the file `path` (RTLD_NOW | RTLD_GLOBAL),
 * calls the function `symbol` of it, and stores PROF_LATE_DONE.  Then it waits at the gate: the recorder puts all
 * registers and the mask of signals back, as only the kernel can continue a system call.  If the recorder has ended, or
 * after `turns` turns, the thread does it by itself: it takes `mask` and the frame's registers.
 *
 * The runtime stands by (standby.h), and calls `begin` of all modules.  In a process that was recorded from its start,
 * and whose recorder has ended, it stands by too; the modules get new trampolines with the next recorder.  Modules that
 * are loaded later attach by themselves: they find the runtime, as its names are global.
 */
#ifndef PROF_WIRE_LATE_H
#define PROF_WIRE_LATE_H

#include <stdint.h>

#define PROF_LATE_SECTION ".note.prof"
#define PROF_LATE_NAME "prof"
#define PROF_LATE_NOTE 1

struct prof_late_note {
  uint32_t version; /* PROF_WIRE_VERSION */
  int32_t begin, call, gate, leave;
};
_Static_assert(sizeof(struct prof_late_note) == 20, "prof_late_note layout");

typedef char *prof_late_find(const char *variable);
typedef void prof_late_begin(prof_late_find *);

/* Of the runtime: int (void), an enum prof_late_answer. */
#define PROF_LATE_SYMBOL "prof_runtime_late_v1"
enum prof_late_answer {
  PROF_LATE_NONE = 0,    /* it was not called */
  PROF_LATE_STANDS = 1,  /* it stands by */
  PROF_LATE_OTHER = 2,   /* it stands by already, or could not start */
  PROF_LATE_REFUSED = 3, /* the system refuses a thread or memory */
  PROF_LATE_BUSY = 4,    /* a recorder has had the process from its start, and lives */
};

enum prof_late_state { PROF_LATE_RUNS = 0, PROF_LATE_DONE = 1 };

struct prof_late_block {
  uint64_t state;                                  /* enum prof_late_state */
  uint64_t dlopen, dlsym, dlerror, errno_location; /* addresses in the program */
  uint64_t path, symbol;                           /* texts */
  uint64_t handle;                                 /* of the file; 0: it can't be loaded */
  uint64_t error;                                  /* text of dlerror, 0: none */
  uint64_t answer;                                 /* enum prof_late_answer */
  uint64_t mask;                                   /* the thread's blocked signals */
  uint64_t frame;                                  /* address of struct prof_late_frame */
  uint64_t recorder;                               /* its pid */
  uint64_t turns;                                  /* counted down at the gate */
  uint64_t has_xsave;                              /* 0: vector registers are SSE's only */
};

struct prof_late_frame { /* in the order in which the code pops them */
  uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax, flags, rip;
};
_Static_assert(sizeof(struct prof_late_block) == 120 && sizeof(struct prof_late_frame) == 136, "late.h layout");
#define PROF_LATE_RED_ZONE 128

#endif
