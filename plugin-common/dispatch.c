/*
 * dispatch.c - prof.so: finds which compiler loaded it, and loads that compiler's backend.
 *
 * A backend belongs to one major version, so this file uses no symbol of a compiler.  It looks for
 * prof-<compiler>-<major>.so beside its own real path (build tree), then in prof/ there (installed).  GCC calls
 * plugin_init.  Clang calls no function: the constructor recognises it by its symbols.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clang_input.h"

#define EXPORT __attribute__((visibility("default")))

/* `strings prof.so` shows it.  A compiler cache hashes only this file: the digest makes it notice new backends. */
EXPORT extern const char prof_plugin_version[];
const char prof_plugin_version[] = "prof plugin " PROF_VERSION " " PROF_PLUGIN_DIGEST;

/* The first fields of GCC's struct plugin_gcc_version. */
struct gcc_version_head {
  const char *basever;
};
typedef int gcc_plugin_init(void *plugin, struct gcc_version_head *version);

EXPORT extern int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible = 1;
EXPORT gcc_plugin_init plugin_init;

/* The folder of this library, links resolved, with a slash at the end; false: unknown. */
static bool own_folder(char folder[PATH_MAX]) {
  Dl_info self;
  if (!dladdr((void *)own_folder, &self) || !self.dli_fname || !realpath(self.dli_fname, folder))
    return false;
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[1] = 0;
  return slash != NULL;
}

/* Prints the majors of `compiler` that have a backend in `folder`, each with a blank before it. */
static unsigned backends_print(const char *folder, const char *compiler) {
  char pattern[64];
  unsigned count = 0;
  int length = snprintf(pattern, sizeof pattern, "prof-%s-", compiler);
  DIR *directory = opendir(folder);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (!strncmp(entry->d_name, pattern, (size_t)length) && strstr(entry->d_name, ".so")) {
      const char *major = entry->d_name + length;
      fprintf(stderr, " %.*s", (int)strcspn(major, "."), major);
      count++;
    }
  if (directory)
    closedir(directory);
  return count;
}

static void say_missing(const char *folder, const char *compiler, const char *name, const char *major) {
  char installed[PATH_MAX + 8];
  snprintf(installed, sizeof installed, "%sprof/", folder);
  static const struct { const char *compiler, *name; } rows[] = {{"gcc", "GCC"}, {"clang", "Clang"}};
  fprintf(stderr, "prof: no plugin backend for %s %s; there are backends for", name, major);
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    fprintf(stderr, "%s %s", i ? " and" : "", rows[i].name);
    if (!(backends_print(folder, rows[i].compiler) + backends_print(installed, rows[i].compiler)))
      fprintf(stderr, " (none)");
  }
  fprintf(stderr, ": use one of these, or install this version's headers and rebuild prof (Debian: apt install ");
  bool gcc = !strcmp(compiler, "gcc");
  if (gcc)
    fprintf(stderr, "gcc-%s-plugin-dev", major);
  else
    fprintf(stderr, "llvm-%s-dev libclang-%s-dev", major, major);
  fprintf(stderr, "; cmake -D%s=%s)\n", gcc ? "PROF_GCC_MAJORS" : "PROF_CLANG_MAJORS", major);
}

/* Loads the backend; NULL: the reason was printed. */
static void *backend_load(const char *compiler, const char *name, const char *major) {
  char folder[PATH_MAX], path[PATH_MAX + 64];
  if (!own_folder(folder)) {
    fprintf(stderr, "prof: cannot find the folder of prof.so; give its full path: -fplugin=/path/to/prof.so\n");
    return NULL;
  }
  static const char *const places[] = {"", "prof/"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s%sprof-%s-%s.so", folder, places[i], compiler, major);
    if (access(path, F_OK))
      continue;
    void *backend = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!backend)
      fprintf(stderr, "prof: the plugin backend for %s %s does not load: %s; build prof again\n", name, major,
              dlerror());
    return backend;
  }
  say_missing(folder, compiler, name, major);
  return NULL;
}

int plugin_init(void *plugin, struct gcc_version_head *version) {
  char major[16];
  snprintf(major, sizeof major, "%.*s", (int)strcspn(version->basever, "."), version->basever);
  void *backend = backend_load("gcc", "GCC", major);
  if (!backend)
    return 1;
  gcc_plugin_init *init = (gcc_plugin_init *)dlsym(backend, "plugin_init");
  if (!init) {
    fprintf(stderr, "prof: the plugin backend for GCC %s has no plugin_init; build prof again\n", major);
    return 1;
  }
  return init(plugin, version);
}

/* The version of this process's Clang; {0, 0}: not Clang. */
struct clang_version {
  unsigned major, minor;
};

static struct clang_version clang_version(void) {
  /* std::string clang::getClangFullVersion(): its first word is the pointer to the text, in libstdc++ and libc++'s
     long form alike; the text is longer than either stores inside the object. */
  static const char full_version[] = "_ZN5clang19getClangFullVersionB5cxx11Ev";
  void (*get_text)(void *string) = (void (*)(void *))dlsym(RTLD_DEFAULT, full_version);
  void (*get_numbers)(unsigned *, unsigned *, unsigned *) =
      (void (*)(unsigned *, unsigned *, unsigned *))dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  struct clang_version version = {0, 0};
  unsigned patch;
  if (get_numbers && (get_text || dlsym(RTLD_DEFAULT, "clang_main")))
    get_numbers(&version.major, &version.minor, &patch);
  else if (get_text) {
    union {
      const char *text;
      char room[64];
    } string;
    memset(&string, 0, sizeof string);
    get_text(&string);
    const char *number = string.text ? strstr(string.text, "version ") : NULL;
    if (number)
      sscanf(number + 8, "%u.%u", &version.major, &version.minor);
  }
  return version;
}

/* LLVM's binary interface is stable within a minor version only. */
static bool backend_fits(void *backend, const struct clang_version *running) {
  const unsigned *built = (const unsigned *)dlsym(backend, "prof_clang_version");
  if (built && built[0] == running->major && built[1] == running->minor)
    return true;
  if (!built)
    fprintf(stderr, "prof: the plugin backend for Clang %u has no version; build prof again\n", running->major);
  else
    fprintf(stderr, "prof: backend was built for Clang %u.%u, this is %u.%u; build prof with its headers\n", built[0],
            built[1], running->major, running->minor);
  return false;
}

/* Clang doesn't fail if a plugin does nothing: without a backend the build must stop here. */
__attribute__((constructor)) static void clang_recognise(void) {
  if (dlsym(RTLD_DEFAULT, "plugin_default_version_check"))
    return; /* GCC, which calls plugin_init */
  struct clang_version version = clang_version();
  if (!version.major)
    return;
  char major[16];
  snprintf(major, sizeof major, "%u", version.major);
  void *backend = backend_load("clang", "Clang", major);
  if (!backend || !backend_fits(backend, &version))
    _exit(1);
  prof_clang_input_check();
}
