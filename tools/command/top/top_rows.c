/*
 * tools/command/top/top_rows.c - see top_rows.h.
 *
 * To add a field: a row of the table, and its cell.
 */
#include "top_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/units.h"
#include "view/width.h"

/* ---- columns ---- */

enum field {
  NAME,
  MODULE,
  TID,
  PID,
  COMMAND,
  SELF,
  TOTAL,
  WAIT,
  CALLS_S,
  CALLS,
  SELF_NS,
  TOTAL_NS,
  AVG,
  STATE,
  FIELDS
};
enum { TABLE = 1, DATA = 2, FUNCTION = 4, THREAD = 8, SWITCHES = 16, STATES = 32, PROCESSES = 64, LABEL = 128 };

static const struct {
  struct prof_column column;
  unsigned is;
} fields[FIELDS] = {
    [NAME] = {{"name", NULL, PROF_CELL_TEXT}, DATA},
    [MODULE] = {{"module", NULL, PROF_CELL_TEXT}, DATA | FUNCTION},
    [TID] = {{"tid", "TID", PROF_CELL_COUNT}, TABLE | DATA | THREAD | LABEL},
    [PID] = {{"pid", "PID", PROF_CELL_COUNT}, TABLE | DATA | THREAD | PROCESSES | LABEL},
    [COMMAND] = {{"command", "COMMAND", PROF_CELL_TEXT, .spare = 3}, TABLE | DATA | THREAD | PROCESSES},
    [SELF] = {{"self", "SELF", PROF_CELL_SHARE}, TABLE | DATA | FUNCTION},
    [TOTAL] = {{"total", "TOTAL", PROF_CELL_SHARE}, TABLE | DATA},
    [WAIT] = {{"waiting", "WAIT", PROF_CELL_SHARE, .spare = 1}, TABLE | DATA | SWITCHES},
    [CALLS_S] = {{"calls_per_s", "CALLS/S", PROF_CELL_MEAN}, TABLE | DATA},
    [CALLS] = {{"calls", NULL, PROF_CELL_COUNT}, DATA},
    [SELF_NS] = {{"self_ns", NULL, PROF_CELL_NS}, DATA},
    [TOTAL_NS] = {{"total_ns", NULL, PROF_CELL_NS}, DATA},
    [AVG] = {{"avg_ns", "AVG", PROF_CELL_NS, .spare = 2}, TABLE | DATA | FUNCTION},
    [STATE] = {{"state", "RECORDED", PROF_CELL_TEXT, .spare = 4}, TABLE | DATA | FUNCTION | STATES},
};

static void add(struct prof_top_columns *out, enum field field, const char *title) {
  out->of[out->count] = (unsigned char)field;
  out->items[out->count] = fields[field].column;
  if (title)
    out->items[out->count].title = title;
  if (title && (fields[field].is & LABEL)) /* without groups of digits */
    out->items[out->count].kind = PROF_CELL_TEXT;
  out->count++;
}

void prof_top_columns(const struct prof_live_rows *rows, enum prof_time_kind time, bool is_table, bool one_process,
                      struct prof_top_columns *out) {
  bool of_threads = rows->by == PROF_BY_THREAD, has_switches = rows->live.has_switches || rows->ranked.count == 0;
  unsigned lacks = (of_threads ? FUNCTION : THREAD) | (has_switches ? 0 : SWITCHES) |
                   (rows->live.has_states ? 0 : STATES) | (is_table && one_process ? PROCESSES : 0);
  out->count = 0;
  out->names = NULL;
  for (enum field field = 0; field < FIELDS; field++)
    if ((fields[field].is & (is_table ? TABLE : DATA)) && !(fields[field].is & lacks) &&
        !(is_table && field == WAIT && time == PROF_TIME_WAITING))
      add(out, field, is_table ? fields[field].column.title : NULL);
  if (!is_table)
    return;
  add(out, NAME, of_threads ? "THREAD" : "FUNCTION");
  out->items[out->count - 1].cut = of_threads ? PROF_CUT_MIDDLE : PROF_CUT_NAME;
}

static void add_label(struct prof_table *table, const struct prof_column *column, uint32_t label) {
  char digits[16];
  snprintf(digits, sizeof digits, "%u", label);
  if (column->kind == PROF_CELL_TEXT)
    prof_table_text(table, digits);
  else
    prof_table_count(table, label);
}

/* A figure that may be an estimate. */
static void add_share(struct prof_table *table, double share, bool estimated) {
  prof_table_share(table, share);
  if (estimated)
    prof_table_estimated(table);
}

static void add_count(struct prof_table *table, uint64_t count, bool known, bool estimated) {
  if (known)
    prof_table_count(table, count);
  else
    prof_table_unknown(table);
  if (known && estimated)
    prof_table_estimated(table);
}

static void add_cell(struct prof_table *table, const struct prof_top_columns *columns, size_t at,
                     const struct prof_live_row *live) {
  const struct prof_column *column = &columns->items[at];
  const struct prof_function_row *row = live->row;
  bool calls_known = !row->calls_estimated || row->has_calls_high;
  switch ((enum field)columns->of[at]) {
  case NAME:
    prof_table_text(table, columns->names ? prof_names_apart(columns->names, row->index) : row->name);
    break;
  case MODULE:
    prof_table_text(table, row->module);
    break;
  case COMMAND:
    prof_table_text(table, row->command);
    break;
  case STATE:
    prof_table_text(table, live->state);
    break;
  case TID:
    add_label(table, column, row->tid);
    break;
  case PID:
    add_label(table, column, row->pid);
    break;
  case SELF:
    add_share(table, live->self, row->self_estimated);
    break;
  case TOTAL:
    add_share(table, live->total, row->total_estimated);
    break;
  case WAIT:
    add_share(table, live->waiting, false);
    break;
  case CALLS_S:
    if (calls_known)
      add_share(table, live->calls_per_s, row->calls_estimated);
    else
      prof_table_unknown(table);
    break;
  case CALLS:
    add_count(table, row->calls, calls_known, row->calls_estimated);
    break;
  case SELF_NS:
    add_count(table, row->self_ns, true, row->self_estimated);
    break;
  case TOTAL_NS:
    add_count(table, row->total.elapsed, true, row->total_estimated);
    break;
  case AVG:
    add_count(table, row->avg_ns, row->has_durations && calls_known, row->calls_estimated || row->total_estimated);
    break;
  case FIELDS:
    break;
  }
}

void prof_top_cells(struct prof_table *table, const struct prof_top_columns *columns, const struct prof_live_row *row) {
  for (size_t i = 0; i < columns->count; i++)
    add_cell(table, columns, i, row);
}

/* ---- the header ---- */

/* "lua 4711": the program's name, and the process if it is the only one. */
static void write_program(const prof_trace *trace, char *out, size_t size) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  const char *command = count > 0 ? processes[0].executable : "recording", *slash = strrchr(command, '/');
  char name[128], pid[40] = "";
  const char *base = slash ? slash + 1 : command;
  prof_text_escape(name, sizeof name, base, strlen(base));
  if (count == 1)
    snprintf(pid, sizeof pid, " %u", processes[0].pid);
  else if (count > 1)
    snprintf(pid, sizeof pid, ", %zu processes", count);
  snprintf(out, size, "%.40s%s", name, pid);
}

#define LEAST_BUSY 0.0005 /* below it 0.0% of a thread is shown, and a part of that says nothing */

/* ", overhead 1.9% of 2%", or what probes took; "": not known. */
static void write_overhead(const struct prof_live *live, const struct prof_follow *follow, char *out, size_t size) {
  char share[PROF_UNITS_BYTES];
  out[0] = 0;
  if (follow->budget > 0 && follow->overhead >= 0)
    snprintf(out, size, ", overhead %s of %g%%", prof_units_share(share, follow->overhead), follow->budget * 100);
  else if (!live->has_states && live->probe_share > 0 && live->probes + live->running >= LEAST_BUSY)
    snprintf(out, size, ", probes %s", prof_units_share(share, live->probe_share));
}

enum header_part { WITH_PROGRAM = 1, WITH_CALLS = 2, WITH_OVERHEAD = 4, WITH_STATES = 8 };
static const unsigned forms[] = {/* the first that fits: columns have calls and states too */
                                 WITH_PROGRAM | WITH_CALLS | WITH_OVERHEAD | WITH_STATES,
                                 WITH_PROGRAM | WITH_CALLS | WITH_OVERHEAD, WITH_PROGRAM | WITH_OVERHEAD, WITH_OVERHEAD,
                                 WITH_CALLS};

void prof_top_header(const prof_trace *trace, const struct prof_live *live, const struct prof_follow *follow,
                     uint64_t age_ns, size_t width, char out[PROF_TOP_HEADER_BYTES]) {
  char program[200], when[96], overhead[80], states[80] = "", calls[PROF_UNITS_BYTES + 12], busy[64];
  char length[PROF_UNITS_BYTES], begin[PROF_UNITS_BYTES], mean[PROF_UNITS_BYTES];
  write_program(trace, program, sizeof program);
  write_overhead(live, follow, overhead, sizeof overhead);
  const struct prof_trace_info *info = prof_trace_info(trace);
  bool to_end = live->end_ns >= prof_trace_ns(trace, info->last_ticks - info->start_ticks);
  prof_units_duration(length, live->end_ns - live->begin_ns);
  prof_units_duration(begin, live->begin_ns);
  if (age_ns != UINT64_MAX)
    snprintf(when, sizeof when, "%s to %.1f s ago", length, (double)age_ns / 1e9);
  else
    snprintf(when, sizeof when, "%s %s%s", length, to_end ? "to its end" : "from ", to_end ? "" : begin);
  if (live->has_switches)
    snprintf(busy, sizeof busy, "%.2f running, %.2f waiting", live->running, live->waiting);
  else
    snprintf(busy, sizeof busy, "%.2f threads", live->running);
  snprintf(calls, sizeof calls, ", %s calls/s", prof_units_mean(mean, live->calls_per_s));
  if (live->has_states)
    snprintf(states, sizeof states, ", %u of %u functions in bursts", live->bursts, live->functions);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (overhead[0] == 0 && (forms[i] & (WITH_CALLS | WITH_OVERHEAD)) == WITH_OVERHEAD)
      continue;
    snprintf(out, PROF_TOP_HEADER_BYTES, "%s%s%s: %s%s%s%s", forms[i] & WITH_PROGRAM ? program : "",
             forms[i] & WITH_PROGRAM ? ", " : "", when, busy, forms[i] & WITH_CALLS ? calls : "",
             forms[i] & WITH_OVERHEAD ? overhead : "", forms[i] & WITH_STATES ? states : "");
    if (prof_text_width(out) <= width)
      return;
  }
}

void prof_top_json(const struct prof_live *live, const struct prof_follow *follow, uint64_t age_ns,
                   struct prof_json *json) {
  prof_json_bool(json, "live", age_ns != UINT64_MAX);
  prof_json_number(json, "age_ns", age_ns == UINT64_MAX ? NAN : (double)age_ns);
  prof_json_object(json, "window");
  prof_json_count(json, "begin_ns", live->begin_ns);
  prof_json_count(json, "end_ns", live->end_ns);
  prof_json_object_end(json);
  prof_json_count(json, "threads_shown", live->threads);
  prof_json_number(json, "running", live->running);
  prof_json_number(json, "waiting", live->has_switches ? live->waiting : NAN);
  prof_json_number(json, "preempted", live->has_switches ? live->preempted : NAN);
  prof_json_number(json, "calls_per_s", live->calls_per_s);
  prof_json_number(json, "events_per_s", live->events_per_s);
  prof_json_number(json, "probe_share", live->probe_share >= 0 ? live->probe_share : NAN);
  prof_json_object(json, "budget");
  prof_json_number(json, "limit_share", follow->budget > 0 ? follow->budget : NAN);
  prof_json_number(json, "overhead_share", follow->budget > 0 && follow->overhead >= 0 ? follow->overhead : NAN);
  prof_json_count(json, "functions", live->functions);
  prof_json_count(json, "bursts", live->bursts);
  prof_json_count(json, "off", live->off);
  prof_json_object_end(json);
}
