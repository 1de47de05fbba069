/*
 * tools/command/tui/screen.c - see screen.h.
 */
#include "screen.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "tui/keys.h"
#include "tui/terminal.h"

static bool has_color(const struct prof_common *common) {
  const char *no_color = getenv("NO_COLOR");
  return common->color == PROF_COLOR_ALWAYS || (common->color == PROF_COLOR_AUTO && !(no_color && no_color[0]));
}

static void note(void *context, const char *text) {
  (void)context;
  prof_tui_terminal_note(text);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* How long to wait for a key; 0: for ever. */
static uint64_t left_ns(const struct prof_tui_showing *showing, uint64_t next_ns) {
  uint64_t now = now_ns();
  return !showing->beat_ns ? 0 : next_ns > now ? next_ns - now : 1;
}

/* Draws and reads keys until the user quits, or the terminal is gone. */
static prof_status work(struct prof_tui *app, const struct prof_tui_showing *showing, struct prof_diag *diag) {
  const struct prof_common *common = showing->common;
  uint64_t next_ns = now_ns() + showing->beat_ns;
  bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
  app->busy = note;
  while (!app->quit) {
    struct prof_tui_screen screen;
    size_t width, height;
    prof_tui_terminal_size(&width, &height);
    if (common->has_width && common->width && common->width < width)
      width = (size_t)common->width;
    if (!prof_tui_paint(app, width, height, utf8, &screen)) {
      prof_tui_screen_free(&screen);
      return prof_diag_memory(diag);
    }
    prof_tui_terminal_draw(&screen);
    prof_tui_screen_free(&screen);
    int key = prof_tui_terminal_key(left_ns(showing, next_ns));
    if (key == PROF_TUI_INPUT_CLOSED)
      return PROF_OK;
    if (key != PROF_TUI_INPUT_RESIZED && key != PROF_TUI_INPUT_OTHER && key != PROF_TUI_INPUT_NONE)
      prof_tui_key(app, key);
    if (showing->beat_ns && now_ns() >= next_ns) {
      if (!app->quit && showing->due(app->world->figures))
        prof_tui_refresh(app);
      next_ns = now_ns() + showing->beat_ns;
    }
  }
  if (app->message[0]) /* nothing is left to show */
    return prof_diag_fill(diag, PROF_EMPTY, common->input, PROF_NO_OFFSET, NULL, "%s", app->message);
  return PROF_OK;
}

prof_status prof_tui_show(const struct prof_tui_world *world, const struct prof_tui_showing *showing,
                          struct prof_diag *diag) {
  struct prof_tui app = {0};
  prof_status status = prof_tui_init(&app, world, showing->sort, diag);
  if (status == PROF_OK)
    status = prof_tui_terminal_open(has_color(showing->common), diag);
  if (status == PROF_OK) {
    showing->figures->on_screen = true;
    status = work(&app, showing, diag);
    prof_tui_terminal_close();
    showing->figures->on_screen = false;
  }
  prof_tui_fini(&app);
  return status;
}
