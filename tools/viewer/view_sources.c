/*
 * tools/viewer/view_sources.c - see view_sources.h.
 *
 * Of a file that is too large only the part around its costly lines is written.
 */
#include "viewer/view_sources.h"

#include <string.h>

#include "base/diag.h"
#include "study/source_text.h"
#include "viewer/columns.h"

#define MOST_FILE_LINES 20000
#define AROUND 200 /* lines before the first costly one and after the last */

struct costly {
  const char *path; /* as debug information has it */
  uint32_t file;    /* its number in the format */
  uint64_t cost_ns;
  uint32_t first, last; /* costly lines */
};

struct text { /* what is written of a file */
  uint32_t file, first;
  bool changed;
  char *bytes;
  size_t count;
};

struct search {
  PROF_VEC(struct costly) files;
  PROF_VEC(struct text) texts;
};

static int by_cost(const void *a, const void *b) {
  const struct costly *left = a, *right = b;
  return left->cost_ns < right->cost_ns ? 1 : left->cost_ns > right->cost_ns ? -1 : left->file < right->file ? -1 : 1;
}

static bool add_row(struct search *search, struct prof_view_frames *frames, uint32_t *at_file,
                    const struct prof_line_row *row) {
  uint32_t file = row->line ? prof_view_file(frames, row->file) : PROF_NONE;
  if (file == PROF_NONE)
    return true;
  if (at_file[file] == PROF_NONE) {
    if (!prof_vec_push(&search->files, (struct costly){row->file, file, 0, row->line, row->line}))
      return false;
    at_file[file] = (uint32_t)(search->files.count - 1);
  }
  struct costly *costly = &search->files.items[at_file[file]];
  costly->cost_ns += row->self.elapsed + row->in_calls.elapsed;
  costly->first = row->line < costly->first ? row->line : costly->first;
  costly->last = row->line > costly->last ? row->line : costly->last;
  return true;
}

/* Files with costly lines, the costliest first. */
static bool find_files(struct search *search, struct prof_view_frames *frames, const struct prof_line_rows *rows) {
  size_t most = frames->files.count + rows->count;
  uint32_t *at_file = malloc((most + 1) * sizeof *at_file);
  bool done = at_file != NULL;
  for (size_t i = 0; done && i <= most; i++)
    at_file[i] = PROF_NONE;
  for (size_t i = 0; done && i < rows->count; i++)
    done = add_row(search, frames, at_file, &rows->rows[i]);
  free(at_file);
  prof_vec_sort(&search->files, by_cost);
  return done;
}

/* Takes the lines of the source that are written; *fits: they are at most `room` bytes. */
static bool take_text(struct search *search, const struct costly *costly, const struct prof_source_text *source,
                      size_t room, bool *fits) {
  uint32_t first = 1, last = source->line_count;
  if (source->line_count > MOST_FILE_LINES || source->byte_count > room) {
    first = costly->first > AROUND ? costly->first - AROUND : 1;
    last = costly->last + AROUND < last ? costly->last + AROUND : last;
  }
  *fits = false;
  if (first > last)
    return true;
  size_t begin = source->begins[first - 1], count = source->begins[last] - begin;
  if (count > room)
    return true;
  struct text text = {costly->file, first, source->newer, malloc(count + 1), count};
  if (!text.bytes)
    return false;
  memcpy(text.bytes, source->bytes + begin, count);
  *fits = true;
  if (prof_vec_push(&search->texts, text))
    return true;
  free(text.bytes);
  return false;
}

static prof_status read_files(struct search *search, struct prof_symbols *symbols, size_t room, struct prof_diag *diag,
                              uint64_t *left_out) {
  int64_t built = prof_symbols_built(symbols, 0);
  for (size_t i = 0; i < search->files.count; i++) {
    struct prof_source_text source = {0};
    bool fits = true;
    prof_status status = prof_source_text_read(symbols, search->files.items[i].path, built, diag, &source);
    if (status != PROF_OK)
      return status;
    bool done = !source.bytes || take_text(search, &search->files.items[i], &source, room, &fits);
    prof_source_text_free(&source);
    if (!done)
      return prof_diag_memory(diag);
    if (!fits)
      ++*left_out;
    else if (search->texts.count && search->texts.items[search->texts.count - 1].file == search->files.items[i].file)
      room -= search->texts.items[search->texts.count - 1].count;
  }
  return PROF_OK;
}

static void write_texts(const struct search *search, struct prof_json *json) {
  static const struct prof_column_row columns[] = {
      {"file", PROF_COLUMN_U32, offsetof(struct text, file), PROF_COLUMN_ALWAYS},
      {"first", PROF_COLUMN_U32, offsetof(struct text, first), PROF_COLUMN_ALWAYS},
      {"changed", PROF_COLUMN_BOOL, offsetof(struct text, changed), PROF_COLUMN_ALWAYS},
      {NULL, 0, 0, 0}};
  prof_columns_write(json, columns, search->texts.items, search->texts.count, sizeof *search->texts.items);
  prof_json_array(json, "text");
  for (size_t i = 0; i < search->texts.count; i++)
    prof_json_bytes(json, NULL, search->texts.items[i].bytes, search->texts.items[i].count);
  prof_json_array_end(json);
}

prof_status prof_view_sources_write(struct prof_view_frames *frames, struct prof_symbols *symbols,
                                    const struct prof_line_rows *rows, size_t most, struct prof_diag *diag,
                                    struct prof_json *json, uint64_t *left_out) {
  struct search search = {.files = {NULL, 0, 0}};
  *left_out = 0;
  prof_status status = find_files(&search, frames, rows) ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = read_files(&search, symbols, most, diag, left_out);
  if (status == PROF_OK)
    write_texts(&search, json);
  for (size_t i = 0; i < search.texts.count; i++)
    free(search.texts.items[i].bytes);
  prof_vec_fini(&search.texts);
  prof_vec_fini(&search.files);
  return status;
}

prof_status prof_view_source_write(struct prof_view_frames *frames, struct prof_symbols *symbols, uint32_t file,
                                   size_t most, struct prof_diag *diag, struct prof_json *json, bool *found) {
  const struct costly whole = {
      .path = frames->paths.items[file], .file = file, .first = 1, .last = UINT32_MAX - AROUND};
  struct prof_source_text source = {0};
  struct search search = {.files = {NULL, 0, 0}};
  *found = false;
  prof_status status = prof_source_text_read(symbols, whole.path, prof_symbols_built(symbols, 0), diag, &source);
  if (status == PROF_OK && source.bytes && !take_text(&search, &whole, &source, most, found))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    write_texts(&search, json);
  prof_source_text_free(&source);
  if (search.texts.count)
    free(search.texts.items[0].bytes);
  prof_vec_fini(&search.texts);
  return status;
}
