/*
 * tools/command/gpu/gpu_annotate.c - `prof annotate --gpu KERNEL`: the source of kernels, with the samples of each
 * line.
 *
 * A kernel has a page for each file with lines of its code: the file where it begins, and headers with inlined
 * functions.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "export/unfinished.h"
#include "gpu_line_parts.h"
#include "gpu_lines.h"
#include "gpu_programs.h"
#include "study/source_text.h"
#include "study/symbols.h"
#include "view/table.h"

struct job {
  const struct prof_reader *reader;
  struct prof_symbols *symbols; /* for sources */
  struct prof_gpu_programs *programs;
  struct prof_gpu_line_rows rows;
  struct prof_output output;
  struct prof_json json;
  struct prof_table *csv; /* of all pages */
};

struct page { /* lines of a file */
  const char *kernel, *linkage, *file;
  uint32_t first, last;
};

static bool is_of(const struct page *page, const struct prof_gpu_line_row *row) {
  return strcmp(row->linkage, page->linkage) == 0 && strcmp(row->file, page->file) == 0;
}

static const struct prof_gpu_line_row *row_at(const struct job *job, const struct page *page, uint32_t line) {
  for (size_t i = 0; i < job->rows.count; i++)
    if (job->rows.rows[i].line == line && is_of(page, &job->rows.rows[i]))
      return &job->rows.rows[i];
  return NULL;
}

/* ---- a page ---- */

static char *line_text(const struct prof_source_text *source, uint32_t line) {
  size_t bytes = 0;
  const char *text = prof_source_text_line(source, line, &bytes);
  return text != NULL ? strndup(text, bytes) : strdup("");
}

static bool print_page(struct job *job, const struct page *page, const struct prof_source_text *source) {
  static const struct prof_column columns[] = {
      {NULL, "SAMPLES", PROF_CELL_COUNT}, {NULL, "SHARE", PROF_CELL_SHARE}, {NULL, "STALLS", PROF_CELL_TEXT},
      {NULL, "LINE", PROF_CELL_COUNT},    {NULL, "SOURCE", PROF_CELL_TEXT},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char stalls[200], kernel[512], file[1024];
  for (uint32_t line = page->first; table != NULL && line <= page->last; line++) {
    const struct prof_gpu_line_row *row = row_at(job, page, line);
    char *text = line_text(source, line);
    if (row == NULL && source->bytes == NULL) {
      free(text);
      continue;
    }
    prof_table_count(table, row != NULL ? row->samples : 0);
    prof_table_share(table, row != NULL ? row->share : 0);
    prof_table_text(table, row != NULL ? prof_gpu_stalls_text(stalls, sizeof stalls, &job->rows, row) : "");
    prof_table_count(table, line);
    prof_table_text(table, text != NULL ? text : "");
    free(text);
  }
  bool good = table != NULL && !prof_table_failed(table);
  if (good) {
    const char *path = prof_shown_path(job->reader->recording.paths, page->file);
    prof_text_escape(kernel, sizeof kernel, page->kernel, strlen(page->kernel));
    prof_text_escape(file, sizeof file, path, strlen(path));
    fprintf(job->output.file, "\n%s  %s:%u-%u\n", kernel, file, page->first, page->last);
    if (source->bytes == NULL)
      fprintf(job->output.file,
              "prof: the source is not here (looked for: %s); if it lies elsewhere: --path-map=OLD=NEW\n",
              source->tried);
    else if (source->newer)
      fprintf(job->output.file, "prof: %s has changed since it was recorded: lines may have moved\n", file);
    prof_table_print(table, job->output.file, &job->output.style);
  }
  prof_table_free(table);
  return good;
}

static void page_csv(struct job *job, const struct page *page, const struct prof_source_text *source) {
  for (uint32_t line = page->first; line <= page->last; line++) {
    const struct prof_gpu_line_row *row = row_at(job, page, line);
    char *text = line_text(source, line);
    prof_table_text(job->csv, page->file);
    prof_table_count(job->csv, line);
    prof_table_text(job->csv, page->kernel);
    prof_table_count(job->csv, row != NULL ? row->samples : 0);
    prof_table_count(job->csv, row != NULL ? row->idle : 0);
    prof_table_text(job->csv, text != NULL ? text : "");
    free(text);
  }
}

static void page_json(struct job *job, const struct page *page, const struct prof_source_text *source) {
  static const struct prof_gpu_line_row none = {0};
  struct prof_json *json = &job->json;
  prof_json_object(json, NULL);
  prof_json_text(json, "kernel", page->kernel);
  prof_json_text(json, "file", page->file);
  prof_json_bool(json, "source_found", source->bytes != NULL);
  prof_json_bool(json, "source_newer", source->newer);
  prof_json_array(json, "lines");
  for (uint32_t line = page->first; line <= page->last; line++) {
    const struct prof_gpu_line_row *row = row_at(job, page, line);
    size_t bytes = 0;
    const char *text = prof_source_text_line(source, line, &bytes);
    if (row == NULL && text == NULL)
      continue;
    prof_json_object(json, NULL);
    prof_json_count(json, "line", line);
    prof_gpu_line_json(&job->rows, row != NULL ? row : &none, json);
    prof_json_bytes(json, "text", text != NULL ? text : "", bytes);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
  prof_json_object_end(json);
}

static prof_status show_page(struct job *job, const struct page *page, struct prof_diag *diag) {
  struct prof_source_text source = {0};
  prof_status status = prof_source_text_read(job->symbols, page->file, INT64_MAX, diag, &source);
  if (status != PROF_OK)
    return status;
  if (job->reader->common->format == PROF_FORMAT_TABLE)
    status = print_page(job, page, &source) ? PROF_OK : prof_diag_memory(diag);
  else if (job->reader->common->format == PROF_FORMAT_JSON)
    page_json(job, page, &source);
  else
    page_csv(job, page, &source);
  prof_source_text_free(&source);
  return status;
}

/* ---- a kernel ---- */

/* Finds the page of row `at`: its kernel's samples and code in its file.  false: shown before, or no line. */
static bool make_page(struct job *job, size_t at, struct page *page) {
  const struct prof_gpu_line_row *row = &job->rows.rows[at];
  const char *file;
  uint32_t first, last;
  *page = (struct page){row->kernel, row->linkage, row->file, row->line, row->line};
  if (row->line == 0)
    return false;
  for (size_t i = 0; i < job->rows.count; i++) {
    const struct prof_gpu_line_row *other = &job->rows.rows[i];
    if (!is_of(page, other) || other->line == 0)
      continue;
    if (i < at)
      return false;
    page->first = other->line < page->first ? other->line : page->first;
    page->last = other->line > page->last ? other->line : page->last;
  }
  if (prof_gpu_programs_extent(job->programs, row->linkage, &file, &first, &last) && strcmp(file, row->file) == 0) {
    page->first = first < page->first ? first : page->first;
    page->last = last > page->last ? last : page->last;
  }
  return true;
}

/* Matches by glob, by name without template arguments and parameters, or by linkage name. */
static bool is_meant(const struct prof_gpu_line_row *row, const char *word) {
  const char *end = row->kernel + strcspn(row->kernel, "(<"), *begin = end;
  while (begin > row->kernel && begin[-1] != ' ')
    begin--;
  bool is_name = strlen(word) == (size_t)(end - begin) && strncmp(word, begin, (size_t)(end - begin)) == 0;
  return is_name || fnmatch(word, row->kernel, 0) == 0 || strcmp(word, row->linkage) == 0;
}

static prof_status check_word(const struct job *job, const char *word, struct prof_diag *diag) {
  bool any = false, located = false;
  for (size_t i = 0; i < job->rows.count; i++) {
    bool meant = is_meant(&job->rows.rows[i], word);
    any |= meant;
    located |= meant && job->rows.rows[i].line > 0;
  }
  if (!any)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "prof lines --gpu lists kernels with samples",
                          "no kernel with samples is called '%s'", word);
  if (!located)
    return prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, "compile with nvcc -lineinfo",
                          "no line of '%s' is known", word);
  return PROF_OK;
}

static prof_status show_kernels(struct job *job, const char *word, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  struct page page;
  for (size_t i = 0; i < job->rows.count && status == PROF_OK; i++)
    if (is_meant(&job->rows.rows[i], word) && make_page(job, i, &page))
      status = show_page(job, &page, diag);
  return status;
}

static prof_status show(struct job *job, const char *word, int *result, struct prof_diag *diag) {
  static const struct prof_column columns[] = {
      {"file", NULL, PROF_CELL_TEXT},     {"line", NULL, PROF_CELL_COUNT},       {"kernel", NULL, PROF_CELL_TEXT},
      {"samples", NULL, PROF_CELL_COUNT}, {"not_issued", NULL, PROF_CELL_COUNT}, {"text", NULL, PROF_CELL_TEXT},
  };
  enum prof_format format = job->reader->common->format;
  job->csv = prof_table_new(columns, sizeof columns / sizeof *columns);
  if (job->csv == NULL)
    return prof_diag_memory(diag);
  prof_output_begin(&job->output, job->reader->common);
  prof_reader_warn(job->reader, &job->output);
  prof_json_init(&job->json, job->output.file, 3);
  if (format == PROF_FORMAT_TABLE) {
    prof_gpu_line_cover_lines(&job->rows, &job->output);
  } else if (format == PROF_FORMAT_JSON) {
    prof_json_object(&job->json, NULL);
    prof_unfinished_json(job->reader->recording.trace, &job->json);
    prof_json_array(&job->json, "gpu_sources");
  }
  prof_status status = show_kernels(job, word, diag);
  if (format == PROF_FORMAT_JSON) {
    prof_json_array_end(&job->json);
    prof_gpu_line_cover_json(&job->rows, &job->json);
    prof_json_object_end(&job->json);
  } else if (format == PROF_FORMAT_CSV && !prof_table_failed(job->csv)) {
    prof_table_csv(job->csv, job->output.file);
  }
  if (status == PROF_OK && prof_table_failed(job->csv))
    status = prof_diag_memory(diag);
  *result = prof_output_end(&job->output);
  prof_table_free(job->csv);
  return status;
}

prof_status prof_gpu_annotate_show(const struct prof_reader *reader, const char *kernel, int *result,
                                   struct prof_diag *diag) {
  struct job job = {.reader = reader, .programs = prof_gpu_programs_new(reader)};
  prof_status status =
      job.programs != NULL ? prof_symbols_new(&reader->recording, diag, &job.symbols) : prof_diag_memory(diag);
  if (status == PROF_OK) {
    struct prof_gpu_line_source source = prof_gpu_programs_source(job.programs);
    status = prof_gpu_lines_rank(reader->recording.trace, &reader->recording.filter, reader->recording.names, &source,
                                 diag, &job.rows);
  }
  if (status == PROF_OK)
    status = check_word(&job, kernel, diag);
  if (status == PROF_OK)
    status = show(&job, kernel, result, diag);
  prof_gpu_lines_free(&job.rows);
  prof_symbols_free(job.symbols);
  prof_gpu_programs_free(job.programs);
  return status;
}
