/*
 * prof_status.h - how functions of prof's libraries report errors.
 *
 * A function that can fail returns a prof_status.  The function that finds the fault fills the diagnostic; the
 * outermost caller prints it once.
 */
#ifndef PROF_STATUS_H
#define PROF_STATUS_H

#include <stdint.h>

typedef enum prof_status {
  PROF_OK = 0,
  PROF_NO_MEMORY,
  PROF_IO,          /* a system call failed: errno's text is in `what` */
  PROF_NOT_FOUND,   /* no such file, function, thread */
  PROF_NOT_A_TRACE, /* a file of another kind */
  PROF_UNSUPPORTED, /* a newer or older version */
  PROF_TRUNCATED,   /* ends too early */
  PROF_CORRUPT,     /* checksum or structure wrong */
  PROF_EMPTY,       /* readable, but holds no events */
  PROF_USAGE,       /* the caller asked for something that doesn't exist */
  PROF_STOPPED,     /* the caller no longer wants it */
} prof_status;

#define PROF_MUST_CHECK __attribute__((warn_unused_result))

struct prof_diag { /* texts end in NUL; long ones are cut; bytes of other people's names are escaped */
  prof_status status;
  char what[256];   /* what is wrong, one clause without a full stop */
  char file[256];   /* where: file, or empty */
  uint64_t offset;  /* where: byte offset, or UINT64_MAX */
  char remedy[256]; /* what to do, or empty */
};

#endif
