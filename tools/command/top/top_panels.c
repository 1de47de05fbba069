/*
 * tools/command/top/top_panels.c - see top_panels.h.
 *
 * The window ends at the moment up to which the recorder has written everything.  Where no recorder answers, some
 * threads' events of the last second may not be there, so it ends before that.
 */
#include "top_panels.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/command_rows.h"
#include "command/report_fields.h"
#include "command/tui/row_table.h"
#include "view/width.h"

#define UNWRITTEN_NS 1500000000u /* events are in the file after this, if nobody asks the recorder */
#define FOLD (PROF_TUI_FOLD_LOOPS | PROF_TUI_FOLD_PLACES)

/* ---- the window ---- */

static void choose_window(void *context, struct prof_reader *reader) {
  struct prof_top *top = context;
  struct prof_recording *recording = &reader->recording;
  const struct prof_trace_info *info = prof_trace_info(recording->trace);
  uint64_t last_ns =
      info->last_ticks > info->start_ticks ? prof_trace_ns(recording->trace, info->last_ticks - info->start_ticks) : 0;
  uint64_t end_ns = last_ns;
  top->live = info->in_progress || top->follow.look[0];
  top->read_ns = top->follow.asked_ns ? top->follow.asked_ns : prof_follow_now_ns();
  top->age_ns = 0;
  if (top->live && top->follow.ticks > info->start_ticks) {
    end_ns = prof_trace_ns(recording->trace, top->follow.ticks - info->start_ticks);
    if (top->follow.look_ticks > top->follow.ticks)
      top->age_ns = prof_trace_ns(recording->trace, top->follow.look_ticks - top->follow.ticks);
  } else if (top->live && !top->follow.look[0]) {
    uint64_t written_ns = last_ns + info->age_ns;
    uint64_t whole_ns = written_ns > UNWRITTEN_NS ? written_ns - UNWRITTEN_NS : 0;
    end_ns = whole_ns < last_ns ? whole_ns : last_ns;
    top->age_ns = info->age_ns + last_ns - end_ns;
  }
  top->was_live |= top->live;
  if (top->has_range || !top->was_live)
    return;
  uint64_t begin_ns = end_ns > top->window_ns ? end_ns - top->window_ns : 0;
  recording->filter =
      prof_filter_within(&recording->filter, recording->trace, begin_ns, end_ns > begin_ns ? end_ns : begin_ns + 1);
}

uint64_t prof_top_age_ns(const struct prof_top *top) {
  return top->live ? top->age_ns + (prof_follow_now_ns() - top->read_ns) : UINT64_MAX;
}

bool prof_top_has_one_process(const struct prof_top *top) {
  return prof_command_rows_processes(&top->figures.now->reader) < 2;
}

/* ---- the recording ---- */

static void choose_folder(struct prof_top *top) {
  top->common.input = top->follow.look[0] ? top->follow.look : top->follow.path;
}

prof_status prof_top_open(struct prof_top *top, struct prof_diag *diag) {
  top->figures.given = &top->common;
  top->common.part_told = true; /* it changes while it is shown */
  top->figures.narrow = choose_window;
  top->figures.context = top;
  top->figures.may_be_empty = top->figures.grows = true;
  prof_status status = prof_follow_next(&top->follow, diag);
  choose_folder(top);
  return status == PROF_OK ? prof_tui_figures_open(&top->figures, diag) : status;
}

void prof_top_close(struct prof_top *top) {
  prof_tui_figures_close(&top->figures);
}

prof_status prof_top_prepare(void *context, enum prof_tui_change change, const char *text, uint32_t number,
                             struct prof_diag *diag) {
  struct prof_top *top = context;
  prof_status status = change == PROF_TUI_CHANGE_TIME ? PROF_OK : prof_follow_next(&top->follow, diag);
  choose_folder(top);
  return status == PROF_OK ? prof_tui_figures_prepare(&top->figures, change, text, number, diag) : status;
}

bool prof_top_is_due(void *context) {
  return ((struct prof_top *)context)->live;
}

prof_status prof_top_rank(struct prof_top *top, enum prof_group by, enum prof_sort sort, struct prof_diag *diag,
                          struct prof_live_rows *out) {
  const struct prof_tui_fold *fold = NULL;
  *out = (struct prof_live_rows){0};
  prof_status status = prof_tui_figures_fold(&top->figures, FOLD, diag, &fold);
  if (status != PROF_OK && status != PROF_EMPTY)
    return status;
  const struct prof_recording *recording = &top->figures.now->reader.recording;
  return prof_live_rank(recording->trace, &recording->filter, top->follow.ticks, fold->profile, fold->samples,
                        recording->names, by, recording->time, sort, diag, out);
}

/* ---- panels ---- */

struct rows {
  struct prof_live_rows live;
  struct prof_top_columns columns;
  struct prof_tui_columns shown;
};

static void rows_free(void *rows) {
  prof_live_free(&((struct rows *)rows)->live);
  free(rows);
}

static size_t count_of(const struct rows *rows) {
  return rows->live.ranked.count;
}

static uint32_t first_row(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE && count_of(rows) ? 0 : PROF_TUI_NONE;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return item + 1 < count_of(rows) ? item + 1 : PROF_TUI_NONE;
}

static const struct prof_live_row *row_of(void *rows, uint32_t item) {
  return &((struct rows *)rows)->live.rows[item];
}

static const char *name_of(void *rows, uint32_t item) {
  return row_of(rows, item)->row->name;
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct prof_function_row *row = row_of(rows, item)->row;
  bool is_function = ((struct rows *)rows)->live.by == PROF_BY_FUNCTION;
  return (struct prof_tui_place){.function = is_function ? row->index : PROF_TUI_NONE,
                                 .tid = is_function ? 0 : row->tid};
}

static double weight_of(void *rows, uint32_t item) {
  return row_of(rows, item)->row->self_share;
}

static void add_cells(void *rows, const struct prof_tui_row *shown, struct prof_table *table) {
  prof_top_cells(table, &((struct rows *)rows)->columns, row_of(rows, shown->item));
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  return prof_tui_table_print(&((struct rows *)rows)->shown, rows, add_cells, shown, count, look, file);
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = rows_free};

static prof_status build(struct prof_top *top, enum prof_group by, const struct prof_tui_request *request,
                         struct prof_diag *diag, struct prof_tui_rows *out) {
  struct rows *rows = calloc(1, sizeof *rows);
  if (!rows)
    return prof_diag_memory(diag);
  prof_status status = prof_top_rank(top, by, (enum prof_sort)request->sort, diag, &rows->live);
  if (status != PROF_OK) {
    rows_free(rows);
    return status;
  }
  prof_top_columns(&rows->live, top->figures.now->reader.recording.time, true, prof_top_has_one_process(top),
                   &rows->columns);
  rows->columns.names = rows->live.by == PROF_BY_FUNCTION ? top->figures.now->reader.recording.names : NULL;
  rows->shown.items = rows->columns.items;
  rows->shown.count = rows->columns.count;
  *out = (struct prof_tui_rows){.type = &type, .rows = rows};
  return PROF_OK;
}

static prof_status build_functions(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                   struct prof_tui_rows *out) {
  return build(figures, PROF_BY_FUNCTION, request, diag, out);
}

static prof_status build_threads(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                 struct prof_tui_rows *out) {
  return build(figures, PROF_BY_THREAD, request, diag, out);
}

const struct prof_tui_panel prof_top_panels[] = {
    {'1', "functions", "prof report", "what each function costs now", PROF_TUI_ENTER_SOURCE, prof_report_sorts,
     "callers", build_functions},
    {'2', "tree", "prof tree", "where in the call tree the time goes", PROF_TUI_ENTER_BRANCH, prof_tui_tree_sorts,
     "callers", prof_tui_tree_build},
    {'3', "callers", "prof tree --callers", "who calls each function", PROF_TUI_ENTER_BRANCH, prof_tui_tree_sorts,
     "tree", prof_tui_callers_build},
    {'4', "threads", "prof report --by=thread", "what each thread does; Enter shows only this one",
     PROF_TUI_ENTER_THREAD, prof_report_sorts, NULL, build_threads},
    {'i', "info", "--verbose", "what the figures cover, and how they were computed", PROF_TUI_ENTER_NOTHING, NULL, NULL,
     prof_tui_about_build},
    {0, "source", "prof annotate", "source lines of a function, or its instructions", PROF_TUI_ENTER_NOTHING, NULL,
     NULL, prof_tui_source_build},
};
const size_t prof_top_panel_count = sizeof prof_top_panels / sizeof *prof_top_panels;

/* ---- the header ---- */

void prof_top_tui_header(void *context, size_t width, bool utf8, char *out, size_t size) {
  struct prof_top *top = context;
  struct prof_tui_figures *figures = &top->figures;
  struct prof_diag diag = {0};
  struct prof_live_rows rows;
  char text[PROF_TOP_HEADER_BYTES];
  (void)utf8;
  prof_tui_figures_shown(figures, out, size);
  size_t taken = prof_text_width(out), used = strlen(out);
  if (prof_top_rank(top, PROF_BY_FUNCTION, PROF_SORT_SELF, &diag, &rows) == PROF_OK) {
    prof_top_header(figures->now->reader.recording.trace, &rows.live, &top->follow, prof_top_age_ns(top),
                    width > taken ? width - taken : 0, text);
    snprintf(out + used, size - used, "%s", text);
  }
  prof_live_free(&rows);
}
