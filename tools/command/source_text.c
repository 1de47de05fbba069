/*
 * tools/command/source_text.c - see source_text.h.
 */
#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/text.h"

#define LARGEST (64u << 20) /* bytes; beyond that it is no source that anybody wrote */

/* The whole file; NULL: can't be read.  *changed: when, ns since 1970. */
static char *read_file(const char *path, size_t *byte_count, int64_t *changed) {
  FILE *file = fopen(path, "re");
  struct stat status;
  if (!file)
    return NULL;
  char *bytes = NULL;
  if (!fstat(fileno(file), &status) && S_ISREG(status.st_mode) && status.st_size >= 0 && status.st_size <= LARGEST)
    bytes = malloc((size_t)status.st_size + 1);
  if (bytes) {
    *byte_count = fread(bytes, 1, (size_t)status.st_size, file);
    bytes[*byte_count] = 0;
    *changed = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  }
  fclose(file);
  return bytes;
}

static void note_tried(struct prof_source_text *text, const char *path) {
  size_t used = strlen(text->tried);
  if (used && used + 2 < sizeof text->tried) {
    memcpy(text->tried + used, ", ", 3);
    used += 2;
  }
  prof_text_escape(text->tried + used, sizeof text->tried - used, path, strlen(path));
}

static bool find_lines(struct prof_source_text *text) {
  size_t lines = 1;
  for (size_t i = 0; i < text->byte_count; i++)
    lines += text->bytes[i] == '\n';
  text->begins = malloc((lines + 1) * sizeof *text->begins);
  if (!text->begins)
    return false;
  size_t line = 0;
  text->begins[0] = 0;
  for (size_t i = 0; i < text->byte_count; i++)
    if (text->bytes[i] == '\n')
      text->begins[++line] = i + 1;
  if (text->begins[line] < text->byte_count) /* the last line has no end */
    text->begins[++line] = text->byte_count + 1;
  text->line_count = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
  return true;
}

/* What was packed, the youngest of that path; NULL: nothing. */
static char *read_packed(const struct prof_symbols *symbols, const char *path, size_t *byte_count, int64_t *changed) {
  const struct prof_packed *packed = prof_symbols_packed(symbols);
  for (size_t i = packed ? packed->source_count : 0; i > 0; i--) {
    const struct prof_packed_source *source = &packed->sources[i - 1];
    if (strcmp(prof_names_path(prof_symbols_reader(symbols)->names, source->path), path) != 0)
      continue;
    char *bytes = malloc(source->bytes + 1);
    if (bytes)
      memcpy(bytes, source->text, source->bytes + 1);
    *byte_count = source->bytes;
    *changed = source->changed;
    return bytes;
  }
  return NULL;
}

prof_status prof_source_text_read(const struct prof_symbols *symbols, const char *path, int64_t built,
                                  struct prof_diag *diag, struct prof_source_text *out) {
  memset(out, 0, sizeof *out);
  const struct prof_reader *reader = prof_symbols_reader(symbols);
  int64_t changed = 0, recorded = (int64_t)prof_trace_info(reader->trace)->start_realtime_ns;
  out->bytes = read_packed(symbols, path, &out->byte_count, &changed);
  if (!out->bytes)
    out->bytes = read_file(path, &out->byte_count, &changed);
  if (!out->bytes)
    note_tried(out, path);
  size_t folder_bytes = 0;
  const char *folder = prof_trace_setting(reader->trace, "directory", &folder_bytes);
  if (!out->bytes && path[0] != '/' && folder_bytes > 0 && folder_bytes < 4096) {
    char in_folder[8300];
    snprintf(in_folder, sizeof in_folder, "%.*s/%.4096s", (int)folder_bytes, folder, path);
    out->bytes = read_file(in_folder, &out->byte_count, &changed);
    if (!out->bytes)
      note_tried(out, in_folder);
  }
  out->changed = changed;
  out->newer = out->bytes && (changed > built || changed > recorded);
  if (!out->bytes || find_lines(out))
    return PROF_OK;
  prof_source_text_free(out);
  return prof_diag_memory(diag);
}

void prof_source_text_free(struct prof_source_text *text) {
  free(text->bytes);
  free(text->begins);
  memset(text, 0, sizeof *text);
}

const char *prof_source_text_line(const struct prof_source_text *text, uint32_t line, size_t *bytes) {
  if (line == 0 || line > text->line_count)
    return NULL;
  size_t begin = text->begins[line - 1], end = text->begins[line] - 1;
  if (end > begin && text->bytes[end - 1] == '\r')
    end--;
  *bytes = end - begin;
  return text->bytes + begin;
}
