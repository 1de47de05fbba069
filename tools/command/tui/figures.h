/*
 * tools/command/tui/figures.h - the recording behind all panels of `prof tui`.
 *
 * Job: opens it with the filters, folds it when a panel needs that first, and opens it anew when what is shown changes.
 * In: the options of the command line.  Out: profiles and rows that panels share.  They live until the next change.
 */
#ifndef PROF_COMMAND_TUI_FIGURES_H
#define PROF_COMMAND_TUI_FIGURES_H

#include "analysis/loops.h"
#include "command/annotate/annotate_page.h"
#include "command/reader.h"
#include "command/warning.h"
#include "tui/panel.h"

enum { /* kinds of folds, as bits: each command has its own, and a panel has that of its command */
       PROF_TUI_FOLD_PLAIN = 0,
       PROF_TUI_FOLD_LOOPS = 1,
       PROF_TUI_FOLD_PLACES = 2,
       PROF_TUI_FOLD_LEVELS = 4, /* alone: loops are levels, as --loops of prof tree asks for */
       PROF_TUI_FOLDS = 5,
};

struct prof_tui_fold {
  struct prof_profile *profile; /* NULL: not folded yet */
  struct prof_samples *samples;
};

#define PROF_TUI_PATTERN_BYTES 256

struct prof_tui_shown { /* what a key chose; zeroed: as on the command line */
  char pattern[PROF_TUI_PATTERN_BYTES];
  uint32_t tid;
  bool has_time;
  enum prof_time_kind time;
};

struct prof_tui_opened { /* a recording, opened with filters */
  struct prof_common common;
  const char *only[1];
  struct prof_tui_shown shown;
  struct prof_reader reader;
  struct prof_tui_fold folds[PROF_TUI_FOLDS];
  struct prof_symbols *symbols; /* NULL: not opened yet */
  struct prof_line_rows lines;  /* for sources; made with `has_source` */
  struct prof_loop_rows loops;  /* likewise */
  bool has_source;
  char warning[PROF_WARNING_BYTES];
};

struct prof_tui_figures {
  const struct prof_common *given;                     /* the command line */
  void (*narrow)(void *context, struct prof_reader *); /* chooses the time of what was opened; NULL: as given */
  void *context;
  bool grows;                         /* that it is in progress needs no warning */
  bool may_be_empty;                  /* a fold without calls is no error: its profile is NULL */
  bool cpu;                           /* --cpu */
  bool on_screen;                     /* the terminal is open: nothing may be printed */
  struct prof_tui_opened *now, *next; /* next: prepared, not yet shown; NULL: none */
  struct prof_tui_shown wanted;       /* of the change that is prepared */
};

/* Zeroed but for given, narrow, context, may_be_empty and cpu. */
prof_status prof_tui_figures_open(struct prof_tui_figures *, struct prof_diag *) PROF_MUST_CHECK;
void prof_tui_figures_close(struct prof_tui_figures *); /* may be zeroed */

/* The profile of a kind of fold, and its samples; PROF_EMPTY: there are no calls. */
prof_status prof_tui_figures_fold(struct prof_tui_figures *, unsigned kind, struct prof_diag *,
                                  const struct prof_tui_fold **out) PROF_MUST_CHECK;
prof_status prof_tui_figures_symbols(struct prof_tui_figures *, struct prof_diag *,
                                     struct prof_symbols **out) PROF_MUST_CHECK;
/* What sources are made of. */
prof_status prof_tui_figures_source(struct prof_tui_figures *, struct prof_diag *,
                                    struct prof_annotate_figures *out) PROF_MUST_CHECK;

/* What differs from the default: "waiting time, -F step*, thread 4711: "; escaped. */
void prof_tui_figures_shown(const struct prof_tui_figures *, char *out, size_t size);

/* As struct prof_tui_world asks; `figures` is a struct prof_tui_figures. */
void prof_tui_figures_header(void *figures, size_t width, bool utf8, char *out, size_t size);
const char *prof_tui_figures_warning(void *figures);
char *prof_tui_figures_threads(void *figures);
prof_status prof_tui_figures_prepare(void *figures, enum prof_tui_change, const char *text, uint32_t number,
                                     struct prof_diag *) PROF_MUST_CHECK;
void prof_tui_figures_commit(void *figures);

#endif
