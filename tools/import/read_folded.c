/*
 * tools/import/read_folded.c - folded stacks: "main;run;step 1234", a call path and its weight on each line.
 *
 * The format of Brendan Gregg's FlameGraph; its tools, inferno, bpftrace and prof export write it.  Names may have
 * blanks: the weight is what follows the last one, and may be fractional.  Lines with the same path add up.  Bytes that
 * our exporter writes as \xNN (control characters, what is no UTF-8) are read back; it writes ":" for ";" in names.
 */
#include <string.h>

#include "base/diag.h"
#include "import/importers.h"
#include "import/unescape.h"
#include "import/weight_text.h"

#define REMEDY "give lines as in: main;run;step 1234"

/* The last blank with a weight behind it; NULL: none. */
static char *weight_of(char *line, size_t bytes, double *weight) {
  while (bytes && (line[bytes - 1] == ' ' || line[bytes - 1] == '\t'))
    bytes--;
  size_t begin = bytes;
  while (begin && line[begin - 1] != ' ' && line[begin - 1] != '\t')
    begin--;
  return begin && prof_weight_parse(line + begin, bytes - begin, weight) ? line + begin - 1 : NULL;
}

/* Adds a path, whose text is changed. */
static bool add(struct prof_path_sums *out, char *path, double weight) {
  uint32_t node = 0;
  for (char *name = path; name;) {
    char *end = strchr(name, ';');
    if (end)
      *end = 0;
    prof_unescape(name);
    uint32_t frame = prof_path_sums_frame(out, name, NULL, NULL);
    node = frame == UINT32_MAX ? UINT32_MAX : prof_path_sums_child(out, node, frame);
    if (node == UINT32_MAX)
      return false;
    name = end ? end + 1 : NULL;
  }
  out->nodes.items[node].self += weight;
  return true;
}

static prof_status read_folded(struct prof_text_lines *lines, const char *event, struct prof_path_sums *out,
                               struct prof_diag *diag) {
  char *line;
  size_t bytes;
  prof_status status;
  bool any = false;
  (void)event;
  while ((status = prof_text_lines_next(lines, &line, &bytes, diag)) == PROF_OK && line) {
    double weight;
    if (bytes == strspn(line, " \t") || line[0] == '#')
      continue;
    char *blank = weight_of(line, bytes, &weight);
    if (!blank)
      return prof_text_lines_fault(lines, diag, REMEDY, "no weight from 0 to 1e18 at the end: %.40s", line);
    while (blank > line && (blank[-1] == ' ' || blank[-1] == '\t'))
      blank--;
    *blank = 0;
    if (blank == line)
      return prof_text_lines_fault(lines, diag, REMEDY, "no call path before the weight");
    any |= weight > 0;
    if (!add(out, line, weight))
      return prof_diag_memory(diag);
  }
  if (status == PROF_OK && !any)
    return prof_diag_fill(diag, PROF_EMPTY, lines->path, PROF_NO_OFFSET, REMEDY, "the file has no call paths");
  return status;
}

/* The first line that is not empty and no comment ends in a number. */
static bool looks_like(const char *head, size_t bytes) {
  for (const char *at = head, *limit = head + bytes; at < limit;) {
    const char *end = memchr(at, '\n', (size_t)(limit - at));
    size_t length = end ? (size_t)(end - at) : (size_t)(limit - at);
    while (length && strchr(" \t\r", at[length - 1]))
      length--;
    if (length && at[0] != '#') {
      size_t begin = length;
      double weight;
      while (begin && at[begin - 1] != ' ' && at[begin - 1] != '\t')
        begin--;
      bool cut = !end && bytes >= PROF_TEXT_HEAD_BYTES; /* a long line: its weight is not here */
      return cut ? memchr(at, ';', length) != NULL : begin && prof_weight_parse(at + begin, length - begin, &weight);
    }
    at = end ? end + 1 : limit;
  }
  return false;
}

const struct prof_importer prof_importer_folded = {
    .name = "folded",
    .summary = "folded stacks, as flamegraph tools and prof export write them",
    .looks_like = looks_like,
    .read = read_folded,
};
