/*
 * tools/study/source_text.c - see source_text.h.
 */
#include "study/source_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plain_file.h"
#include "base/text.h"

#define LARGEST (64u << 20) /* bytes; a larger file is no source */

/* The path of an open file, links followed; NULL: not known.  The caller frees it. */
static char *real_path(int fd) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t bytes = readlink(link, path, sizeof path);
  return bytes > 0 && (size_t)bytes < sizeof path ? strndup(path, (size_t)bytes) : NULL;
}

/* The whole file; NULL: can't be read. */
static char *read_file(const char *path, struct prof_source_text *text) {
  struct stat status;
  int fd = prof_plain_file_open(path, &status);
  if (fd < 0)
    return NULL;
  char *bytes = status.st_size >= 0 && status.st_size <= LARGEST ? malloc((size_t)status.st_size + 1) : NULL;
  ssize_t got = 1;
  for (text->byte_count = 0; bytes && got > 0 && text->byte_count < (size_t)status.st_size; text->byte_count += got)
    if ((got = read(fd, bytes + text->byte_count, (size_t)status.st_size - text->byte_count)) < 0)
      got = 0;
  if (bytes) {
    bytes[text->byte_count] = 0;
    text->changed = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    text->real = real_path(fd);
  }
  close(fd);
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

/* What was packed last of that path; NULL: nothing. */
static char *read_packed(const struct prof_symbols *symbols, const char *path, size_t *byte_count, int64_t *changed) {
  const struct prof_packed *packed = prof_symbols_packed(symbols);
  for (size_t i = packed ? packed->source_count : 0; i > 0; i--) {
    const struct prof_packed_source *source = &packed->sources[i - 1];
    if (strcmp(prof_names_path(prof_symbols_recording(symbols)->names, source->path), path) != 0)
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
  const struct prof_recording *recording = prof_symbols_recording(symbols);
  int64_t recorded = (int64_t)prof_trace_info(recording->trace)->start_realtime_ns;
  out->bytes = read_packed(symbols, path, &out->byte_count, &out->changed);
  if (!out->bytes)
    out->bytes = read_file(path, out);
  if (!out->bytes)
    note_tried(out, path);
  size_t folder_bytes = 0;
  const char *folder = prof_trace_setting(recording->trace, "directory", &folder_bytes);
  if (!out->bytes && path[0] != '/' && folder_bytes > 0 && folder_bytes < 4096) {
    char in_folder[8300];
    snprintf(in_folder, sizeof in_folder, "%.*s/%.4096s", (int)folder_bytes, folder, path);
    out->bytes = read_file(in_folder, out);
    if (!out->bytes)
      note_tried(out, in_folder);
  }
  out->newer = out->bytes && (out->changed > built || out->changed > recorded);
  if (!out->bytes || find_lines(out))
    return PROF_OK;
  prof_source_text_free(out);
  return prof_diag_memory(diag);
}

void prof_source_text_free(struct prof_source_text *text) {
  free(text->bytes);
  free(text->begins);
  free(text->real);
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
