/*
 * gpu/keep.c - see keep.h.
 */
#include "keep.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "stream.h"

enum { TEXTS = 4096, NAME_BYTES = 32768 };

static struct {
  pthread_mutex_t lock;
  uint32_t open; /* read without the lock */
  int fd;
  uint64_t texts[TEXTS]; /* addresses written lately; a slot is overwritten by the next one */
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A failed write closes the file: it holds whole entries only. */
static void put(enum prof_keep_kind kind, const void *fixed, size_t fixed_bytes, const void *more, size_t more_bytes) {
  static const char zeros[8];
  size_t bytes = fixed_bytes + more_bytes, padding = -bytes & 7;
  struct prof_keep_head head = {kind, (uint32_t)(bytes + padding)};
  const struct iovec parts[] = {{&head, sizeof head},
                                {(void *)(uintptr_t)fixed, fixed_bytes},
                                {(void *)(uintptr_t)more, more_bytes},
                                {(void *)(uintptr_t)zeros, padding}};
  pthread_mutex_lock(&kept.lock);
  if (kept.open && writev(kept.fd, parts, 4) != (ssize_t)(sizeof head + bytes + padding))
    __atomic_store_n(&kept.open, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&kept.lock);
}

static bool is_open(void) {
  return __atomic_load_n(&kept.open, __ATOMIC_ACQUIRE) != 0;
}

void prof_gpu_keep_begin(uint32_t library_version, bool own_clock) {
  const char *folder = secure_getenv(PROF_ENV_GPU_BUFFERS);
  char path[4200];
  if (folder == NULL || *folder == 0)
    return;
  snprintf(path, sizeof path, "%.4096s/%ld.buffers", folder, (long)getpid());
  kept.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (kept.fd < 0) {
    prof_gpu_stream_note("GPU buffers are not kept: %.4000s cannot be written", path);
    return;
  }
  __atomic_store_n(&kept.open, 1, __ATOMIC_RELEASE);
  const uint32_t start[] = {library_version, own_clock};
  put(PROF_KEEP_START, start, sizeof start, NULL, 0);
}

void prof_gpu_keep_stride(int kind, size_t bytes) {
  const uint32_t stride[] = {(uint32_t)kind, (uint32_t)bytes};
  if (is_open())
    put(PROF_KEEP_STRIDE, stride, sizeof stride, NULL, 0);
}

void prof_gpu_keep_call(int domain, uint32_t id, const struct abi_callback_data *data) {
  if (!is_open())
    return;
  const struct prof_keep_call call = {.domain = (uint32_t)domain,
                                      .id = id,
                                      .site = data->site,
                                      .correlation = data->correlation,
                                      .thread = (uint32_t)gettid(),
                                      .time = prof_gpu_clock_now()};
  const char *name = data->site == ABI_ENTER ? data->function_name : NULL;
  put(PROF_KEEP_CALL, &call, sizeof call, name, name != NULL ? strnlen(name, NAME_BYTES - 1) + 1 : 0);
}

/* Writes the text that a record points to, unless it was written lately. */
static void put_text(const uint8_t *record, size_t offset) {
  uint64_t address;
  memcpy(&address, record + offset, sizeof address);
  const char *text = (const char *)(uintptr_t)address;
  uint64_t *known = &kept.texts[address / 8 % TEXTS];
  if (text == NULL || __atomic_exchange_n(known, address, __ATOMIC_RELAXED) == address)
    return;
  put(PROF_KEEP_TEXT, &address, sizeof address, text, strnlen(text, NAME_BYTES - 1) + 1);
}

void prof_gpu_keep_buffer(const struct prof_gpu_library *library, uint8_t *buffer, size_t valid_bytes) {
  const uint64_t bytes = valid_bytes;
  void *record = NULL;
  uint32_t kind;
  if (!is_open() || valid_bytes == 0)
    return;
  while (library->cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == ABI_SUCCESS) {
    memcpy(&kind, record, sizeof kind);
    if (kind == ABI_CONCURRENT_KERNEL)
      put_text(record, ABI_KERNEL_NAME);
    else if (kind == ABI_DEVICE)
      put_text(record, ABI_DEVICE_NAME);
  }
  put(PROF_KEEP_BUFFER, &bytes, sizeof bytes, buffer, valid_bytes);
}
