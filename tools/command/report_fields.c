/*
 * tools/command/report_fields.c - see report_fields.h.
 *
 * To add a field: a row.
 */
#include "report_fields.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "field.h"
#include "options/suggest.h"

/* ---- fields of a row ---- */

/* Properties of a field. */
enum {
  TABLE = 1,         /* in tables without -f */
  NARROW = 2,        /* ... even if not all fit */
  ONLY_FUNCTION = 4, /* without -f: only by function */
  ONLY_THREAD = 8,   /* ... by thread */
  OF_GPU = 16,       /* without -f: only if the recording has GPU records */
  OF_SAMPLES = 32,   /* ... samples */
  OF_SWITCHES = 64,  /* ... scheduler switches; in a table with --cpu */
  OF_BURSTS = 1024,  /* ... a budget */
  OF_WAITS = 128,    /* ... scheduler switches; in a table if not of waiting time */
  OF_ZONES = 2048,   /* without -f: only if the recording has zones */
  DURATION = 256,    /* not for threads */
  LABEL = 512,       /* a uint32_t as a label: no digit groups, nothing for 0; text in tables */
};

struct prof_report_field {
  const char *word; /* for -f */
  struct prof_column column;
  size_t offset; /* in struct prof_function_row */
  unsigned is;
  uint8_t by;         /* only with these --by, PROF_BY_ as bits; 0: any */
  size_t data_offset; /* in JSON and CSV, if they show another kind of time; else 0 */
};

#define AT(member) offsetof(struct prof_function_row, member)
#define BY(group) (1u << PROF_BY_##group)
static const struct prof_report_field fields[] = {
    {"name", {"name", "FUNCTION", PROF_CELL_TEXT}, AT(name), NARROW},
    {"kind", {"kind", "KIND", PROF_CELL_TEXT}, AT(kind), ONLY_FUNCTION | OF_ZONES},
    {"module", {"module", "MODULE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(module), ONLY_FUNCTION},
    {"file", {"file", "FILE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(file), ONLY_FUNCTION},
    {"line", {"line", "LINE", PROF_CELL_COUNT}, AT(line), ONLY_FUNCTION | LABEL},
    {"tid", {"tid", "TID", PROF_CELL_COUNT}, AT(tid), LABEL | ONLY_THREAD | TABLE | NARROW},
    {"pid", {"pid", "PID", PROF_CELL_COUNT}, AT(pid), LABEL | TABLE | NARROW, BY(THREAD) | BY(PROCESS)},
    {"processes", {"processes", "PROCESSES", PROF_CELL_COUNT}, AT(processes), TABLE | NARROW, BY(COMMAND)},
    {"threads", {"threads", "THREADS", PROF_CELL_COUNT}, AT(threads), TABLE, BY(PROCESS) | BY(COMMAND)},
    {"command", {"command", "COMMAND", PROF_CELL_TEXT}, AT(command), TABLE | NARROW, BY(THREAD)},
    {"program", {"program", "PROGRAM", PROF_CELL_TEXT}, AT(program), 0, BY(PROCESS) | BY(COMMAND)},
    {"calls", {"calls", "CALLS", PROF_CELL_COUNT}, AT(calls), TABLE | NARROW},
    {"estimated", {"estimated", "ESTIMATED", PROF_CELL_FLAG}, AT(estimated), OF_BURSTS},
    {"calls-low", {"calls_low", "FROM CALLS", PROF_CELL_COUNT}, AT(calls_low), OF_BURSTS},
    {"calls-high", {"calls_high", "TO CALLS", PROF_CELL_COUNT}, AT(calls_high), OF_BURSTS},
    {"self-low", {"self_low_ns", "FROM SELF", PROF_CELL_NS}, AT(self_low_ns), OF_BURSTS},
    {"self-high", {"self_high_ns", "TO SELF", PROF_CELL_NS}, AT(self_high_ns), OF_BURSTS},
    {"total", {"total_ns", "TOTAL", PROF_CELL_NS}, AT(total.elapsed), TABLE | NARROW},
    {"self", {"self_ns", "SELF", PROF_CELL_NS}, AT(self_ns), TABLE | NARROW, .data_offset = AT(self.elapsed)},
    {"wait", {"self_waiting_ns", "WAIT", PROF_CELL_NS}, AT(self.waiting), TABLE | NARROW | OF_WAITS},
    {"error", {"error_ns", "ERROR", PROF_CELL_NS}, AT(error_ns)},
    {"min", {"min_ns", "MIN", PROF_CELL_NS}, AT(min_ns), DURATION | TABLE},
    {"avg", {"avg_ns", "AVG", PROF_CELL_NS}, AT(avg_ns), DURATION | TABLE | NARROW},
    {"max", {"max_ns", "MAX", PROF_CELL_NS}, AT(max_ns), DURATION | TABLE},
    {"p50", {"p50_ns", "P50", PROF_CELL_NS}, AT(p50_ns), DURATION | TABLE},
    {"p95", {"p95_ns", "P95", PROF_CELL_NS}, AT(p95_ns), DURATION | TABLE},
    {"p99", {"p99_ns", "P99", PROF_CELL_NS}, AT(p99_ns), DURATION | TABLE},
    {"self-p50", {"self_p50_ns", "SELF P50", PROF_CELL_NS}, AT(self_p50_ns), DURATION},
    {"self-p95", {"self_p95_ns", "SELF P95", PROF_CELL_NS}, AT(self_p95_ns), DURATION},
    {"self-p99", {"self_p99_ns", "SELF P99", PROF_CELL_NS}, AT(self_p99_ns), DURATION},
    {"share", {"self_share", "SELF%", PROF_CELL_SHARE}, AT(self_share), TABLE | NARROW},
    {"total-share", {"total_share", "TOTAL%", PROF_CELL_SHARE}, AT(total_share)},
    {"samples", {"samples", "SAMPLES", PROF_CELL_COUNT}, AT(samples), OF_SAMPLES},
    {"sample-share", {"sample_share", "SAMPLE%", PROF_CELL_SHARE}, AT(sample_share), OF_SAMPLES},
    {"sample-low", {"sample_share_low", "FROM%", PROF_CELL_SHARE}, AT(sample_share_low), OF_SAMPLES},
    {"sample-high", {"sample_share_high", "TO%", PROF_CELL_SHARE}, AT(sample_share_high), OF_SAMPLES},
#define CPU_FIELD(word, key, title, member)                                                                            \
  { word, {key, title, PROF_CELL_NS}, AT(member), TABLE | NARROW | OF_SWITCHES }
    CPU_FIELD("running", "running_ns", "RUNNING", total.running),
    CPU_FIELD("waiting", "waiting_ns", "WAITING", total.waiting),
    CPU_FIELD("preempted", "preempted_ns", "PREEMPTED", total.preempted),
    CPU_FIELD("self-running", "self_running_ns", "SELF RUNNING", self.running),
    CPU_FIELD("self-waiting", "self_waiting_ns", "SELF WAITING", self.waiting),
    CPU_FIELD("self-preempted", "self_preempted_ns", "SELF PREEMPTED", self.preempted),
    {"probes", {"probe_ns", "PROBES", PROF_CELL_NS}, AT(probe_ns), ONLY_THREAD | OF_SWITCHES},
    {"elapsed", {"elapsed_ns", "ELAPSED", PROF_CELL_NS}, AT(measured_ns), ONLY_THREAD | OF_SWITCHES},
    {"blocked", {"blocked_ns", "WAITING", PROF_CELL_NS}, AT(total.waiting), OF_SWITCHES}, /* older names */
    {"self-blocked", {"self_blocked_ns", "SELF WAITING", PROF_CELL_NS}, AT(self.waiting), OF_SWITCHES},
#undef CPU_FIELD
    {"hot", {"hot_line", "HOT LINE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(hot_line), TABLE | ONLY_FUNCTION},
    {"gpu", {"gpu_total_ns", "GPU", PROF_CELL_NS}, AT(gpu_total_ns), TABLE | NARROW | OF_GPU},
    {"gpu-self", {"gpu_self_ns", "GPU SELF", PROF_CELL_NS}, AT(gpu_self_ns), TABLE | OF_GPU},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

const char *const prof_report_keys[PROF_GROUPS] = {"functions", "files",    "modules", "threads",
                                                   "processes", "commands", "zones",   "iterations"};
static const char *const titles[PROF_GROUPS] = {"FUNCTION", "FILE",    "MODULE", "THREAD",
                                                "PROCESS",  "COMMAND", "ZONE",   "LOOP"};
const char *const prof_report_sorts[] = {"self", "total", "running", "waiting", "elapsed", "calls", "min",
                                         "avg",  "max",   "p50",     "p95",     "p99",     "name",  NULL};

static prof_status unknown_field(const char *word, const struct prof_counter_columns *counters,
                                 struct prof_diag *diag) {
  char lower[64], remedy[256] = "as in -f total,self,calls,name; all fields: man prof-report";
  size_t length = 0;
  for (; word[length] && length + 1 < sizeof lower; length++)
    lower[length] = (char)tolower((unsigned char)word[length]);
  lower[length] = 0;
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, lower);
  for (size_t i = 0; i < FIELD_COUNT; i++)
    prof_suggest_offer(&suggest, fields[i].word);
  for (size_t i = 0; counters && i < counters->count; i++)
    prof_suggest_offer(&suggest, counters->items[i].word);
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (!strcmp(fields[i].word, lower))
      suggest.best = fields[i].word;
  if (suggest.best)
    snprintf(remedy, sizeof remedy, "did you mean %s?", suggest.best);
  return prof_command_usage(diag, remedy, "--fields: unknown field '%s'", word);
}

static bool is_chosen(const struct prof_report_fields *chosen, const struct prof_report_field *field,
                      const struct prof_counter_column *counter) {
  for (size_t i = 0; i < chosen->count; i++)
    if (chosen->items[i] == field && chosen->of_counters[i] == counter)
      return true;
  return false;
}

static void add_field(struct prof_report_fields *chosen, const struct prof_report_field *field,
                      const struct prof_counter_column *counter) {
  chosen->items[chosen->count] = field;
  chosen->of_counters[chosen->count++] = counter;
}

/* May the field be shown with this --by? */
static prof_status check_group(const struct prof_report_field *field, enum prof_group by, struct prof_diag *diag) {
  if ((field->is & DURATION) && prof_group_is_of_threads(by))
    return prof_command_usage(diag, "leave it out, or use another --by",
                              "--fields: %s have no %s, as their calls are not of one kind", prof_report_keys[by],
                              field->word);
  if (field->by && !(field->by & (1u << by)))
    return prof_command_usage(diag, "leave it out, or use another --by", "--fields: %s have no %s",
                              prof_report_keys[by], field->word);
  return PROF_OK;
}

prof_status prof_report_fields_parse(const char *list, enum prof_group by, const struct prof_counter_columns *counters,
                                     struct prof_diag *diag, struct prof_report_fields *chosen) {
  chosen->counters = counters;
  for (const char *word = list; word;) {
    char copy[64];
    size_t length = strcspn(word, ","), i = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)length, word);
    while (i < FIELD_COUNT && strcmp(fields[i].word, copy) != 0)
      i++;
    if (length == 0)
      return prof_command_usage(diag, "as in -f total,self,calls,name", "--fields=%s has an empty field", list);
    const struct prof_report_field *field = i < FIELD_COUNT ? &fields[i] : NULL;
    const struct prof_counter_column *counter = !field && counters ? prof_counter_column_find(counters, copy) : NULL;
    if (!field && !counter)
      return unknown_field(copy, counters, diag);
    if (is_chosen(chosen, field, counter))
      return prof_command_usage(diag, "name each field once", "--fields: '%s' is there twice", copy);
    prof_status status = field ? check_group(field, by, diag) : PROF_OK;
    if (status != PROF_OK)
      return status;
    if (chosen->count == PROF_REPORT_MOST_FIELDS)
      return prof_command_usage(diag, NULL, "--fields: more than %d fields", PROF_REPORT_MOST_FIELDS);
    add_field(chosen, field, counter);
    word = word[length] ? word + length + 1 : NULL;
  }
  return PROF_OK;
}

/* Columns of functions that zones have too. */
static bool is_of_zones(const struct prof_report_field *field) {
  return field->offset == AT(module) || field->offset == AT(file) || field->offset == AT(line);
}

static bool is_part_of_zone(const struct prof_report_field *field) {
  return field->offset == AT(total.running) || field->offset == AT(total.waiting);
}

void prof_report_fields_choose(const struct prof_report_shape *shape, struct prof_report_fields *chosen) {
  bool of_threads = prof_group_is_of_threads(shape->by);
  for (size_t i = shape->table ? 1 : 0; i < FIELD_COUNT; i++) {
    const struct prof_report_field *field = &fields[i];
    bool zones = shape->by >= PROF_BY_ZONE;
    bool single = shape->by == PROF_BY_FUNCTION || (zones && is_of_zones(field));
    bool wanted = shape->table ? (field->is & TABLE) : !(field->is & ONLY_FUNCTION) || single;
    if ((field->is & OF_ZONES) && !shape->has_zones)
      continue;
    if ((field->is & OF_WAITS) && (!shape->has_switches || !shape->table || shape->time == PROF_TIME_WAITING))
      continue;
    if ((field->is & OF_BURSTS) && !shape->has_budget)
      continue;
    bool parts = shape->cpu || (zones && is_part_of_zone(field));
    if ((field->is & OF_SWITCHES) && (!shape->has_switches || (shape->table && !parts)))
      continue;
    if (wanted && (shape->has_gpu || !(field->is & OF_GPU)) && (shape->has_samples || !(field->is & OF_SAMPLES)) &&
        !((field->is & DURATION) && of_threads) && !((field->is & ONLY_THREAD) && shape->by != PROF_BY_THREAD) &&
        (!field->by || field->by & (1u << shape->by)) &&
        !(shape->table && shape->one_process && field->by & BY(THREAD)))
      add_field(chosen, field, NULL);
  }
  chosen->counters = shape->counters;
  for (size_t i = 0; shape->counters && i < shape->counters->count; i++)
    if (!shape->table || !shape->counters->items[i].total)
      add_field(chosen, NULL, &shape->counters->items[i]);
  if (shape->table)
    add_field(chosen, &fields[0], NULL);
}

void prof_report_fields_drop_hot(struct prof_report_fields *chosen) {
  size_t kept = 0;
  for (size_t i = 0; i < chosen->count; i++)
    if (!chosen->items[i] || chosen->items[i]->offset != AT(hot_line)) {
      chosen->of_counters[kept] = chosen->of_counters[i];
      chosen->items[kept++] = chosen->items[i];
    }
  chosen->count = kept;
}

bool prof_report_fields_have_durations(const struct prof_report_fields *chosen) {
  for (size_t i = 0; i < chosen->count; i++)
    if (chosen->items[i] && chosen->items[i]->is & DURATION)
      return true;
  return false;
}

bool prof_report_fields_have_counters(const struct prof_report_fields *chosen) {
  for (size_t i = 0; i < chosen->count; i++)
    if (!chosen->items[i])
      return true;
  return false;
}

uint32_t prof_report_step_ns(const prof_trace *trace) {
  uint64_t ns = prof_trace_ns(trace, prof_trace_info(trace)->clock_step_ticks);
  return ns > UINT32_MAX ? UINT32_MAX : ns ? (uint32_t)ns : 1;
}

/* ---- rows into a table ---- */

/* Running, waiting or preempted time where waits are estimates: elapsed times are not. */
static bool has_estimated_waits(const struct prof_report_field *field, const struct prof_function_row *row) {
  bool self = row->self.waiting + row->self.preempted > 0, total = row->total.waiting + row->total.preempted > 0;
  const struct {
    size_t offset;
    bool is;
  } figures[] = {{AT(self_ns), self},         {AT(self.running), self},   {AT(self.waiting), self},
                 {AT(self.preempted), self},  {AT(total.running), total}, {AT(total.waiting), total},
                 {AT(total.preempted), total}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    if (figures[i].offset == field->offset)
      return figures[i].is;
  return false;
}

/* Whether the field of the row is an estimate. */
static bool is_estimated(const struct prof_report_field *field, const struct prof_function_row *row) {
  const struct {
    size_t offset;
    bool is;
  } figures[] = {{AT(calls), row->calls_estimated},         {AT(total.elapsed), row->total_estimated},
                 {AT(total.running), row->total_estimated}, {AT(avg_ns), row->calls_estimated || row->total_estimated},
                 {AT(self_ns), row->self_estimated},        {AT(self.running), row->self_estimated}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    if (figures[i].offset == field->offset)
      return figures[i].is;
  return false;
}

/* In tables labels are texts, "" for 0. */
static void add_cell(struct prof_table *table, const struct prof_report_field *field,
                     const struct prof_function_row *row, bool is_table, uint32_t step_ns, bool waits_estimated) {
  char digits[16] = "";
  uint32_t label = (field->is & LABEL) ? *(const uint32_t *)(const void *)((const char *)row + field->offset) : 0;
  bool extreme = (field->is & DURATION) && field->offset != AT(avg_ns);
  bool of_self = field->offset >= AT(self_p50_ns) && field->offset <= AT(self_p99_ns);
  const size_t known = of_self                           ? AT(has_self)
                       : extreme                         ? AT(has_extremes)
                       : field->offset == AT(calls_high) ? AT(has_calls_high)
                       : (field->is & DURATION)          ? AT(has_durations)
                                                         : 0;
  size_t offset = is_table || !field->data_offset ? field->offset : field->data_offset;
  size_t bytes = (field->is & LABEL) ? sizeof(uint32_t) : sizeof(uint64_t);
  const struct prof_field cell = {field->column, {offset, bytes}, known, NULL};
  if (label)
    snprintf(digits, sizeof digits, "%u", label);
  bool is_known = !known || *(const bool *)((const char *)row + known);
  uint64_t ns = (field->is & DURATION) ? *(const uint64_t *)(const void *)((const char *)row + field->offset) : 0;
  uint32_t bound_ns = extreme ? step_ns : 1; /* a mean of many calls may be below a clock step */
  bool of_calls = field->offset == AT(calls) || field->offset == AT(avg_ns);
  if (of_calls && is_table && row->calls_estimated && !row->has_calls_high)
    prof_table_unknown(table);
  else if ((field->is & LABEL) && is_table)
    prof_table_text(table, digits);
  else if ((field->is & DURATION) && is_table && is_known && ns < bound_ns)
    prof_table_below(table, ns, bound_ns);
  else
    prof_field_cell(table, &cell, row);
  if (is_estimated(field, row) || (waits_estimated && has_estimated_waits(field, row)))
    prof_table_estimated(table);
}

void prof_report_cells(struct prof_table *table, const struct prof_report_fields *chosen,
                       const struct prof_function_row *row, bool is_table, uint32_t step_ns) {
  for (size_t i = 0; i < chosen->count; i++)
    if (chosen->items[i])
      add_cell(table, chosen->items[i], row, is_table, step_ns, chosen->waits_estimated);
    else
      prof_counter_cell(chosen->counters, chosen->of_counters[i], table,
                        prof_counter_row_key(&chosen->counters->sums, row->index));
}

void prof_report_columns(const struct prof_report_fields *chosen, const struct prof_report_shape *shape, bool wanted,
                         struct prof_column columns[PROF_REPORT_MOST_FIELDS]) {
  unsigned before = prof_report_fields_have_counters(chosen) ? PROF_COUNTER_MOST_COLUMNS : 0; /* these go last */
  for (size_t i = 0; i < chosen->count; i++) {
    const struct prof_report_field *field = chosen->items[i];
    columns[i] = field ? field->column : chosen->of_counters[i]->column;
    if (wanted)
      columns[i].spare = 0;
    if (!field)
      continue;
    if (!wanted && !(field->is & NARROW))
      columns[i].spare = before + (unsigned)(FIELD_COUNT - (size_t)(field - fields));
    if (field == &fields[0])
      columns[i].title = titles[shape->by];
    if (field == &fields[0] && (shape->by == PROF_BY_FILE || shape->by == PROF_BY_MODULE))
      columns[i].cut = PROF_CUT_LEFT;
    if (field->offset == AT(calls) && shape->by == PROF_BY_ITERATION)
      columns[i].title = "ITERATIONS";
    if (field == &fields[0] && prof_group_is_single(shape->by))
      columns[i].cut = PROF_CUT_NAME;
    if ((field->is & LABEL) && shape->table)
      columns[i].kind = PROF_CELL_TEXT;
  }
}
