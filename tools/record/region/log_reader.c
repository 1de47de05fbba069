/*
 * tools/record/region/log_reader.c - see log_reader.h.
 */
#include "record/region/log_reader.h"

#include <string.h>

enum { ALIGN = 8 };
#define UNFINISHED_NS 200000000u /* a writer needs a microsecond; after this it is dead, or was kept from running */

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
    [PROF_LOG_FILE] = {sizeof(struct prof_log_number), true},
    [PROF_LOG_NAMED] = {sizeof(struct prof_log_named), true},
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

static bool fits(uint64_t end, uint64_t at, uint32_t bytes) {
  return bytes >= sizeof(struct prof_log_head) && bytes % ALIGN == 0 && bytes <= end - at;
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

static void keep_late(struct prof_log_reader *reader) {
  if (reader->late_count < PROF_LOG_LATE_MAX)
    reader->late[reader->late_count++] = reader->at;
  else
    reader->garbled++;
}

/* The record at `at` isn't finished.  True: the wait is over, and the reader has moved on. */
static bool pass_over(struct prof_log_reader *reader, uint64_t end, uint32_t bytes, uint64_t now_ns) {
  if (reader->waiting_ns == 0)
    reader->waiting_ns = now_ns;
  if (now_ns - reader->waiting_ns < UNFINISHED_NS)
    return false;
  if (!reader->searches)
    keep_late(reader);
  /* Without a length, searches the next record step by step, without a new wait. */
  reader->searches = !fits(end, reader->at, bytes);
  if (!reader->searches)
    reader->waiting_ns = 0;
  reader->at += reader->searches ? ALIGN : bytes;
  return true;
}

struct found { /* a record, as its writer left it so far */
  uint32_t kind, bytes;
  bool is_finished;
};

static struct found look_at(const struct prof_region *region, uint64_t at, uint64_t end) {
  const struct prof_log_head *head = (const struct prof_log_head *)(region->log + at);
  struct found found = {.kind = __atomic_load_n(&head->kind, __ATOMIC_ACQUIRE)};
  found.bytes = __atomic_load_n(&head->bytes, __ATOMIC_RELAXED);
  found.is_finished = found.kind != 0 && fits(end, at, found.bytes);
  return found;
}

/* false: it is damaged. */
static bool take_found(struct prof_log_reader *reader, const struct prof_region *region, uint64_t at,
                       const struct found *found, struct prof_log_view *out) {
  bool good = is_known(found->kind) && take(reader, region->log + at, found->kind, found->bytes, out);
  reader->garbled += !good;
  return good;
}

static bool next_late(struct prof_log_reader *reader, const struct prof_region *region, uint64_t end,
                      struct prof_log_view *out) {
  for (uint32_t i = 0; i < reader->late_count; i++) {
    uint64_t at = reader->late[i];
    struct found found = look_at(region, at, end);
    if (!found.is_finished)
      continue;
    reader->late[i--] = reader->late[--reader->late_count];
    if (take_found(reader, region, at, &found, out))
      return true;
  }
  return false;
}

bool prof_log_next(struct prof_log_reader *reader, const struct prof_region *region, uint64_t now_ns,
                   struct prof_log_view *out) {
  uint64_t end = log_end(region);
  if (reader->late_count > 0 && next_late(reader, region, end, out))
    return true;
  while (reader->at < end && end - reader->at >= sizeof(struct prof_log_head)) {
    struct found found = look_at(region, reader->at, end);
    uint64_t at = reader->at;
    if (found.is_finished) {
      reader->at += found.bytes;
      reader->waiting_ns = 0;
      reader->searches = false;
      if (take_found(reader, region, at, &found, out))
        return true;
    } else if (!pass_over(reader, end, found.bytes, now_ns)) {
      return false;
    }
  }
  return false;
}

bool prof_log_waits(const struct prof_log_reader *reader, const struct prof_region *region) {
  return reader->late_count > 0 || reader->at < log_end(region);
}
