/* code_work.c - see code_work.h. */
#include "code_work.h"

#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "work.h"

bool prof_work_is_any(const struct prof_work *work) {
  static const struct prof_work none;
  return memcmp(work, &none, sizeof none) != 0;
}

void prof_work_add(struct prof_work *to, const struct prof_work *more) {
  to->flops += more->flops;
  to->more_flops += more->more_flops;
  to->loaded += more->loaded;
  to->more_loaded += more->more_loaded;
  to->stored += more->stored;
  to->more_stored += more->more_stored;
  to->unknown_flops += more->unknown_flops;
  to->unknown_bytes += more->unknown_bytes;
}

void prof_work_add_flops(struct prof_work *to, uint64_t lanes, unsigned least, unsigned most) {
  to->flops += lanes * least;
  to->more_flops += lanes * (most - least);
}

/* Is `name` the function `of`, or that for float or long double? */
static bool is_named(const char *name, const char *of) {
  size_t length = strlen(of);
  return !strncmp(name, of, length) && (!name[length] || (!name[length + 1] && strchr("fl", name[length])));
}

uint32_t prof_work_of_math(const char *name, bool has_fused) {
  static const char *const free_ones[] = {"fabs", "copysign",  "floor",    "ceil",      "trunc",
                                          "rint", "nearbyint", "round",    "roundeven", "fmin",
                                          "fmax", "signbit",   "huge_val", "inf",       "nan"};
  static const char prefix[] = "__builtin_";
  if (!strncmp(name, prefix, sizeof prefix - 1))
    name += sizeof prefix - 1;
  if (is_named(name, "sqrt"))
    return 1;
  if (has_fused && is_named(name, "fma"))
    return 2;
  for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
    if (is_named(name, free_ones[i]))
      return 0;
  return PROF_WORK_UNKNOWN;
}

bool prof_work_is_memory_function(const char *name) {
  static const char *const begins[] = {"mem", "str", "wmem", "wcs", "bcopy", "bzero", "bcmp"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (!strncmp(name, begins[i], strlen(begins[i])))
      return true;
  return false;
}

unsigned prof_work_sum_of_lanes(unsigned lanes, unsigned bits, bool last_is_scalar) {
  unsigned flops = 0;
  for (; bits > 128 && lanes > 1; bits /= 2) /* halves are added */
    flops += lanes /= 2;
  for (unsigned left = lanes; left > 1; left /= 2) /* each step adds whole vectors */
    flops += left == 2 && last_is_scalar ? 1 : lanes;
  return flops;
}

uint32_t prof_work_piece_add(struct prof_work_function *function, uint64_t loop, const struct prof_work *work) {
  if (!function->failed && function->piece_count == function->piece_room) {
    uint32_t room = function->piece_room ? function->piece_room * 2 : 16;
    struct prof_work_piece *moved = realloc(function->pieces, room * sizeof *moved);
    function->failed = !moved;
    if (moved) {
      function->pieces = moved;
      function->piece_room = room;
    }
  }
  if (function->failed)
    return 0;
  function->pieces[function->piece_count] = (struct prof_work_piece){loop, *work};
  return function->piece_count++;
}

/* Only counts bytes if `at` is NULL. */
struct writer {
  uint8_t *at;
  size_t count;
};

static void put_byte(struct writer *writer, uint8_t byte) {
  if (writer->at)
    writer->at[writer->count] = byte;
  writer->count++;
}

static void put_number(struct writer *writer, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    put_byte(writer, (uint8_t)(value | 0x80));
  put_byte(writer, (uint8_t)value);
}

static void put_key(struct writer *writer, uint64_t key) {
  for (unsigned shift = 0; shift < 64; shift += 8)
    put_byte(writer, (uint8_t)(key >> shift));
}

/* The position of a piece's loop among the different ones, from 1 on; *is_new: it is the first piece of that loop. */
static uint32_t position_of(const struct prof_work_function *function, uint32_t piece, bool *is_new) {
  uint32_t position = 0;
  *is_new = false;
  if (!function->pieces[piece].loop)
    return 0;
  for (uint32_t i = 0; i <= piece; i++) {
    uint64_t loop = function->pieces[i].loop;
    bool first = loop != 0;
    for (uint32_t j = 0; j < i && first; j++)
      first = function->pieces[j].loop != loop;
    position += first;
    if (loop == function->pieces[piece].loop) {
      *is_new = i == piece;
      return position;
    }
  }
  return position;
}

static void put_loops(struct writer *writer, const struct prof_work_function *function) {
  uint32_t count = 0;
  bool is_new;
  for (uint32_t i = 0; i < function->piece_count; i++) {
    position_of(function, i, &is_new);
    count += is_new;
  }
  put_number(writer, count);
  for (uint32_t i = 0; i < function->piece_count; i++) {
    position_of(function, i, &is_new);
    if (is_new)
      put_key(writer, function->pieces[i].loop);
  }
}

static void put_function(struct writer *writer, const struct prof_work_function *function) {
  bool is_new;
  put_key(writer, function->key);
  put_number(writer, function->flags);
  put_loops(writer, function);
  for (uint32_t i = 0; i < function->piece_count; i++) {
    const struct prof_work *work = &function->pieces[i].work;
    const uint64_t numbers[] = {work->flops,  work->more_flops,  work->loaded,        work->more_loaded,
                                work->stored, work->more_stored, work->unknown_flops, work->unknown_bytes};
    put_number(writer, position_of(function, i, &is_new));
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
      put_number(writer, numbers[j]);
  }
}

uint64_t *prof_work_object(const struct prof_work_function *function, size_t *word_count) {
  struct writer size = {NULL, 0};
  if (function->failed)
    return NULL;
  put_function(&size, function);
  size_t bytes_at = sizeof(struct prof_counts_object) + (size_t)function->piece_count * 8;
  *word_count = (bytes_at + size.count + 7) / 8;
  uint64_t *words = calloc(*word_count, 8);
  if (!words)
    return NULL;
  struct prof_counts_object head = {PROF_WORK_MAGIC, function->piece_count, (uint32_t)size.count};
  memcpy(words, &head, sizeof head);
  struct writer writer = {(uint8_t *)words + bytes_at, 0};
  put_function(&writer, function);
  return words;
}

void prof_work_add_object(struct prof_text *text, const struct prof_work_function *function, unsigned number) {
  size_t word_count;
  uint64_t *words = prof_work_object(function, &word_count);
  if (!words) {
    text->failed = true;
    return;
  }
  prof_text_format(
      text, "\t.pushsection " PROF_COUNTS_SECTION ",\"aw\",@progbits\n\t.p2align 6\n" PROF_WORK_LABEL "%u:\n", number);
  for (size_t i = 0; i < word_count; i++)
    prof_text_format(text, "\t.quad 0x%llx\n", (unsigned long long)words[i]);
  prof_text_add(text, "\t.popsection\n");
  free(words);
}

void prof_work_add_switch(struct prof_text *text) {
  prof_text_add(text, "\t.weak " PROF_COUNTS_START "\n" /* no function may have any */
                      "\t.weak " PROF_COUNTS_STOP "\n"
                      "\t.hidden " PROF_COUNTS_START "\n"
                      "\t.hidden " PROF_COUNTS_STOP "\n"
                      "\t.pushsection .data." PROF_COUNTS_SWITCH ",\"awG\",@progbits," PROF_COUNTS_SWITCH ",comdat\n"
                      "\t.weak " PROF_COUNTS_SWITCH "\n"
                      "\t.hidden " PROF_COUNTS_SWITCH "\n"
                      "\t.type " PROF_COUNTS_SWITCH ",@object\n"
                      "\t.size " PROF_COUNTS_SWITCH ",24\n"
                      "\t.p2align 3\n" PROF_COUNTS_SWITCH ":\n"
                      "\t.quad 0\n"
                      "\t.quad " PROF_COUNTS_START "\n"
                      "\t.quad " PROF_COUNTS_STOP "\n"
                      "\t.popsection\n");
}

void prof_work_fini(struct prof_work_function *function) {
  free(function->pieces);
  *function = (struct prof_work_function){0};
}
