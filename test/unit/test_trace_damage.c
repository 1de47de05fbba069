/*
 * test/unit/test_trace_damage.c - a trace that was cut or flipped at any place still gives all the rest, and says what
 * it lost; what isn't a trace is refused with the reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/format.h"
#include "trace_folder.h"
#include "trace_touch.h"
#include "tracetext.h"

static const char text[] = "clock hz=1000000000 start=1000\n"
                           "setting command \"./app\\x00x\\x00\"\n"
                           "thread a\nthread b\n"
                           "a +1 enter main\na +2 enter work caller=main\na +3 exit work\n"
                           "b +1 enter job\na flush\nb +9 exit job\n"
                           "a +70000 enter work caller=main\na +5 stall\na +5 resume\na flush\nb flush\n"
                           "a +1 exit work\na +1 exit main\n"
                           "note \"all is well\"\nend\n";
#define EVENTS 10

struct place { /* of a chunk in the file */
  size_t begin, payload_end, end;
  uint32_t events;
};
#define PLACES 32

struct whole {
  struct trace_folder folder;
  unsigned char *data;
  size_t bytes, place_count;
  struct place places[PLACES];
};

static int setup(void **state) {
  struct whole *whole = calloc(1, sizeof *whole);
  trace_folder_make(&whole->folder);
  struct prof_diag diag = {0};
  if (prof_tracetext_write(text, "text", whole->folder.path, &diag) != PROF_OK)
    return -1;
  whole->data = trace_folder_read(&whole->folder, &whole->bytes);
  for (size_t at = sizeof(struct prof_format_file); at < whole->bytes;) {
    struct prof_format_chunk head;
    memcpy(&head, whole->data + at, sizeof head);
    struct place *place = &whole->places[whole->place_count++];
    *place = (struct place){.begin = at, .payload_end = at + sizeof head + head.packed_bytes, .events = head.events};
    at = place->end = (place->payload_end + 7) & ~(size_t)7;
  }
  *state = whole;
  return 0;
}

static int teardown(void **state) {
  struct whole *whole = *state;
  trace_folder_remove(&whole->folder);
  free(whole->data);
  free(whole);
  return 0;
}

static void a_whole_one(void **state) {
  struct whole *whole = *state;
  struct trace_touched touched;
  trace_folder_write(&whole->folder, whole->data, whole->bytes);
  assert_int_equal(trace_touch(whole->folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, EVENTS);
  assert_int_equal(touched.chunks, 4);
  assert_int_equal(touched.damage.bytes_skipped + touched.damage.chunks_damaged + touched.damage.cut, 0);
  assert_int_equal(touched.damage.first_offset, UINT64_MAX);
  assert_int_equal(trace_touch(whole->folder.file, NULL, &touched), PROF_OK); /* the file itself will do */
}

static void cut_at_every_byte(void **state) {
  struct whole *whole = *state;
  for (size_t bytes = 0; bytes < whole->bytes; bytes++) {
    struct trace_touched touched;
    trace_folder_write(&whole->folder, whole->data, bytes);
    prof_status status = trace_touch(whole->folder.path, NULL, &touched);
    if (bytes < sizeof(struct prof_format_file)) {
      assert_int_equal(status, PROF_TRUNCATED);
      continue;
    }
    assert_int_equal(status, PROF_OK);
    uint64_t events = 0, used = sizeof(struct prof_format_file);
    for (size_t i = 0; i < whole->place_count && whole->places[i].payload_end <= bytes; i++) {
      events += whole->places[i].events;
      used = whole->places[i].end;
    }
    assert_int_equal(touched.events, events);
    /* Once END has been read, nothing is missing but padding. */
    assert_int_equal(touched.damage.cut, bytes < whole->places[whole->place_count - 1].payload_end);
    assert_int_equal(touched.damage.bytes_skipped, bytes > used ? bytes - used : 0);
  }
}

/* The chunk that a byte belongs to; NULL: the file header. */
static const struct place *place_of(const struct whole *whole, size_t at) {
  for (size_t i = 0; i < whole->place_count; i++)
    if (at >= whole->places[i].begin && at < whole->places[i].end)
      return &whole->places[i];
  return NULL;
}

static void flipped_everywhere(void **state) {
  struct whole *whole = *state;
  for (size_t at = 0; at < whole->bytes; at++)
    for (unsigned bit = at % 3; bit < 8; bit += 3) {
      struct trace_touched touched;
      whole->data[at] ^= (unsigned char)(1u << bit);
      trace_folder_write(&whole->folder, whole->data, whole->bytes);
      whole->data[at] ^= (unsigned char)(1u << bit);
      assert_int_equal(trace_touch(whole->folder.path, NULL, &touched), PROF_OK);
      const struct place *place = place_of(whole, at);
      bool padding = place && at >= place->payload_end;
      assert_int_equal(touched.events, EVENTS - (place && !padding ? place->events : 0));
      assert_int_equal(touched.damage.bytes_skipped + touched.damage.chunks_damaged > 0, !padding);
      if (place && !padding)
        assert_int_equal(touched.damage.first_offset, place->begin);
    }
}

static void a_hole_splits_the_run(void **state) {
  struct whole *whole = *state;
  const struct place *middle = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < whole->place_count; i++) {
    struct prof_format_chunk head;
    memcpy(&head, whole->data + whole->places[i].begin, sizeof head);
    if (head.kind == PROF_FORMAT_EVENTS && head.thread == 1 && seen++ == 1)
      middle = &whole->places[i];
  }
  assert_non_null(middle);
  unsigned char *data = malloc(2 * whole->bytes);
  size_t length = middle->end - middle->begin;
  memcpy(data, whole->data, middle->begin);
  memcpy(data + middle->begin, whole->data + middle->end, whole->bytes - middle->end);
  trace_folder_write(&whole->folder, data, whole->bytes - length);
  struct trace_touched touched;
  assert_int_equal(trace_touch(whole->folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, EVENTS - middle->events);
  assert_int_equal(touched.holes, 1);
  /* The same chunk twice: the second one doesn't count. */
  memcpy(data, whole->data, middle->end);
  memcpy(data + middle->end, whole->data + middle->begin, whole->bytes - middle->begin);
  trace_folder_write(&whole->folder, data, whole->bytes + length);
  assert_int_equal(trace_touch(whole->folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, EVENTS);
  assert_int_equal(touched.holes, 0);
  assert_int_equal(touched.damage.chunks_damaged, 1);
  free(data);
}

static void rubbish_between_chunks(void **state) {
  struct whole *whole = *state;
  size_t cut = whole->places[4].begin, rubbish = 5003;
  unsigned char *data = malloc(whole->bytes + rubbish);
  memcpy(data, whole->data, cut);
  for (size_t i = 0; i < rubbish; i++)
    data[cut + i] = (unsigned char)(i * 37);
  memcpy(data + cut + 8, "PRFCHNK1", 8); /* the magic alone doesn't make a chunk */
  size_t next = (cut + rubbish) & ~(size_t)7;
  memcpy(data + next, whole->data + cut, whole->bytes - cut);
  trace_folder_write(&whole->folder, data, next + whole->bytes - cut);
  struct trace_touched touched;
  assert_int_equal(trace_touch(whole->folder.path, NULL, &touched), PROF_OK);
  assert_int_equal(touched.events, EVENTS);
  assert_int_equal(touched.damage.bytes_skipped, next - cut);
  assert_int_equal(touched.damage.first_offset, cut);
  free(data);
}

static void refuse(struct whole *whole, const void *data, size_t bytes, prof_status expected, const char *what) {
  struct prof_diag diag = {0};
  struct trace_touched touched;
  trace_folder_write(&whole->folder, data, bytes);
  assert_int_equal(trace_touch(whole->folder.path, &diag, &touched), expected);
  assert_non_null(strstr(diag.what, what));
  assert_string_equal(diag.file, whole->folder.file);
  assert_true(*diag.remedy);
}

static void what_is_no_trace(void **state) {
  struct whole *whole = *state;
  static const char foreign[200] = "\177ELF";
  refuse(whole, "", 0, PROF_TRUNCATED, "empty");
  refuse(whole, "hi", 2, PROF_NOT_A_TRACE, "not a prof trace");
  refuse(whole, foreign, sizeof foreign, PROF_NOT_A_TRACE, "not a prof trace");
  refuse(whole, whole->data, 20, PROF_TRUNCATED, "header");
  struct prof_diag diag = {0};
  prof_trace *trace;
  unlink(whole->folder.file);
  assert_int_equal(prof_trace_open(whole->folder.path, &diag, &trace), PROF_NOT_FOUND);
  assert_null(trace);
  assert_int_equal(prof_trace_open("/nowhere/at/all", &diag, &trace), PROF_NOT_FOUND);
  assert_int_equal(prof_trace_open("/nowhere/at/all", NULL, &trace), PROF_NOT_FOUND);
  assert_int_equal(mkfifo(whole->folder.file, 0600), 0);
  assert_int_equal(prof_trace_open(whole->folder.path, &diag, &trace), PROF_NOT_A_TRACE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_one),
      cmocka_unit_test(cut_at_every_byte),
      cmocka_unit_test(flipped_everywhere),
      cmocka_unit_test(a_hole_splits_the_run),
      cmocka_unit_test(rubbish_between_chunks),
      cmocka_unit_test(what_is_no_trace),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
