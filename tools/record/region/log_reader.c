/*
 * tools/record/region/log_reader.c - see log_reader.h.
 *
 * A record that is reserved has no length for a moment: its bytes are zero then, as the whole log is at first.  Where
 * the next record begins is still known: a writer stores the length before anything else of its record, so the first
 * byte that isn't zero is a length, if all before it are zero when they are read again.
 */
#include "record/region/log_reader.h"

#include <string.h>

enum { ALIGN = 8 };
#define NAMELESS_BYTES 65536u /* of records without a length in a row; with a damaged log_tail all is zero */

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
    [PROF_LOG_ATTACHED] = {sizeof(struct prof_log_attached), false},
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

static uint64_t word_at(const struct prof_region *region, uint64_t at) {
  return __atomic_load_n((const uint64_t *)(region->log + at), __ATOMIC_ACQUIRE);
}

static uint64_t first_word(const struct prof_region *region, uint64_t from, uint64_t to) {
  while (from < to && word_at(region, from) == 0)
    from += ALIGN;
  return from;
}

/* Where the first record with a length begins; `to`: none has one. */
static uint64_t first_record(const struct prof_region *region, uint64_t from, uint64_t to) {
  uint64_t found = first_word(region, from, to);
  for (uint64_t before = to; found < before;) {
    before = found;
    found = first_word(region, from, before);
  }
  return found;
}

struct found { /* a record, as its writer left it so far */
  uint32_t kind, bytes;
};

static struct found look_at(const struct prof_region *region, uint64_t at) {
  const struct prof_log_head *head = (const struct prof_log_head *)(region->log + at);
  struct found found = {.kind = __atomic_load_n(&head->kind, __ATOMIC_ACQUIRE)};
  found.bytes = __atomic_load_n(&head->bytes, __ATOMIC_RELAXED);
  return found;
}

/* false: it is damaged. */
static bool take_found(struct prof_log_reader *reader, const struct prof_region *region, uint64_t at,
                       const struct found *found, struct prof_log_view *out) {
  bool good = is_known(found->kind) && take(reader, region->log + at, found->kind, found->bytes, out);
  reader->garbled += !good;
  return good;
}

static void keep_late(struct prof_log_reader *reader, uint64_t from, uint64_t to) {
  if (from == to)
    return;
  if (reader->late_count < PROF_LOG_LATE_MAX)
    reader->late[reader->late_count++] = (struct prof_log_part){from, to};
  else
    reader->garbled++;
}

static void forget_late(struct prof_log_reader *reader, uint32_t index) {
  reader->late[index] = reader->late[--reader->late_count];
}

/* Where a record begins in a part that was passed over, of one or, if they had no lengths, of several; `to`: all is as
 * it was. */
static uint64_t news_in(const struct prof_region *region, const struct prof_log_part *part) {
  uint64_t at = first_record(region, part->from, part->to);
  if (at != part->from)
    return at;
  struct found found = look_at(region, at);
  return found.kind == 0 && found.bytes == part->to - part->from ? part->to : at;
}

/* True: one of its records is finished. */
static bool take_late(struct prof_log_reader *reader, const struct prof_region *region, uint32_t index,
                      struct prof_log_view *out) {
  const struct prof_log_part part = reader->late[index];
  uint64_t at = news_in(region, &part);
  if (at == part.to)
    return false;
  struct found found = look_at(region, at);
  forget_late(reader, index);
  if (!fits(part.to, at, found.bytes)) { /* damaged */
    reader->garbled++;
    return false;
  }
  keep_late(reader, part.from, at);
  keep_late(reader, at + found.bytes, part.to);
  if (found.kind != 0)
    return take_found(reader, region, at, &found, out);
  keep_late(reader, at, at + found.bytes);
  return false;
}

static bool next_late(struct prof_log_reader *reader, const struct prof_region *region, struct prof_log_view *out) {
  for (uint32_t i = reader->late_count; i > 0; i--)
    if (i <= reader->late_count && take_late(reader, region, i - 1, out))
      return true;
  return false;
}

bool prof_log_next(struct prof_log_reader *reader, const struct prof_region *region, struct prof_log_view *out) {
  uint64_t end = log_end(region) & ~(uint64_t)(ALIGN - 1);
  if (reader->late_count > 0 && next_late(reader, region, out))
    return true;
  while (reader->at < end) {
    uint64_t most = end - reader->at < NAMELESS_BYTES ? end : reader->at + NAMELESS_BYTES;
    uint64_t at = first_record(region, reader->at, most);
    if (at == most)
      return false;
    struct found found = look_at(region, at);
    keep_late(reader, reader->at, at);
    if (!fits(end, at, found.bytes)) { /* damaged: the next one may begin anywhere */
      reader->garbled += !reader->searches;
      reader->searches = true;
      reader->at = at + ALIGN;
      continue;
    }
    reader->searches = false;
    reader->at = at + found.bytes;
    if (found.kind == 0)
      keep_late(reader, at, reader->at);
    else if (take_found(reader, region, at, &found, out))
      return true;
  }
  return false;
}

bool prof_log_waits(const struct prof_log_reader *reader, const struct prof_region *region) {
  bool waits = reader->at < log_end(region);
  for (uint32_t i = 0; i < reader->late_count && !waits; i++)
    waits = news_in(region, &reader->late[i]) != reader->late[i].to;
  return waits;
}
