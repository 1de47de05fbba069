/*
 * tools/command/info/slice_info.c - see slice_info.h.
 */
#include "slice_info.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/units.h"

enum { SHOWN = 4 }; /* slices of a process, in the table */

static uint64_t since_start_ns(const prof_trace *trace, uint64_t ticks) {
  uint64_t start = prof_trace_info(trace)->start_ticks;
  return ticks > start ? prof_trace_ns(trace, ticks - start) : 0;
}

static void print_process(const prof_trace *trace, const struct prof_process *process, uint32_t index,
                          const struct prof_output *output) {
  char begin[PROF_UNITS_BYTES], end[PROF_UNITS_BYTES], text[SHOWN * 80 + 80];
  size_t count, shown = 0, own = 0, used = 0;
  const struct prof_slice *slices = prof_trace_slices(trace, &count);
  for (size_t i = 0; i < count; i++)
    own += slices[i].process == index;
  text[0] = 0;
  for (size_t i = 0; i < count && shown < SHOWN; i++) {
    bool begins = slices[i].begin_ticks != 0, ends = slices[i].end_ticks != 0;
    if (slices[i].process != index)
      continue;
    prof_units_duration(begin, since_start_ns(trace, slices[i].begin_ticks));
    prof_units_duration(end, since_start_ns(trace, slices[i].end_ticks));
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s%s", shown++ > 0 ? ", " : "",
                             begins ? "from " : "", begins ? begin : "",
                             !ends    ? (begins ? " on" : "all the time")
                             : begins ? " to "
                                      : "up to ",
                             ends ? end : "");
  }
  if (own > shown)
    snprintf(text + used, sizeof text - used, ", ... (%s slices)", prof_units_count(begin, own));
  prof_output_fact(output, "recorded only", "%s (process %u)", own == 0 ? "nothing" : text, process->pid);
}

static const char *const control_words[] = {[PROF_CONTROL_STOPPED] = "stop",
                                            [PROF_CONTROL_STARTED] = "start",
                                            [PROF_CONTROL_OVERHEAD] = "overhead",
                                            [PROF_CONTROL_FILTER] = "filter"};

static const char *control_word(const struct prof_control_event *control) {
  bool known = control->what > 0 && control->what < sizeof control_words / sizeof *control_words;
  return known ? control_words[control->what] : "other";
}

/* What `prof ctl` asked, in the order of time. */
static void print_controls(const prof_trace *trace, const struct prof_output *output) {
  size_t count;
  const struct prof_control_event *controls = prof_trace_controls(trace, &count);
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    char when[PROF_UNITS_BYTES], text[256];
    prof_text_escape(text, sizeof text, controls[i].text, strlen(controls[i].text));
    bool cleared = controls[i].what == PROF_CONTROL_FILTER && text[0] == 0;
    prof_output_fact(output, "prof ctl", "%s%s%s at %s", control_word(&controls[i]), text[0] != 0 ? " " : "",
                     cleared ? " off" : text, prof_units_duration(when, since_start_ns(trace, controls[i].ticks)));
  }
  if (count > SHOWN)
    prof_output_fact(output, "prof ctl", "... and %zu more: --format=json has all", count - SHOWN);
}

static void controls_json(const prof_trace *trace, struct prof_json *json) {
  size_t count;
  const struct prof_control_event *controls = prof_trace_controls(trace, &count);
  if (count == 0)
    return;
  prof_json_array(json, "controls");
  for (size_t i = 0; i < count; i++) {
    prof_json_object(json, NULL);
    prof_json_count(json, "time_ns", since_start_ns(trace, controls[i].ticks));
    prof_json_text(json, "what", control_word(&controls[i]));
    prof_json_text(json, "text", controls[i].text);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}

void prof_slice_info_print(const prof_trace *trace, const struct prof_output *output) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (processes[i].sliced)
      print_process(trace, &processes[i], (uint32_t)i, output);
  print_controls(trace, output);
}

static void put_moment(const prof_trace *trace, struct prof_json *json, const char *key, uint64_t ticks) {
  if (ticks != 0)
    prof_json_count(json, key, since_start_ns(trace, ticks));
  else
    prof_json_number(json, key, NAN);
}

void prof_slice_info_json(const prof_trace *trace, struct prof_json *json) {
  size_t count, process_count;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const struct prof_slice *slices = prof_trace_slices(trace, &count);
  bool any = false;
  for (size_t i = 0; i < process_count; i++)
    any |= processes[i].sliced;
  controls_json(trace, json);
  if (!any)
    return;
  prof_json_array(json, "slices");
  for (size_t i = 0; i < count; i++) {
    prof_json_object(json, NULL);
    prof_json_count(json, "pid", processes[slices[i].process].pid);
    put_moment(trace, json, "begin_ns", slices[i].begin_ticks);
    put_moment(trace, json, "end_ns", slices[i].end_ticks);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}
