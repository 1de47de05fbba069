/* log.h - rare records for the recorder. */
#ifndef PROF_RUNTIME_LOG_H
#define PROF_RUNTIME_LOG_H

#include "state.h"
#include <stddef.h>

/* Notes the executable's path, for process records. */
void prof_log_init(void);
/* Appends a record: `fixed` (fixed_bytes, begins with a prof_log_head), then `text` with its NUL. */
void prof_log_write(uint32_t kind, void *fixed, size_t fixed_bytes, const char *text);
void prof_log_process(uint32_t process, uint32_t parent);
void prof_log_error(const char *text);

/* Writes that recording of the process begins or ends at `time`. */
void prof_log_slice(bool on, uint64_t time);

#endif
