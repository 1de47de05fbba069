/*
 * tools/import/perf_line.h - one line of `perf script`: the head of a sample, or a frame of its call chain.
 *
 *     my app 26583/26590 [001]  1624.237173:     250000   cpu-clock:        head; its frames follow
 *     my app 26590  1624.237173:     250000 cpu-clock:  7f4b1ce3 f+0x1c (/lib/libc.so.6)    head with its one frame
 *             7f04934f2ad7 a::f(int)+0x12 (/srv/my app)                      frame
 *
 * Source: perf-script(1), and what perf 6.1 writes.  The parser changes the line: texts point into it.
 */
#ifndef PROF_IMPORT_PERF_LINE_H
#define PROF_IMPORT_PERF_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_perf_head {
  char *command; /* may have blanks */
  char *event;   /* with its modifiers: "cycles:u" */
  char *rest;    /* behind the event: a frame, the text of a tracepoint, or "" */
  bool has_period;
  uint64_t period;
};

struct prof_perf_frame {
  char *name;   /* without offset; "[unknown]" as perf writes it */
  char *module; /* ""; [kernel.kallsyms]; a path.  "": of an inlined call too */
  bool inlined;
};

/* false: the line is none; then it is unchanged. */
bool prof_perf_head_parse(char *line, struct prof_perf_head *out);
bool prof_perf_frame_parse(char *line, struct prof_perf_frame *out);

#endif
