/*
 * test/support/tracetext_parts.h - a parsed text: tracetext.c fills it, tracetext_write.c writes it.
 */
#ifndef PROF_TEST_TRACETEXT_PARTS_H
#define PROF_TEST_TRACETEXT_PARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "match/matcher.h"
#include "proftrace_gpu.h"
#include "row.h"
#include "trace/write/write_pmu.h"
#include "trace/write/write_samples.h"

#define WORDS_LIMIT 24

struct text_function {
  const char *name, *file;
  uint32_t module, line, language, in_module;
  bool iteration; /* is a zone too */
  uint64_t zone;  /* 1: its ends are by line; 2: some are by name, and may overlap; 3: they may be in other functions */
};
struct text_module {
  const char *path, *compiler;
  uint32_t function_count, loop_count, point_count, first_site, process; /* 0: the first */
};
struct text_loop {
  const char *name;    /* in the text */
  const char *inlined; /* its function in the source; "": the one it was compiled into */
  const char *file;
  uint32_t function, parent, in_module; /* parent: index in the text; UINT32_MAX: none */
  uint32_t line, last_line, depth, flags;
  uint64_t iterations;
  bool derived; /* it has no probes that count */
};
enum text_loop_site {
  TEXT_LOOP_ENTRY,
  TEXT_LOOP_EXIT,
  TEXT_LOOP_MAYBE,
  TEXT_LOOP_COUNT,
  TEXT_LOOP_ENTRIES,
  TEXT_LOOP_SITES
};
struct text_thread {
  const char *name, *title;
  uint32_t tid, process;
  uint64_t now, lost;
  uint64_t cpu_ns, told_ticks, moves, line_readings; /* told_ticks: when cpu_ns was read; 0: at the last event */
  uint64_t fork_ticks;                               /* 0: no fork of the text made it */
  prof_matcher *matcher;
};
struct text_point {    /* a site each; all are the first module's */
  uint32_t what, kind; /* kind: of its row */
  const char *name, *unit;
};
#define TEXT_LEAVE 0x100u /* no event: the recorder leaves the frames, and enters those of other functions again */

struct text_event {
  uint32_t thread, function;
  uint32_t kind; /* PROF_EVENT_..., TEXT_LEAVE, or 0: flush */
  uint32_t aux;  /* for an entry: the calling function + 1, when `by_function` */
  bool by_function;
  bool by_line;                  /* exit of a zone: names it by its line */
  uint32_t loop;                 /* index; UINT32_MAX: none */
  uint32_t point;                /* likewise */
  enum text_loop_site loop_site; /* of the loop */
  bool has_value;                /* a VALUE follows; of kind VALUE: it is the value itself */
  uint64_t time, value;
  uint64_t first, second; /* of kind MEASURE, whose operation is `loop` */
};
struct text_gpu_record {
  uint32_t source, record; /* enum prof_gpu_record; 0: a source */
  uint32_t process, library_version, driver_version;
  bool converted;
  const char *library;
  uint64_t figures[PROF_GPU_FIGURE_COUNT];
  uint64_t columns[PROF_GPU_COLUMN_COUNT];
};

struct text_light {
  uint32_t thread;
  struct prof_light_slice slice;
};

struct text_slice {
  uint32_t process;
  struct prof_slice_record slice;
  uint32_t count; /* 0: nothing of the process was recorded */
};

struct text_sample { /* or a switch */
  uint32_t thread;   /* index */
  enum prof_sample_kind kind;
  struct prof_sample_record record;
  uint32_t function; /* the address is an offset into it; PROF_MATCHER_NO_FUNCTION: it is absolute */
  uint32_t first_caller, caller_count;
};
struct text_caller {
  uint32_t function; /* PROF_MATCHER_NO_FUNCTION: none, the address is absolute */
  uint64_t address;
};

struct text_pmu_event {
  uint32_t thread, pmu; /* indices */
  uint32_t function;    /* as of a sample */
  struct prof_pmu_record record;
};

struct text_reading {
  uint64_t time, value, divisor;
  uint32_t what, process; /* process: a number; 0: of the machine */
  bool is_sum;
  const char *name, *unit;
};

struct text_state {
  uint64_t time;
  uint32_t function, state;
  int loop; /* index; -1: it is a function */
};
struct text_window_row {
  uint32_t function, caller; /* caller: UINT32_MAX: `row` has its address */
  int loop;                  /* index; -1: it is a function */
  struct prof_window_row row;
};

struct text_timed_line {
  uint32_t function; /* index */
  uint32_t line, kind;
  uint64_t ticks, visits;
};

#define TEXT_WORK_NUMBERS 8
struct text_work {
  uint32_t function;
  int loop; /* -1: none */
  uint64_t times, numbers[TEXT_WORK_NUMBERS];
};

struct tracetext {
  struct prof_arena arena;
  const char *name;
  uint32_t line;
  struct prof_diag *diag;
  char *words[WORDS_LIMIT + 1];
  int word_count;
  uint64_t frequency_hz, start;
  uint32_t step;
  PROF_VEC(struct prof_setting_record) settings;
  PROF_VEC(struct prof_process_record) processes;
  PROF_VEC(struct text_module) modules;
  PROF_VEC(struct text_function) functions;
  PROF_VEC(struct text_loop) loops;
  PROF_VEC(struct text_point) points;
  PROF_VEC(struct text_thread) threads;
  PROF_VEC(struct text_event) events;
  PROF_VEC(struct text_sample) samples;
  PROF_VEC(struct text_caller) callers; /* of samples, innermost first */
  PROF_VEC(struct text_light) lights;
  PROF_VEC(struct prof_pmu) pmus;
  PROF_VEC(struct text_pmu_event) pmu_events;
  PROF_VEC(struct text_reading) readings;
  PROF_VEC(struct prof_rate_change) rates;
  PROF_VEC(struct text_slice) slices;
  PROF_VEC(struct prof_control_record) controls;
  PROF_VEC(struct text_state) states;
  PROF_VEC(struct prof_window) windows;
  PROF_VEC(struct prof_window_thread) window_threads;
  PROF_VEC(struct text_window_row) window_rows;
  PROF_VEC(struct prof_note_record) notes;
  PROF_VEC(struct prof_file_record) files;
  PROF_VEC(struct text_timed_line) timed_lines;
  PROF_VEC(struct text_work) works;
  uint32_t line_cost, line_among; /* thousandths of a tick */
  struct prof_sampler sampler;
  bool has_sampler;
  PROF_VEC(struct text_gpu_record) gpu;
  PROF_VEC(const char *) gpu_texts; /* by number - 1; the same for all sources */
  struct prof_end_record end;
  bool no_end;
  uint8_t id;          /* of the file's header; 0: 1 */
  uint64_t started_ns; /* after that of others */
};

/* Parts of tracetext.c that other files use: the words of the current line. */
prof_status prof_tracetext_wrong(struct tracetext *, const char *what, const char *word);
const char *prof_tracetext_option(const struct tracetext *, const char *key); /* NULL: not given */
uint64_t prof_tracetext_number(const struct tracetext *, const char *key, uint64_t otherwise);
const char *prof_tracetext_words(struct tracetext *, const char *key, const char *otherwise);

/* tracetext_gpu.c */
prof_status prof_tracetext_gpu_line(struct tracetext *);
void prof_tracetext_gpu_put(struct tracetext *, prof_writer *);
void prof_tracetext_gpu_fini(struct tracetext *);

/* tracetext_samples.c */
prof_status prof_tracetext_sampler_line(struct tracetext *);
prof_status prof_tracetext_rate_line(struct tracetext *);
prof_status prof_tracetext_sample(struct tracetext *, uint32_t thread, uint64_t time);
void prof_tracetext_samples_put(struct tracetext *, prof_writer *);

/* tracetext_pmu.c */
prof_status prof_tracetext_pmu_line(struct tracetext *);
prof_status prof_tracetext_pmu_event(struct tracetext *, uint32_t thread, uint64_t time);
void prof_tracetext_pmu_put(struct tracetext *, prof_writer *);

/* tracetext_readings.c */
prof_status prof_tracetext_reading_line(struct tracetext *);
void prof_tracetext_readings_put(struct tracetext *, prof_writer *);

/* tracetext_points.c */
prof_status prof_tracetext_point(struct tracetext *, struct text_event *);
void prof_tracetext_points_sites(const struct tracetext *, struct prof_site_record *sites, uint32_t first);
void prof_tracetext_points_put(const struct tracetext *, prof_writer *, uint32_t first);

/* tracetext_bursts.c */
prof_status prof_tracetext_state_line(struct tracetext *);
prof_status prof_tracetext_window_line(struct tracetext *);
prof_status prof_tracetext_in_line(struct tracetext *);
prof_status prof_tracetext_counted_line(struct tracetext *);
void prof_tracetext_bursts_put(struct tracetext *, prof_writer *);

/* tracetext_lines.c */
prof_status prof_tracetext_lines_line(struct tracetext *);
prof_status prof_tracetext_line_line(struct tracetext *);
void prof_tracetext_lines_put(struct tracetext *, prof_writer *);

/* tracetext_work.c */
prof_status prof_tracetext_work_line(struct tracetext *);
void prof_tracetext_work_put(struct tracetext *, prof_writer *);

/* The site of a function's entry, once modules are written. */
uint32_t prof_tracetext_site(const struct tracetext *, uint32_t function);

/* The index of a thread; -1: there is none of that name. */
int prof_tracetext_thread(const struct tracetext *, const char *name);
/* The same of a loop; and the site of its entry. */
int prof_tracetext_loop(const struct tracetext *, const char *name);
uint32_t prof_tracetext_loop_site(const struct tracetext *, uint32_t loop);

/* The index of a function, added if missing; and its run-time address. */
uint32_t prof_tracetext_function(struct tracetext *, const char *name);
uint64_t prof_tracetext_address(const struct tracetext *, uint32_t function);

/* Writes all of it to `directory`/trace. */
prof_status prof_tracetext_put(struct tracetext *, const char *directory);

#endif
