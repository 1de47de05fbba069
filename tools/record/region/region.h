/*
 * tools/record/region/region.h - the region shared by the recorder and the programs (wire/control.h): makes it, finds
 * its segments, gives them back.
 *
 * The session owns it; only the pump gives segments back.
 */
#ifndef PROF_RECORD_REGION_H
#define PROF_RECORD_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"
#include "prof_status.h"

#define PROF_REGION_SEGMENT_BYTES 65536u
#define PROF_REGION_THREADS 16384u        /* thread records */
#define PROF_REGION_LOG_BYTES (64u << 20) /* some 100,000 modules or processes, and counters of lines; sparse */
#define PROF_REGION_PATH_BYTES 64
#define PROF_REGION_TEXTS_MOST (1ull << 38)
#define PROF_REGION_TEXTS_LEAST (1ull << 26)
#define PROF_REGION_COUNTERS_BYTES (1u << 20) /* of each thread record, in a recording with texts */
#define PROF_REGION_FILE "prof-ring"          /* the kernel shows its maps as "/memfd:prof-ring (deleted)" */

struct prof_region {
  int fd;
  uint8_t *base;
  size_t bytes;
  struct prof_control *control;
  struct prof_read_slot *reads; /* PROF_READ_SLOTS of them */
  struct prof_thread *threads;  /* thread_count records */
  const uint8_t *log;
  uint32_t slots; /* event slots of a full segment */
  uint32_t thread_count, segment_count;
  uint64_t buffer_bytes;
  uint64_t counters_offset;  /* as in the header; 0: no counters */
  uint32_t budget_segments;  /* fully usable ones, while part_bytes isn't lowered */
  uint32_t thread_segments;  /* limit per thread while few are busy */
  uint32_t part_bytes;       /* used part of each segment from now on; the rest takes no memory */
  uint32_t least_part_bytes; /* whole pages */
};

/* Can a program that is started here open its region?  PROF_NOT_FOUND: no. */
prof_status prof_region_check_proc(struct prof_diag *diag);

/* buffer_bytes: what all threads together may hold, at least PROF_REGION_BUFFER_MIN.  PROF_IO, PROF_NO_MEMORY. */
#define PROF_REGION_BUFFER_MIN (1u << 20)
#define PROF_REGION_BUFFER_MAX (1ull << 38)
prof_status prof_region_create(struct prof_region *, uint64_t buffer_bytes, enum prof_when_full,
                               struct prof_diag *) PROF_MUST_CHECK;
void prof_region_destroy(struct prof_region *);

/* Makes room for texts and counters behind it (wire/control.h), in the file only; call it before the first program
 * starts.  false: the system refuses; text stays private then. */
bool prof_region_add_texts(struct prof_region *);

/* at_start: each thread may hold little, until the recorder has decided what is recorded. */
void prof_region_limit_threads(struct prof_region *, bool at_start);

/* The path by which programs open it, for PROF_ENV_RING. */
void prof_region_path(const struct prof_region *, char out[PROF_REGION_PATH_BYTES]);

/* The part of the time to record, see wire/control.h. */
struct prof_region_bounds {
  uint64_t delay_ns, duration_ns; /* from now on; 0: none */
  const char *capture;            /* shorter than PROF_CONTROL_CAPTURE_BYTES; NULL: none */
};
/* Call it before the first program starts. */
void prof_region_set_bounds(struct prof_region *, const struct prof_region_bounds *);

/* Thread records that were ever used. */
uint32_t prof_region_records_used(const struct prof_region *);

/* number: from a program; 0 and invalid numbers give NULL. */
struct prof_segment *prof_region_segment(const struct prof_region *, uint32_t number);
struct prof_event *prof_segment_events(struct prof_segment *);

/* Pushes a segment whose events are all zero on the free list. */
void prof_region_give_back(struct prof_region *, uint32_t number);

/* Slots of a segment that its thread uses, including those behind its end: at least one, which a FRAME may use. */
uint32_t prof_region_used_slots(const struct prof_region *, const struct prof_segment *);
/* Of those behind the end, how many the thread has reserved (wire/control.h); 0 until it leaves the segment. */
uint32_t prof_region_over_slots(const struct prof_segment *);

/* From now on only the first `bytes` of each segment are used (a power of two, at least PROF_SEGMENT_FIRST_BYTES).
 * Free segments return the rest of their memory to the system. */
void prof_region_use_part(struct prof_region *, uint32_t bytes);

/* Wakes up to `count` threads that wait for any space. */
void prof_region_wake_waiters(struct prof_region *, uint32_t count);

/* Wakes the thread if it waits for its own segments, some of which were released. */
void prof_region_wake_owner(struct prof_thread *);

/* Notifies all programs that recording ended, and wakes waiting threads. */
void prof_region_close_recording(struct prof_region *);

/* Wakes the pump, as programs do. */
void prof_region_ring_bell(struct prof_region *);
/* Processes switch their sites off, or on again (wire/control.h, Pauses). */
void prof_region_pause(struct prof_region *, bool paused);

#endif
