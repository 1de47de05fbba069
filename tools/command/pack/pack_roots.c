/*
 * tools/command/pack/pack_roots.c - see pack_roots.h.
 */
#include "pack_roots.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* No sources lie in these. */
static const char *const never[] = {"/etc", "/proc", "/sys", "/dev", "/run", "/boot", "/var/run"};
static const char *const version_control[] = {".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", ".fossil"};
static const char *const build_files[] = {"CMakeLists.txt", "configure",   "configure.ac", "meson.build",
                                          "Makefile",       "makefile",    "GNUmakefile",  "Makefile.am",
                                          "SConstruct",     "wscript",     "WORKSPACE",    "MODULE.bazel",
                                          "Cargo.toml",     "build.ninja", "xmake.lua",    "premake5.lua"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The path relative to the folder; NULL: not beneath it. */
static const char *beneath(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static bool has_any(const char *folder, const char *const *names, size_t count) {
  char path[PATH_MAX + 32];
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    if (access(path, F_OK) == 0)
      return true;
  }
  return false;
}

/* Is it a home, or in /?  Too wide for a project. */
static bool is_wide(const char *folder) {
  const char *home = getenv("HOME");
  char real_home[PATH_MAX];
  if (folder[0] != '/' || strchr(folder + 1, '/') == NULL)
    return true;
  const char *name = beneath(folder, "/home");
  bool is_home = home && realpath(home, real_home) && strcmp(folder, real_home) == 0;
  return is_home || (name && strchr(name, '/') == NULL);
}

/* Replaces a folder by the root of its project, if it has one. */
static void lift(char *folder) {
  char at[PATH_MAX], furthest[PATH_MAX];
  snprintf(at, sizeof at, "%s", folder);
  snprintf(furthest, sizeof furthest, "%s", folder);
  for (char *slash; !is_wide(at) && (slash = strrchr(at, '/')) != NULL; *slash = 0) {
    if (has_any(at, version_control, COUNT(version_control))) {
      strcpy(folder, at);
      return;
    }
    if (has_any(at, build_files, COUNT(build_files)))
      strcpy(furthest, at);
  }
  strcpy(folder, furthest);
}

static bool add(struct prof_pack_roots *roots, const char *real, bool flat) {
  for (size_t i = 0; i < roots->list.count; i++)
    if (strcmp(roots->list.items[i].path, real) == 0)
      return true;
  struct prof_pack_root root = {.path = strdup(real), .flat = flat};
  if (root.path && prof_vec_push(&roots->list, root))
    return true;
  free(root.path);
  return false;
}

bool prof_pack_roots_add_build(struct prof_pack_roots *roots, const char *folder) {
  char real[PATH_MAX];
  if (realpath(folder, real) == NULL)
    return true;
  lift(real);
  return add(roots, real, is_wide(real));
}

bool prof_pack_roots_add_listed(struct prof_pack_roots *roots, const char *folder) {
  char real[PATH_MAX];
  return realpath(folder, real) == NULL || add(roots, real, false);
}

static bool is_never(const char *real) {
  for (size_t i = 0; i < COUNT(never); i++)
    if (beneath(real, never[i]))
      return true;
  return false;
}

/* Excludes hidden folders: they hold keys, mail and settings. */
static bool is_within(const char *real, const struct prof_pack_root *root) {
  const char *rest = beneath(real, strcmp(root->path, "/") == 0 ? "" : root->path);
  return rest && rest[0] != '.' && strstr(rest, "/.") == NULL && !(root->flat && strchr(rest, '/'));
}

bool prof_pack_roots_accept(struct prof_pack_roots *roots, const char *path, const char *real) {
  for (size_t i = 0; i < roots->list.count && real && !is_never(real); i++)
    if (is_within(real, &roots->list.items[i])) {
      roots->list.items[i].files++;
      return true;
    }
  if (roots->refused++ == 0)
    prof_text_escape(roots->first_refused, sizeof roots->first_refused, path, strlen(path));
  return false;
}

void prof_pack_roots_fini(struct prof_pack_roots *roots) {
  for (size_t i = 0; i < roots->list.count; i++)
    free(roots->list.items[i].path);
  prof_vec_fini(&roots->list);
}
