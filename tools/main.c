/*
 * tools/main.c - the table of commands, and main.
 *
 * To add a command: its file in command/ and a row here; help, completion and the manual's test use the row.
 */
#include <locale.h>

#include "command/command.h"
#include "command/dispatch.h"

extern const struct prof_command prof_command_record;
extern const struct prof_command prof_command_ctl;
extern const struct prof_command prof_command_overhead;
extern const struct prof_command prof_command_hints;
extern const struct prof_command prof_command_top;
extern const struct prof_command prof_command_report;
extern const struct prof_command prof_command_tree;
extern const struct prof_command prof_command_io;
extern const struct prof_command prof_command_queries;
extern const struct prof_command prof_command_lines;
extern const struct prof_command prof_command_locks;
extern const struct prof_command prof_command_memory;
extern const struct prof_command prof_command_counters;
extern const struct prof_command prof_command_openmp;
extern const struct prof_command prof_command_loops;
extern const struct prof_command prof_command_annotate;
extern const struct prof_command prof_command_gpu;
extern const struct prof_command prof_command_info;
extern const struct prof_command prof_command_advise;
extern const struct prof_command prof_command_verify;
extern const struct prof_command prof_command_replay;
extern const struct prof_command prof_command_slowest;
extern const struct prof_command prof_command_frames;
extern const struct prof_command prof_command_flame;
extern const struct prof_command prof_command_tui;
extern const struct prof_command prof_command_view;
extern const struct prof_command prof_command_diff;
extern const struct prof_command prof_command_compare;
extern const struct prof_command prof_command_baseline;
extern const struct prof_command prof_command_gate;
extern const struct prof_command prof_command_tune;
extern const struct prof_command prof_command_log;
extern const struct prof_command prof_command_export;
extern const struct prof_command prof_command_pack;
extern const struct prof_command prof_command_slice;
extern const struct prof_command prof_command_merge;
extern const struct prof_command prof_command_doctor;
extern const struct prof_command prof_command_config;
extern const struct prof_command prof_command_completion;
extern const struct prof_command prof_command_answer;

/* In the order of `prof --help`. */
const struct prof_command *const prof_commands[] = {
    &prof_command_record,
    &prof_command_ctl,
    &prof_command_overhead,
    &prof_command_hints,
    &prof_command_top,
    &prof_command_report,
    &prof_command_tree,
    &prof_command_lines,
    &prof_command_locks,
    &prof_command_openmp,
    &prof_command_counters,
    &prof_command_io,
    &prof_command_queries,
    &prof_command_memory,
    &prof_command_loops,
    &prof_command_annotate,
    &prof_command_gpu,
    &prof_command_info,
    &prof_command_advise,
    &prof_command_verify,
    &prof_command_replay,
    &prof_command_slowest,
    &prof_command_frames,
    &prof_command_flame,
    &prof_command_tui,
    &prof_command_view,
    &prof_command_diff,
    &prof_command_compare,
    &prof_command_baseline,
    &prof_command_gate,
    &prof_command_tune,
    &prof_command_log,
    &prof_command_export,
    &prof_command_pack,
    &prof_command_slice,
    &prof_command_merge,
    &prof_command_doctor,
    &prof_command_config,
    &prof_command_completion, /* not listed there */
    &prof_command_answer,     /* nor this one */
    NULL,
};

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  return prof_command_main(argc, argv);
}
