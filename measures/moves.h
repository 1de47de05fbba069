/*
 * moves.h - bodies of wrappers around calls that move bytes.
 *
 * Each is a macro, for PROF_CALLER is the wrapper's own return address.
 */
#ifndef PROF_MEASURES_MOVES_H
#define PROF_MEASURES_MOVES_H

#include <errno.h>

#include "control.h"
#include "files.h"
#include "wrapped.h"

/* After a call: result < 0: it failed with errno; else bytes, or of opened ones 0.  file: its number, 0: not known.
 * begin: ticks. Keeps errno. */
static inline void prof_moved(enum prof_measure_operation operation, uint32_t file, int64_t result, uint64_t begin,
                              const void *caller) {
  int error = errno;
  uint64_t bytes = result < 0                                ? prof_measure_io_error(error)
                   : (uint64_t)result > PROF_MEASURE_IO_MOST ? PROF_MEASURE_IO_MOST
                                                             : (uint64_t)result;
  uint64_t number = file <= PROF_MEASURE_FILES ? file : 0, took = prof_measure.ticks() - begin;
  if (prof_measure.wanted & PROF_CONTROL_IO)
    prof_measure.put(operation, caller, number << PROF_MEASURE_IO_BYTES | bytes, took >> 58 ? 0 : took);
  errno = error;
}

/* Around calls that may block, with --locks. */
static inline void prof_wait_for(uint32_t file, enum prof_measure_operation operation, const void *caller) {
  if (prof_measure.wanted & PROF_CONTROL_LOCKS && prof_file_blocks(file))
    prof_measure.put(operation, caller, PROF_MEASURE_INPUT, file);
}

/* A call with a descriptor whose result is a number of bytes, or 0. */
#define MOVES(result_type, name, operation, descriptor, parameters, arguments)                                         \
  static result_type wrap_##name parameters {                                                                          \
    const uint32_t file = prof_file_of(descriptor);                                                                    \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    result_type result = name arguments;                                                                               \
    prof_moved(operation, file, result, begin, PROF_CALLER);                                                           \
    return result;                                                                                                     \
  }

/* Likewise of one that may wait for input. */
#define READS(result_type, name, operation, descriptor, parameters, arguments)                                         \
  static result_type wrap_##name parameters {                                                                          \
    const uint32_t file = prof_file_of(descriptor);                                                                    \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    prof_wait_for(file, PROF_MEASURE_WAITS, PROF_CALLER);                                                              \
    result_type result = name arguments;                                                                               \
    prof_wait_for(file, PROF_MEASURE_GOES_ON, PROF_CALLER);                                                            \
    prof_moved(operation, file, result, begin, PROF_CALLER);                                                           \
    return result;                                                                                                     \
  }

#endif
