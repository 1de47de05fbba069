/*
 * tools/tui/app.c - see app.h.
 */
#include "app.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "texts.h"

const struct prof_tui_panel *prof_tui_panel_find(const struct prof_tui_world *world, const char *name) {
  for (size_t i = 0; name && i < world->panel_count; i++)
    if (!strcmp(world->panels[i].name, name))
      return &world->panels[i];
  return NULL;
}

/* ---- messages and prompts ---- */

void prof_tui_say(struct prof_tui *app, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(app->message, sizeof app->message, format, arguments);
  va_end(arguments);
}

void prof_tui_say_diag(struct prof_tui *app, const struct prof_diag *diag) {
  prof_tui_say(app, "%s%s%s", diag->what, diag->remedy[0] ? ": " : "", diag->remedy);
}

void prof_tui_ask(struct prof_tui *app, const char *title, void (*done)(struct prof_tui *, const char *)) {
  app->prompt = (struct prof_tui_prompt){.title = title, .done = done};
}

/* ---- views ---- */

static void forget(struct prof_tui_view *view) {
  if (view->built)
    prof_tui_list_memorise(&view->memory, &view->list);
  prof_tui_list_fini(&view->list);
  view->built = false;
}

static void drop(struct prof_tui_view *view) {
  forget(view);
  prof_tui_list_memory_fini(&view->memory);
  free((char *)(uintptr_t)view->request.file);
  *view = (struct prof_tui_view){0};
}

static prof_status build(struct prof_tui *app, struct prof_tui_view *view, struct prof_diag *diag) {
  struct prof_tui_rows rows = {0};
  if (view->built)
    return PROF_OK;
  if (app->busy)
    app->busy(app->busy_context, PROF_TUI_READING);
  prof_status status = view->panel->build(app->world->figures, &view->request, diag, &rows);
  if (status != PROF_OK)
    return status;
  if (rows.note)
    prof_tui_say(app, "%s", rows.note);
  if (!prof_tui_list_init(&view->list, rows))
    return prof_diag_memory(diag);
  view->built = true;
  (void)prof_tui_list_recall(&view->memory, &view->list);
  return PROF_OK;
}

struct prof_tui_view *prof_tui_now(struct prof_tui *app) {
  return app->over_count ? &app->over[app->over_count - 1] : &app->panels[app->now];
}

static void drop_over(struct prof_tui *app) {
  while (app->over_count)
    drop(&app->over[--app->over_count]);
}

static unsigned sort_of(const struct prof_tui_panel *panel, const char *word) {
  for (unsigned i = 0; word && panel->sorts && panel->sorts[i]; i++)
    if (!strcmp(panel->sorts[i], word))
      return i;
  return 0;
}

prof_status prof_tui_init(struct prof_tui *app, const struct prof_tui_world *world, const char *sort,
                          struct prof_diag *diag) {
  *app = (struct prof_tui){.world = world, .page = 1};
  app->panels = calloc(world->panel_count, sizeof *app->panels);
  if (!app->panels)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < world->panel_count; i++) {
    app->panels[i].panel = &world->panels[i];
    app->panels[i].request.function = PROF_TUI_NONE;
    app->panels[i].request.sort = sort_of(&world->panels[i], sort);
  }
  return build(app, &app->panels[0], diag);
}

void prof_tui_fini(struct prof_tui *app) {
  drop_over(app);
  for (size_t i = 0; app->panels && i < app->world->panel_count; i++)
    drop(&app->panels[i]);
  free(app->panels);
  *app = (struct prof_tui){0};
}

static void to_function(struct prof_tui_view *view, uint32_t function) {
  if (function == PROF_TUI_NONE || prof_tui_list_place(&view->list).function == function)
    return;
  uint32_t item = prof_tui_list_function(&view->list, function);
  if (item != PROF_TUI_NONE)
    prof_tui_list_reveal(&view->list, item);
}

void prof_tui_go(struct prof_tui *app, size_t panel, uint32_t function, bool back) {
  struct prof_diag diag = {0};
  if (build(app, &app->panels[panel], &diag) != PROF_OK) {
    prof_tui_say_diag(app, &diag);
    return;
  }
  drop_over(app);
  if (!back)
    app->before_count = 0;
  else if (panel != app->now && app->before_count < PROF_TUI_MOST_BEFORE)
    app->before[app->before_count++] = app->now;
  app->now = panel;
  to_function(&app->panels[panel], function);
}

/* Makes room for one more; the lowest goes when there is none. */
static struct prof_tui_view *add_over(struct prof_tui *app) {
  if (app->over_count == PROF_TUI_MOST_OVER) {
    drop(&app->over[0]);
    memmove(app->over, app->over + 1, (PROF_TUI_MOST_OVER - 1) * sizeof *app->over);
    app->over_count--;
  }
  app->over[app->over_count] = (struct prof_tui_view){0};
  return &app->over[app->over_count];
}

void prof_tui_lay(struct prof_tui *app, const struct prof_tui_panel *panel, const struct prof_tui_request *request) {
  struct prof_diag diag = {0};
  struct prof_tui_view view = {.panel = panel, .request = *request};
  view.request.file = request->file ? strdup(request->file) : NULL;
  prof_status status = request->file && !view.request.file ? prof_diag_memory(&diag) : build(app, &view, &diag);
  if (status != PROF_OK) {
    prof_tui_say_diag(app, &diag);
    drop(&view);
    return;
  }
  *add_over(app) = view;
  app->over_count++;
}

void prof_tui_lay_text(struct prof_tui *app, const char *text,
                       void (*choose)(struct prof_tui *, const struct prof_tui_list *)) {
  struct prof_tui_view view = {.built = true, .choose = choose, .request.function = PROF_TUI_NONE};
  struct prof_tui_rows rows;
  if (!text || !prof_tui_texts_make(text, NULL, &rows) || !prof_tui_list_init(&view.list, rows)) {
    prof_tui_say(app, "out of memory");
    return;
  }
  *add_over(app) = view;
  app->over_count++;
}

bool prof_tui_rebuild(struct prof_tui *app, struct prof_tui_view *view) {
  struct prof_diag diag = {0};
  struct prof_tui_view fresh = *view;
  fresh.list = (struct prof_tui_list){0};
  fresh.built = false;
  if (build(app, &fresh, &diag) != PROF_OK) {
    prof_tui_say_diag(app, &diag);
    return false;
  }
  uint32_t function = view->built ? prof_tui_list_place(&view->list).function : PROF_TUI_NONE;
  prof_tui_list_fini(&view->list);
  *view = fresh;
  to_function(view, function);
  return true;
}

/* Builds what is to be shown, or else the view beneath it, or the first panel; without any, quits. */
static void show_again(struct prof_tui *app, uint32_t function) {
  struct prof_diag diag = {0};
  for (;;) {
    struct prof_tui_view *view = prof_tui_now(app);
    if (build(app, view, &diag) == PROF_OK) {
      to_function(view, function);
      return;
    }
    prof_tui_say_diag(app, &diag);
    if (app->over_count) {
      drop(&app->over[--app->over_count]);
    } else if (app->now != 0) {
      app->now = 0;
    } else {
      app->quit = true;
      return;
    }
  }
}

bool prof_tui_back(struct prof_tui *app) {
  if (app->over_count)
    drop(&app->over[--app->over_count]);
  else if (app->before_count)
    app->now = app->before[--app->before_count];
  else
    return false;
  show_again(app, PROF_TUI_NONE); /* a change may have freed its rows */
  return true;
}

bool prof_tui_change(struct prof_tui *app, enum prof_tui_change change, const char *text, uint32_t number) {
  struct prof_diag diag = {0};
  if (app->busy && change != PROF_TUI_CHANGE_TIME)
    app->busy(app->busy_context, PROF_TUI_READING);
  if (app->world->prepare(app->world->figures, change, text, number, &diag) != PROF_OK) {
    prof_tui_say_diag(app, &diag);
    return false;
  }
  uint32_t function = prof_tui_list_place(&prof_tui_now(app)->list).function;
  if (change != PROF_TUI_CHANGE_TIME)
    drop_over(app);
  for (size_t i = 0; i < app->world->panel_count; i++)
    forget(&app->panels[i]);
  for (size_t i = 0; i < app->over_count; i++)
    if (app->over[i].panel)
      forget(&app->over[i]);
  app->world->commit(app->world->figures);
  show_again(app, function);
  return true;
}

void prof_tui_refresh(struct prof_tui *app) {
  struct prof_diag diag = {0};
  void (*busy)(void *, const char *) = app->busy;
  if (app->over_count || app->prompt.title)
    return;
  if (app->world->prepare(app->world->figures, PROF_TUI_CHANGE_AGAIN, NULL, 0, &diag) != PROF_OK) {
    prof_tui_say_diag(app, &diag);
    return;
  }
  for (size_t i = 0; i < app->world->panel_count; i++)
    forget(&app->panels[i]);
  app->world->commit(app->world->figures);
  app->busy = NULL; /* its line would flicker */
  show_again(app, PROF_TUI_NONE);
  app->busy = busy;
}
