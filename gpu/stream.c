/*
 * gpu/stream.c - see stream.h.
 *
 *    lock ──> room in the segment, or the next one ──> fields ──> kind, stored last ──> unlock
 *
 * Names are compared by their bytes, not by their address: a name's library may be unloaded, and another name may get
 * its address.
 */
#include "stream.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "region.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

struct name {
  uint64_t hash;
  char *bytes;
  uint32_t text; /* 0: this slot is free */
};

static struct {
  pthread_mutex_t lock;
  uint32_t *open; /* in a page that a fork wipes */
  struct prof_gpu_region region;
  char *cursor;
  size_t room;
  struct name *names; /* open addressing; at most half full */
  size_t name_count, name_slots;
  struct prof_gpu_figures figures, said;
} stream = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool prof_gpu_stream_is_open(void) {
  return stream.open != NULL && __atomic_load_n(stream.open, __ATOMIC_ACQUIRE) != 0;
}

const struct prof_control *prof_gpu_stream_control(void) {
  return stream.region.control;
}

/* ---- behind the lock ---- */

/* Room for a message, not yet visible; NULL: none. */
static struct prof_gpu_head *begin(uint32_t bytes) {
  if (bytes > stream.room) {
    char *cursor = prof_gpu_region_next_segment(&stream.region, &stream.figures.values[PROF_GPU_STALLED]);
    if (cursor == NULL)
      return NULL;
    stream.cursor = cursor;
    stream.room = stream.region.segment_bytes - sizeof(struct prof_segment);
  }
  struct prof_gpu_head *head = (struct prof_gpu_head *)stream.cursor;
  head->bytes = bytes;
  return head;
}

static void commit(struct prof_gpu_head *head, uint32_t kind) {
  __atomic_store_n(&head->kind, kind, __ATOMIC_RELEASE);
  stream.cursor += head->bytes;
  stream.room -= head->bytes;
}

/* behind: bytes after `fixed`; `room` bytes are reserved, and those behind them stay zero. */
static bool put_bytes(uint32_t kind, const void *fixed, uint32_t fixed_bytes, const void *behind, size_t behind_bytes,
                      size_t room) {
  struct prof_gpu_head *head = begin((uint32_t)((fixed_bytes + room + 7) & ~(size_t)7));
  if (head == NULL)
    return false;
  memcpy(head + 1, (const struct prof_gpu_head *)fixed + 1, fixed_bytes - sizeof *head);
  if (behind != NULL)
    memcpy((char *)head + fixed_bytes, behind, behind_bytes);
  commit(head, kind);
  return true;
}

static bool put(uint32_t kind, const void *fixed, uint32_t fixed_bytes, const char *text) {
  size_t length = text != NULL ? strlen(text) : 0;
  length = length < PROF_GPU_TEXT_LIMIT ? length : PROF_GPU_TEXT_LIMIT - 1;
  return put_bytes(kind, fixed, fixed_bytes, text, length, text != NULL ? length + 1 : 0);
}

static uint64_t hash_of(const char *text) {
  uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */
  for (; *text != 0; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
  return hash;
}

static struct name *find_name(struct name *names, size_t slots, uint64_t hash, const char *text) {
  for (size_t at = hash & (slots - 1);; at = (at + 1) & (slots - 1))
    if (names[at].text == 0 || (names[at].hash == hash && strcmp(names[at].bytes, text) == 0))
      return &names[at];
}

static bool grow_names(void) {
  size_t slots = stream.name_slots != 0 ? 2 * stream.name_slots : 256;
  struct name *names = calloc(slots, sizeof *names);
  if (names == NULL)
    return false;
  for (size_t i = 0; i < stream.name_slots; i++)
    if (stream.names[i].text != 0)
      *find_name(names, slots, stream.names[i].hash, stream.names[i].bytes) = stream.names[i];
  free(stream.names);
  stream.names = names;
  stream.name_slots = slots;
  return true;
}

static uint32_t text_of(const char *text) {
  if (2 * (stream.name_count + 1) > stream.name_slots && !grow_names())
    return 0;
  uint64_t hash = hash_of(text);
  struct name *name = find_name(stream.names, stream.name_slots, hash, text);
  if (name->text != 0)
    return name->text;
  char *copy = strdup(text);
  struct prof_gpu_text_message message = {.text = (uint32_t)stream.name_count + 1};
  if (copy == NULL || !put(PROF_GPU_MESSAGE_TEXT, &message, sizeof message, text)) {
    free(copy);
    return 0;
  }
  *name = (struct name){hash, copy, message.text};
  stream.name_count++;
  return message.text;
}

/* ---- for everybody ---- */

bool prof_gpu_stream_open(const char *path, pid_t tid, char *why, size_t why_bytes) {
  uint32_t *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || madvise(page, sizeof *page, MADV_WIPEONFORK) != 0) {
    snprintf(why, why_bytes, "GPU activity is not recorded: no memory that a fork wipes");
    return false;
  }
  if (!prof_gpu_region_map(&stream.region, path, why, why_bytes))
    return false;
  if (!prof_gpu_region_take_record(&stream.region, tid, prof_gpu_clock_now())) {
    snprintf(why, why_bytes, "GPU activity is not recorded: too many threads are");
    return false;
  }
  stream.open = page;
  __atomic_store_n(page, 1, __ATOMIC_RELEASE);
  return true;
}

void prof_gpu_stream_close(void) {
  pthread_mutex_lock(&stream.lock);
  if (prof_gpu_stream_is_open()) {
    __atomic_store_n(stream.open, 0, __ATOMIC_RELEASE);
    prof_gpu_region_end(&stream.region);
  }
  pthread_mutex_unlock(&stream.lock);
}

/* True: the lock is held, and messages may be written. */
static bool enter(void) {
  if (!prof_gpu_stream_is_open())
    return false;
  pthread_mutex_lock(&stream.lock);
  if (prof_gpu_stream_is_open())
    return true;
  pthread_mutex_unlock(&stream.lock);
  return false;
}

void prof_gpu_stream_start(uint32_t library_version, uint32_t driver_version, bool own_clock, uint64_t start_ticks,
                           const char *library) {
  struct prof_gpu_start start = {.library_version = library_version,
                                 .driver_version = driver_version,
                                 .flags = (own_clock ? PROF_GPU_START_OWN_CLOCK : 0) |
                                          (stream.region.recorder_visible ? 0 : PROF_GPU_START_OTHER_PIDS),
                                 .start = start_ticks};
  if (!enter())
    return;
  put(PROF_GPU_MESSAGE_START, &start, sizeof start, library);
  pthread_mutex_unlock(&stream.lock);
}

void prof_gpu_stream_note(const char *format, ...) {
  char text[1024];
  struct prof_gpu_head head;
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (!enter())
    return;
  put(PROF_GPU_MESSAGE_NOTE, &head, sizeof head, text);
  pthread_mutex_unlock(&stream.lock);
}

void prof_gpu_stream_record(enum prof_gpu_record record, void *message, uint32_t bytes, const char *name,
                            uint32_t *name_field) {
  if (!enter())
    return;
  if (name != NULL && *name != 0)
    *name_field = text_of(name);
  if (!put(PROF_GPU_MESSAGE_RECORD + record, message, bytes, NULL) && prof_gpu_region_is_recording(&stream.region))
    stream.figures.values[record == PROF_GPU_CALL ? PROF_GPU_LOST_CALLS : PROF_GPU_LOST_RECORDS]++;
  pthread_mutex_unlock(&stream.lock);
}

uint32_t prof_gpu_stream_text(const char *text) {
  if (!enter())
    return 0;
  uint32_t number = text_of(text);
  pthread_mutex_unlock(&stream.lock);
  return number;
}

/* The lock is released between parts: a cubin may have hundreds of megabytes, and other records must not wait. */
bool prof_gpu_stream_cubin(uint64_t cubin, const uint8_t *bytes, size_t byte_count) {
  bool good = true;
  for (size_t at = 0; at < byte_count && good; at += PROF_GPU_CUBIN_PART) {
    size_t left = byte_count - at, part = left < PROF_GPU_CUBIN_PART ? left : PROF_GPU_CUBIN_PART;
    struct prof_gpu_cubin_message message = {
        .cubin = cubin, .total_bytes = byte_count, .offset = at, .part_bytes = (uint32_t)part};
    if (!enter())
      return false;
    good = put_bytes(PROF_GPU_MESSAGE_CUBIN, &message, sizeof message, bytes + at, part, part);
    pthread_mutex_unlock(&stream.lock);
  }
  return good;
}

void prof_gpu_stream_count(enum prof_gpu_figure figure, uint64_t more) {
  __atomic_fetch_add(&stream.figures.values[figure], more, __ATOMIC_RELAXED);
}

void prof_gpu_stream_raise(enum prof_gpu_figure figure, uint64_t value) {
  uint64_t *to = &stream.figures.values[figure], before = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (before < value && !__atomic_compare_exchange_n(to, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void prof_gpu_stream_figures(void) {
  if (!enter())
    return;
  if (memcmp(stream.figures.values, stream.said.values, sizeof stream.said.values) != 0) {
    stream.said = stream.figures;
    put(PROF_GPU_MESSAGE_FIGURES, &stream.said, sizeof stream.said, NULL);
  }
  pthread_mutex_unlock(&stream.lock);
}
