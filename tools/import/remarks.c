/*
 * tools/import/remarks.c - see remarks.h.
 *
 *     src/a.c:12:21: missed: not vectorized: number of iterations cannot be computed.          GCC
 *     src/a.c:12:3: remark: loop not vectorized: cannot prove it is safe [-Rpass-analysis=...]  Clang
 */
#include "import/remarks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/plain_file.h"
#include "import/text_lines.h"

/* What is behind the place is a remark of ours; NULL: it isn't.  Cuts Clang's name of the pass. */
static char *remark_text(char *text) {
  static const char missed[] = " missed: ", remark[] = " remark: ";
  if (!strncmp(text, missed, sizeof missed - 1)) {
    text += sizeof missed - 1;
    text += strspn(text, " ");
    return !strncmp(text, "not vectorized: ", 16) || !strncmp(text, "couldn't vectorize loop", 23) ? text : NULL;
  }
  if (strncmp(text, remark, sizeof remark - 1) != 0)
    return NULL;
  text += sizeof remark - 1;
  char *pass = strstr(text, " [-Rpass");
  if (!pass || !strstr(pass, "loop-vectorize"))
    return NULL;
  *pass = 0;
  return strstr(text, "not vectorized") || strstr(text, "not beneficial") ? text : NULL;
}

/* Cuts "file:12:21:" in place.  The text behind it; NULL: it has no such place. */
static char *cut_place(char *line, uint32_t *number) {
  for (char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
    char *end, *behind;
    unsigned long first = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':' || first == 0 || first > UINT32_MAX)
      continue;
    strtoul(end + 1, &behind, 10);
    if (behind == end + 1 || *behind != ':')
      continue;
    *colon = 0;
    *number = (uint32_t)first;
    return behind + 1;
  }
  return NULL;
}

/* *places counts lines that a compiler may have written. */
static prof_status take(struct prof_remarks *out, char *line, uint64_t *places, struct prof_diag *diag) {
  uint32_t number;
  char *behind = cut_place(line, &number), *text = behind ? remark_text(behind) : NULL;
  *places += behind != NULL;
  if (!text)
    return PROF_OK;
  size_t text_bytes = strlen(text);
  text_bytes -= text_bytes > 0 && text[text_bytes - 1] == '.';
  struct prof_remark fresh = {.line = number};
  const struct prof_remark *last = out->items.count ? &out->items.items[out->items.count - 1] : NULL;
  fresh.file = last && !strcmp(last->file, line) ? last->file : prof_arena_copy(&out->texts, line, strlen(line));
  fresh.text = prof_arena_copy(&out->texts, text, text_bytes);
  return fresh.file && fresh.text && prof_vec_push(&out->items, fresh) ? PROF_OK : prof_diag_memory(diag);
}

static int by_place(const void *a, const void *b) {
  const struct prof_remark *left = a, *right = b;
  return strcmp(left->file, right->file) ?: prof_order(left->line, right->line) ?: strcmp(left->text, right->text);
}

static void drop_equal(struct prof_remarks *out) {
  size_t kept = 0;
  prof_vec_sort(&out->items, by_place);
  for (size_t i = 0; i < out->items.count; i++)
    if (kept == 0 || by_place(&out->items.items[kept - 1], &out->items.items[i]) != 0)
      out->items.items[kept++] = out->items.items[i];
  out->items.count = kept;
}

prof_status prof_remarks_read(const char *path, struct prof_diag *diag, struct prof_remarks *out) {
  struct stat file;
  struct prof_text_lines lines;
  char *line = NULL;
  size_t bytes;
  uint64_t places = 0, all = 0;
  *out = (struct prof_remarks){0};
  int fd = prof_plain_file_open(path, &file);
  if (fd < 0)
    return prof_diag_system(diag, errno, path, "can't open the compiler's remarks",
                            "make them with -fopt-info-vec-missed=FILE (GCC)");
  prof_text_lines_init(&lines, fd, path);
  prof_status status;
  while ((status = prof_text_lines_next(&lines, &line, &bytes, diag)) == PROF_OK && line) {
    all++;
    if ((status = take(out, line, &places, diag)) != PROF_OK)
      break;
  }
  prof_text_lines_fini(&lines);
  close(fd);
  drop_equal(out);
  if (status == PROF_OK && all > 0 && places == 0)
    status = prof_diag_fill(diag, PROF_CORRUPT, path, PROF_NO_OFFSET,
                            "compile with -fopt-info-vec-missed=FILE (GCC) or -Rpass-missed=loop-vectorize (Clang)",
                            "the file has no remarks of a compiler");
  if (status != PROF_OK)
    prof_remarks_free(out);
  return status;
}

void prof_remarks_free(struct prof_remarks *remarks) {
  prof_vec_fini(&remarks->items);
  prof_arena_fini(&remarks->texts);
}
