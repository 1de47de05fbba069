/*
 * tools/record/region/log_reader.c - see log_reader.h.
 */
#include "record/region/log_reader.h"

#include <string.h>

enum { ALIGN = 8 };
#define UNFINISHED_NS 200000000u /* a writer needs a microsecond; after this it is dead */

static const struct kind {
  size_t bytes; /* of the fixed part */
  bool has_text;
} kinds[] = {
    [PROF_LOG_PROCESS] = {sizeof(struct prof_log_process), true},
    [PROF_LOG_MODULE] = {sizeof(struct prof_log_module), true},
    [PROF_LOG_PROCESS_END] = {sizeof(struct prof_log_number), false},
    [PROF_LOG_ERROR] = {sizeof(struct prof_log_number), true},
    [PROF_LOG_MODULE_END] = {sizeof(struct prof_log_number), false},
    [PROF_LOG_CALLER] = {sizeof(struct prof_log_module), true},
    [PROF_LOG_FUNCTION] = {sizeof(struct prof_log_function), false},
    [PROF_LOG_COUNTS] = {sizeof(struct prof_log_counts), false},
    [PROF_LOG_SLICE] = {sizeof(struct prof_log_slice), false},
    [PROF_LOG_TEXT_PRIVATE] = {sizeof(struct prof_log_number), false},
};

static bool is_known(uint32_t kind) {
  return kind > 0 && kind < sizeof kinds / sizeof *kinds && kinds[kind].bytes > 0;
}

/* The log's used bytes. */
static uint64_t log_end(const struct prof_region *region) {
  uint64_t tail = __atomic_load_n(&region->control->log_tail, __ATOMIC_ACQUIRE);
  return tail < PROF_REGION_LOG_BYTES ? tail : PROF_REGION_LOG_BYTES;
}

static bool fits(const struct prof_log_reader *reader, uint64_t end, uint32_t bytes) {
  return bytes >= sizeof(struct prof_log_head) && bytes % ALIGN == 0 && bytes <= end - reader->at;
}

static bool take(struct prof_log_reader *reader, const uint8_t *record, uint32_t kind, uint32_t bytes,
                 struct prof_log_view *out) {
  size_t fixed = kinds[kind].bytes;
  if (bytes < fixed)
    return false;
  out->kind = kind;
  memcpy(&out->process, record, fixed);
  size_t text = kinds[kind].has_text ? bytes - fixed : 0;
  if (text > sizeof reader->text - 1)
    text = sizeof reader->text - 1;
  memcpy(reader->text, record + fixed, text);
  reader->text[text] = 0;
  out->text = reader->text;
  out->data = kind == PROF_LOG_COUNTS ? record + fixed : NULL;
  out->data_bytes = kind == PROF_LOG_COUNTS ? bytes - fixed : 0;
  return true;
}

/* The record at `at` isn't finished.  True: the wait is over, and the reader has moved on. */
static bool pass_over(struct prof_log_reader *reader, uint64_t end, uint32_t bytes, uint64_t now_ns) {
  if (reader->waiting_ns == 0)
    reader->waiting_ns = now_ns;
  if (now_ns - reader->waiting_ns < UNFINISHED_NS)
    return false;
  /* Without a length, searches the next record step by step, without a new wait. */
  if (fits(reader, end, bytes)) {
    reader->at += bytes;
    reader->garbled++;
    reader->waiting_ns = 0;
  } else {
    reader->at += ALIGN;
  }
  return true;
}

bool prof_log_next(struct prof_log_reader *reader, const struct prof_region *region, uint64_t now_ns,
                   struct prof_log_view *out) {
  for (uint64_t end = log_end(region); end - reader->at >= sizeof(struct prof_log_head) && reader->at < end;) {
    const struct prof_log_head *head = (const struct prof_log_head *)(region->log + reader->at);
    uint32_t kind = __atomic_load_n(&head->kind, __ATOMIC_ACQUIRE);
    uint32_t bytes = __atomic_load_n(&head->bytes, __ATOMIC_RELAXED);
    if (kind != 0 && fits(reader, end, bytes)) {
      bool good = is_known(kind) && take(reader, region->log + reader->at, kind, bytes, out);
      reader->at += bytes;
      reader->waiting_ns = 0;
      if (good)
        return true;
      reader->garbled++;
    } else if (!pass_over(reader, end, bytes, now_ns)) {
      return false;
    }
  }
  return false;
}
