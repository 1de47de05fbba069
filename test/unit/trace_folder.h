/*
 * test/unit/trace_folder.h - a folder of the test's own with a trace in it, for tests of tools/trace.
 */
#ifndef PROF_TEST_TRACE_FOLDER_H
#define PROF_TEST_TRACE_FOLDER_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proftrace.h"
#include "trace/write/write.h"

struct trace_folder {
  char path[64], file[80];
};

static inline void trace_folder_make(struct trace_folder *folder) {
  snprintf(folder->path, sizeof folder->path, "/tmp/prof-test.XXXXXX");
  if (!mkdtemp(folder->path))
    abort();
  snprintf(folder->file, sizeof folder->file, "%s/trace", folder->path);
}

static inline void trace_folder_remove(struct trace_folder *folder) {
  unlink(folder->file);
  rmdir(folder->path);
}

/* All bytes of its trace; free them. */
static inline unsigned char *trace_folder_read(const struct trace_folder *folder, size_t *bytes) {
  FILE *file = fopen(folder->file, "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status))
    abort();
  *bytes = (size_t)status.st_size;
  unsigned char *data = malloc(*bytes + 1);
  if (!data || fread(data, 1, *bytes, file) != *bytes)
    abort();
  fclose(file);
  return data;
}

/* In place, not cut to nothing first: some file systems flush a file to disk that was. */
static inline void trace_folder_write(const struct trace_folder *folder, const void *data, size_t bytes) {
  int fd = open(folder->file, O_WRONLY | O_CREAT, 0600);
  if (fd < 0 || (bytes && pwrite(fd, data, bytes, 0) != (ssize_t)bytes) || ftruncate(fd, (off_t)bytes) || close(fd))
    abort();
}

#endif
