/*
 * tools/command/tui/panels.c - the table of panels.
 *
 * To add a panel: its builder in a file of its own, and a row.
 */
#include "panels.h"

#include "command/line_fields.h"
#include "command/loops/loop_table.h"
#include "command/report_fields.h"

const char *const prof_tui_tree_sorts[] = {"total", "self", "calls", "name", NULL};

/* In the order of the footer; what has no digit comes behind. */
const struct prof_tui_panel prof_tui_panels[] = {
    {'1', "functions", "prof report", "what each function cost", PROF_TUI_ENTER_SOURCE, prof_report_sorts, "callers",
     prof_tui_functions_build},
    {'2', "tree", "prof tree", "where in the call tree the time went", PROF_TUI_ENTER_BRANCH, prof_tui_tree_sorts,
     "callers", prof_tui_tree_build},
    {'3', "callers", "prof tree --callers", "who called each function", PROF_TUI_ENTER_BRANCH, prof_tui_tree_sorts,
     "tree", prof_tui_callers_build},
    {'4', "lines", "prof lines", "what each source line cost", PROF_TUI_ENTER_SOURCE, prof_line_sorts, NULL,
     prof_tui_lines_build},
    {'5', "loops", "prof loops", "how often loops ran, and what they cost", PROF_TUI_ENTER_SOURCE, prof_loop_sorts,
     NULL, prof_tui_loops_build},
    {'6', "threads", "prof report --by=thread", "what each thread did", PROF_TUI_ENTER_THREAD, prof_report_sorts, NULL,
     prof_tui_threads_build},
    {'v', "values", "prof report --by=arg", "with which arguments functions were called", PROF_TUI_ENTER_NOTHING, NULL,
     NULL, prof_tui_values_build},
    {'m', "counters", "prof report --by=counter", "counters and readings of the machine over time",
     PROF_TUI_ENTER_NOTHING, NULL, NULL, prof_tui_counters_build},
    {'i', "info", "--verbose", "what the figures cover, and how they were computed", PROF_TUI_ENTER_NOTHING, NULL, NULL,
     prof_tui_about_build},
    {0, "source", "prof annotate", "source lines of a function, or its instructions", PROF_TUI_ENTER_NOTHING, NULL,
     NULL, prof_tui_source_build},
};
const size_t prof_tui_panel_count = sizeof prof_tui_panels / sizeof *prof_tui_panels;
