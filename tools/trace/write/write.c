/*
 * tools/trace/write/write.c - creates the file, appends chunks, truncates on error.  See write.h.
 */
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/diag.h"
#include "trace/chunk_kinds.h"
#include "trace/file_lock.h"
#include "writer_state.h"

#define PROMISE_STEP ((uint64_t)1 << 20)

static uint64_t realtime_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

prof_status prof_writer_fail(prof_writer *writer, prof_status status, int error_number) {
  if (writer->status != PROF_OK)
    return writer->status;
  if (status == PROF_NO_MEMORY)
    prof_diag_memory(&writer->diag);
  else
    prof_diag_system(&writer->diag, error_number, writer->path, "cannot write the trace",
                     error_number == ENOSPC || error_number == EDQUOT
                         ? "free space, or record to another disk with -o DIR; the written part is readable"
                         : "record to another folder with -o DIR; the written part is readable");
  __atomic_store_n(&writer->status, writer->diag.status, __ATOMIC_RELEASE);
  return writer->diag.status;
}

prof_status prof_writer_memory(prof_writer *writer) {
  pthread_mutex_lock(&writer->lock);
  prof_status status = prof_writer_fail(writer, PROF_NO_MEMORY, 0);
  pthread_mutex_unlock(&writer->lock);
  return status;
}

/* Under the lock: does a chunk exceed the ceiling?  Then later chunks are left out too: they may refer to it. */
static bool is_left_out(struct prof_writer *writer, const struct iovec *parts, int count) {
  uint64_t end = writer->bytes;
  for (int i = 0; i < count; i++)
    end += parts[i].iov_len;
  if (end <= writer->ceiling)
    return false;
  writer->ceiling = 0;
  writer->left_out++;
  return true;
}

/* Allocates space up to `end`, in large steps while much is free.  Returns 0, or errno. */
static int promise(struct prof_writer *writer, uint64_t end) {
  if (end > writer->size_limit)
    return EFBIG;
  for (uint64_t step = PROMISE_STEP; end > writer->promised_end; step = 0) {
    uint64_t begin = writer->bytes > writer->promised_end ? writer->bytes : writer->promised_end;
    if (fallocate(writer->fd, FALLOC_FL_KEEP_SIZE, (off_t)begin, (off_t)(end + step - begin)) == 0) {
      writer->promised_end = end + step;
    } else if (errno != ENOSPC && errno != EDQUOT) {
      writer->reserve = 0; /* the file system can't allocate */
      return 0;
    } else if (step == 0) {
      return errno;
    }
  }
  return 0;
}

void prof_writer_give_promise_back(struct prof_writer *writer) {
  if (writer->promised_end <= writer->bytes)
    return;
  if (ftruncate(writer->fd, (off_t)writer->bytes) ||
      fallocate(writer->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)writer->bytes,
                (off_t)(writer->promised_end - writer->bytes)))
    errno = 0; /* then the file takes a little more space than its length */
}

void prof_writer_reserve(prof_writer *writer, uint64_t bytes) {
  struct rlimit limit;
  pthread_mutex_lock(&writer->lock);
  bool is_first = writer->size_limit == 0;
  if (is_first)
    writer->size_limit = getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : UINT64_MAX;
  if (is_first || writer->reserve > 0)
    writer->reserve = bytes;
  pthread_mutex_unlock(&writer->lock);
}

void prof_writer_last_records(prof_writer *writer) {
  pthread_mutex_lock(&writer->lock);
  writer->last_records = true;
  pthread_mutex_unlock(&writer->lock);
}

bool prof_writer_find(const prof_writer *writer, char *folder, size_t folder_bytes) {
  struct stat own, there;
  char link[40], path[PATH_MAX];
  if (fstat(writer->fd, &own) != 0)
    return true; /* unknown */
  if (own.st_nlink == 0)
    return false;
  snprintf(path, sizeof path, "%s/trace", folder);
  if (stat(path, &there) == 0 && there.st_dev == own.st_dev && there.st_ino == own.st_ino)
    return true;
  snprintf(link, sizeof link, "/proc/self/fd/%d", writer->fd);
  ssize_t bytes = readlink(link, path, sizeof path - 1);
  path[bytes > 0 ? bytes : 0] = 0;
  char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path && (size_t)(slash - path) < folder_bytes) {
    *slash = 0;
    memcpy(folder, path, (size_t)(slash - path) + 1);
  }
  return true;
}

prof_status prof_writer_put(prof_writer *writer, struct iovec *parts, int count, bool is_last) {
  size_t total = 0, written = 0;
  for (int i = 0; i < count; i++)
    total += parts[i].iov_len;
  if (writer->rings) {
    if (!prof_laps_put(&writer->laps, parts, count))
      return prof_writer_fail(writer, PROF_NO_MEMORY, 0);
    __atomic_store_n(&writer->bytes, writer->bytes + total, __ATOMIC_RELAXED);
    return PROF_OK;
  }
  int refused = writer->reserve > 0 && !is_last ? promise(writer, writer->bytes + total + writer->reserve) : 0;
  if (refused)
    return prof_writer_fail(writer, PROF_IO, refused);
  while (written < total) {
    ssize_t result = writev(writer->fd, parts, count);
    if (result < 0 && errno == EINTR)
      continue;
    if (result <= 0) {
      int error_number = result ? errno : ENOSPC;
      if (ftruncate(writer->fd, (off_t)writer->bytes) || lseek(writer->fd, (off_t)writer->bytes, SEEK_SET) < 0)
        errno = 0; /* some files can't be truncated (a pipe, a full quota); readers skip the rest */
      return prof_writer_fail(writer, PROF_IO, error_number);
    }
    written += (size_t)result;
    for (size_t left = (size_t)result; left && count;) {
      size_t step = left < parts->iov_len ? left : parts->iov_len;
      parts->iov_base = (char *)parts->iov_base + step;
      parts->iov_len -= step;
      left -= step;
      if (!parts->iov_len) {
        parts++;
        count--;
      }
    }
  }
  __atomic_store_n(&writer->bytes, writer->bytes + total, __ATOMIC_RELAXED);
  return PROF_OK;
}

prof_status prof_writer_find_id(prof_writer *writer, const uint8_t id[16]) {
  static const uint8_t none[sizeof writer->id];
  memcpy(writer->id, id, sizeof writer->id);
  if (!memcmp(id, none, sizeof none) && getrandom(writer->id, sizeof writer->id, 0) != sizeof writer->id)
    return prof_writer_fail(writer, PROF_IO, errno);
  return PROF_OK;
}

void prof_writer_file_header(const prof_writer *writer, uint64_t start_realtime_ns, struct prof_format_file *out) {
  *out = (struct prof_format_file){.major = PROF_FORMAT_MAJOR,
                                   .minor = PROF_FORMAT_MINOR,
                                   .header_bytes = sizeof *out,
                                   .features = PROF_FORMAT_FEATURES};
  memcpy(out->magic, PROF_FORMAT_MAGIC, sizeof out->magic);
  out->start_realtime_ns = start_realtime_ns ? start_realtime_ns : realtime_ns();
  memcpy(out->id, writer->id, sizeof out->id);
  out->header_crc = (uint32_t)crc32(0, (const Bytef *)out, offsetof(struct prof_format_file, header_crc));
}

prof_status prof_writer_put_header(prof_writer *writer, uint64_t start_realtime_ns) {
  struct prof_format_file head;
  prof_writer_file_header(writer, start_realtime_ns, &head);
  struct iovec part = {&head, sizeof head};
  return prof_writer_put(writer, &part, 1, false);
}

prof_status prof_writer_create(prof_writer *writer, const char *directory, const char *name, struct prof_diag *diag) {
  if (asprintf(&writer->path, "%s/%s", directory, name ? name : "trace") < 0) {
    writer->path = NULL;
    return prof_diag_memory(diag);
  }
  writer->fd = open(writer->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (writer->fd >= 0) {
    (void)prof_file_lock(writer->fd); /* succeeds: the file is new */
    return PROF_OK;
  }
  if (errno == EEXIST)
    return prof_diag_fill(diag, PROF_USAGE, writer->path, PROF_NO_OFFSET, "move it away, or record to another folder",
                          "there is a file of that name already");
  return prof_diag_system(diag, errno, writer->path, "cannot create the trace",
                          "record to a folder that you may write to, with -o DIR");
}

static void destroy(prof_writer *writer) {
  if (writer->fd >= 0)
    close(writer->fd);
  prof_facts_fini(&writer->facts);
  prof_laps_fini(&writer->laps);
  pthread_mutex_destroy(&writer->lock);
  free(writer->path);
  free(writer);
}

prof_writer *prof_writer_new(int level) {
  prof_writer *writer = calloc(1, sizeof *writer);
  if (!writer)
    return NULL;
  writer->fd = -1;
  writer->ceiling = UINT64_MAX;
  writer->level = level;
  pthread_mutex_init(&writer->lock, NULL);
  return writer;
}

prof_status prof_writer_open(const char *directory, const struct prof_writer_options *options, struct prof_diag *diag,
                             prof_writer **out) {
  static const struct prof_writer_options defaults;
  options = options ? options : &defaults;
  *out = NULL;
  prof_writer *writer = prof_writer_new(options->level ? options->level : 1);
  if (!writer)
    return prof_diag_memory(diag);
  writer->keeps = options->keeps_facts;
  prof_status status = prof_writer_create(writer, directory, options->name, diag);
  if (status == PROF_OK)
    status = prof_writer_find_id(writer, options->id);
  if (status == PROF_OK)
    status = prof_writer_put_header(writer, options->start_realtime_ns);
  if (status == PROF_OK) {
    *out = writer;
    return PROF_OK;
  }
  if (writer->status != PROF_OK) {
    unlink(writer->path); /* a file without a header is useless */
    if (diag)
      *diag = writer->diag;
  }
  destroy(writer);
  return status;
}

/* `bytes`: the end of the last chunk, a multiple of 8. */
static prof_status open_end(prof_writer *writer, uint64_t lacks_bytes, struct prof_diag *diag) {
  struct stat status;
  writer->fd = open(writer->path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (writer->fd < 0 || fstat(writer->fd, &status))
    return prof_diag_system(diag, errno, writer->path, "cannot write to the trace", "you must be allowed to write it");
  if (!prof_file_lock(writer->fd))
    return prof_diag_fill(diag, PROF_USAGE, writer->path, PROF_NO_OFFSET, "wait until it is done",
                          "another process is writing to this trace");
  uint64_t end = (uint64_t)status.st_size + lacks_bytes;
  writer->bytes = (end + PROF_FORMAT_ALIGNMENT - 1) & ~(uint64_t)(PROF_FORMAT_ALIGNMENT - 1);
  if (writer->bytes > (uint64_t)status.st_size && ftruncate(writer->fd, (off_t)writer->bytes))
    return prof_diag_system(diag, errno, writer->path, "cannot write to the trace", "make room on the disk");
  return PROF_OK;
}

prof_status prof_writer_append_to(const char *path, uint64_t lacks_bytes, struct prof_diag *diag, prof_writer **out) {
  *out = NULL;
  prof_writer *writer = prof_writer_new(1);
  if (!writer)
    return prof_diag_memory(diag);
  writer->path = strdup(path);
  prof_status status = writer->path ? open_end(writer, lacks_bytes, diag) : prof_diag_memory(diag);
  if (status == PROF_OK)
    *out = writer;
  else
    destroy(writer);
  return status;
}

prof_status prof_writer_close(prof_writer *writer, struct prof_diag *diag) {
  if (!writer)
    return PROF_OK;
  if (writer->fd >= 0)
    prof_writer_give_promise_back(writer);
  if (writer->fd >= 0 && close(writer->fd) && errno != EINTR)
    prof_writer_fail(writer, PROF_IO, errno); /* some file systems report a full disk only here */
  writer->fd = -1;
  prof_status status = prof_writer_error(writer, diag);
  destroy(writer);
  return status;
}

prof_status prof_writer_error(prof_writer *writer, struct prof_diag *diag) {
  prof_status status = __atomic_load_n(&writer->status, __ATOMIC_ACQUIRE);
  if (status != PROF_OK && diag)
    *diag = writer->diag;
  return status;
}

uint64_t prof_writer_bytes(const prof_writer *writer) {
  return __atomic_load_n(&writer->bytes, __ATOMIC_RELAXED);
}
uint64_t prof_writer_events(const prof_writer *writer) {
  return __atomic_load_n(&writer->events, __ATOMIC_RELAXED);
}
void prof_writer_set_ceiling(prof_writer *writer, uint64_t bytes) {
  pthread_mutex_lock(&writer->lock);
  writer->ceiling = bytes;
  pthread_mutex_unlock(&writer->lock);
}
uint64_t prof_writer_left_out(prof_writer *writer) {
  pthread_mutex_lock(&writer->lock);
  uint64_t left_out = writer->left_out;
  pthread_mutex_unlock(&writer->lock);
  return left_out;
}
void prof_writer_kinds(prof_writer *writer, uint32_t counts[PROF_FORMAT_KINDS]) {
  pthread_mutex_lock(&writer->lock);
  memcpy(counts, writer->kinds, sizeof writer->kinds);
  pthread_mutex_unlock(&writer->lock);
}
int prof_writer_level(const prof_writer *writer) {
  return writer->level;
}

prof_status prof_writer_append(prof_writer *writer, struct prof_format_chunk *head, const void *packed) {
  static const uint8_t zeros[PROF_FORMAT_ALIGNMENT];
  head->magic = PROF_FORMAT_CHUNK_MAGIC;
  bool stays = writer->level == PROF_WRITER_UNPACKED && head->kind == PROF_FORMAT_EVENTS; /* in memory */
  head->payload_crc = stays ? 0 : (uint32_t)crc32(0, packed, head->packed_bytes);
  head->header_crc = (uint32_t)crc32(0, (const Bytef *)head, offsetof(struct prof_format_chunk, header_crc));
  struct iovec parts[] = {
      {head, sizeof *head},
      {(void *)packed, head->packed_bytes},
      {(void *)zeros, -head->packed_bytes & (PROF_FORMAT_ALIGNMENT - 1)},
  };
  pthread_mutex_lock(&writer->lock);
  prof_status status = writer->status;
  bool left_out = status == PROF_OK && is_left_out(writer, parts, 3);
  bool is_last = writer->last_records && (head->kind == PROF_FORMAT_THREAD || head->kind == PROF_FORMAT_END);
  bool put_late = status != PROF_OK && is_last && writer->reserve > 0 && !writer->last_failed;
  if (status == PROF_OK && !left_out)
    status = prof_writer_put(writer, parts, 3, is_last);
  else if (put_late)
    writer->last_failed = prof_writer_put(writer, parts, 3, true) != PROF_OK;
  if (put_late ? !writer->last_failed : status == PROF_OK && !left_out)
    prof_chunk_kinds_add(writer->kinds, head->kind);
  if (status == PROF_OK && !left_out && head->kind == PROF_FORMAT_EVENTS) /* for other kinds, `events` counts records */
    __atomic_store_n(&writer->events, writer->events + head->events, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&writer->lock);
  return status;
}
