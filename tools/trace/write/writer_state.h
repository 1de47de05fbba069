/*
 * tools/trace/write/writer_state.h - a writer, for the files of this folder.  Others use write.h.
 */
#ifndef PROF_TRACE_WRITER_STATE_H
#define PROF_TRACE_WRITER_STATE_H

#include <pthread.h>
#include <sys/uio.h>

#include "facts.h"
#include "laps.h"
#include "prof_status.h"

typedef struct prof_writer prof_writer; /* as in write.h */

struct prof_writer {
  int fd;
  int level;
  char *path;
  uint8_t id[16];
  uint64_t bytes, events; /* atomic for readers; changed under the lock */
  uint64_t ceiling, left_out;
  uint64_t reserve;      /* bytes to keep free after the end; 0: none */
  uint64_t promised_end; /* space is allocated up to here */
  uint64_t size_limit;   /* RLIMIT_FSIZE; 0: not asked yet */
  bool last_records, last_failed;
  bool keeps; /* facts, for the next file */
  struct prof_facts facts;
  uint32_t serial; /* of the file, or the lap */
  bool rings;      /* there is no file: chunks are held in laps */
  struct prof_laps laps;
  uint64_t start_realtime_ns;        /* of the recording, if it rings */
  uint32_t kinds[PROF_FORMAT_KINDS]; /* chunks written, under the lock */
  pthread_mutex_t lock;
  prof_status status; /* atomic for readers; the first error */
  struct prof_diag diag;
};

/* For all of them the caller holds the lock, or no other thread knows the writer. */

prof_writer *prof_writer_new(int level); /* NULL: no memory */
/* id: all zero: random. */
prof_status prof_writer_find_id(prof_writer *, const uint8_t id[16]);
/* Keeps the first error; returns it. */
prof_status prof_writer_fail(prof_writer *, prof_status, int error_number);
/* Makes the file; the writer keeps no error. */
prof_status prof_writer_create(prof_writer *, const char *directory, const char *name, struct prof_diag *);
prof_status prof_writer_put_header(prof_writer *, uint64_t start_realtime_ns); /* 0: now */
void prof_writer_file_header(const prof_writer *, uint64_t start_realtime_ns, struct prof_format_file *out);
/* Writes all parts or none: truncates a partly written chunk. */
prof_status prof_writer_put(prof_writer *, struct iovec *parts, int count, bool is_last);
/* Frees allocated space that wasn't used. */
void prof_writer_give_promise_back(prof_writer *);

/* ---- writer_next.c; takes the lock ---- */

/* Keeps what was just appended, if it is a fact that later files need. */
prof_status prof_writer_keep_fact(prof_writer *, const struct prof_format_chunk *, const uint8_t *payload,
                                  const void *packed);

#endif
