/*
 * tools/command/loops/next_loop.c - see next_loop.h.
 */
#include "next_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/hint.h"
#include "loop_table.h"
#include "loop_text.h"
#include "names/short.h"
#include "row.h"
#include "view/units.h"
#include "view/width.h"

#define LEAST 0.01        /* of all time: a loop with less is not shown */
#define WORTH_SAYING 0.05 /* of all time: less time off the processor is ignored */
#define MOSTLY 0.5        /* of a loop's time */
#define ALL 0.99          /* likewise */
#define SHORT_MEAN 4      /* iterations of an entry */
#define MANY 1000         /* entries */
#define FIGURE_BYTES 200
#define LEAST_WIDTH 12 /* columns of a place, and of a name */
#define MOST_WIDTH 60  /* of both: longer ones are cut before a figure is left out */

static bool is_of_clang(const struct prof_reader *reader, const struct prof_loop_row *row) {
  size_t count;
  const struct prof_loop *loop = &prof_trace_loops(reader->recording.trace, &count)[row->loop];
  return strcasestr(prof_trace_modules(reader->recording.trace, &count)[loop->module].compiler, "clang") != NULL;
}

/* Has it neither calls nor inner loops?  Compilers vectorise such loops. */
static bool is_plain(const struct prof_loop_rows *rows, const struct prof_loop_row *row) {
  size_t next = (size_t)(row - rows->rows) + 1;
  bool has_inner = next < rows->count && rows->rows[next].level > row->level;
  return !has_inner && (double)row->self_ns >= ALL * (double)row->total_ns;
}

#define COMMAND_BYTES (3 * PROF_HINT_BYTES + 80)

/* Prints the whole command; `why` and `more` only if the terminal has room. */
static void say(const struct prof_output *output, const char *why, const char *command, const char *more) {
  size_t width = output->style.width;
  size_t need = prof_text_width("next: ") + prof_text_width(why) + prof_text_width(command) + prof_text_width(more);
  bool wide = width && need > width;
  fprintf(output->file, "next: %s%s%s\n", wide ? "" : why, command, wide ? "" : more);
}

/* Suggests the next command: of the first case that applies. */
static void advise(const struct prof_loop_rows *rows, const struct prof_loop_row *row, const struct prof_reader *reader,
                   const struct prof_output *output) {
  char name[PROF_HINT_BYTES], input[PROF_HINT_BYTES], command[COMMAND_BYTES], more[COMMAND_BYTES];
  prof_hint_function(name, reader, row->function);
  prof_hint_input(input, reader->common->input);
  snprintf(command, sizeof command, "prof annotate%s %s", input, name);
  snprintf(more, sizeof more, "; all loops: prof loops%s", input);
  const char *why = "";
  if ((double)row->self_ns < MOSTLY * (double)row->total_ns) {
    why = "most of its time is in what it calls: ";
    snprintf(command, sizeof command, "prof tree%s --loops -F %s", input, name);
    more[0] = 0;
  } else if (row->has_mean && row->unknown_entries == 0 && row->avg_iterations < SHORT_MEAN && row->entries > MANY) {
    why = "it is entered often for few iterations; what enters it: ";
    snprintf(command, sizeof command, "prof tree%s --loops -F %s", input, name);
    more[0] = 0;
  } else if (is_plain(rows, row) && row->flags & PROF_LOOP_COUNTABLE &&
             !(row->flags & (PROF_LOOP_VECTORISED | PROF_LOOP_GONE))) {
    why = is_of_clang(reader, row)
              ? "it is not known to be vectorised: compile with -Rpass-missed=loop-vectorize to learn why; "
              : "it is not known to be vectorised: compile with -fopt-info-vec-missed to learn why; ";
    more[0] = 0;
  }
  say(output, why, command, more);
}

/* Adds a figure if place and function still have `need` columns.  false: it doesn't fit. */
static bool add_figure(char figures[FIGURE_BYTES], size_t width, size_t need, const char *format, const char *number) {
  char more[FIGURE_BYTES];
  int bytes = snprintf(more, sizeof more, format, number);
  size_t used = strlen(figures);
  if (width && strlen("hottest loop:  ") + used + (size_t)bytes + need > width)
    return false;
  snprintf(figures + used, FIGURE_BYTES - used, "%s", more);
  return true;
}

/* Each figure is of the one before: the first that doesn't fit is the end. */
static void find_figures(const struct prof_next_loop *next, const struct prof_loop_row *row, size_t width, size_t need,
                         char figures[FIGURE_BYTES]) {
  char number[PROF_UNITS_BYTES];
  figures[0] = 0;
  static const char *const shares[2][2] = {{": %s of the time", ": ~%s of the time"},
                                           {": %s of running time", ": ~%s of running time"}};
  add_figure(figures, 0, 0, shares[next->ran][row->self_is_estimated], prof_units_share(number, row->self_share));
  bool fits = row->has_entries && add_figure(figures, width, need, row->entries == 1 ? ", %s entry" : ", %s entries",
                                             prof_units_count(number, row->entries));
  if (fits && row->has_mean && row->unknown_entries == 0)
    fits = add_figure(figures, width, need, " of %s iterations", prof_units_mean(number, row->avg_iterations));
  if (fits && row->has_each)
    add_figure(figures, width, need, next->ran ? ", %s elapsed each" : ", %s each",
               prof_units_part(number, row->each_ns));
}

static void show(const struct prof_next_loop *next, const struct prof_loop_row *row, const struct prof_output *output) {
  char place[PROF_LOOP_TEXT_BYTES], function[PROF_LOOP_TEXT_BYTES], figures[FIGURE_BYTES];
  prof_loop_place(row, next->reader, place, sizeof place);
  prof_loop_function(row, function, sizeof function);
  char *parts[] = {prof_text_escaped(place), prof_text_escaped(function)};
  size_t width = output->style.width;
  size_t need = (parts[0] ? prof_text_width(parts[0]) : 0) + (parts[1] ? prof_text_width(parts[1]) : 0);
  if (width && parts[1] && need > MOST_WIDTH) { /* as the tables do */
    size_t whole = prof_text_width(parts[1]);
    prof_name_shorten(parts[1]);
    need -= whole - prof_text_width(parts[1]);
  }
  find_figures(next, row, width, need < MOST_WIDTH ? need : MOST_WIDTH, figures);
  size_t others = strlen("hottest loop:  ") + strlen(figures);
  if (width && parts[0] && parts[1] && others + need > width) {
    size_t room = width > others + 2 * LEAST_WIDTH ? width - others : 2 * LEAST_WIDTH;
    size_t whole = prof_text_width(parts[1]);
    prof_text_cut_left(parts[0], whole < room / 2 ? room - whole : room / 2, output->style.utf8);
    prof_text_cut_middle(parts[1], room - prof_text_width(parts[0]), output->style.utf8);
  }
  char line[2 * PROF_LOOP_TEXT_BYTES];
  snprintf(line, sizeof line, "hottest loop: %s %s%s", parts[0] ? parts[0] : "", parts[1] ? parts[1] : "", figures);
  putc('\n', output->file);
  prof_output_line(output, line);
  free(parts[0]);
  free(parts[1]);
}

prof_status prof_next_loop_find(const struct prof_profile *profile, const struct prof_reader *reader,
                                struct prof_diag *diag, struct prof_next_loop *out) {
  const struct prof_node *all = &profile->nodes[0];
  double off_ticks = (double)(all->off.waiting + all->off.preempted);
  *out = (struct prof_next_loop){.reader = reader};
  out->ran = off_ticks >= WORTH_SAYING * (double)all->total_ticks && off_ticks > 0;
  return prof_loops_rank(profile, reader->recording.names, PROF_TIME_RUNNING, PROF_LOOP_SORT_SELF, diag, &out->rows);
}

void prof_next_loop_show(const struct prof_next_loop *next, const struct prof_output *output) {
  const struct prof_loop_row *row = prof_loops_hottest(&next->rows);
  if (row && row->self_share >= LEAST) {
    show(next, row, output);
    advise(&next->rows, row, next->reader, output);
  }
}

bool prof_next_loop_json(const struct prof_next_loop *next, struct prof_json *json) {
  const struct prof_loop_row *row = prof_loops_hottest(&next->rows);
  struct prof_column columns[PROF_LOOP_COLUMNS];
  if (!row)
    return true;
  struct prof_table *table = prof_loop_table(next->reader, row, NULL, NULL, 1, false, columns);
  bool good = table && !prof_table_failed(table);
  if (good)
    prof_table_json_row(table, 0, json, "hottest_loop");
  prof_table_free(table);
  return good;
}

void prof_next_loop_free(struct prof_next_loop *next) {
  prof_loops_free(&next->rows);
}
