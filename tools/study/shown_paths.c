/*
 * tools/study/shown_paths.c - see shown_paths.h.
 */
#include "study/shown_paths.h"

#include <stdlib.h>
#include <string.h>

#include "names/loop_frames.h"

struct known { /* a file as a compiler was given it */
  const char *name;
  char *before; /* what stood before it in the first whole path that ended so; NULL: none yet */
};

struct prof_shown_paths {
  const prof_trace *trace;
  struct known *known; /* by name */
  size_t known_count;
  const char *root; /* of root_bytes: the folder that all whole paths of functions lie beneath, ended by a slash */
  size_t root_bytes;
};

static const char *without_dots(const char *path) {
  for (;;) {
    size_t dots = strncmp(path, "../", 3) == 0 ? 3 : strncmp(path, "./", 2) == 0 ? 2 : 0;
    if (!dots)
      return path;
    path += dots;
  }
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct known *)a)->name, ((const struct known *)b)->name);
}

/* Files in /usr belong to compilers and libraries. */
static void widen_root(struct prof_shown_paths *paths, const char *file) {
  if (strncmp(file, "/usr/", strlen("/usr/")) == 0)
    return;
  size_t same = 0, most = paths->root ? paths->root_bytes : (size_t)(strrchr(file, '/') - file) + 1;
  paths->root = paths->root ? paths->root : file;
  while (same < most && file[same] == paths->root[same])
    same++;
  while (same > 0 && paths->root[same - 1] != '/')
    same--;
  paths->root_bytes = same;
}

struct prof_shown_paths *prof_shown_paths_new(const prof_trace *trace, struct prof_names *names) {
  struct prof_shown_paths *paths = calloc(1, sizeof *paths);
  uint32_t count = prof_frame_count(trace);
  struct known *known = calloc((size_t)count + 1, sizeof *known);
  if (!paths || !known) {
    free(paths);
    free(known);
    return NULL;
  }
  paths->trace = trace;
  paths->known = known;
  for (uint32_t i = 0; i < count; i++) {
    const char *file = prof_names_file(names, i), *name = without_dots(file);
    if (file[0] == '/')
      widen_root(paths, file);
    else if (name[0])
      known[paths->known_count++].name = name;
  }
  qsort(known, paths->known_count, sizeof *known, by_name);
  size_t kept = 0;
  for (size_t i = 0; i < paths->known_count; i++)
    if (kept == 0 || strcmp(known[kept - 1].name, known[i].name) != 0)
      known[kept++] = known[i];
  paths->known_count = kept;
  return paths;
}

void prof_shown_paths_free(struct prof_shown_paths *paths) {
  for (size_t i = 0; paths && i < paths->known_count; i++)
    free(paths->known[i].before);
  if (paths)
    free(paths->known);
  free(paths);
}

/* The end of a whole path that a compiler was given; NULL: there is none, or another file has that name. */
static const char *as_compiled(struct prof_shown_paths *paths, const char *path) {
  for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
    const struct known wanted = {.name = slash + 1};
    struct known *known = bsearch(&wanted, paths->known, paths->known_count, sizeof *known, by_name);
    if (!known)
      continue;
    size_t bytes = (size_t)(slash - path);
    if (!known->before)
      known->before = strndup(path, bytes);
    return known->before && strlen(known->before) == bytes && memcmp(known->before, path, bytes) == 0 ? slash + 1
                                                                                                      : NULL;
  }
  return NULL;
}

const char *prof_shown_path(struct prof_shown_paths *paths, const char *path) {
  if (path[0] != '/')
    return without_dots(path);
  const char *name = as_compiled(paths, path);
  if (name)
    return name;
  size_t bytes = 0;
  const char *folder = prof_trace_setting(paths->trace, "directory", &bytes);
  while (bytes > 0 && folder[bytes - 1] == '/')
    bytes--;
  if (bytes > 0 && strncmp(path, folder, bytes) == 0 && path[bytes] == '/')
    return path + bytes + 1;
  bool in_root = paths->root_bytes > 1 && strncmp(path, paths->root, paths->root_bytes) == 0;
  return in_root ? path + paths->root_bytes : path;
}
