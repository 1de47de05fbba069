/*
 * tools/command/verify.c - `prof verify`: is this recording whole, and what is missing?
 *
 * Exit status: 0 whole, 1 not whole, 2 it can't be read.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/gaps.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "command.h"
#include "export/unfinished.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "view/table.h"
#include "view/units.h"

enum { NOT_WHOLE = 1, UNREADABLE = 2 }; /* exit statuses */

struct settings {
  struct prof_common common;
  bool strict;
};

/* How each kind of gap is called, and what to do. */
static const struct wording {
  const char *key, *one, *many, *remedy;
  bool bytes; /* the count is of bytes */
  bool uncounted;
} words[PROF_GAP_KINDS] = {
    [PROF_GAP_CUT_SHORT] = {"cut_short", "the end is missing", NULL,
                            "record again; the recorder was killed, or the file was cut", .uncounted = true},
    [PROF_GAP_IN_PROGRESS] = {"in_progress", "the recording is in progress", NULL, "wait until prof record has ended",
                              .uncounted = true},
    [PROF_GAP_SIZE_LIMIT] = {"size_limit", "it ended at the size limit, before the program", NULL,
                             "prof record --max-size=SIZE, or --overhead=5%", .uncounted = true},
    [PROF_GAP_NOT_WRITTEN] = {"not_written", "it ended when the trace could not be written", NULL,
                              "make room on the disk, and record again", .uncounted = true},
    [PROF_GAP_LOST_EVENTS] = {"lost_events", "event lost", "events lost",
                              "prof record --when-full=wait, or a larger --buffer"},
    [PROF_GAP_UNREADABLE_BYTES] = {"unreadable_bytes", "of the file unreadable", "of the file unreadable",
                                   "copy the recording again; check the disk", .bytes = true},
    [PROF_GAP_DAMAGED_CHUNKS] = {"damaged_chunks", "damaged chunk", "damaged chunks",
                                 "copy the recording again; check the disk"},
    [PROF_GAP_MISSING_CHUNKS] = {"missing_chunks", "chunk missing from the file", "chunks missing from the file",
                                 "copy the recording again; check the disk"},
    [PROF_GAP_TORN_EVENTS] = {"torn_events", "event never finished", "events never finished",
                              "a thread was killed in a probe; nothing can be done"},
    [PROF_GAP_UNMATCHED_EXITS] = {"unmatched_exits", "exit without its entry", "exits without their entries",
                                  "look for lost events, or code that changes stacks"},
    [PROF_GAP_TOO_DEEP_CALLS] = {"too_deep_calls", "call deeper than 65,536 levels", "calls deeper than 65,536 levels",
                                 "its time is its caller's"},
    [PROF_GAP_SKIPPED_SITES] = {"skipped_sites", "probe not switched on", "probes not switched on",
                                "prof info has a note on each module"},
    [PROF_GAP_LOST_GPU_RECORDS] = {"lost_gpu_records", "record of GPU work lost", "records of GPU work lost",
                                   "details: prof gpu"},
    [PROF_GAP_NO_EVENTS] = {"no_events", "no event was recorded", NULL,
                            "compile with -fplugin=prof.so; see prof config", .uncounted = true},
    [PROF_GAP_INTERRUPTED] = {"interrupted", "the recorder was interrupted; the program may have gone on", NULL, "",
                              .uncounted = true},
    [PROF_GAP_PART] = {"part", "it is one part of a recording", NULL,
                       "each part is checked alone: prof verify DIR/part-NNNN", .uncounted = true},
    [PROF_GAP_SNAPSHOT] = {"snapshot", "it is a snapshot: what was before it is not kept", NULL,
                           "to keep more: prof record --keep=SIZE", .uncounted = true},
    [PROF_GAP_SLICES] = {"slices", "process recorded only for a part of its time",
                         "processes recorded only for a part of their time", "prof info lists the slices"},
    [PROF_GAP_BURSTS] = {"bursts", "functions were recorded in bursts: some figures are estimates", NULL,
                         "for every call: record without --overhead", .uncounted = true},
    [PROF_GAP_INVERSIONS] = {"inversions", "clock step backwards", "clock steps backwards", "prof doctor"},
    [PROF_GAP_NO_SAMPLES] = {"no_samples", "no samples: lines and libraries have no times", NULL,
                             "prof doctor shows whether samples can be taken", .uncounted = true},
    [PROF_GAP_NO_SWITCHES] = {"no_switches", "no scheduler switches: waiting time is unknown", NULL, "prof doctor",
                              .uncounted = true},
    [PROF_GAP_LOST_SAMPLES] = {"lost_samples", "sample lost or throttled", "samples lost or throttled",
                               "fewer samples: prof record --sample=500"},
    [PROF_GAP_UNSAMPLED_THREADS] = {"unsampled_threads", "thread without samples", "threads without samples", ""},
    [PROF_GAP_MODULES_GONE] = {"modules_gone", "program or library is gone or was rebuilt",
                               "programs or libraries are gone or were rebuilt",
                               "--path-map=OLD=NEW; next time: prof pack"},
    [PROF_GAP_MODULES_BARE] = {"modules_bare", "program or library has no debug information",
                               "programs or libraries have no debug information", "compile with -g"},
    [PROF_GAP_SOURCES_GONE] = {"sources_gone", "source is gone", "sources are gone",
                               "--path-map=OLD=NEW; next time: prof pack"},
    [PROF_GAP_SOURCES_CHANGED] = {"sources_changed", "source was changed since", "sources were changed since",
                                  "lines may have moved; next time: prof pack"},
};

/* "the end is missing", "1,234 events lost", "2 sources are gone (/src/a.c, ...)". */
static void describe(const struct prof_gap *gap, char *out, size_t bytes) {
  const struct wording *word = &words[gap->kind];
  char number[PROF_UNITS_BYTES], which[600] = "";
  if (gap->which)
    prof_text_escape(which, sizeof which, gap->which, strlen(gap->which));
  if (word->uncounted)
    snprintf(out, bytes, "%s%s%s%s", word->one, which[0] ? " (" : "", which, which[0] ? ")" : "");
  else
    snprintf(out, bytes, "%s %s%s%s%s%s",
             word->bytes ? prof_units_bytes(number, gap->count) : prof_units_count(number, gap->count),
             gap->count == 1 ? word->one : word->many, which[0] ? " (" : "", which,
             which[0] && gap->count > 1 ? ", ..." : "", which[0] ? ")" : "");
}

static bool is_whole(const struct settings *settings, const struct prof_gaps *gaps) {
  return (settings->strict ? gaps->count : gaps->losses) == 0;
}

static const char *verdict(const struct settings *settings, const struct prof_gaps *gaps) {
  return is_whole(settings, gaps) ? "whole" : "not whole";
}

static prof_status show_table(const struct settings *settings, const prof_trace *trace, const struct prof_gaps *gaps,
                              const struct prof_output *output, struct prof_diag *diag) {
  static const struct prof_column columns[] = {{NULL, "KIND", PROF_CELL_TEXT},
                                               {NULL, "WHAT", PROF_CELL_TEXT, PROF_CUT_NAME},
                                               {NULL, "WHAT TO DO", PROF_CELL_TEXT, PROF_CUT_NAME}};
  const struct prof_trace_info *info = prof_trace_info(trace);
  char events[PROF_UNITS_BYTES], size[PROF_UNITS_BYTES], text[1000];
  fprintf(output->file, "%s: %s events, %s read\n", verdict(settings, gaps), prof_units_count(events, info->events),
          prof_units_bytes(size, info->file_bytes));
  if (gaps->count == 0)
    return PROF_OK;
  fputc('\n', output->file);
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (uint32_t i = 0; table && i < gaps->count; i++) {
    describe(&gaps->list[i], text, sizeof text);
    prof_table_text(table, prof_gap_is_loss(gaps->list[i].kind) ? "missing" : "note");
    prof_table_text(table, text);
    prof_table_text(table, words[gaps->list[i].kind].remedy);
  }
  bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  return done ? PROF_OK : prof_diag_memory(diag);
}

static void show_json(const struct settings *settings, const prof_trace *trace, const struct prof_gaps *gaps,
                      FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, trace);
  prof_json_text(&json, "verdict", verdict(settings, gaps));
  prof_json_count(&json, "missing", gaps->losses);
  prof_json_count(&json, "notes", gaps->count - gaps->losses);
  prof_json_array(&json, "facts");
  for (uint32_t i = 0; i < gaps->count; i++) {
    const struct prof_gap *gap = &gaps->list[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "key", words[gap->kind].key);
    prof_json_text(&json, "level", prof_gap_is_loss(gap->kind) ? "missing" : "note");
    prof_json_count(&json, "count", gap->count);
    prof_json_text(&json, "first", gap->which ? gap->which : "");
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  const prof_trace *trace = reader->recording.trace;
  struct prof_symbols *symbols = NULL;
  struct prof_kept_files kept;
  struct prof_gaps gaps;
  struct prof_output output;
  prof_status status = prof_symbols_new(&reader->recording, diag, &symbols);
  if (status == PROF_OK)
    status = prof_kept_files_find(symbols, diag, &kept);
  if (status == PROF_OK)
    status = prof_gaps_find(trace, &kept, diag, &gaps);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    *reader->has_warned = true; /* the table has a line for each loss */
    if (settings->common.format == PROF_FORMAT_JSON)
      show_json(settings, trace, &gaps, output.file);
    else
      status = show_table(settings, trace, &gaps, &output, diag);
    *result = prof_output_end(&output);
    if (*result == PROF_EXIT_OK && !is_whole(settings, &gaps))
      *result = NOT_WHOLE;
  }
  prof_symbols_free(symbols);
  return status;
}

static const struct prof_option options[] = {
    PROF_COMMON_INPUT("the recording to check (default: prof.data)"),
    {"strict", 0, NULL, "notes count too: exit status 1 if there are any", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, strict)},
    PROF_COMMON_PATH_MAP,
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, PROF_COMMON(format),
     PROF_WORDS("table", "json")},
    {0},
};

const struct prof_command prof_command_verify = {
    .name = "verify",
    .summary = "Check whether a recording is whole, and show what is missing",
    .group = "Look",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .show = show,
    .unreadable = UNREADABLE,
};
