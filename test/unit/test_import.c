/* test_import.c - profiles of other tools: perf script, folded stacks, callgrind; good ones, and what is refused. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "import/importers.h"

static struct prof_diag diag;

static prof_status read_bytes(const char *text, size_t bytes, const char *event, struct prof_path_sums *out) {
  int fd = memfd_create("import", 0);
  assert_true(fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes && lseek(fd, 0, SEEK_SET) == 0);
  diag = (struct prof_diag){.status = PROF_OK};
  prof_status status = prof_import_open_file(fd, "file", NULL, event, &diag, out);
  assert_int_equal(status, diag.status);
  close(fd);
  return status;
}

/* "a;b 12" for each path with a weight, in the order of the nodes. */
static void check_paths(const struct prof_path_sums *paths, const char *expected) {
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  for (size_t i = 1; i < paths->nodes.count; i++) {
    uint32_t way[32], depth = 0;
    for (uint32_t at = (uint32_t)i; at && depth < 32; at = paths->nodes.items[at].parent)
      way[depth++] = at;
    if (paths->nodes.items[i].self <= 0)
      continue;
    while (depth--)
      fprintf(file, "%s%s", paths->frames.items[paths->nodes.items[way[depth]].frame].name, depth ? ";" : "");
    fprintf(file, " %g\n", paths->nodes.items[i].self);
  }
  fclose(file);
  assert_string_equal(text, expected);
  free(text);
}

static void check(const char *text, const char *event, const char *format, enum prof_path_sums_unit unit,
                  const char *expected) {
  struct prof_path_sums paths;
  if (read_bytes(text, strlen(text), event, &paths) != PROF_OK)
    fail_msg("%s; %s", diag.what, diag.remedy);
  assert_string_equal(paths.format, format);
  assert_int_equal(paths.unit, unit);
  check_paths(&paths, expected);
  prof_path_sums_fini(&paths);
}

static void refuse(const char *text, const char *event, prof_status status, const char *what) {
  struct prof_path_sums paths;
  assert_int_equal(read_bytes(text, strlen(text), event, &paths), status);
  if (!strstr(diag.what, what))
    fail_msg("\"%s\" has no \"%s\"", diag.what, what);
  assert_string_not_equal(diag.remedy, "");
}

/* ---- perf ---- */

static const char chains[] = "# captured\n"
                             "my app 10/11 [001]  16.2:     250000   cpu-clock: \n"
                             "\t  7f04934f2ad7 step(int, char const*)+0x1c (/srv/my app (deleted))\n"
                             "\t  7f04934f2ad0 inner (inlined)\n"
                             "  main.c:12\n"
                             "\t  7f04934f2ac0 main+0x0 (/srv/my app (deleted))\n"
                             "\n"
                             "pool 2 thread 12  16.25:          1 page-faults:u: \n"
                             "\tffffffff817554ea do_work.isra.0+0x28a ([kernel.kallsyms])\n"
                             "\n"
                             "a;b 13  16.3:     250000   cpu-clock: \n"
                             "\t    7f04934f2ad7 [unknown] ([unknown])\n"
                             "\t  7f04934f2ac0 main (/srv/my app (deleted))\n";

static void perf_chains(void **state) {
  (void)state;
  check(chains, NULL, "perf", PROF_PATHS_NS, "main;inner;step(int, char const*) 250000\nmain;[unknown] 250000\n");
  check(chains, "page-faults", "perf", PROF_PATHS_EVENTS, "do_work.isra.0 1\n");
  check(chains, "page-faults:u", "perf", PROF_PATHS_EVENTS, "do_work.isra.0 1\n");
  refuse(chains, "cycles", PROF_USAGE, "no event cycles");
  assert_string_equal(diag.remedy, "choose one of: cpu-clock, page-faults:u");
}

static void perf_frames_keep_their_module(void **state) {
  (void)state;
  struct prof_path_sums paths;
  assert_int_equal(read_bytes(chains, strlen(chains), NULL, &paths), PROF_OK);
  assert_string_equal(paths.frames.items[0].name, "main");
  assert_string_equal(paths.frames.items[0].module, "/srv/my app (deleted)");
  assert_string_equal(paths.frames.items[1].module, "[inlined]");
  assert_int_equal(paths.events.count, 2);
  assert_int_equal(paths.events.items[0].samples, 2);
  prof_path_sums_fini(&paths);
}

static void perf_without_chains(void **state) {
  (void)state;
  check("          my app 27235  16.943:     250000 cpu-clock:      7f4b f.part.0+0x11c (/lib/a b.so)\n"
        "          my app 27235 [003]  16.944:     250000 cpu-clock:  ffffffff815d4e66 irq+0x36 ([kernel.kallsyms])\n",
        NULL, "perf", PROF_PATHS_NS, "f.part.0 250000\nirq 250000\n");
  /* No period: each sample counts 1.  The text of a tracepoint is no frame. */
  check("sh 7 [000] 1.5: sched:sched_switch: prev_comm=sh prev_pid=7 => next\n\n"
        "sh 7 [000] 1.6: sched:sched_switch: prev_comm=sh prev_pid=7 => next\n"
        "\tffff schedule ([kernel.kallsyms])\n",
        NULL, "perf", PROF_PATHS_SAMPLES, "[unknown] 1\nschedule 1\n");
  /* No time (-F comm,tid,event,sym), a frame without a name. */
  check("sh 7 cycles:u: \n\t55d0 main\n\t55d1\n", NULL, "perf", PROF_PATHS_SAMPLES, "[unknown];main 1\n");
  check("sh 7 1.5: 1000 cycles:P: 55d0 main (/bin/sh)\n", NULL, "perf", PROF_PATHS_CYCLES, "main 1000\n");
}

static void perf_lost_samples(void **state) {
  (void)state;
  static const char text[] = "sh 7 1.5: 9 instructions: 55d0 main (/bin/sh)\nsh 7 1.6: PERF_RECORD_LOST lost 12\n"
                             "sh 7 1.7: PERF_RECORD_COMM exec: sh:7/7\n";
  struct prof_path_sums paths;
  assert_int_equal(read_bytes(text, strlen(text), NULL, &paths), PROF_OK);
  assert_int_equal(paths.lost, 12);
  assert_int_equal(paths.unit, PROF_PATHS_INSTRUCTIONS);
  prof_path_sums_fini(&paths);
}

static void perf_refuses(void **state) {
  (void)state;
  refuse("sh 7 1.5: 9 cycles: \n\t55d0 main (/bin/sh)\nrubbish\n", NULL, PROF_CORRUPT,
         "line 3: neither a sample nor a frame of one: rubbish");
  refuse("sh 7 1.5: 9 cycles: \n\tno address (/bin/sh)\n", NULL, PROF_CORRUPT, "line 2");
  refuse("sh 7 1.5: 9 cycles: \n\nsh 7 1.6: cycles: \n", NULL, PROF_CORRUPT,
         "line 3: some samples of cycles have a period");
  refuse("sh 7 1.5: PERF_RECORD_COMM exec: sh:7/7\n", NULL, PROF_EMPTY, "no samples");
}

/* ---- folded ---- */

static void folded(void **state) {
  (void)state;
  check("main;run;step 1234\n# remark\n\nmain;run 0.5\r\nmain;operator new(unsigned long) 1e2\nmain;run;step 6\n", NULL,
        "folded", PROF_PATHS_COUNTS, "main;run 0.5\nmain;run;step 1240\nmain;operator new(unsigned long) 100\n");
  check("a\\x0ab;\\xff;c\\x41 7", NULL, "folded", PROF_PATHS_COUNTS, "a\nb;\xff;c\\x41 7\n");
  check(";a;;b 7\n", NULL, "folded", PROF_PATHS_COUNTS, "[unknown];a;[unknown];b 7\n");
}

static void folded_refuses(void **state) {
  (void)state;
  refuse("a;b 12\na;b\n", NULL, PROF_CORRUPT, "line 2: no weight from 0 to 1e18 at the end: a;b");
  refuse("a;b 12\na;b -3\n", NULL, PROF_CORRUPT, "line 2: no weight");
  refuse("a;b 12\na;b nan\n", NULL, PROF_CORRUPT, "line 2: no weight");
  refuse("a;b 12\na;b 0x10\n", NULL, PROF_CORRUPT, "line 2: no weight");
  refuse("a;b 12\na;b 1e19\n", NULL, PROF_CORRUPT, "line 2: no weight");
  refuse("a;b 12\n 3\n", NULL, PROF_CORRUPT, "line 2: no call path");
  refuse("a;b 0\n", NULL, PROF_EMPTY, "no call paths");
  refuse("a;b 1\n", "cycles", PROF_USAGE, "no events");
}

/* ---- callgrind ---- */

static const char calls[] = "# callgrind format\nversion: 1\npositions: instr line\nevents: Ir Dr\n"
                            "ob=(1) /bin/app\nfl=(1) main.c\nfn=(1) main\n0x100 16 400 5\n+4 * 20\n"
                            "cfi=(2) util.c\ncfn=(2) step\ncalls=3 0x200 20\n0x110 17 300 10\n"
                            "jfi=(3) in.h\njcnd=1/2 +4 +1\n* *\n"
                            "fi=(3)\n+3 12 80 1\nfe=(1)\n"
                            "fl=(2)\nfn=(2)\n0x200 20 290 9\ncfn=(2)\ncalls=2 0x200 20\n0x210 21 10 1\n-8 +2 10 1\n"
                            "totals: 800 16\n"
                            "part: 2\nevents: Dr Ir\nob=(1)\nfl=(1)\nfn=(1)\n* 5 1 2\ntotals: 1 2\n";

static void callgrind_functions(void **state) {
  (void)state;
  struct prof_path_sums paths;
  check(calls, NULL, "callgrind", PROF_PATHS_INSTRUCTIONS, "main 502\nstep 300\n");
  check(calls, "Dr", "callgrind", PROF_PATHS_EVENTS, "main 7\nstep 10\n");
  check(calls, "Ir+Dr", "callgrind", PROF_PATHS_EVENTS, "main 509\nstep 310\n");
  refuse(calls, "Cy", PROF_USAGE, "no event Cy");
  assert_string_equal(diag.remedy, "choose one of: Ir, Dr");
  assert_int_equal(read_bytes(calls, strlen(calls), NULL, &paths), PROF_OK);
  assert_false(paths.has_paths);
  assert_int_equal(paths.edges.count, 2);
  const struct prof_path_sums_edge *edge = &paths.edges.items[0];
  assert_string_equal(paths.frames.items[edge->caller].name, "main");
  assert_string_equal(paths.frames.items[edge->callee].name, "step");
  assert_string_equal(paths.frames.items[edge->callee].file, "util.c");
  assert_true(edge->calls == 3 && edge->total == 300);
  edge = &paths.edges.items[1]; /* a function that calls itself */
  assert_int_equal(edge->caller, edge->callee);
  assert_true(edge->calls == 2 && edge->total == 10);
  prof_path_sums_fini(&paths);
}

static void callgrind_refuses(void **state) {
  (void)state;
#define HEAD "# callgrind format\nevents: Ir\n"
  refuse(HEAD "fn=(1)\n1 2\n", NULL, PROF_CORRUPT, "line 3: no line before defines this name: (1)");
  refuse(HEAD "1 2\n", NULL, PROF_CORRUPT, "line 3: costs before the first function");
  refuse(HEAD "fn=a\n1 2 3\n", NULL, PROF_CORRUPT, "line 4: more costs than events");
  refuse(HEAD "fn=a\n1 x\n", NULL, PROF_CORRUPT, "line 4: a cost is no number");
  refuse(HEAD "fn=a\nrubbish\n", NULL, PROF_CORRUPT, "line 4: neither a cost nor a word");
  refuse(HEAD "fn=a\n1 2\ncfn=b\ncalls=1 2\nfn=c\n", NULL, PROF_CORRUPT, "line 7: the cost of the calls");
  refuse(HEAD "fn=a\n1 2\ncfn=b\ncalls=1 2\n", NULL, PROF_CORRUPT, "line 6: the file ends before");
  refuse(HEAD "fn=a\ncalls=1 2\n", NULL, PROF_CORRUPT, "line 4: calls without");
  refuse("# callgrind format\nfn=a\n1 2\n", NULL, PROF_CORRUPT, "line 3: costs before the line events");
  refuse(HEAD "positions: heap\n", NULL, PROF_CORRUPT, "line 3: positions");
  refuse(HEAD "fn=a\n", NULL, PROF_EMPTY, "no costs");
}

/* ---- any file ---- */

static void other_files(void **state) {
  (void)state;
  struct prof_path_sums paths;
  refuse("", NULL, PROF_EMPTY, "empty");
  refuse("some text without a format\n", NULL, PROF_NOT_A_TRACE, "no format that prof knows");
  refuse("PERFILE2......", NULL, PROF_NOT_A_TRACE, "perf's own file");
  refuse("\x1f\x8b\x08...", NULL, PROF_NOT_A_TRACE, "compressed");
  refuse("\x28\xb5\x2f\xfd...", NULL, PROF_NOT_A_TRACE, "compressed");
  assert_int_equal(read_bytes("\x7f"
                              "ELF\0\0\0 12\n",
                              11, NULL, &paths),
                   PROF_NOT_A_TRACE);
  assert_int_equal(read_bytes("a;b 12\na\0b 3\n", 13, NULL, &paths), PROF_CORRUPT);
  assert_non_null(strstr(diag.what, "line 2: these bytes are no text"));
}

static void long_lines(void **state) {
  (void)state;
  const size_t bytes = PROF_TEXT_LINE_BYTES + ((size_t)1 << 20);
  char *text = malloc(bytes);
  struct prof_path_sums paths;
  assert_non_null(text);
  for (size_t i = 0; i < bytes; i++)
    text[i] = i % 2 ? ';' : 'a';
  assert_int_equal(read_bytes(text, bytes, NULL, &paths), PROF_CORRUPT);
  assert_non_null(strstr(diag.what, "line 1: it has more than 16 MiB"));
  memcpy(text + 200000, "a 5\n", 4); /* long, but not too long */
  assert_int_equal(read_bytes(text, 200004, NULL, &paths), PROF_OK);
  assert_int_equal(paths.nodes.count, 100002);
  assert_true(paths.nodes.items[100001].self == 5);
  prof_path_sums_fini(&paths);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(perf_chains),         cmocka_unit_test(perf_frames_keep_their_module),
      cmocka_unit_test(perf_without_chains), cmocka_unit_test(perf_lost_samples),
      cmocka_unit_test(perf_refuses),        cmocka_unit_test(folded),
      cmocka_unit_test(folded_refuses),      cmocka_unit_test(callgrind_functions),
      cmocka_unit_test(callgrind_refuses),   cmocka_unit_test(other_files),
      cmocka_unit_test(long_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
