/*
 * tools/command/next_loop.c - see next_loop.h.
 */
#define _GNU_SOURCE

#include "next_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "hint.h"
#include "loop_table.h"
#include "loop_text.h"
#include "row.h"
#include "view/units.h"
#include "view/width.h"

#define LEAST 0.01        /* of all time: less is not worth a look */
#define WORTH_SAYING 0.05 /* of all time: less of it that threads did not run makes no difference */
#define MOSTLY 0.5        /* of a loop's time */
#define ALL 0.99          /* likewise */
#define SHORT_MEAN 4      /* iterations of an entry */
#define MANY 1000         /* entries */

static bool is_of_clang(const struct prof_reader *reader, const struct prof_loop_row *row) {
  size_t count;
  const struct prof_loop *loop = &prof_trace_loops(reader->trace, &count)[row->loop];
  return strcasestr(prof_trace_modules(reader->trace, &count)[loop->module].compiler, "clang") != NULL;
}

/* Nothing in it is called, nor is it around another loop: compilers vectorise such ones. */
static bool is_plain(const struct prof_loop_rows *rows, const struct prof_loop_row *row) {
  size_t next = (size_t)(row - rows->rows) + 1;
  bool has_inner = next < rows->count && rows->rows[next].level > row->level;
  return !has_inner && (double)row->self_ns >= ALL * (double)row->total_ns;
}

/* What may be worth a look, the likeliest first. */
static void advise(const struct prof_loop_rows *rows, const struct prof_loop_row *row, const struct prof_reader *reader,
                   FILE *file) {
  char name[PROF_HINT_BYTES], input[PROF_HINT_BYTES];
  prof_hint_word(name, row->function);
  prof_hint_input(input, reader->common->input);
  if ((double)row->self_ns < MOSTLY * (double)row->total_ns)
    fprintf(file, "next: most of its time is in what it calls: prof tree%s --loops -F %s\n", input, name);
  else if (row->has_mean && row->avg_iterations < SHORT_MEAN && row->entries > MANY)
    fprintf(file, "next: it is short and entered often: prof tree%s --loops -F %s shows in what\n", input, name);
  else if (is_plain(rows, row) && row->flags & PROF_LOOP_COUNTABLE &&
           !(row->flags & (PROF_LOOP_VECTORISED | PROF_LOOP_GONE)))
    fprintf(file, "next: it is not known to be vectorised: compile with %s to learn why; prof annotate%s %s\n",
            is_of_clang(reader, row) ? "-Rpass-missed=loop-vectorize" : "-fopt-info-vec-missed", input, name);
  else
    fprintf(file, "next: prof annotate%s %s; all loops: prof loops%s\n", input, name, input);
}

static void show(const struct prof_next_loop *next, const struct prof_loop_row *row, FILE *file) {
  const struct prof_reader *reader = next->reader;
  char place[PROF_LOOP_TEXT_BYTES], share[PROF_UNITS_BYTES], number[PROF_UNITS_BYTES];
  prof_loop_text(row, reader, place, sizeof place);
  char *escaped = prof_text_escaped(place);
  fprintf(file, "\nhottest loop: %s: %s of the time%s", escaped ? escaped : "",
          prof_units_share(share, row->self_share), next->ran ? " that threads ran" : "");
  fprintf(file, ", %s %s", prof_units_count(number, row->entries), row->entries == 1 ? "entry" : "entries");
  if (row->has_mean)
    fprintf(file, " of %s iterations", prof_units_mean(number, row->avg_iterations));
  if (row->has_each)
    fprintf(file, ", %s each", prof_units_part(number, row->each_ns));
  putc('\n', file);
  free(escaped);
}

prof_status prof_next_loop_find(const struct prof_profile *profile, const struct prof_reader *reader,
                                struct prof_diag *diag, struct prof_next_loop *out) {
  const struct prof_node *all = &profile->nodes[0];
  double off_ticks = (double)(all->off.waiting + all->off.preempted);
  *out = (struct prof_next_loop){.reader = reader};
  out->ran = off_ticks >= WORTH_SAYING * (double)all->total_ticks && off_ticks > 0;
  return prof_loops_rank(profile, reader->names, PROF_TIME_RUNNING, PROF_LOOP_SORT_SELF, diag, &out->rows);
}

void prof_next_loop_show(const struct prof_next_loop *next, const struct prof_output *output) {
  const struct prof_loop_row *row = prof_loops_hottest(&next->rows);
  if (row && row->self_share >= LEAST) {
    show(next, row, output->file);
    advise(&next->rows, row, next->reader, output->file);
  }
}

bool prof_next_loop_json(const struct prof_next_loop *next, struct prof_json *json) {
  const struct prof_loop_row *row = prof_loops_hottest(&next->rows);
  struct prof_column columns[PROF_LOOP_COLUMNS];
  if (!row)
    return true;
  struct prof_table *table = prof_loop_table(next->reader, row, 1, false, columns);
  bool good = table && !prof_table_failed(table);
  if (good)
    prof_table_json_row(table, 0, json, "hottest_loop");
  prof_table_free(table);
  return good;
}

void prof_next_loop_free(struct prof_next_loop *next) {
  prof_loops_free(&next->rows);
}
