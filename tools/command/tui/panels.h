/*
 * tools/command/tui/panels.h - the table of panels, and their builders.
 */
#ifndef PROF_COMMAND_TUI_PANELS_H
#define PROF_COMMAND_TUI_PANELS_H

#include "figures.h"

extern const struct prof_tui_panel prof_tui_panels[];
extern const size_t prof_tui_panel_count;

/* Builders: as struct prof_tui_panel says; figures is a struct prof_tui_figures. */
typedef prof_status prof_tui_build(void *figures, const struct prof_tui_request *, struct prof_diag *,
                                   struct prof_tui_rows *);
prof_tui_build prof_tui_functions_build, prof_tui_threads_build, prof_tui_tree_build, prof_tui_callers_build,
    prof_tui_lines_build, prof_tui_loops_build, prof_tui_source_build, prof_tui_about_build, prof_tui_values_build,
    prof_tui_counters_build;

extern const char *const prof_tui_tree_sorts[];

#endif
