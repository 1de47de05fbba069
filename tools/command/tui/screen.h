/*
 * tools/command/tui/screen.h - draws panels and reads keys until the user quits: for `prof tui` and `prof top`.
 */
#ifndef PROF_COMMAND_TUI_SCREEN_H
#define PROF_COMMAND_TUI_SCREEN_H

#include "figures.h"
#include "tui/app.h"

struct prof_tui_showing {
  const struct prof_common *common; /* colours, width */
  const char *sort;                 /* of panels that have this order; NULL: each its own */
  struct prof_tui_figures *figures; /* what is printed nowhere while the screen is open */
  uint64_t beat_ns;                 /* between two refreshes; 0: none */
  bool (*due)(void *figures);       /* with beat_ns: does it still change? */
};

/* Figures are open. */
prof_status prof_tui_show(const struct prof_tui_world *, const struct prof_tui_showing *,
                          struct prof_diag *) PROF_MUST_CHECK;

#endif
