/*
 * test/gpu/double/replay.c - libcupti's double plays what a collector kept (gpu/keep.h), on a real GPU or on the
 * double.
 *
 *    GPU_DOUBLE_REPLAY=FILE     records are as long as in the file; gpu_double_replay calls back as it says
 *
 * Each recorded thread is a thread here, one at a time in the order of the file.  Calls happen anew; a record is moved
 * in time as far as its call was, so that durations and delays stay.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "keep.h"
#include "records.h"

enum { THREADS = 64, MOST_RECORD = 1024, LATER = 100000000 /* ticks: a callback may be interrupted */ };

static const struct layout { /* where a kind has its times and its call's number; 0: nowhere */
  uint32_t times[4], correlation, text;
} layouts[ABI_ACTIVITY_COUNT] = {
    [ABI_CONCURRENT_KERNEL] = {{ABI_KERNEL_START, ABI_KERNEL_END, ABI_KERNEL_QUEUED, ABI_KERNEL_SUBMITTED},
                               ABI_KERNEL_CORRELATION,
                               ABI_KERNEL_NAME},
    [ABI_MEMCPY] = {{ABI_MEMCPY_START, ABI_MEMCPY_END}, ABI_MEMCPY_CORRELATION, 0},
    [ABI_MEMCPY_PEER] = {{ABI_MEMCPY_START, ABI_MEMCPY_END}, ABI_PEER_CORRELATION, 0},
    [ABI_MEMSET] = {{ABI_MEMSET_START, ABI_MEMSET_END}, ABI_MEMSET_CORRELATION, 0},
    [ABI_SYNCHRONIZATION] = {{ABI_SYNC_START, ABI_SYNC_END}, ABI_SYNC_CORRELATION, 0},
    [ABI_OVERHEAD] = {{ABI_OVERHEAD_START, ABI_OVERHEAD_END}, 0, 0},
    [ABI_GRAPH_TRACE] = {{ABI_GRAPH_START, ABI_GRAPH_END}, ABI_GRAPH_CORRELATION, 0},
    [ABI_MEMORY] = {{ABI_MEMORY_TIME}, ABI_MEMORY_CORRELATION, 0},
    [ABI_DEVICE] = {.text = ABI_DEVICE_NAME},
};

struct moved { /* a call: when it was, and is now */
  uint32_t correlation;
  uint64_t by;
};
struct text {
  uint64_t address;
  const char *bytes;
};
struct worker {
  uint32_t thread;
  pthread_t id;
  sem_t go, done;
  const struct prof_keep_call *call;
};

static uint8_t *file;
static size_t file_bytes;
static struct worker workers[THREADS];
static size_t worker_count;
static struct moved *moved;
static size_t moved_count;
static struct text *texts;
static size_t text_count;

static void load(void) {
  const char *path = double_knob("REPLAY");
  FILE *from = path != NULL ? fopen(path, "rb") : NULL;
  struct stat status;
  if (file != NULL || from == NULL || fstat(fileno(from), &status) != 0)
    return;
  file = calloc(1, (size_t)status.st_size + 8);
  file_bytes = fread(file, 1, (size_t)status.st_size, from);
  fclose(from);
}

/* The next entry; NULL: the end, or it is cut. */
static const uint8_t *next(size_t *at, struct prof_keep_head *head) {
  if (file == NULL || *at + sizeof *head > file_bytes)
    return NULL;
  memcpy(head, file + *at, sizeof *head);
  const uint8_t *bytes = file + *at + sizeof *head;
  if (head->bytes > file_bytes - *at - sizeof *head)
    return NULL;
  *at += sizeof *head + head->bytes;
  return bytes;
}

size_t double_replay_length(int kind) {
  static size_t lengths[ABI_ACTIVITY_COUNT];
  static int is_read;
  struct prof_keep_head head;
  size_t at = 0;
  load();
  for (const uint8_t *entry; !is_read && (entry = next(&at, &head)) != NULL;) {
    uint32_t stride[2];
    memcpy(stride, entry, sizeof stride);
    if (head.kind == PROF_KEEP_STRIDE && stride[0] < ABI_ACTIVITY_COUNT)
      lengths[stride[0]] = stride[1];
  }
  is_read = 1;
  return lengths[kind];
}

/* ---- calls ---- */

/* The name comes with the begin of a call. */
static const char *name_of(const struct prof_keep_call *call) {
  static const char *names[4][1024];
  if (call->domain >= 4 || call->id >= 1024)
    return NULL;
  if (call->site == ABI_ENTER)
    names[call->domain][call->id] = (const char *)(call + 1);
  return names[call->domain][call->id];
}

static void *work(void *given) {
  struct worker *worker = given;
  for (;;) {
    sem_wait(&worker->go);
    if (worker->call == NULL)
      return NULL;
    if (worker->call->site == ABI_ENTER) { /* here, where the call is: it takes a while to get here */
      moved = realloc(moved, (moved_count + 1) * sizeof *moved);
      moved[moved_count].correlation = worker->call->correlation;
      moved[moved_count++].by = LATER + double_now() - worker->call->time;
    }
    double_call((int)worker->call->domain, worker->call->id, name_of(worker->call), worker->call->correlation,
                (enum abi_site)worker->call->site);
    sem_post(&worker->done);
  }
}

static struct worker *worker_of(uint32_t thread) {
  for (size_t i = 0; i < worker_count; i++)
    if (workers[i].thread == thread)
      return &workers[i];
  if (worker_count == THREADS)
    return &workers[0];
  struct worker *worker = &workers[worker_count++];
  worker->thread = thread;
  sem_init(&worker->go, 0, 0);
  sem_init(&worker->done, 0, 0);
  pthread_create(&worker->id, NULL, work, worker);
  return worker;
}

static void play_call(const uint8_t *entry) {
  const struct prof_keep_call *call = (const struct prof_keep_call *)entry;
  struct worker *worker = worker_of(call->thread);
  worker->call = call;
  sem_post(&worker->go);
  sem_wait(&worker->done);
}

/* ---- records ---- */

static uint64_t shift_of(uint32_t correlation) {
  for (size_t i = moved_count; i > 0; i--)
    if (moved[i - 1].correlation == correlation)
      return moved[i - 1].by;
  return moved_count > 0 ? moved[0].by : 0;
}

static uint64_t text_at(uint64_t address) {
  for (size_t i = text_count; i > 0; i--)
    if (texts[i - 1].address == address)
      return (uintptr_t)texts[i - 1].bytes;
  return 0;
}

static void mend(uint8_t *record, uint32_t kind) {
  const struct layout *layout = &layouts[kind];
  uint32_t correlation = 0;
  uint64_t value;
  if (layout->correlation != 0)
    memcpy(&correlation, record + layout->correlation, sizeof correlation);
  for (size_t i = 0; i < 4 && layout->times[i] != 0; i++) {
    memcpy(&value, record + layout->times[i], sizeof value);
    value += value != 0 ? shift_of(correlation) : 0;
    memcpy(record + layout->times[i], &value, sizeof value);
  }
  if (layout->text != 0) {
    memcpy(&value, record + layout->text, sizeof value);
    value = text_at(value);
    memcpy(record + layout->text, &value, sizeof value);
  }
}

static void play_buffer(const uint8_t *entry) {
  uint64_t bytes;
  uint32_t kind;
  uint8_t record[MOST_RECORD];
  memcpy(&bytes, entry, sizeof bytes);
  for (size_t at = 0, length; at + sizeof kind <= bytes; at += length) {
    memcpy(&kind, entry + sizeof bytes + at, sizeof kind);
    length = kind < ABI_ACTIVITY_COUNT ? double_replay_length((int)kind) : 0;
    if (length == 0 || length > sizeof record || at + length > bytes)
      return;
    memcpy(record, entry + sizeof bytes + at, length);
    mend(record, kind);
    double_records_put(record, length);
  }
}

void double_replay(void) {
  struct prof_keep_head head;
  size_t at = 0;
  load();
  for (const uint8_t *entry; (entry = next(&at, &head)) != NULL;) {
    if (head.kind == PROF_KEEP_TEXT) {
      texts = realloc(texts, (text_count + 1) * sizeof *texts);
      texts[text_count++] = (struct text){0, (const char *)entry + sizeof(uint64_t)};
      memcpy(&texts[text_count - 1].address, entry, sizeof(uint64_t));
    } else if (head.kind == PROF_KEEP_CALL) {
      play_call(entry);
    } else if (head.kind == PROF_KEEP_BUFFER) {
      play_buffer(entry);
    }
  }
  for (size_t i = 0; i < worker_count; i++) {
    workers[i].call = NULL;
    sem_post(&workers[i].go);
    pthread_join(workers[i].id, NULL);
  }
  worker_count = 0;
}
