/*
 * test_points.c - points from the ring to a reader: times and values of the matcher's steps, the POINTS chunk, values
 * as texts; chunks that are malformed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fold/walk.h"
#include "match/matcher.h"
#include "names/point_value.h"
#include "point.h"
#include "trace_folder.h"

enum { ENTER = 1, MARK, COUNTER, VALUE, BIG, SITES };
static const uint32_t functions[SITES] = {PROF_MATCHER_NO_FUNCTION, 0,
                                          PROF_MATCHER_NO_FUNCTION, PROF_MATCHER_NO_FUNCTION,
                                          PROF_MATCHER_NO_FUNCTION, PROF_MATCHER_NO_FUNCTION};
static const struct prof_site_map map = {functions, SITES, NULL, NULL};
static const struct prof_site_record sites[SITES - 1] = {
    {.address = 0x10, .kind = PROF_PROBE_ENTRY},
    {.address = 0x20, .kind = PROF_PROBE_POINT | PROF_ROW_ZONE, .function = UINT32_MAX},
    {.address = 0x30,
     .kind = PROF_PROBE_POINT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | PROF_ROW_FLOAT,
     .function = UINT32_MAX},
    {.address = 0x40, .kind = PROF_PROBE_LOOP_COUNT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE, .function = UINT32_MAX},
    {.address = 0x50,
     .kind = PROF_PROBE_POINT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | PROF_ROW_UNSIGNED,
     .function = UINT32_MAX}};

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static struct prof_event value_of(uint32_t site, uint64_t value) {
  return (struct prof_event){PROF_EVENT_VALUE_BIT | value, prof_event_what(site, PROF_EVENT_POINT_VALUE),
                             (uint32_t)(value >> 63)};
}

static void write_module(prof_writer *writer, const struct prof_points_record *points) {
  const struct prof_function_record function = {.key = 1, .name = prof_span("f"), .file = prof_span("f.c")};
  const struct prof_process_record process = {.process = 1, .executable = prof_span("/bin/f")};
  const struct prof_module_record module = {.module = 1,
                                            .build_id = (const uint8_t *)"",
                                            .path = prof_span("/bin/f"),
                                            .compiler = prof_span(""),
                                            .functions = &function,
                                            .function_count = 1,
                                            .sites = sites,
                                            .site_count = SITES - 1};
  const struct prof_load_record load = {.process = 1, .module = 1, .first_site = 1, .site_count = SITES - 1};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
  assert_int_equal(prof_writer_points(writer, points), PROF_OK);
  assert_int_equal(prof_writer_load(writer, &load), PROF_OK);
}

static prof_trace *reopen(struct trace_folder *folder, prof_writer *writer) {
  prof_trace *trace;
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

static const struct prof_point_record point_records[] = {
    {PROF_POINT_MARK, 7, {"a\0b", 3}, {"", 0}, {"f.c", 3}},
    {PROF_POINT_COUNTER, 8, {"load", 4}, {"%", 1}, {"f.c", 3}},
    {99, 9, {"later", 5}, {"", 0}, {"", 0}},
};

static void steps(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  const struct prof_point_site_record at[] = {{1, 0}, {2, 1}, {3, 2}, {77, 0}, {0, 77}};
  write_module(writer, &(struct prof_points_record){1, point_records, 3, at, 5});
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  struct prof_event slots[] = {value_of(VALUE, 5), /* before any event: dropped */
                               {100, prof_event_what(MARK, PROF_EVENT_POINT), 0},
                               {110, prof_event_what(ENTER, PROF_EVENT_ENTRY), 0},
                               {120, prof_event_what(COUNTER, PROF_EVENT_POINT_TIME), 0},
                               value_of(COUNTER, bits_of(-0.5)),
                               value_of(VALUE, (uint64_t)-7),
                               {115, prof_event_what(BIG, PROF_EVENT_POINT_TIME), 0}, /* the clock steps back */
                               value_of(BIG, UINT64_MAX)};
  const struct {
    enum prof_op op;
    uint32_t site;
    uint64_t value, time;
  } wanted[] = {{PROF_OP_NOTHING, 0, 0, 100},
                {PROF_OP_VALUE, MARK, 0, 100},
                {PROF_OP_ENTRY, 0, 0, 110},
                {PROF_OP_NOTHING, 0, 0, 120},
                {PROF_OP_VALUE, COUNTER, bits_of(-0.5), 120},
                {PROF_OP_VALUE, VALUE, (uint64_t)-7, 120},
                {PROF_OP_NOTHING, 0, 0, 120},
                {PROF_OP_VALUE, BIG, UINT64_MAX, 120}};
  size_t done = 0;
  while (done < sizeof slots / sizeof *slots)
    done += prof_matcher_drain(matcher, slots + done, sizeof slots / sizeof *slots - done, &map, false);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.dropped, 1);
  assert_int_equal(figures.inversions, 1);
  assert_int_equal(figures.depth, 1);
  assert_int_equal(figures.unmatched, 0);
  assert_true(prof_encoder_flush(prof_matcher_encoder(matcher), true) == PROF_OK);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  prof_trace *trace = reopen(&folder, writer);
  struct prof_chunk chunk = {0};
  struct prof_cursor cursor;
  struct prof_step step;
  assert_int_equal(prof_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  prof_cursor_begin(&cursor, &chunk);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    assert_true(prof_cursor_next(&cursor, &step));
    assert_int_equal(step.op, wanted[i].op);
    assert_int_equal(step.value, wanted[i].site);
    assert_int_equal(step.count, wanted[i].value);
    assert_int_equal(step.time, wanted[i].time);
  }
  assert_false(prof_cursor_next(&cursor, &step));
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void tables(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  size_t count;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  const struct prof_point_site_record at[] = {{1, 0}, {2, 1}, {3, 2}, {77, 0}, {0, 77}};
  write_module(writer, &(struct prof_points_record){1, point_records, 3, at, 5});
  assert_int_equal(prof_writer_points(writer, &(struct prof_points_record){5, point_records, 1, at, 1}), PROF_OK);
  prof_trace *trace = reopen(&folder, writer);
  const struct prof_point *points = prof_trace_points(trace, &count);
  assert_int_equal(count, 3);
  assert_string_equal(points[0].name, "a");
  assert_string_equal(points[1].unit, "%");
  assert_int_equal(points[1].line, 8);
  assert_string_equal(prof_point_kind(&points[0]), "mark");
  assert_string_equal(prof_point_kind(&points[2]), "point");
  const struct prof_site_info enter = prof_trace_site(trace, ENTER), load = prof_trace_site(trace, COUNTER);
  assert_int_equal(enter.point, PROF_NONE);
  assert_null(prof_point_of(trace, &enter));
  assert_ptr_equal(prof_point_of(trace, &load), &points[1]);
  assert_int_equal(prof_trace_site(trace, 1000).point, PROF_NONE);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, 1); /* of a module that isn't there */
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* ---- arguments and returned values ---- */

enum { F = 1, G, G_END, NUMBER, TEXT, UNWANTED, RETURNED, VALUE_SITES };
static const uint32_t value_functions[VALUE_SITES] = {[F] = 0,
                                                      [G] = 1,
                                                      [G_END] = 1,
                                                      [NUMBER] = PROF_MATCHER_OF_CALL,
                                                      [TEXT] = PROF_MATCHER_OF_CALL,
                                                      [UNWANTED] = PROF_MATCHER_NO_VALUE,
                                                      [RETURNED] = PROF_MATCHER_OF_CALL};
static const struct prof_site_map value_map = {value_functions, VALUE_SITES, NULL, NULL};
#define VALUE_KIND (PROF_PROBE_VALUE | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE)
static const struct prof_site_record value_sites[VALUE_SITES - 1] = {
    {.kind = PROF_PROBE_ENTRY, .function = 0},
    {.kind = PROF_PROBE_ENTRY, .function = 1},
    {.kind = PROF_PROBE_EXIT, .function = 1},
    {.kind = VALUE_KIND, .function = 0},
    {.kind = VALUE_KIND | PROF_SHOWN_TEXT << PROF_ROW_SHOWN_SHIFT, .function = 0},
    {.kind = VALUE_KIND, .function = 0},
    {.kind = VALUE_KIND | PROF_ROW_RETURNED, .function = 0}};

static uint64_t word(const char *text) {
  uint64_t bytes;
  memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

struct seen {
  char text[1000];
};

static bool see(void *context, const struct prof_walk_event *event) {
  struct seen *seen = context;
  char line[200];
  if (event->kind != PROF_WALK_POINT)
    return true;
  assert_int_equal(event->depth, 1);
  snprintf(line, sizeof line, "%u %llu %s\n", event->site, (unsigned long long)event->value,
           event->text ? event->text : "-");
  strcat(seen->text, line);
  return true;
}

static void drain_all(prof_matcher *matcher, struct prof_event *slots, size_t count) {
  for (size_t done = 0; done < count;)
    done += prof_matcher_drain(matcher, slots + done, count - done, &value_map, false);
}

static void arguments(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  const struct prof_function_record functions_of[2] = {{.key = 1, .name = prof_span("f"), .file = prof_span("")},
                                                       {.key = 2, .name = prof_span("g"), .file = prof_span("")}};
  const struct prof_point_record points_of[] = {{PROF_POINT_ARGUMENT, 0, {"n", 1}, {"", 0}, {"", 0}},
                                                {PROF_POINT_RETURNED, 0, {"returned", 8}, {"", 0}, {"", 0}}};
  const struct prof_point_site_record at[] = {{NUMBER - 1, 0}, {TEXT - 1, 0}, {UNWANTED - 1, 0}, {RETURNED - 1, 1}};
  const struct prof_process_record process = {.process = 1, .executable = prof_span("/bin/f")};
  const struct prof_module_record module = {.module = 1,
                                            .build_id = (const uint8_t *)"",
                                            .path = prof_span("/bin/f"),
                                            .compiler = prof_span(""),
                                            .functions = functions_of,
                                            .function_count = 2,
                                            .sites = value_sites,
                                            .site_count = VALUE_SITES - 1};
  const struct prof_load_record load = {.process = 1, .module = 1, .first_site = 1, .site_count = VALUE_SITES - 1};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
  assert_int_equal(prof_writer_points(writer, &(struct prof_points_record){1, points_of, 2, at, 4}), PROF_OK);
  assert_int_equal(prof_writer_load(writer, &load), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  struct prof_event slots[] = {{90, prof_event_what(G, PROF_EVENT_ENTRY), 0},
                               value_of(NUMBER, 1), /* its call isn't recorded */
                               {91, prof_event_what(G_END, PROF_EVENT_EXIT), 0},
                               value_of(NUMBER, 2), /* no call is open */
                               {100, prof_event_what(F, PROF_EVENT_ENTRY), 0},
                               value_of(NUMBER, (uint64_t)-3),
                               value_of(UNWANTED, 4),
                               value_of(TEXT, word("eight by")),
                               value_of(TEXT, word("tes\0\0\0\0\0")),
                               value_of(TEXT, word("\0\0\0\0\0\0\0\0")),
                               value_of(TEXT, PROF_POINT_TEXT_NULL),
                               value_of(TEXT, word("cut off.")), /* the rest was lost */
                               value_of(NUMBER, 5),
                               value_of(TEXT, PROF_POINT_TEXT_BAD),
                               {110, prof_event_what(G, PROF_EVENT_ENTRY), 0},
                               value_of(RETURNED, 6),
                               {111, prof_event_what(G_END, PROF_EVENT_EXIT), 0},
                               value_of(RETURNED, 7)};
  drain_all(matcher, slots, sizeof slots / sizeof *slots);
  assert_true(prof_encoder_flush(prof_matcher_encoder(matcher), true) == PROF_OK);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  prof_trace *trace = reopen(&folder, writer);
  struct seen seen = {""};
  assert_int_equal(prof_walk_points(trace, NULL, PROF_WALK_BY_THREAD, see, &seen, NULL), PROF_OK);
  assert_string_equal(seen.text, "4 18446744073709551613 -\n5 0 eight bytes\n5 0 \n5 18446744073709551615 -\n4 5 -\n"
                                 "5 18446744073709551614 -\n7 7 -\n");
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void shown(void **state) {
  (void)state;
  const struct {
    uint32_t kind;
    uint64_t value;
    const char *text, *shown, *word;
  } rows[] = {{PROF_SITE_BOOL | PROF_SITE_UNSIGNED, 1, NULL, "true", "true"},
              {PROF_SITE_BOOL | PROF_SITE_UNSIGNED, 0, NULL, "false", "false"},
              {PROF_SITE_CHARACTER, 'x', NULL, "'x'", "x"},
              {PROF_SITE_CHARACTER, '\'', NULL, "'\\''", "'"},
              {PROF_SITE_CHARACTER, 200, NULL, "'\\xc8'", "\xc8"},
              {PROF_SITE_ADDRESS, 0, NULL, "NULL", "NULL"},
              {PROF_SITE_ADDRESS, 0xabc, NULL, "0xabc", "0xabc"},
              {PROF_SITE_TEXT, 0, "a \"b\"", "\"a \\\"b\\\"\"", "a \"b\""},
              {PROF_SITE_TEXT, PROF_POINT_TEXT_NULL, NULL, "NULL", "NULL"},
              {PROF_SITE_TEXT, PROF_POINT_TEXT_BAD, NULL, "?", "?"},
              {PROF_SITE_WAS_FLOAT | PROF_SITE_FLOAT, 0, NULL, "0.1", "0.1"},
              {0, (uint64_t)-5, NULL, "-5", "-5"},
              {PROF_SITE_FLOAT, 0x7ff8000000000000, NULL, "nan", ""}};
  char out[PROF_POINT_SHOWN_BYTES];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct prof_site_info site = {.kind = rows[i].kind};
    const bool is_float = (rows[i].kind & PROF_SITE_SHOWN_MASK) == PROF_SITE_WAS_FLOAT;
    const uint64_t value = is_float ? bits_of((double)0.1f) : rows[i].value;
    assert_string_equal(prof_point_shown(&site, value, rows[i].text, out), rows[i].shown);
    assert_string_equal(prof_point_word(&site, value, rows[i].text, out), rows[i].word);
  }
}

/* Named at run time. */
static void named(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_writer *writer;
  size_t count;
  trace_folder_make(&folder);
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  write_module(writer, &(struct prof_points_record){1, point_records, 3, NULL, 0});
  const struct prof_named_record mark = {1, 1, 500, 0x1006, PROF_POINT_MARK, prof_span("made")},
                                 counter = {1, 1, 501, 0x3026, PROF_POINT_COUNTER, prof_span("made")},
                                 again = {1, 1, 500, 0x3026, PROF_POINT_COUNTER, prof_span("again")},
                                 lost = {1, 77, 502, 0x1006, PROF_POINT_MARK, prof_span("lost")};
  const struct prof_called_record zone = {
      .site = 503, .number = 0, .function = {.flags = 0x60, .name = prof_span("zone"), .file = prof_span("")}};
  assert_int_equal(prof_writer_named(writer, &mark), PROF_OK);
  assert_int_equal(prof_writer_named(writer, &counter), PROF_OK);
  assert_int_equal(prof_writer_named(writer, &again), PROF_OK);
  assert_int_equal(prof_writer_named(writer, &lost), PROF_OK);
  struct prof_called_record merged = zone; /* as another recording has it, */
  merged.site = 504;
  merged.number = 7;
  struct prof_called_record other = merged; /* and another zone */
  other.site = 505;
  other.number = 8;
  other.function.name = prof_span("other");
  assert_int_equal(prof_writer_sites(writer, &(struct prof_sites_record){1, 1, &zone, 1}), PROF_OK);
  assert_int_equal(prof_writer_sites(writer, &(struct prof_sites_record){1, 1, &merged, 1}), PROF_OK);
  assert_int_equal(prof_writer_sites(writer, &(struct prof_sites_record){1, 1, &other, 1}), PROF_OK);
  prof_trace *trace = reopen(&folder, writer);
  const struct prof_point *points = prof_trace_points(trace, &count);
  assert_int_equal(count, 5);
  const struct prof_site_info first = prof_trace_site(trace, 500), second = prof_trace_site(trace, 501);
  assert_int_equal(first.point, 3);
  assert_int_equal(second.point, 4);
  assert_int_equal(second.kind, 0x3026);
  assert_int_equal(first.function, PROF_NONE);
  assert_string_equal(points[3].name, "made");
  assert_string_equal(points[4].unit, "");
  assert_int_equal(points[4].kind, PROF_POINT_COUNTER);
  assert_int_equal(prof_trace_site(trace, 502).point, PROF_NONE);
  uint32_t function = prof_trace_site(trace, 503).function;
  assert_string_equal(prof_trace_functions(trace, &count)[function].name, "zone");
  assert_int_equal(count, 3);
  assert_int_equal(prof_trace_site(trace, 504).function, function);
  assert_string_equal(prof_trace_functions(trace, &count)[prof_trace_site(trace, 505).function].name, "other");
  assert_int_equal(prof_trace_modules(trace, &count)->called_count, 0); /* it calls nobody */
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void texts(void **state) {
  (void)state;
  const struct prof_site_info is_float = {.kind = PROF_SITE_FLOAT}, is_signed = {.kind = 0},
                              is_unsigned = {.kind = PROF_SITE_UNSIGNED};
  char out[PROF_POINT_VALUE_BYTES];
  assert_string_equal(prof_point_text(&is_float, bits_of(0.1), out), "0.1");
  assert_string_equal(prof_point_text(&is_float, bits_of(1.0 / 3), out), "0.33333333333333331");
  assert_string_equal(prof_point_text(&is_float, 0x7ff8000000000000, out), "nan");
  assert_string_equal(prof_point_text(&is_float, 0xfff8000000000000, out), "nan");
  assert_string_equal(prof_point_text(&is_float, 0xfff0000000000000, out), "-inf");
  assert_string_equal(prof_point_text(&is_float, bits_of(-1.7976931348623157e308), out), "-1.7976931348623157e+308");
  assert_string_equal(prof_point_text(&is_signed, (uint64_t)INT64_MIN, out), "-9223372036854775808");
  assert_string_equal(prof_point_text(&is_unsigned, UINT64_MAX, out), "18446744073709551615");
  assert_true(prof_point_number(&is_signed, (uint64_t)-2) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps), cmocka_unit_test(tables),    cmocka_unit_test(named),
      cmocka_unit_test(texts), cmocka_unit_test(arguments), cmocka_unit_test(shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
