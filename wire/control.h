/*
 * wire/control.h - the shared region between the recorder and every process that it records.
 *
 * A sparse file of fixed layout (memfd of the recorder, opened by path through /proc, then only mapped):
 *
 *    0              reads_offset       threads_offset   log_offset       segments_offset
 *    +--------------+------------------+----------------+----------------+------------------------------------+
 *    | prof_control | prof_read_slot[] | prof_thread[]  | log records    | segments of segment_bytes each     |
 *    +--------------+------------------+----------------+----------------+------------------------------------+
 *
 * Only touched pages take memory.  The recorder fills the header and stores `magic` last.  A program checks magic and
 * version, and every size in the header against the file's size, before it uses them.
 *
 * Ownership: a thread record and its current segment belong to the thread; a segment left behind (its `next` is set)
 * belongs to the recorder until it is pushed on the free list.  All words that both sides touch are accessed with
 * __atomic builtins.  There is no lock, so no thread's death blocks another.
 *
 * Free list: Treiber's stack (R. K. Treiber, IBM RJ 5118, 1986) with a 32-bit tag against ABA: free_head = tag << 32 |
 * segment number; 0 in the low half: empty.  Segment numbers begin at 1.  Every push and every pop adds 1 to the tag; a
 * free segment's `next` is the number beneath it.  The recorder pushes segments whose events are all zero.  A thread
 * pops the last pushed one, so few pages are in use.  If the list is empty it takes the next fresh segment:
 * fresh_segments grows by compare-and-swap while it is < segment_count; the number is the new value.  There are more
 * segments than thread records, so each thread can get one.
 *
 * Memory.  Only the used part of a segment takes memory.  A thread uses one page of its first segment and two pages of
 * its second, so that thousands of new threads take little.  Of later segments it uses `segment_slots`, which the
 * recorder sets when many segments are in use.  While that is 0, it uses two pages of segments numbered beyond
 * `budget_segments`, and the whole of others.
 *
 * Life of the recorder.  For a waiting thread it has ended when `heartbeat` has not moved for two seconds and
 * recorder_pid has ended or is a zombie.  The thread waits for a stopped recorder.
 *
 * Holes.  A signal handler may run between the reservation of a slot and its commit, and take further segments.  So an
 * empty slot before a filled one (or in a segment with `next`) is an event that is written later, or never (longjmp out
 * of the handler).  The recorder waits a little for it, then reads on and counts it as torn.  It counts a segment with
 * a hole as released, so that its thread can continue, and reuses it only after the thread has ended.
 *
 * Forks.  A thread that calls fork() first writes a FORK event with a number from `forks`.  The recorder keeps the
 * frames that are open at this event.  The child's thread record has the number, and the child begins with these
 * frames.  A child of _Fork or clone, or one without space for the event, has 0 and begins with no frame.
 *
 * Cost of an event.  The first process measures it and writes it to `costs`; the others read it.  A process that was
 * disturbed writes its figure without PROF_COST_SETTLED; then up to PROF_COST_TRIES processes measure again, and the
 * lowest figure stays.
 *
 * Bounds.  The recorder may ask for a part of the time only: between two moments, and in captures of the GPU collector.
 * Each process applies them itself: outside them its sleds are nops.  It writes a SLICE record whenever its recording
 * begins or ends; a process that begins unrecorded writes none.  The thread that stops the recording writes the time
 * into each thread's record (`stopped`).  If a thread writes no more events, the recorder closes its frames at that
 * time.
 *
 * Pauses.  While `paused` is 1 the recorder writes no calls.  A process switches its sites off when one of its threads
 * takes a segment, and on again when the recorder has stored 0 and woken it.  It writes no SLICE record.  The recorder
 * doesn't set it where it switches the sites itself (a budget).
 *
 * Ends.  A thread record has ended if its tid is not alive in its pid.  All records of a process have ended if its pid
 * is not alive, or if a PROCESS record has the same pid and a higher number (exec).
 *
 * The recorder makes the file with F_SEAL_SHRINK, mode 0600.  A path like /proc/PID/fd/N is enough to open it.
 */
#ifndef PROF_WIRE_CONTROL_H
#define PROF_WIRE_CONTROL_H

#include <stdint.h>

#include "event.h"
#include "reads.h"
#include "version.h"

#define PROF_CONTROL_MAGIC 0x314c54435f465250ull /* "PRF_CTL1" */

enum prof_when_full { PROF_WHEN_FULL_WAIT = 0, PROF_WHEN_FULL_DROP = 1 };

/* The clock of trampolines.  Ticks of OS are nanoseconds of CLOCK_MONOTONIC. */
enum prof_control_clock { PROF_CONTROL_CLOCK_TSC = 0, PROF_CONTROL_CLOCK_OS = 1 };

enum prof_recorder_state {
  PROF_RECORDER_RUNNING = 1,
  PROF_RECORDER_CLOSED = 2, /* no more events wanted (size limit, recorder finished): drop, unpatch later */
};

/* When a site's sled is a jump.  The recorder decides it by how many events the site writes. */
enum prof_site_state {
  PROF_SITE_ALWAYS = 0, /* while the process is recorded: every call is an event */
  PROF_SITE_BURST = 1,  /* in short windows only: counts are estimates; LANDED rows never are */
  PROF_SITE_OFF = 2,    /* never: samples only */
};

/*
 * Text that the recorder switches.  Where the header has `texts_offset`, a runtime copies the pages of a module that
 * have sleds into the file, behind `region_bytes`, and maps the copy over the module's text, to be read and executed.
 * The recorder maps it writable, so that a switch of a site is one store of 8 bytes, as the sled lies within one
 * aligned word.  The space is sparse and never used again: the recorder punches holes when no process has it any more.
 *
 *    | text_bytes of text | struct prof_text_head | struct prof_text_site[site_count] |      each part on pages of its
 * own
 *
 * Then each ENTRY whose frame address is known has a FRAME.  Who stores into the copy holds `holder`.  While `off` is
 * set, all sites are plain and the recorder leaves them alone. Forked children share the copy until they or their
 * parent switch by themselves: those take a private one, which the recorder doesn't reach (PROF_LOG_TEXT_PRIVATE).
 *
 * Counting.  An ENTRY or LOOP_ENTRY may have a second trampoline, which writes no event and reads no clock: it adds 1
 * to a counter of its thread.  Where the header has `counters_offset`, each thread record has `counters_bytes` of
 * 8-byte counters, record 0 after a first block that nobody reads (threads without a record count there):
 *
 *    counters_offset   + counters_bytes     + 2 * counters_bytes
 *    +-----------------+--------------------+--------------------+
 *    | nobody          | record 0           | record 1           | ... thread_count
 *    +-----------------+--------------------+--------------------+
 *
 * A site's counter is the same one in all threads of its process; numbers of counters begin at 0 in each program and
 * are not used again.  Only the thread writes its counters, each with one instruction; the recorder reads them while
 * the thread runs, and takes differences.  Nobody clears them: a record's next owner goes on from where they stand.
 * The first call of a thread that is counted attaches it, as an event does, so it becomes LIVE without an event.
 */
struct prof_text_site { /* one per row */
  uint64_t on, off;     /* what the word is set to */
  uint64_t count;       /* the same, while calls are counted; 0: they can't be */
  uint32_t at;          /* of the word, in the copy; PROF_TEXT_NO_SITE: the row has no trampoline */
  uint32_t state;       /* enum prof_site_state; written by the recorder */
  uint32_t counter;     /* number of its counter, if `count` isn't 0 */
  uint32_t reserved;
};
#define PROF_TEXT_NO_SITE UINT32_MAX

enum prof_text_holder { PROF_TEXT_FREE = 0, PROF_TEXT_PROGRAM = 1, PROF_TEXT_RECORDER = 2 };

struct prof_text_head {
  uint32_t holder; /* enum prof_text_holder */
  uint32_t off;    /* the program is not recorded: prof_stop, or out of bounds */
  uint32_t site_count;
  uint32_t reserved;
};

#define PROF_CONTROL_CAPTURE_BYTES 240

struct prof_shared_cost {
  uint64_t figure; /* PROF_COST_SETTLED, cost alone << 32 and among work, thousandths of a tick; 0: none yet */
  uint32_t tries;  /* how often it was measured without settling it */
  uint32_t reserved;
};

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
  uint32_t sample_hz;       /* SAMPLE events that each thread writes per second of CPU time; 0: none */
  uint32_t budget_segments; /* after so many, only threads with less than two get fresh ones; 0: all */
  uint32_t reserved;
  uint64_t texts_offset; /* where copies of text may lie; 0: text stays where it is, and every site is ALWAYS */
  uint64_t texts_bytes;
  /* 128: written by the recorder */
  uint32_t recorder_state; /* enum prof_recorder_state */
  uint32_t heartbeat;      /* grows with every turn of the recorder */
  uint32_t space;          /* futex: grows when segments were freed while `waiters` > 0 */
  uint32_t segment_slots;  /* slots that a thread uses of its next segments; the recorder lowers it; 0: all */
  uint32_t paused;         /* futex; 1: see Pauses */
  uint8_t pad1[64 - 20];
  /* 192: written by programs */
  uint32_t waiters;                 /* threads waiting on `space`; those at their own cap wait on their `released` */
  uint32_t bell;                    /* futex: programs add 1 and wake when recorder_sleeps */
  uint32_t processes;               /* process records handed out */
  uint32_t next_site;               /* site ids handed out to modules; begins at 1 */
  uint32_t forks;                   /* numbers of forks handed out, from 1; some without a FORK event */
  uint32_t unsampled;               /* threads that can't be sampled although sample_hz is set */
  struct prof_shared_cost costs[2]; /* of an event, of a reading for a line (wire/times.h) */
  uint64_t texts_used;              /* bytes handed out, whole pages */
  /* 256: both */
  uint32_t recorder_sleeps; /* 1 while the recorder waits on `bell` */
  uint32_t threads_used;    /* thread records ever handed out (high-water mark) */
  uint64_t log_tail;        /* bytes of log handed out */
  uint64_t free_head;       /* see above */
  uint32_t fresh_segments;  /* segments ever handed out */
  uint32_t reads;           /* grows with each request of reads.h */
  uint8_t pad3[64 - 32];
  /* 320: bounds; written by the recorder before the first program starts */
  uint64_t from_ns, until_ns;                  /* of CLOCK_MONOTONIC; 0: not bounded there */
  uint8_t capture[PROF_CONTROL_CAPTURE_BYTES]; /* text NUL: only in NVTX ranges of this name, or PROF_CAPTURE_API */
  /* 576: written by the recorder before magic */
  uint64_t counters_offset; /* where threads' counters lie; 0: no site can count */
  uint64_t counters_bytes;  /* of each thread record; whole pages */
  /* written by programs */
  struct prof_shared_cost count_cost; /* of a call that is counted */
  uint64_t clear;                     /* ticks of the last prof_clear; 0: none */
  uint32_t attached;                  /* processes that joined by wire/standby.h, less those that left */
  uint32_t answer;                    /* enum prof_standby_answer */
  uint32_t detach;                    /* futex; written by the recorder; 1: they leave the recording now */
  uint32_t snapshots;                 /* how often the program asked for one (prof_snapshot) */
  /* written by the recorder before magic */
  uint64_t reads_offset; /* where the slots of reads.h lie; 0: it answers no requests */
};
_Static_assert(sizeof(struct prof_control) == 640, "prof_control layout");
#define PROF_COST_SETTLED (1ull << 63)
#define PROF_COST_TRIES 3u
#define PROF_CAPTURE_API "cudaProfilerApi" /* only between cudaProfilerStart and cudaProfilerStop */

enum prof_thread_state {
  PROF_THREAD_FREE = 0,  /* compare-and-swap to TAKEN to get it */
  PROF_THREAD_TAKEN = 1, /* being filled in */
  PROF_THREAD_LIVE = 2,
  PROF_THREAD_ENDED = 3, /* by its thread; the recorder drains it and makes it FREE again */
};

/* Contents of its segments.  A recorder that reads PROF_THREAD_GPU sets PROF_CONTROL_GPU. */
enum prof_thread_content { PROF_THREAD_EVENTS = 0, PROF_THREAD_GPU = 1 /* wire/gpu.h */ };
#define PROF_CONTROL_GPU 0x1u              /* `flags` */
#define PROF_CONTROL_GPU_WHOLE_GRAPHS 0x2u /* a record per run of a graph, not per node */
#define PROF_CONTROL_GPU_METRICS 0x4u      /* read NVML ten times a second */
#define PROF_CONTROL_GPU_LINES 0x8u        /* sample places in kernels */
#define PROF_CONTROL_ONE_FILE 0x10u        /* neither parts nor a ring: prof_clear works, prof_snapshot doesn't */
#define PROF_CONTROL_SUMMARY 0x20u         /* it keeps no events: both work */
#define PROF_CONTROL_MEMORY 0x100u         /* measures (wire/measure.h): allocations */
#define PROF_CONTROL_LOCKS 0x200u          /* locks and waits */
#define PROF_CONTROL_IO 0x400u             /* input and output */
#define PROF_CONTROL_MEASURES 0x700u       /* all of them */
#define PROF_CONTROL_ARGS 0x1000u          /* sleds of kind VALUE are on: of arguments, */
#define PROF_CONTROL_RET 0x2000u           /* of what is returned */

#define PROF_THREAD_NAME_BYTES 16
#define PROF_THREAD_GIVEN_BYTES 44

/*
 * Sparse-clock intervals.  Reading the clock is most of the cost of an event.  A processor does the program's work
 * while it waits for the clock, so samples miss that work.  For threads that are more probe than program, the recorder
 * sets `light` for a part of the time.  Then an event has the time of the one before it.  Only the first one in each
 * PROF_LIGHT_SLOTS slots of a segment (a power of two), and one after the slow path, read the clock.
 */
#define PROF_LIGHT_SLOTS 32u

struct prof_thread {
  uint32_t state;                       /* enum prof_thread_state */
  uint32_t process;                     /* process number (log record PROCESS) */
  int32_t pid, tid;                     /* as the program sees them */
  uint32_t first_segment;               /* where reading begins; 0: none yet, its events are lost */
  uint32_t taken;                       /* segments taken so far; written by the thread */
  uint32_t released;                    /* futex: segments given back so far; written by the recorder */
  uint32_t generation;                  /* grows each time the record is taken */
  uint64_t lost;                        /* events dropped so far */
  uint64_t start;                       /* ticks when the thread was attached */
  uint64_t stalled;                     /* ticks waited so far */
  uint8_t name[PROF_THREAD_NAME_BYTES]; /* written by the thread at its start, sometimes, and at its end */
  uint32_t fork;                        /* in a forked child: number of the fork that made it; else 0 */
  uint32_t fork_thread;                 /* number of the record of the thread that wrote the FORK event */
  uint32_t content;                     /* enum prof_thread_content; cleared by the recorder when it frees the record */
  uint32_t moves;                       /* how often it was seen on another core than before */
  uint64_t cpu_ns;                      /* CPU time since `start`, updated sometimes */
  uint64_t cpu_ticks;                   /* time of that update; 0: never */
  uint64_t cpu_begin_ns;                /* CPU time before `start`, and while nothing was recorded */
  uint64_t line_readings;               /* of the clock, for lines (wire/times.h), up to cpu_ticks */
  uint64_t stopped;                     /* ticks of the first stop since its last event; 0: none */
  uint64_t light;                       /* all ones: a sparse-clock interval; else 0.  Written by the recorder */
  uint64_t slots;                       /* of the segments taken so far */
  uint32_t waits;                       /* 1: it waits on `released` */
  uint8_t given[PROF_THREAD_GIVEN_BYTES]; /* by prof_thread_name, text NUL; "": none.  Written by the thread */
  uint64_t
      wait_begin; /* ticks: since then it waits for a segment, until the events that say so are there; 0: it doesn't */
  uint8_t pad[64 - 8];
};
_Static_assert(sizeof(struct prof_thread) == 256, "prof_thread is four cache lines");

struct prof_segment { /* then events (or messages) up to segment_bytes */
  uint32_t next;      /* number of the thread's next segment; 0: this is the last so far */
  uint32_t thread;    /* record number of its owner */
  uint32_t slots;     /* used for events; 0: all */
  uint32_t over;      /* slots reserved behind them; its owner stores it when it leaves the segment */
  uint8_t pad[64 - 16];
};
_Static_assert(sizeof(struct prof_segment) == 64, "prof_segment is 64 bytes");

/*
 * Slots for reservation.  Slack follows them.  Its first slot may hold the FRAME of an ENTRY in the last slot
 * (wire/event.h).  A probe that reserved a slot there may be interrupted before it compares the slot with the end.  The
 * signal handler moves the thread to another segment, whose end the slot is compared with: so the probe may write to
 * it, or drop it (NONE).  `over` counts these slots, and a reader waits for them as for those before.
 */
#define PROF_SEGMENT_SLACK_SLOTS 64
static inline uint32_t prof_segment_slots(uint32_t segment_bytes) {
  return (uint32_t)((segment_bytes - sizeof(struct prof_segment)) / sizeof(struct prof_event)) -
         PROF_SEGMENT_SLACK_SLOTS;
}
/* Slots of a segment of which only the first `bytes` are used; the rest is slack. */
static inline uint32_t prof_segment_part_slots(uint32_t bytes) {
  return (uint32_t)((bytes - sizeof(struct prof_segment)) / sizeof(struct prof_event)) - 1;
}
#define PROF_SEGMENT_FIRST_BYTES 4096u
#define PROF_SEGMENT_SMALL_BYTES 8192u /* used of its second one, and of each beyond the budget */

/* The text of PROF_LOG_ERROR where a process can't map more segments. */
#define PROF_LOG_NARROW "the program's address space is limited: its threads lose events (RLIMIT_AS, ulimit -v)"

/*
 * Log: append-only records for rare things.  A writer reserves `bytes` (multiple of 8) by fetch-add on log_tail,
 * stores its length, fills the record, and stores `kind` last (release).  A record that would pass log_bytes is
 * dropped.  A reader doesn't wait for an unfinished one.  So a record that needs another is begun after that is
 * finished.
 */
enum prof_log_kind {
  PROF_LOG_PROCESS = 1,
  PROF_LOG_MODULE = 2,
  PROF_LOG_PROCESS_END = 3, /* prof_log_head + process number */
  PROF_LOG_ERROR = 4,       /* process number, then text NUL: something the user should read */
  PROF_LOG_MODULE_END =
      5,               /* dlclose, or exit: process number, first site; processes forked from it have its text still */
  PROF_LOG_CALLER = 6, /* prof_log_module of a module whose functions call hooks; site_count 1: its number */
  PROF_LOG_FUNCTION = 7,      /* one of its functions was called for the first time */
  PROF_LOG_COUNTS = 8,        /* prof_log_counts, before or after the MODULE: counters that programs still add to */
  PROF_LOG_SLICE = 9,         /* prof_log_slice: recording of the process begins or ends */
  PROF_LOG_TEXT_PRIVATE = 10, /* prof_log_number: process, first site of a module whose text the recorder lost */
  PROF_LOG_FILE =
      11, /* prof_log_number + name: number of a file, endpoint or statement, for PROF_MEASURE_READ and others */
  PROF_LOG_NAMED = 12,    /* prof_log_named: a name that the program made while it runs (wire/module.h) */
  PROF_LOG_ATTACHED = 13, /* prof_log_attached, after the MODULEs of a program or library that was loaded */
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
  uint64_t start;                   /* ticks */
  uint32_t body_ticks_x1000;        /* calibrated cost of one event in the program, thousandths of a tick */
  uint32_t flags;                   /* PROF_PROCESS_ */
  uint32_t among_ticks_x1000;       /* the same among other work; 0: not known */
  uint32_t count_ticks_x1000;       /* the same of a call that is counted, alone; 0: none is */
  uint32_t count_among_ticks_x1000; /* the same among other work; 0: that hides it as a whole */
  uint32_t reserved;
  /* then: executable path NUL */
};
#define PROF_PROCESS_FORKED 0x1u     /* modules and sites of `parent` are valid here too */
#define PROF_PROCESS_OTHER_PIDS 0x2u /* in another pid namespace: the recorder can't check whether its pids live */

struct prof_log_module {
  struct prof_log_head head;
  uint32_t process;
  uint32_t first_site; /* site id of row 0 */
  uint32_t site_count;
  uint32_t skipped;        /* sleds that could not be patched */
  uint64_t bias;           /* run-time address minus link-time address */
  uint64_t begin, end;     /* run-time addresses of its loaded segments */
  uint64_t area, area_end; /* where its trampolines lie; 0, 0: it has none */
  uint64_t text;           /* offset of its struct prof_text_head in the file; 0: its text is private */
  uint64_t text_begin;     /* run-time address of the first byte that was copied */
  uint64_t text_bytes;     /* whole pages, right before struct prof_text_head */
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

/* All EXITs of a process have one site, of an empty name.  Their aux is PROF_NAMED_LINE + the group. */
#define PROF_NAMED_LINE 0x40000000u

struct prof_log_named { /* at the first call with a name, of a kind, what and group */
  struct prof_log_head head;
  uint32_t process;
  uint32_t module; /* first_site of its MODULE record */
  uint32_t site;
  uint32_t kind, what, group; /* as in struct prof_named_event */
  /* then: name NUL */
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
  uint32_t on;   /* 1: begins, 0: ends; if 0 comes first, it was recorded from its start */
  uint64_t time; /* ticks */
};

struct prof_log_attached {
  struct prof_log_head head;
  uint32_t process;
  uint32_t first;  /* 1: the first one of this process image; else 0 */
  uint64_t cpu_ns; /* that the thread took to prepare the probes, in the kernel too */
};

struct prof_log_number { /* PROCESS_END, ERROR, MODULE_END, FILE */
  struct prof_log_head head;
  uint32_t process;
  uint32_t value;
  /* ERROR, FILE: then text NUL */
};

#endif
