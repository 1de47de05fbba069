/*
 * test/fuzz/trace_input.c - see trace_input.h.
 */
#define _GNU_SOURCE /* memfd_create */
#include "trace_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "trace/format.h"

static void make_right(uint8_t *data, size_t bytes) {
  uint32_t crc;
  if (bytes >= sizeof(struct prof_format_file)) {
    crc = (uint32_t)crc32(0, data, offsetof(struct prof_format_file, header_crc));
    memcpy(data + offsetof(struct prof_format_file, header_crc), &crc, sizeof crc);
  }
  for (size_t at = 0; at + sizeof(struct prof_format_chunk) <= bytes; at += PROF_FORMAT_ALIGNMENT) {
    struct prof_format_chunk head;
    memcpy(&head, data + at, sizeof head);
    if (head.magic != PROF_FORMAT_CHUNK_MAGIC)
      continue;
    if (head.packed_bytes <= bytes - at - sizeof head)
      head.payload_crc = (uint32_t)crc32(0, data + at + sizeof head, head.packed_bytes);
    head.header_crc = (uint32_t)crc32(0, (const Bytef *)&head, offsetof(struct prof_format_chunk, header_crc));
    memcpy(data + at, &head, sizeof head);
  }
}

static void put(const uint8_t *data, size_t bytes, void (*read)(const char *path)) {
  static int fd = -1;
  static char path[32];
  if (fd < 0) {
    fd = memfd_create("trace", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  if (fd < 0 || (bytes && pwrite(fd, data, bytes, 0) != (ssize_t)bytes) || ftruncate(fd, (off_t)bytes)) {
    perror("fuzz_trace_input");
    exit(1);
  }
  read(path);
}

void fuzz_trace_input(const uint8_t *data, size_t bytes, void (*read)(const char *path)) {
  put(data, bytes, read);
  uint8_t *copy = malloc(bytes + 1);
  if (!copy)
    abort();
  memcpy(copy, data, bytes);
  make_right(copy, bytes);
  put(copy, bytes, read);
  free(copy);
}
