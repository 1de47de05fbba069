/*
 * tools/record/pump/pump_log.c - see pump_log.h.  A new kind of record is a row of `takers`.
 */
#include "record/pump/pump_log.h"

#include <stdio.h>

#include "record/pump/size_limit.h"
#include "record/tables/named_table.h"

/* After its limit the trace takes no new processes and libraries: it has none of their events. */
static bool is_over(const struct prof_pump *pump) {
  return pump->closed && pump->source.reading_ended;
}

static void take_process(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_processes_add(&pump->processes, is_over(pump) ? NULL : pump->options.writer, &view->process, view->text);
  prof_sampling_process(pump->options.sampling, &view->process);
  prof_slices_process(&pump->slices, view->process.process);
  prof_light_cost(&pump->light, prof_processes_event_cost(&pump->processes) / 1000.0);
  prof_governor_process(&pump->governor, &view->process);
  prof_quiet_process(&pump->quiet, &view->process);
  pump->result.processes++;
}

/* Once control may land in functions that are off. */
static void heal(struct prof_pump *pump) {
  if (!pump->quiet.lands || pump->source.heals)
    return;
  pump->source.heals = true;
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region); i++)
    if (pump->channels[i].number != 0)
      prof_matcher_heal(pump->channels[i].matcher);
}

static void take_module(struct prof_pump *pump, const struct prof_log_view *view) {
  if (is_over(pump))
    return;
  const struct prof_module_entry *entry = prof_modules_load(&pump->modules, &view->module, view->text,
                                                            prof_processes_pid(&pump->processes, view->module.process));
  prof_quiet_module(&pump->quiet, &pump->modules, entry, &view->module); /* before the governor, who leaves those */
  prof_governor_module(&pump->governor, entry, &view->module);
  heal(pump);
  prof_sampling_module(pump->options.sampling, &view->module, view->text);
}

static void take_caller(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_load_caller(&pump->modules, &view->module, view->text,
                             prof_processes_pid(&pump->processes, view->module.process));
}

static void take_function(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_function(&pump->modules, &view->function);
}

static void take_process_end(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_processes_end(&pump->processes, view->number.process);
}

static void take_error(struct prof_pump *pump, const struct prof_log_view *view) {
  struct prof_note_record note = {.process = view->number.process, .text = prof_span(view->text)};
  if (!is_over(pump))
    (void)prof_writer_note(pump->options.writer, &note);
  if (pump->result.runtime_errors++ == 0)
    snprintf(pump->result.first_error, sizeof pump->result.first_error, "%s", view->text);
}

void prof_pump_has_data(struct prof_pump *pump) {
  if (pump->has_data)
    return;
  pump->has_data = true;
  (void)prof_summaries_wait(&pump->summaries);
  pump->options.arrived(pump->options.context);
}

static void take_counts(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_pump_has_data(pump);
  if (!is_over(pump))
    prof_count_table_add(&pump->counts, &view->counts, view->data, view->data_bytes);
}

static void take_slice(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_slices_take(&pump->slices, &view->slice);
}

/* An unloaded library keeps its sites: numbers are never reused. */
static void take_module_end(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_governor_lose(&pump->governor, view->number.process, view->number.value, false);
  prof_quiet_lose(&pump->quiet, view->number.process, view->number.value);
}

static void take_text_private(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_governor_lose(&pump->governor, view->number.process, view->number.value, true);
  prof_quiet_lose(&pump->quiet, view->number.process, view->number.value);
}

static void take_file(struct prof_pump *pump, const struct prof_log_view *view) {
  const struct prof_file_record file = {
      .process = view->number.process, .file = view->number.value, .name = prof_span(view->text)};
  if (!is_over(pump))
    (void)prof_writer_file(pump->options.writer, &file);
}

static void take_named(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_named(&pump->modules, &view->named, view->text);
}

static void take_attached(struct prof_pump *pump, const struct prof_log_view *view) {
  pump->result.attach_ns += view->attached.cpu_ns;
  pump->result.attached += view->attached.first != 0;
}

static void (*const takers[])(struct prof_pump *, const struct prof_log_view *) = {
    [PROF_LOG_PROCESS] = take_process,
    [PROF_LOG_MODULE] = take_module,
    [PROF_LOG_PROCESS_END] = take_process_end,
    [PROF_LOG_ERROR] = take_error,
    [PROF_LOG_MODULE_END] = take_module_end,
    [PROF_LOG_CALLER] = take_caller,
    [PROF_LOG_FUNCTION] = take_function,
    [PROF_LOG_COUNTS] = take_counts,
    [PROF_LOG_SLICE] = take_slice,
    [PROF_LOG_TEXT_PRIVATE] = take_text_private,
    [PROF_LOG_FILE] = take_file,
    [PROF_LOG_NAMED] = take_named,
    [PROF_LOG_ATTACHED] = take_attached,
};

struct prof_site_map prof_pump_catch_up(void *context) {
  struct prof_pump *pump = context;
  prof_writer *writer = pump->options.writer;
  struct prof_log_view view;
  while (prof_log_next(&pump->log, pump->options.region, &view)) {
    if (view.kind == PROF_LOG_MODULE || view.kind == PROF_LOG_CALLER)
      prof_size_limit_make_room(pump);
    uint64_t before = prof_writer_bytes(writer);
    prof_writer_set_ceiling(writer, prof_size_limit_of_names(pump));
    takers[view.kind](pump, &view);
    prof_writer_set_ceiling(writer, UINT64_MAX);
    prof_room_use(&pump->room, prof_writer_bytes(writer) - before);
    pump->room.exhausted |= prof_writer_left_out(writer) > 0;
  }
  return prof_modules_map(&pump->modules);
}
