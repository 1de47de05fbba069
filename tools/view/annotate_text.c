/*
 * tools/view/annotate_text.c - see annotate_text.h.
 *
 *   SELF%     SELF  95% INTERVAL       OUTSIDE  IN CALLS  CALLS  LINE  SOURCE
 *   12.3%  4.56 ms  4.31 ms-4.80 ms    1.02 ms    223 us     20    16      s += twice(n);
 */
#include "view/annotate_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "view/units.h"
#include "view/width.h"

#define HOT 0.10          /* shares from here on are red ... */
#define WARM 0.02         /* ... and from here on yellow */
#define ALIKE (1 + 5e-10) /* a share equal to a bound in nine digits has reached it */
#define LONGEST 2000
#define TAB 8
#define SOURCE_ROOM 60 /* columns that a line of source should have ... */
#define LEAST_ROOM 20  /* ... and must have at least */

struct columns { /* widths; 0: not shown */
  int share, self, interval, outside, in_calls, calls, count, loops, measured, bounds, visits, line;
  int extra[PROF_ANNOTATE_MOST_EXTRA];
};

static int larger(int a, int b) {
  return a > b ? a : b;
}

static size_t used_by(const struct columns *columns) {
  const int all[] = {columns->share,    columns->self,   columns->interval, columns->outside,
                     columns->in_calls, columns->calls,  columns->count,    columns->loops,
                     columns->measured, columns->bounds, columns->visits,   columns->line};
  size_t used = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    used += all[i] ? (size_t)all[i] + 2 : 0;
  for (size_t i = 0; i < PROF_ANNOTATE_MOST_EXTRA; i++)
    used += columns->extra[i] ? (size_t)columns->extra[i] + 2 : 0;
  return used;
}

/* Narrow terminals: drops columns until the source has room, the least useful first. */
static void make_room(struct columns *columns, const struct prof_annotate_page *page, size_t width) {
  bool has_calls = false;
  for (uint32_t i = 0; i < page->annotated->count; i++)
    has_calls |= page->annotated->lines[i].calls > 0;
  if (width && used_by(columns) + SOURCE_ROOM > width && !has_calls)
    columns->in_calls = columns->calls = 0;
  if (width && used_by(columns) + SOURCE_ROOM > width && !page->instruction_count)
    columns->interval = columns->bounds = 0;
  int *const more[] = {&columns->bounds, &columns->interval, &columns->visits,   &columns->loops,  &columns->calls,
                       &columns->count,  &columns->self,     &columns->in_calls, &columns->outside};
  for (size_t i = 0; width && i < sizeof more / sizeof *more && used_by(columns) + page->source_room > width; i++)
    *more[i] = 0;
  int *const spare[] = {&columns->bounds, &columns->interval, &columns->visits, &columns->loops, &columns->in_calls};
  for (size_t i = 0; width && i < sizeof spare / sizeof *spare && used_by(columns) + LEAST_ROOM > width; i++)
    *spare[i] = 0;
  for (size_t i = page->extra.count; width && i > 0 && used_by(columns) + LEAST_ROOM > width; i--)
    columns->extra[i - 1] = 0;
}

static void measure_extra(struct columns *columns, const struct prof_annotate_page *page) {
  char text[PROF_UNITS_BYTES + 1];
  for (size_t i = 0; i < page->extra.count; i++) {
    columns->extra[i] = (int)strlen(page->extra.titles[i]);
    for (uint32_t j = 0; j < page->annotated->count; j++)
      columns->extra[i] =
          larger(columns->extra[i],
                 (int)strlen(page->extra.text(page->extra.context, page->annotated->lines[j].line, i, text)));
  }
}

static struct columns measure(const struct prof_annotate_page *page, size_t width) {
  const struct prof_annotated *annotated = page->annotated;
  char text[PROF_UNITS_BYTES];
  struct columns columns = {.in_calls = 8, .calls = 5, .line = 4};
  if (annotated->has_samples)
    columns.share = 6, columns.self = 8, columns.interval = 17;
  if (annotated->has_outside)
    columns.outside = 8;
  if (annotated->has_counts)
    columns.count = 5;
  if (annotated->has_loops)
    columns.loops = 10;
  if (annotated->has_times)
    columns.measured = 8, columns.bounds = 17, columns.visits = 6;
  for (uint32_t i = 0; i < annotated->count; i++) {
    const struct prof_annotated_line *line = &annotated->lines[i];
    if (columns.visits)
      columns.visits = larger(columns.visits, (int)strlen(prof_units_count(text, line->visits)));
    columns.calls = larger(columns.calls, (int)strlen(prof_units_count(text, line->calls)) + line->calls_estimated);
    if (columns.count)
      columns.count = larger(columns.count, (int)strlen(prof_units_count(text, line->count)));
    if (columns.loops)
      columns.loops =
          larger(columns.loops, (int)strlen(prof_units_count(text, line->iterations)) + line->iterations_estimated);
    columns.line = larger(columns.line, snprintf(text, sizeof text, "%" PRIu32, line->line));
  }
  measure_extra(&columns, page);
  make_room(&columns, page, width);
  return columns;
}

static void cell(FILE *file, int width, const char *text) {
  if (width)
    fprintf(file, "%*s  ", width, text);
}

/* At most `width` columns (0: all) of text from outside; tabs become blanks. */
static void put_text(FILE *file, const char *text, size_t bytes, size_t width, bool utf8) {
  char plain[LONGEST], escaped[4 * LONGEST];
  size_t used = 0;
  for (size_t i = 0; i < bytes && used + TAB < sizeof plain; i++)
    if (text[i] == '\t')
      do
        plain[used++] = ' ';
      while (used % TAB);
    else
      plain[used++] = text[i];
  while (used > 0 && plain[used - 1] == ' ')
    used--;
  prof_text_escape(escaped, sizeof escaped, plain, used);
  if (width)
    prof_text_cut(escaped, width, utf8);
  fprintf(file, "%s\n", escaped);
}

static void head(FILE *file, const struct prof_annotate_page *page, const char *title, const char *last,
                 const struct columns *columns, const struct prof_table_style *style) {
  fputs(style->color ? "\x1b[1m" : "", file);
  put_text(file, title, strlen(title), style->width, style->utf8);
  fputs(style->color ? "\x1b[0m" : "", file);
  cell(file, columns->share, "SELF%");
  cell(file, columns->self, "SELF");
  cell(file, columns->interval, "95% INTERVAL");
  cell(file, columns->outside, "OUTSIDE");
  cell(file, columns->in_calls, "IN CALLS");
  cell(file, columns->calls, "CALLS");
  cell(file, columns->count, "COUNT");
  cell(file, columns->loops, "ITERATIONS");
  cell(file, columns->measured, "MEASURED");
  cell(file, columns->bounds, "BETWEEN");
  cell(file, columns->visits, "VISITS");
  for (size_t i = 0; i < page->extra.count; i++)
    cell(file, columns->extra[i], page->extra.titles[i]);
  cell(file, columns->line, "LINE");
  fprintf(file, "%s\n", last);
}

static const char *color_of(double share, const struct prof_table_style *style) {
  return !style->color || share * ALIKE < WARM ? "" : share * ALIKE < HOT ? "\x1b[33m" : "\x1b[1;31m";
}

static size_t room_of(const struct columns *columns, const struct prof_table_style *style) {
  size_t used = used_by(columns);
  return style->width == 0 ? 0 : style->width > used + LEAST_ROOM ? style->width - used : LEAST_ROOM;
}

/* Puts ~ before an estimate. */
static const char *marked(char text[PROF_UNITS_BYTES + 1], bool estimated) {
  if (estimated && text[0]) {
    memmove(text + 1, text, strlen(text) + 1);
    text[0] = '~';
  }
  return text;
}

static void put_line(FILE *file, const struct prof_annotate_page *page, const struct prof_annotated_line *line,
                     const struct columns *columns, const struct prof_table_style *style) {
  char share[PROF_UNITS_BYTES] = "", self[PROF_UNITS_BYTES] = "", low[PROF_UNITS_BYTES], high[PROF_UNITS_BYTES],
       interval[2 * PROF_UNITS_BYTES] = "", in_calls[PROF_UNITS_BYTES + 1] = "", calls[PROF_UNITS_BYTES + 1] = "",
       count[PROF_UNITS_BYTES] = "", loops[PROF_UNITS_BYTES + 1] = "", measured[PROF_UNITS_BYTES] = "",
       bounds[2 * PROF_UNITS_BYTES] = "", visits[PROF_UNITS_BYTES] = "", outside[PROF_UNITS_BYTES] = "",
       extra[PROF_UNITS_BYTES + 1], number[16];
  if (line->samples && page->annotated->has_samples) {
    prof_units_share(share, line->self_share);
    prof_units_duration(self, line->self_ns);
    snprintf(interval, sizeof interval, "%s-%s", prof_units_duration(low, line->self_low_ns),
             prof_units_duration(high, line->self_high_ns));
  }
  if (line->outside_ns)
    prof_units_duration(outside, line->outside_ns);
  if (line->calls) {
    prof_units_duration(in_calls, line->calls_ns);
    prof_units_count(calls, line->calls);
  }
  if (line->count)
    prof_units_count(count, line->count);
  if (line->iterations_unknown)
    strcpy(loops, "-");
  else if (line->iterations)
    prof_units_count(loops, line->iterations);
  if (line->readings) {
    prof_units_duration(measured, line->measured_self_ns);
    snprintf(bounds, sizeof bounds, "%s-%s", prof_units_duration(low, line->measured_low_ns),
             prof_units_duration(high, line->measured_high_ns));
    prof_units_count(visits, line->visits);
  }
  snprintf(number, sizeof number, "%" PRIu32, line->line);
  double weight = page->annotated->has_samples ? line->self_share
                  : page->all_ns > 0           ? (double)line->calls_ns / page->all_ns
                                               : 0;
  const char *color = color_of(weight, style);
  fputs(color, file);
  cell(file, columns->share, share);
  cell(file, columns->self, self);
  cell(file, columns->interval, interval);
  cell(file, columns->outside, outside);
  cell(file, columns->in_calls, marked(in_calls, line->calls_estimated));
  cell(file, columns->calls, marked(calls, line->calls_estimated));
  cell(file, columns->count, count);
  cell(file, columns->loops, marked(loops, line->iterations_estimated));
  cell(file, columns->measured, measured);
  cell(file, columns->bounds, bounds);
  cell(file, columns->visits, visits);
  for (size_t i = 0; i < page->extra.count; i++)
    cell(file, columns->extra[i], page->extra.text(page->extra.context, line->line, i, extra));
  cell(file, columns->line, number);
  fputs(color[0] ? "\x1b[0m" : "", file);
  size_t bytes = 0;
  const char *text = page->text(page->context, line->line, &bytes);
  put_text(file, text ? text : "", bytes, room_of(columns, style), style->utf8);
}

static void put_instruction(FILE *file, const struct prof_annotate_instruction *instruction,
                            const struct columns *columns, const struct prof_table_style *style) {
  char share[PROF_UNITS_BYTES] = "", samples[PROF_UNITS_BYTES] = "", in_calls[PROF_UNITS_BYTES + 1] = "",
       calls[PROF_UNITS_BYTES + 1] = "", outside[PROF_UNITS_BYTES] = "", number[16], text[LONGEST];
  snprintf(number, sizeof number, "%" PRIu32, instruction->line);
  if (instruction->samples) {
    prof_units_share(share, instruction->share);
    prof_units_count(samples, instruction->samples);
  }
  if (instruction->outside_ns)
    prof_units_duration(outside, instruction->outside_ns);
  if (instruction->calls) {
    prof_units_duration(in_calls, instruction->calls_ns);
    prof_units_count(calls, instruction->calls);
  }
  const char *color = instruction->share * ALIKE >= WARM ? color_of(instruction->share, style)
                      : style->color                     ? "\x1b[2m"
                                                         : "";
  fputs(color, file);
  cell(file, columns->share, share);
  cell(file, columns->self, samples);
  cell(file, columns->interval, instruction->samples == 1 ? "sample" : instruction->samples ? "samples" : "");
  cell(file, columns->outside, outside);
  cell(file, columns->in_calls, marked(in_calls, instruction->calls_estimated));
  cell(file, columns->calls, marked(calls, instruction->calls_estimated));
  cell(file, columns->count, "");
  cell(file, columns->loops, "");
  cell(file, columns->measured, "");
  cell(file, columns->bounds, "");
  cell(file, columns->visits, "");
  for (size_t i = 0; i < PROF_ANNOTATE_MOST_EXTRA; i++)
    cell(file, columns->extra[i], "");
  cell(file, columns->line, number);
  int used = snprintf(text, sizeof text, "%8" PRIx64 "  %s", instruction->address, instruction->text);
  if (instruction->probe && used > 0 && (size_t)used < sizeof text)
    used += snprintf(text + used, sizeof text - (size_t)used, "    ; probe: %s", instruction->probe);
  if (instruction->from_file && used > 0 && (size_t)used < sizeof text)
    snprintf(text + used, sizeof text - (size_t)used, "    ; %s:%" PRIu32, instruction->from_file,
             instruction->from_line);
  put_text(file, text, strlen(text), room_of(columns, style), style->utf8);
  fputs(color[0] ? "\x1b[0m" : "", file);
}

void prof_annotate_text_write(FILE *file, const struct prof_annotate_page *page, const struct prof_table_style *style) {
  struct columns columns = measure(page, style->width);
  head(file, page, page->title, "SOURCE", &columns, style);
  for (uint32_t i = 0; i < page->annotated->count; i++)
    put_line(file, page, &page->annotated->lines[i], &columns, style);
  if (page->instruction_count) {
    fputc('\n', file);
    head(file, page, "instructions, by address", "INSTRUCTION", &columns, style);
  }
  for (size_t i = 0; i < page->instruction_count; i++)
    put_instruction(file, &page->instructions[i], &columns, style);
}
