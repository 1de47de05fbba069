/*
 * tools/command/tui/tui_source.c - the source of a function or file with its costs, or instructions: the page of
 * `prof annotate`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/annotate/annotate_page.h"
#include "panels.h"
#include "view/annotate_text.h"

#define SOURCE_ROOM 40 /* columns of a source line; figures that don't fit beside it are left out */

struct page {
  struct prof_annotate_target target;
  struct prof_annotate_made made;
  bool assembly;
  char *text; /* the whole page, for one width; its lines end in NUL */
  PROF_VEC(const char *) lines;
  size_t width;
  bool utf8;
};

static void page_free(void *rows) {
  struct page *page = rows;
  prof_annotate_page_fini(&page->made);
  free(page->text);
  prof_vec_fini(&page->lines);
  free(page);
}

static uint32_t count_of(const struct page *page) {
  return page->assembly ? (uint32_t)page->made.page.instruction_count : page->made.annotated.count;
}

/* The line of the page with the titles: behind one with the page's title. */
static size_t titles_of(const struct page *page) {
  return page->assembly ? 2 + (size_t)page->made.annotated.count + 2 : 1;
}

/* Writes the page for a width (0: no limit); false: no memory. */
static bool lay_out(struct page *page, size_t width, bool utf8) {
  if (page->text && page->width == width && page->utf8 == utf8)
    return true;
  free(page->text);
  page->text = NULL;
  page->lines.count = 0;
  size_t bytes;
  FILE *file = open_memstream(&page->text, &bytes);
  if (!file)
    return false;
  const struct prof_table_style style = {.utf8 = utf8, .width = width};
  prof_annotate_text_write(file, &page->made.page, &style);
  if (fclose(file) || !page->text)
    return false;
  for (char *line = page->text, *end; *line; line = end + 1) {
    end = strchr(line, '\n');
    if (!end || !prof_vec_push(&page->lines, (const char *)line))
      return end == NULL;
    *end = 0;
  }
  page->width = width;
  page->utf8 = utf8;
  return true;
}

static const char *line_at(const struct page *page, size_t line) {
  return line < page->lines.count ? page->lines.items[line] : "";
}

static uint32_t first_row(void *rows, uint32_t item) {
  return item == PROF_TUI_NONE && count_of(rows) ? 0 : PROF_TUI_NONE;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return item + 1 < count_of(rows) ? item + 1 : PROF_TUI_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  struct page *page = rows;
  if (!page->text && !lay_out(page, 0, false))
    return "";
  return line_at(page, titles_of(page) + 1 + item);
}

static double weight_of(void *rows, uint32_t item) {
  const struct page *page = rows;
  const struct prof_annotated_line *line = &page->made.annotated.lines[item];
  if (page->assembly)
    return page->made.page.instructions[item].share;
  return page->made.annotated.has_samples ? line->self_share
         : page->made.page.all_ns > 0     ? (double)line->calls_ns / page->made.page.all_ns
                                          : 0;
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  struct page *page = rows;
  if (!lay_out(page, look->width, look->utf8))
    return false;
  fprintf(file, "%s\n", line_at(page, titles_of(page)));
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s\n", line_at(page, titles_of(page) + 1 + shown[i].item));
  return true;
}

static const struct prof_tui_rows_type type = {
    .first = first_row, .next = next_row, .name = name_of, .weight = weight_of, .print = print, .free = page_free};

/* ---- the target ---- */

static prof_status find_target(const struct prof_annotate_figures *of, const struct prof_tui_request *request,
                               struct prof_annotate_target *out, struct prof_diag *diag) {
  if (request->function == PROF_TUI_NONE) {
    *out = (struct prof_annotate_target){.file = request->file, .first = 1, .module = PROF_NONE};
    return PROF_OK;
  }
  if (prof_annotate_target_of(of->reader, of->symbols, request->function, out))
    return PROF_OK;
  return prof_annotate_not_known(of->reader, of->profile, request->function, diag);
}

/* The time in calls, where samples don't decide. */
static uint64_t calls_ns_of(const struct page *page, uint32_t item) {
  return page->assembly ? page->made.page.instructions[item].calls_ns : page->made.annotated.lines[item].calls_ns;
}

/* Where the cursor begins: the line that was asked for, else the one with most time. */
static uint32_t begin_at(struct page *page, uint32_t line) {
  uint32_t best = 0, count = count_of(page);
  for (uint32_t i = 0; i < count; i++) {
    double weight = weight_of(page, i), most = weight_of(page, best);
    if (!page->assembly && line && page->made.annotated.lines[i].line == line)
      return i;
    if (weight > most || (weight == most && calls_ns_of(page, i) > calls_ns_of(page, best)))
      best = i;
  }
  return best;
}

/* A flaw of the source, or how long the function waited; NULL: neither. */
static char *note_of(const struct prof_annotate_figures *of, const struct page *page) {
  char text[PROF_ANNOTATE_FLAW_BYTES];
  size_t at = 0;
  prof_annotate_page_flaw(&page->made, text);
  if (!text[0])
    prof_annotate_page_wait(of, &page->target, &at, text);
  return text[0] ? strdup(!strncmp(text, "prof: ", 6) ? text + 6 : text) : NULL;
}

prof_status prof_tui_source_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                  struct prof_tui_rows *out) {
  struct prof_annotate_figures of;
  struct page *page = calloc(1, sizeof *page);
  if (!page)
    return prof_diag_memory(diag);
  page->assembly = request->assembly;
  prof_status status = prof_tui_figures_source(figures, diag, &of);
  if (status == PROF_OK)
    status = find_target(&of, request, &page->target, diag);
  if (status == PROF_OK)
    status = prof_annotate_page_make(&of, &page->target, page->assembly, true, diag, &page->made);
  if (status == PROF_OK && count_of(page) == 0)
    status = prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, "if it lies elsewhere: --path-map=OLD=NEW",
                            "no source at %s, and no line with a cost", page->made.source.tried);
  if (status != PROF_OK) {
    page_free(page);
    return status;
  }
  page->made.page.source_room = SOURCE_ROOM;
  *out = (struct prof_tui_rows){
      .type = &type, .rows = page, .note = note_of(&of, page), .begin = begin_at(page, request->line)};
  if (asprintf(&out->title, "%s%s", page->made.title, page->assembly ? "  (a: source)" : "  (a: instructions)") < 0)
    out->title = NULL;
  return PROF_OK;
}
