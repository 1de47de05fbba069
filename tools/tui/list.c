/*
 * tools/tui/list.c - see list.h.
 */
#include "list.h"

#include <string.h>

#define BEFORE 6 /* rows above the one where the cursor begins */

static const struct prof_tui_rows_type *type_of(const struct prof_tui_list *list) {
  return list->rows.type;
}

static uint32_t first_of(const struct prof_tui_list *list, uint32_t item) {
  return type_of(list)->first(list->rows.rows, item);
}

static uint32_t next_of(const struct prof_tui_list *list, uint32_t item) {
  return type_of(list)->next(list->rows.rows, item);
}

static uint32_t parent_of(const struct prof_tui_list *list, uint32_t item) {
  return type_of(list)->parent ? type_of(list)->parent(list->rows.rows, item) : PROF_TUI_NONE;
}

static bool has_children(const struct prof_tui_list *list, uint32_t item) {
  return type_of(list)->has_children && type_of(list)->has_children(list->rows.rows, item);
}

/* ---- open branches ---- */

static bool is_open(const struct prof_tui_list *list, uint32_t item) {
  return item / 64 < list->open.count && (list->open.items[item / 64] >> item % 64 & 1);
}

/* false: no memory. */
static bool set_open(struct prof_tui_list *list, uint32_t item, bool open) {
  size_t need = (size_t)item / 64 + 1;
  if (open && need > list->open.count) {
    if (!prof_vec_reserve(&list->open, need - list->open.count))
      return false;
    memset(list->open.items + list->open.count, 0, (need - list->open.count) * sizeof *list->open.items);
    list->open.count = need;
  }
  if (need <= list->open.count) {
    uint64_t bit = (uint64_t)1 << item % 64;
    list->open.items[item / 64] = open ? list->open.items[item / 64] | bit : list->open.items[item / 64] & ~bit;
  }
  return true;
}

/* ---- walks, depth first ---- */

struct walk {
  uint32_t item, depth;
};

/* Goes to the item behind this one and all beneath it; low: not beyond what is beneath depth `low`, 0: no limit. */
static void skip(const struct prof_tui_list *list, struct walk *walk, uint32_t low) {
  for (;;) {
    uint32_t next = low && walk->depth <= low ? PROF_TUI_NONE : next_of(list, walk->item);
    if (next != PROF_TUI_NONE || walk->depth <= low) {
      walk->item = next;
      return;
    }
    walk->item = parent_of(list, walk->item);
    walk->depth--;
  }
}

/* Goes on, into the item if `into`. */
static void step(const struct prof_tui_list *list, struct walk *walk, bool into, uint32_t low) {
  uint32_t child = into && has_children(list, walk->item) ? first_of(list, walk->item) : PROF_TUI_NONE;
  if (child != PROF_TUI_NONE) {
    walk->item = child;
    walk->depth++;
  } else {
    skip(list, walk, low);
  }
}

static struct walk begin(const struct prof_tui_list *list) {
  return (struct walk){.item = first_of(list, PROF_TUI_NONE)};
}

/* ---- the visible rows ---- */

/* Finds the visible rows anew; the cursor stays on its item, else on its number.  false: no memory, nothing changed. */
static bool fill(struct prof_tui_list *list) {
  struct prof_tui_list made = {0};
  uint32_t at = list->shown.count ? list->shown.items[list->cursor].item : PROF_TUI_NONE;
  size_t cursor = list->cursor;
  for (struct walk walk = begin(list); walk.item != PROF_TUI_NONE; step(list, &walk, is_open(list, walk.item), 0)) {
    if (walk.item == at)
      cursor = made.shown.count;
    struct prof_tui_row row = {walk.item, walk.depth, is_open(list, walk.item)};
    if (!prof_vec_push(&made.shown, row)) {
      prof_vec_fini(&made.shown);
      return false;
    }
  }
  prof_vec_fini(&list->shown);
  list->shown.items = made.shown.items;
  list->shown.count = made.shown.count;
  list->shown.capacity = made.shown.capacity;
  list->cursor = cursor < list->shown.count ? cursor : list->shown.count ? list->shown.count - 1 : 0;
  return true;
}

bool prof_tui_list_init(struct prof_tui_list *list, struct prof_tui_rows rows) {
  *list = (struct prof_tui_list){.rows = rows};
  if (!fill(list)) {
    prof_tui_list_fini(list);
    return false;
  }
  if (rows.begin && prof_tui_list_reveal(list, rows.begin))
    list->top = list->cursor > BEFORE ? list->cursor - BEFORE : 0;
  return true;
}

void prof_tui_list_fini(struct prof_tui_list *list) {
  prof_tui_rows_free(&list->rows);
  prof_vec_fini(&list->shown);
  prof_vec_fini(&list->open);
  *list = (struct prof_tui_list){0};
}

const struct prof_tui_row *prof_tui_list_row(const struct prof_tui_list *list) {
  return list->shown.count ? &list->shown.items[list->cursor] : NULL;
}

struct prof_tui_place prof_tui_list_place(const struct prof_tui_list *list) {
  const struct prof_tui_row *row = prof_tui_list_row(list);
  if (!row || !type_of(list)->place)
    return (struct prof_tui_place){.function = PROF_TUI_NONE};
  return type_of(list)->place(list->rows.rows, row->item);
}

/* ---- the cursor ---- */

void prof_tui_list_move(struct prof_tui_list *list, int64_t by) {
  size_t last = list->shown.count ? list->shown.count - 1 : 0;
  if (by < 0)
    list->cursor = (uint64_t)-by > list->cursor ? 0 : list->cursor - (size_t)-by;
  else
    list->cursor = (uint64_t)by > last - list->cursor ? last : list->cursor + (size_t)by;
}

void prof_tui_list_home(struct prof_tui_list *list) {
  list->cursor = 0;
}

void prof_tui_list_end(struct prof_tui_list *list) {
  list->cursor = list->shown.count ? list->shown.count - 1 : 0;
}

void prof_tui_list_scroll(struct prof_tui_list *list, size_t height) {
  size_t room = height ? height : 1;
  if (list->cursor < list->top)
    list->top = list->cursor;
  if (list->cursor >= list->top + room)
    list->top = list->cursor - room + 1;
  if (list->top + room > list->shown.count)
    list->top = list->shown.count > room ? list->shown.count - room : 0;
}

/* ---- branches ---- */

bool prof_tui_list_can_open(const struct prof_tui_list *list) {
  const struct prof_tui_row *row = prof_tui_list_row(list);
  return row && has_children(list, row->item);
}

/* Opens or closes the row's item, and with `whole` all beneath it. */
static bool change(struct prof_tui_list *list, bool open, bool whole) {
  const struct prof_tui_row *row = prof_tui_list_row(list);
  if (!row)
    return true;
  struct walk walk = {.item = row->item, .depth = 1}; /* low 1: not to the siblings */
  do {
    bool into = open || type_of(list)->deep || is_open(list, walk.item);
    if (has_children(list, walk.item) && !set_open(list, walk.item, open))
      return false;
    if (!whole)
      break;
    step(list, &walk, into, 1);
  } while (walk.item != PROF_TUI_NONE);
  return fill(list);
}

bool prof_tui_list_open(struct prof_tui_list *list, bool whole) {
  return change(list, true, whole);
}

bool prof_tui_list_close(struct prof_tui_list *list, bool whole) {
  return change(list, false, whole);
}

bool prof_tui_list_parent(struct prof_tui_list *list) {
  const struct prof_tui_row *row = prof_tui_list_row(list);
  uint32_t parent = row ? parent_of(list, row->item) : PROF_TUI_NONE;
  if (parent == PROF_TUI_NONE)
    return false;
  while (list->cursor > 0 && list->shown.items[list->cursor].item != parent)
    list->cursor--;
  return true;
}

bool prof_tui_list_reveal(struct prof_tui_list *list, uint32_t item) {
  bool opened = false;
  for (uint32_t at = parent_of(list, item); at != PROF_TUI_NONE; at = parent_of(list, at)) {
    if (is_open(list, at))
      continue;
    opened = true;
    if (!set_open(list, at, true))
      return false;
  }
  if (opened && !fill(list))
    return false;
  for (size_t i = 0; i < list->shown.count; i++)
    if (list->shown.items[i].item == item) {
      list->cursor = i;
      return true;
    }
  return false;
}

static bool goes_into(const struct prof_tui_list *list, uint32_t item) {
  return type_of(list)->deep || is_open(list, item);
}

uint32_t prof_tui_list_function(const struct prof_tui_list *list, uint32_t function) {
  if (!type_of(list)->place || function == PROF_TUI_NONE)
    return PROF_TUI_NONE;
  for (struct walk walk = begin(list); walk.item != PROF_TUI_NONE; step(list, &walk, goes_into(list, walk.item), 0))
    if (type_of(list)->place(list->rows.rows, walk.item).function == function)
      return walk.item;
  return PROF_TUI_NONE;
}

/* ---- search ---- */

enum prof_tui_found prof_tui_list_find(struct prof_tui_list *list, const char *text, bool backward) {
  const struct prof_tui_row *row = prof_tui_list_row(list);
  uint32_t before = PROF_TUI_NONE, after = PROF_TUI_NONE, first = PROF_TUI_NONE, last = PROF_TUI_NONE;
  bool behind = false; /* the walk is behind the cursor's row */
  if (!row || !text[0])
    return PROF_TUI_NOT_FOUND;
  uint32_t at = row->item;
  for (struct walk walk = begin(list); walk.item != PROF_TUI_NONE; step(list, &walk, goes_into(list, walk.item), 0)) {
    bool matches = strcasestr(type_of(list)->name(list->rows.rows, walk.item), text) != NULL;
    if (matches) {
      first = first == PROF_TUI_NONE ? walk.item : first;
      last = walk.item;
      if (walk.item != at && !behind)
        before = walk.item;
      if (behind && after == PROF_TUI_NONE)
        after = walk.item;
    }
    behind |= walk.item == at;
    if (after != PROF_TUI_NONE && !backward)
      break;
  }
  uint32_t found = backward ? before : after;
  bool wrapped = found == PROF_TUI_NONE;
  if (wrapped)
    found = backward ? last : first;
  if (found == PROF_TUI_NONE || !prof_tui_list_reveal(list, found))
    return PROF_TUI_NOT_FOUND;
  return wrapped ? PROF_TUI_WRAPPED : PROF_TUI_FOUND;
}
