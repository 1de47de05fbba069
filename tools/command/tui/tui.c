/*
 * tools/command/tui/tui.c - `prof tui`: panels in a terminal.
 */
#include "base/diag.h"
#include "command/command.h"
#include "command/report_fields.h"
#include "panels.h"
#include "screen.h"
#include "tui/keys.h"
#include "tui/terminal.h"

struct settings {
  struct prof_common common;
  uint32_t sort;
  bool has_sort, cpu;
};

static prof_status show(struct prof_tui_figures *figures, const struct settings *settings, struct prof_diag *diag) {
  const struct prof_common *common = &settings->common;
  const struct prof_tui_world world = {.figures = figures,
                                       .panels = prof_tui_panels,
                                       .panel_count = prof_tui_panel_count,
                                       .header = prof_tui_figures_header,
                                       .warning = prof_tui_figures_warning,
                                       .threads = prof_tui_figures_threads,
                                       .prepare = prof_tui_figures_prepare,
                                       .commit = prof_tui_figures_commit};
  const struct prof_tui_showing showing = {
      .common = common, .sort = settings->has_sort ? prof_report_sorts[settings->sort] : NULL, .figures = figures};
  return prof_tui_show(&world, &showing, diag);
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_tui_figures figures = {.given = &settings->common, .cpu = settings->cpu};
  struct prof_diag diag = {0};
  prof_status status = PROF_OK;
  (void)argc, (void)argv;
  if (settings->common.format != PROF_FORMAT_TABLE)
    status = prof_command_usage(&diag, "prof report --format=json prints the same figures", "prof tui has no --format");
  if (status == PROF_OK)
    status = prof_tui_terminal_check(&diag);
  if (status == PROF_OK)
    status = prof_tui_figures_open(&figures, &diag);
  if (status == PROF_OK)
    status = show(&figures, settings, &diag);
  prof_tui_figures_close(&figures);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}

/* ---- the row ---- */

static bool named_panel(size_t index, struct prof_named *out) {
  if (index >= prof_tui_panel_count)
    return false;
  *out = (struct prof_named){prof_tui_panels[index].name, prof_tui_panels[index].columns};
  return true;
}

static bool named_key(size_t index, struct prof_named *out) {
  *out = (struct prof_named){prof_tui_keys[index].name, prof_tui_keys[index].help};
  return out->name != NULL;
}

static const struct prof_command_list lists[] = {{"panels", named_panel}, {"keys", named_key}, {0}};

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by, in the panels that have this order (default: that of each panel)",
     PROF_OPTION_WORD, IN(sort), GIVEN(has_sort), .words = prof_report_sorts},
    PROF_COMMON_TIME,
    PROF_COMMON_LOOPS,
    PROF_COMMON_BY("split the tree: the first level is processes or commands"),
    {"cpu", 0, NULL, "add columns: time running, waiting and preempted", PROF_OPTION_FLAG, IN(cpu)},
    {0},
};

const struct prof_command prof_command_tui = {
    .name = "tui",
    .summary = "Look at functions, call tree, lines, loops and threads in the terminal",
    .group = "Look",
    .options = options,
    .lists = lists,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
