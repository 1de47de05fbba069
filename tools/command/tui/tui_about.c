/*
 * tools/command/tui/tui_about.c - the panel of what the figures cover: the header of `prof report --verbose`.
 */
#include <stdlib.h>

#include "analysis/cover.h"
#include "base/diag.h"
#include "command/cover_lines.h"
#include "panels.h"
#include "tui/texts.h"

#define WIDTH 78

prof_status prof_tui_about_build(void *context, const struct prof_tui_request *request, struct prof_diag *diag,
                                 struct prof_tui_rows *out) {
  struct prof_tui_figures *figures = context;
  const struct prof_tui_fold *fold = NULL;
  char *text = NULL;
  size_t bytes;
  (void)request;
  prof_status status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_LOOPS | PROF_TUI_FOLD_PLACES, diag, &fold);
  if (status != PROF_OK)
    return status;
  FILE *file = open_memstream(&text, &bytes);
  if (!file)
    return prof_diag_memory(diag);
  const struct prof_recording *recording = &figures->now->reader.recording;
  const struct prof_output output = {.file = file, .style = {.width = WIDTH}, .verbose = true};
  struct prof_cover cover;
  prof_cover_of(fold->profile, recording->time, &cover);
  prof_cover_add_samples(&cover, fold->profile, fold->samples, !recording->filter.active);
  fputs("WHAT THE FIGURES COVER\n", file);
  prof_cover_lines(&cover, &output);
  fclose(file);
  bool good = text && prof_tui_texts_make(text, NULL, out);
  free(text);
  return good ? PROF_OK : prof_diag_memory(diag);
}
