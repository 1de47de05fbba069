/*
 * tools/study/shown_paths.c - see shown_paths.h.
 */
#include "study/shown_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "names/loop_frames.h"

struct known { /* a file as a compiler was given it, or the folder of one */
  const char *name;
  size_t bytes;
  char *before; /* what stood before it in the first whole path that ended so; NULL: none yet */
};
typedef PROF_VEC(struct known) known_vec; /* by name */

struct prof_shown_paths {
  const prof_trace *trace;
  known_vec files, folders;
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
  const struct known *one = a, *other = b;
  size_t bytes = one->bytes < other->bytes ? one->bytes : other->bytes;
  int order = memcmp(one->name, other->name, bytes);
  return order ? order : (one->bytes > other->bytes) - (one->bytes < other->bytes);
}

static void sort_once(known_vec *known) {
  size_t kept = 0;
  if (known->count)
    qsort(known->items, known->count, sizeof *known->items, by_name);
  for (size_t i = 0; i < known->count; i++)
    if (kept == 0 || by_name(&known->items[kept - 1], &known->items[i]) != 0)
      known->items[kept++] = known->items[i];
  known->count = kept;
}

static void free_known(known_vec *known) {
  for (size_t i = 0; i < known->count; i++)
    free(known->items[i].before);
  prof_vec_fini(known);
}

static bool add_known(struct prof_shown_paths *paths, const char *name) {
  const char *slash = strrchr(name, '/');
  return prof_vec_push(&paths->files, (struct known){.name = name, .bytes = strlen(name)}) &&
         (!slash || prof_vec_push(&paths->folders, (struct known){.name = name, .bytes = (size_t)(slash - name)}));
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
  bool good = paths != NULL;
  for (uint32_t i = 0; i < count && good; i++) {
    const char *file = prof_names_file(names, i), *name = without_dots(file);
    if (file[0] == '/')
      widen_root(paths, file);
    else if (name[0])
      good = add_known(paths, name);
  }
  if (!good) {
    prof_shown_paths_free(paths);
    return NULL;
  }
  paths->trace = trace;
  sort_once(&paths->files);
  sort_once(&paths->folders);
  return paths;
}

void prof_shown_paths_free(struct prof_shown_paths *paths) {
  if (!paths)
    return;
  free_known(&paths->files);
  free_known(&paths->folders);
  free(paths);
}

/* The end of the path's first bytes that is known; NULL: there is none, or it is known with something else before it.
 */
static const char *known_end(const known_vec *known, const char *path, size_t bytes) {
  for (const char *slash = path; slash && slash < path + bytes; slash = strchr(slash + 1, '/')) {
    const struct known wanted = {.name = slash + 1, .bytes = (size_t)(path + bytes - slash - 1)};
    struct known *found = known->count ? bsearch(&wanted, known->items, known->count, sizeof wanted, by_name) : NULL;
    if (!found)
      continue;
    size_t before = (size_t)(slash - path);
    if (!found->before)
      found->before = strndup(path, before);
    bool same = found->before && strlen(found->before) == before && memcmp(found->before, path, before) == 0;
    return same ? slash + 1 : NULL;
  }
  return NULL;
}

/* A file as a compiler was given it, or beside one: a header. */
static const char *as_compiled(const struct prof_shown_paths *paths, const char *path) {
  const char *name = known_end(&paths->files, path, strlen(path));
  return name ? name : known_end(&paths->folders, path, (size_t)(strrchr(path, '/') - path));
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
