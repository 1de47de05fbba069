/* hints.c - see hints.h. */
#include "hints.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hint_file.h"

static const char no_memory[] = "out of memory";

/* -1: there is none.  What is no plain file isn't waited for. */
static int open_plain(const char *path, struct stat *status) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, status) == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

/* All of a file, and a NUL; NULL: it can't be read, or there is no memory. */
static char *read_whole(int fd, size_t bytes) {
  char *text = malloc(bytes + 1);
  size_t got = 0;
  for (ssize_t more = 1; text && got < bytes && more > 0; got += more > 0 ? (size_t)more : 0)
    more = read(fd, text + got, bytes - got);
  if (!text || got < bytes || memchr(text, 0, bytes)) {
    free(text);
    return NULL;
  }
  text[bytes] = 0;
  return text;
}

static int compare(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static const char *split(struct prof_hint_list *list) {
  size_t head = strlen(PROF_HINTS_HEAD), count = 0;
  if (strncmp(list->text, PROF_HINTS_HEAD "\n", head + 1) != 0)
    return strncmp(list->text, PROF_HINTS_HEAD, head - 1) == 0 ? "of another version of prof"
                                                               : "no list that prof hints writes";
  for (const char *at = list->text; (at = strchr(at, '\n')); at++)
    count++;
  list->lines = malloc(count * sizeof *list->lines);
  if (!list->lines)
    return no_memory;
  for (char *rest, *line = strtok_r(list->text + head + 1, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strchr(line, '\t'))
      list->lines[list->count++] = line;
  qsort(list->lines, list->count, sizeof *list->lines, compare);
  return NULL;
}

const char *prof_hint_list_read(struct prof_hint_list *list, const char *path) {
  struct stat status;
  char *inside = NULL;
  prof_hint_list_fini(list);
  int fd = open_plain(path, &status);
  bool is_folder = fd >= 0 && S_ISDIR(status.st_mode);
  if (is_folder) {
    close(fd);
    if (asprintf(&inside, "%s/%s", path, PROF_HINTS_FILE) < 0)
      return no_memory;
    fd = open_plain(inside, &status);
    free(inside);
  }
  if (fd >= 0 && S_ISREG(status.st_mode))
    list->text = read_whole(fd, (size_t)status.st_size);
  if (fd >= 0)
    close(fd);
  if (!list->text)
    return is_folder ? "a folder without a list of functions, which prof hints makes of a recording"
                     : "no recording, and no file that can be read";
  const char *wrong = split(list);
  if (wrong)
    prof_hint_list_fini(list);
  return wrong;
}

/* The first line of a name: lines of one name follow each other. */
static size_t first_of(const struct prof_hint_list *list, const char *name, size_t length) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strncmp(list->lines[middle], name, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool prof_hint_list_has(const struct prof_hint_list *list, const char *name, const char *file) {
  size_t length = strlen(name);
  for (size_t i = first_of(list, name, length); i < list->count && strncmp(list->lines[i], name, length) == 0; i++)
    if (list->lines[i][length] == '\t' &&
        (!list->lines[i][length + 1] || strcmp(list->lines[i] + length + 1, file) == 0))
      return true;
  return false;
}

void prof_hint_list_fini(struct prof_hint_list *list) {
  free(list->text);
  free(list->lines);
  *list = (struct prof_hint_list){NULL, NULL, 0};
}
