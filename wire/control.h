/*
 * wire/control.h - the shared region between the recorder and every process that it records.
 *
 * A sparse file of fixed layout (memfd of the recorder, opened by path through /proc, then only mapped):
 *
 *    0                 threads_offset      log_offset          segments_offset
 *    +-----------------+-------------------+-------------------+------------------------------------+
 *    | prof_control    | prof_thread[]     | log records       | segments of segment_bytes each     |
 *    +-----------------+-------------------+-------------------+------------------------------------+
 *
 * Only pages that were touched take memory.  The recorder fills the header and stores `magic` last.  A program checks
 * magic and version, and every size in the header against the size of the file, before it uses any.
 *
 * Ownership: a thread record and its current segment belong to the thread; a segment left behind (its `next` is set)
 * belongs to the recorder until it is pushed on the free list.  All words that both sides touch are accessed with
 * __atomic builtins.  There is no lock, so no thread's death blocks another.
 *
 * Free list: Treiber's stack (R. K. Treiber, IBM RJ 5118, 1986) with a 32-bit tag against ABA:
 * free_head = tag << 32 | segment number; 0 in the low half: empty.  Segment numbers begin at 1.  Every push and every
 * pop adds 1 to the tag; a free segment's `next` is the number beneath it.  The recorder pushes segments whose events
 * are all zero, last drained first, so that few pages are in use.  When the list is empty a thread takes the next fresh
 * segment: fresh_segments grows by compare-and-swap while it is < segment_count; the number is the new value.
 * There are more segments than thread records: threads that each keep one never starve the others.
 *
 * Memory.  A segment takes as much as is used of it.  A thread uses one page of its first segment and two pages of its
 * second, so that thousands of threads that begin at once take little.  Of later ones it uses `segment_slots`, which
 * the recorder sets when many segments are out; while that is 0, two pages of those numbered beyond `budget_segments`,
 * and the whole of others.
 *
 * Life of the recorder.  A waiting thread takes it for gone when `heartbeat` has not moved for two seconds and
 * recorder_pid has ended or is a zombie.  It waits for a stopped recorder.
 *
 * Holes.  A signal handler may run between the reservation of a slot and its commit and go on to further segments.  So
 * an empty slot before a filled one (or in a segment that has `next`) is an event that may still be written, or never
 * (longjmp out of the handler).  The recorder waits a little for it, then reads on and counts it as torn.  It counts a
 * segment with a hole as released, so that its thread can go on, and reuses it only after the thread has ended.
 *
 * Forks.  A thread that calls fork() writes a FORK event first, with a number from `forks`.  The child begins in the
 * frames that were open then: its thread record carries the number, by which the recorder finds the frames that it kept
 * when it read the FORK event.  A child that was made in another way (_Fork, clone), or without space for the event,
 * has 0 and begins with no frame.
 *
 * Cost of an event.  The first process measures it and writes it to `costs`, from where the others take it.  A process
 * that was disturbed meanwhile writes its figure without PROF_COST_SETTLED; up to PROF_COST_TRIES processes measure
 * again then, and the least figure stays.
 *
 * Bounds.  The recorder may ask for a part of the time only: between two moments, and in what the GPU collector calls a
 * capture.  Each process keeps to them by itself: outside them its sleds are nops.  It writes a SLICE record whenever
 * its recording begins or ends; a process that begins unrecorded writes none.  The thread that stops the recording
 * notes the time in each thread's record (`stopped`).  The recorder closes the frames of threads that write no more
 * events at that time.
 *
 * Who is gone.  A thread record whose tid is not alive in its pid has ended; all records of a process have ended when
 * its pid is not alive, or when a PROCESS record appears with the same pid and a higher number (exec).
 *
 * The recorder makes the file with F_SEAL_SHRINK, mode 0600.  A path like /proc/PID/fd/N is enough to open it.
 */
#ifndef PROF_WIRE_CONTROL_H
#define PROF_WIRE_CONTROL_H

#include <stdint.h>

#include "event.h"
#include "version.h"

#define PROF_CONTROL_MAGIC 0x314c54435f465250ull /* "PRF_CTL1" */

enum prof_when_full { PROF_WHEN_FULL_WAIT = 0, PROF_WHEN_FULL_DROP = 1 };

/* The clock of trampolines.  Ticks of OS are nanoseconds of CLOCK_MONOTONIC. */
enum prof_control_clock { PROF_CONTROL_CLOCK_TSC = 0, PROF_CONTROL_CLOCK_OS = 1 };

enum prof_recorder_state {
  PROF_RECORDER_RUNNING = 1,
  PROF_RECORDER_CLOSED = 2, /* no more events wanted (size limit, recorder finished): drop, unpatch at leisure */
};

/*
 * When a site's sled is a jump.  The recorder decides it by how many events the site writes, and changes it while the
 * program runs; a runtime that patches a module reads it first.  Zero bytes mean ALWAYS, so nobody fills the table.
 * Version 2 of the region only keeps the place: no recorder makes a table yet, no runtime reads one.
 */
enum prof_site_state {
  PROF_SITE_ALWAYS = 0, /* while the process is recorded: every call is an event */
  PROF_SITE_BURST = 1,  /* in short bursts only: counts are estimates */
  PROF_SITE_OFF = 2,    /* never: samples only */
};

#define PROF_CONTROL_CAPTURE_BYTES 240

struct prof_control {
  /* 0: written once by the recorder before magic */
  uint64_t magic;
  uint32_t version;      /* PROF_REGION_VERSION */
  uint32_t header_bytes; /* sizeof(struct prof_control) */
  uint64_t region_bytes;
  uint64_t threads_offset;
  uint64_t log_offset;
  uint64_t log_bytes;
  uint64_t segments_offset;
  uint32_t thread_count;    /* records in the table */
  uint32_t segment_bytes;   /* a power of two */
  uint32_t segment_count;   /* in the whole region: --buffer and one per thread record */
  uint32_t thread_segments; /* most segments that one thread may hold at a time, at least 2; the recorder lowers it
                               while many threads are busy: read it each time */
  uint32_t when_full;       /* enum prof_when_full */
  uint32_t flags;           /* PROF_CONTROL_ */
  int32_t recorder_pid;     /* as the recorder sees itself */
  uint32_t wake_segments;   /* a thread that leaves this many unread segments rings the bell */
  uint64_t pid_namespace;   /* inode of the recorder's /proc/self/ns/pid; 0 unknown */
  uint32_t clock;           /* enum prof_control_clock */
  uint32_t sample_hz;       /* SAMPLE events that each thread writes per second of processor time; 0: none */
  uint32_t budget_segments; /* once so many are handed out, fresh ones are only for who holds less than two; 0: all */
  uint32_t reserved;
  uint64_t states_offset; /* of a byte for each site number, enum prof_site_state; 0: every site is ALWAYS */
  uint8_t pad0[128 - 120];
  /* 128: written by the recorder */
  uint32_t recorder_state; /* enum prof_recorder_state */
  uint32_t heartbeat;      /* grows with every turn of the recorder */
  uint32_t space;          /* futex: grows when segments were freed while `waiters` > 0 */
  uint32_t segment_slots;  /* of its next segments a thread uses no more; the recorder lowers it; 0: all */
  uint8_t pad1[64 - 16];
  /* 192: written by programs */
  uint32_t waiters;   /* threads waiting on `space`; those at their own cap wait on their `released` */
  uint32_t bell;      /* futex: programs add 1 and wake when recorder_sleeps */
  uint32_t processes; /* process records handed out */
  uint32_t next_site; /* site ids handed out to modules; begins at 1 */
  uint32_t forks;     /* numbers of forks handed out, from 1; some without a FORK event */
  uint32_t unsampled; /* threads that sample_hz asks of but that can't be sampled */
  struct {
    uint64_t figure; /* PROF_COST_SETTLED, cost alone << 32 and among other work, thousandths of a tick; 0: none yet */
    uint32_t tries;  /* how often it was measured without settling it */
    uint32_t reserved;
  } costs[2]; /* of an event, of a reading for a line (wire/times.h) */
  uint8_t pad2[64 - 56];
  /* 256: both */
  uint32_t recorder_sleeps; /* 1 while the recorder waits on `bell` */
  uint32_t threads_used;    /* thread records ever handed out (high-water mark) */
  uint64_t log_tail;        /* bytes of log handed out */
  uint64_t free_head;       /* see above */
  uint32_t fresh_segments;  /* segments ever handed out */
  uint8_t pad3[64 - 28];
  /* 320: bounds; written by the recorder before the first program starts */
  uint64_t from_ns, until_ns;                  /* of CLOCK_MONOTONIC; 0: not bounded there */
  uint8_t capture[PROF_CONTROL_CAPTURE_BYTES]; /* text NUL: only in NVTX ranges of this name, or PROF_CAPTURE_API */
};
_Static_assert(sizeof(struct prof_control) == 576, "prof_control layout");
#define PROF_COST_SETTLED (1ull << 63)
#define PROF_COST_TRIES 3u
#define PROF_CAPTURE_API "cudaProfilerApi" /* only between cudaProfilerStart and cudaProfilerStop */

enum prof_thread_state {
  PROF_THREAD_FREE = 0,  /* compare-and-swap to TAKEN to get it */
  PROF_THREAD_TAKEN = 1, /* being filled in */
  PROF_THREAD_LIVE = 2,
  PROF_THREAD_ENDED = 3, /* by its thread; the recorder drains it and makes it FREE again */
};

/* What its segments hold.  A recorder that knows PROF_THREAD_GPU has PROF_CONTROL_GPU set. */
enum prof_thread_content { PROF_THREAD_EVENTS = 0, PROF_THREAD_GPU = 1 /* wire/gpu.h */ };
#define PROF_CONTROL_GPU 0x1u              /* `flags` */
#define PROF_CONTROL_GPU_WHOLE_GRAPHS 0x2u /* a record per run of a graph, not per node */
#define PROF_CONTROL_GPU_METRICS 0x4u      /* NVML is read, ten times a second */
#define PROF_CONTROL_GPU_LINES 0x8u        /* places in kernels are sampled */

#define PROF_THREAD_NAME_BYTES 16

/*
 * Light slices.  Reading the clock is most of what an event costs, and a processor does the program's work while it
 * waits for it, so that samples don't see that work.  So the recorder sets `light` for a part of the time of threads
 * that are more probe than program.  Then an event has the time of the one before, but for the first in each
 * PROF_LIGHT_SLOTS slots of a segment (a power of two), which reads the clock; so has one after anything rare.
 */
#define PROF_LIGHT_SLOTS 32u

struct prof_thread {
  uint32_t state;                       /* enum prof_thread_state */
  uint32_t process;                     /* process number (log record PROCESS) */
  int32_t pid, tid;                     /* as the program sees them */
  uint32_t first_segment;               /* where reading begins; 0: it has got none yet, its events are lost */
  uint32_t taken;                       /* segments taken so far; written by the thread */
  uint32_t released;                    /* futex: segments given back so far; written by the recorder */
  uint32_t generation;                  /* grows each time the record is taken */
  uint64_t lost;                        /* events dropped so far */
  uint64_t start;                       /* ticks when the thread was attached */
  uint64_t stalled;                     /* ticks waited so far */
  uint8_t name[PROF_THREAD_NAME_BYTES]; /* noted by the thread at its start, now and then, and at its end */
  uint32_t fork;                        /* number of the fork that made its process, if it is the child; else 0 */
  uint32_t fork_thread;                 /* number of the record that the fork's FORK event was written for */
  uint32_t content;                     /* enum prof_thread_content; cleared by the recorder when it frees the record */
  uint32_t moves;                       /* how often it was found on another core than before */
  uint64_t cpu_ns;                      /* processor time it has used since `start`, noted now and then */
  uint64_t cpu_ticks;                   /* when that was noted; 0: never */
  uint64_t cpu_begin_ns;                /* what it had used at `start`, and while nothing was recorded */
  uint64_t line_readings;               /* of the clock, for lines (wire/times.h), up to cpu_ticks */
  uint64_t stopped;                     /* ticks of the first stop since its last event; 0: none */
  uint64_t light;                       /* all ones: a light slice; else 0.  Written by the recorder */
  uint64_t slots;                       /* of the segments taken so far */
  uint32_t waits;                       /* 1: it waits on `released` */
  uint8_t pad[192 - 148];
};
_Static_assert(sizeof(struct prof_thread) == 192, "prof_thread is three cache lines");

struct prof_segment { /* then events (or messages) up to segment_bytes */
  uint32_t next;      /* number of the segment that the thread went on with; 0: this is the last so far */
  uint32_t thread;    /* record number of its owner */
  uint32_t slots;     /* of events that it is used for; 0: as many as there are */
  uint8_t pad[64 - 12];
};
_Static_assert(sizeof(struct prof_segment) == 64, "prof_segment is 64 bytes");

/*
 * Slots for reservation.  Behind them lies slack that is no event space, but for its first slot: an ENTRY in the last
 * slot may be followed there by its FRAME (wire/event.h).  The rest keeps reservations that failed (nested signal
 * handlers at the end of a segment) inside the segment, so that a thread finds the segment of a slot by its address.
 */
#define PROF_SEGMENT_SLACK_SLOTS 64
static inline uint32_t prof_segment_slots(uint32_t segment_bytes) {
  return (uint32_t)((segment_bytes - sizeof(struct prof_segment)) / sizeof(struct prof_event)) -
         PROF_SEGMENT_SLACK_SLOTS;
}
/* Of one that is used for its first `bytes` only: what follows is slack. */
static inline uint32_t prof_segment_part_slots(uint32_t bytes) {
  return (uint32_t)((bytes - sizeof(struct prof_segment)) / sizeof(struct prof_event)) - 1;
}
#define PROF_SEGMENT_FIRST_BYTES 4096u
#define PROF_SEGMENT_SMALL_BYTES 8192u /* of its second one, and of each beyond the budget */

/*
 * Log: append-only records for rare things.  A writer reserves `bytes` (multiple of 8) by fetch-add on log_tail,
 * fills the record, and stores `kind` last (release).  A record that would pass log_bytes is dropped.
 */
enum prof_log_kind {
  PROF_LOG_PROCESS = 1,
  PROF_LOG_MODULE = 2,
  PROF_LOG_PROCESS_END = 3, /* prof_log_head + process number */
  PROF_LOG_ERROR = 4,       /* process number, then text NUL: something the user should read */
  PROF_LOG_MODULE_END = 5,  /* dlclose: process number, first site */
  PROF_LOG_CALLER = 6,      /* prof_log_module of a module whose functions call us; site_count 1: its number */
  PROF_LOG_FUNCTION = 7,    /* one of its functions was called for the first time */
  PROF_LOG_COUNTS = 8,      /* prof_log_counts, before or after the MODULE: counters, which go on counting */
  PROF_LOG_SLICE = 9,       /* prof_log_slice: the process is recorded from now on, or no longer */
};

struct prof_log_head {
  uint32_t kind; /* 0: not finished */
  uint32_t bytes;
};

struct prof_log_process { /* one per process image: after start, fork and exec */
  struct prof_log_head head;
  uint32_t process; /* number, from `processes`, begins at 1 */
  uint32_t parent;  /* number of the process that it was forked from, if that was recorded; else 0 */
  int32_t pid, ppid;
  uint64_t start;             /* ticks */
  uint32_t body_ticks_x1000;  /* calibrated cost of one event in the program, thousandths of a tick */
  uint32_t flags;             /* PROF_PROCESS_ */
  uint32_t among_ticks_x1000; /* the same among other work; 0: not known */
  uint32_t reserved;
  /* then: executable path NUL */
};
#define PROF_PROCESS_FORKED 0x1u     /* modules and sites of `parent` are valid here too */
#define PROF_PROCESS_OTHER_PIDS 0x2u /* not in the recorder's pid namespace: it can't ask whether these pids live */

struct prof_log_module {
  struct prof_log_head head;
  uint32_t process;
  uint32_t first_site; /* site id of row 0 */
  uint32_t site_count;
  uint32_t skipped;        /* sleds that could not be patched */
  uint64_t bias;           /* run-time address minus link-time address */
  uint64_t begin, end;     /* run-time addresses of its loaded segments */
  uint64_t area, area_end; /* where its trampolines lie; 0, 0: it has none */
  uint32_t build_id_bytes; /* 0-20 */
  uint8_t build_id[20];
  /* then: path NUL */
};

struct prof_log_function {
  struct prof_log_head head;
  uint32_t process;
  uint32_t module; /* first_site of its CALLER record */
  uint32_t site;
  uint32_t reserved;
  uint64_t address; /* link-time, of its first instruction */
};

struct prof_log_counts {
  struct prof_log_head head;
  uint32_t process;
  uint32_t first_site; /* of its MODULE record */
  uint64_t bytes;      /* of what follows: objects of wire/counts.h, or one of wire/times.h */
};

struct prof_log_slice {
  struct prof_log_head head;
  uint32_t process;
  uint32_t on;   /* 1 or 0; without a 1 before: it was recorded since it began */
  uint64_t time; /* ticks */
};

struct prof_log_number { /* PROCESS_END, ERROR, MODULE_END */
  struct prof_log_head head;
  uint32_t process;
  uint32_t value;
  /* ERROR: then text NUL */
};

#endif
