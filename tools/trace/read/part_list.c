/*
 * tools/trace/read/part_list.c - see part_list.h.
 */
#include "part_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/order.h"
#include "trace/format.h"
#include "trace/part_names.h"

static int newest_first(const void *a, const void *b) {
  const struct prof_part_entry *left = a, *right = b;
  return prof_order(right->number, left->number) ?: strcmp(left->name, right->name);
}

static bool has_begun(int folder, const char *part) {
  char trace[sizeof((struct prof_part_entry *)NULL)->name + sizeof "/trace"];
  struct stat status;
  snprintf(trace, sizeof trace, "%s/trace", part);
  return fstatat(folder, trace, &status, 0) == 0 && S_ISREG(status.st_mode) &&
         status.st_size >= (off_t)sizeof(struct prof_format_file);
}

bool prof_part_list_read(struct prof_part_list *list, const char *path) {
  *list = (struct prof_part_list){0};
  DIR *folder = opendir(path);
  bool good = true, whole = folder && faccessat(dirfd(folder), "trace", F_OK, 0) == 0;
  for (struct dirent *entry; folder && !whole && good && (entry = readdir(folder)) != NULL;) {
    struct prof_part_entry part = {.number = prof_part_number(entry->d_name)};
    size_t bytes = strlen(entry->d_name) + 1;
    if (part.number == 0 || bytes > sizeof part.name)
      continue;
    memcpy(part.name, entry->d_name, bytes);
    good = !has_begun(dirfd(folder), part.name) || prof_vec_push(&list->parts, part);
  }
  if (folder)
    closedir(folder);
  if (list->parts.count > 1)
    qsort(list->parts.items, list->parts.count, sizeof *list->parts.items, newest_first);
  return good;
}

void prof_part_list_fini(struct prof_part_list *list) {
  prof_vec_fini(&list->parts);
}
