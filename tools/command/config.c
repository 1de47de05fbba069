/*
 * tools/command/config.c - `prof config`: prints flags and paths for a compiler, a build file or a shell; --show lists
 * settings (defaults/).
 *
 * It looks for the plugin relative to this program: in the build tree, then in the library folder of the prefix.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "command.h"
#include "compiler.h"
#include "defaults/defaults_show.h"

struct places {
  char own[PATH_MAX];      /* folder of this program */
  char plugin[PATH_MAX];   /* prof.so; a link if installed */
  char folder[PATH_MAX];   /* of the plugin */
  char backends[PATH_MAX]; /* folder of the backends */
  char runtime[PATH_MAX];  /* folder of the runtime */
};

struct settings {
  const char *compiler;
  bool asked[4]; /* index: as in `prints` */
  bool show;
  enum prof_format format;
};

/* ---- paths ---- */

/* "folder/name" as a real path; false: there is no such file. */
static bool find(const char *folder, const char *name, char out[PATH_MAX]) {
  char path[PATH_MAX];
  return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && realpath(path, out) != NULL;
}

static void cut_name(char *path) {
  char *slash = strrchr(path, '/');
  if (slash && slash != path)
    *slash = 0;
}

static prof_status places_find(struct places *places, struct prof_diag *diag) {
  static const struct {
    const char *folder, *backends, *runtime;
  } layouts[] = {
      {"../plugin", "../plugin", "../runtime"},                          /* build tree */
      {"../" PROF_LIBDIR, "../" PROF_LIBDIR "/prof", "../" PROF_LIBDIR}, /* prefix */
  };
  ssize_t bytes = readlink("/proc/self/exe", places->own, sizeof places->own - 1);
  if (bytes < 0)
    return prof_diag_system(diag, errno, "/proc/self/exe", "can't find out where prof is", "mount /proc");
  places->own[bytes] = 0;
  cut_name(places->own);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    /* Keeps the link prof.so: GCC matches -fplugin-arg-prof- with the plugin's file name. */
    if (!find(places->own, layouts[i].folder, places->folder) ||
        snprintf(places->plugin, sizeof places->plugin, "%s/prof.so", places->folder) >= (int)sizeof places->plugin ||
        access(places->plugin, R_OK))
      continue;
    if (!find(places->own, layouts[i].backends, places->backends))
      strcpy(places->backends, places->folder);
    if (!find(places->own, layouts[i].runtime, places->runtime))
      strcpy(places->runtime, places->folder);
    return PROF_OK;
  }
  return prof_diag_fill(diag, PROF_NOT_FOUND, places->own, PROF_NO_OFFSET,
                        "build it (make), or install prof again: prof and its plugin belong in one prefix",
                        "there is no plugin near this program");
}

/* ---- backends ---- */

/* "gcc-11 gcc-12", or "none". */
static void list_backends(const char *folder, char *out, size_t size) {
  size_t used = 0;
  DIR *directory = opendir(folder);
  out[0] = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    size_t length = strlen(entry->d_name);
    if (strncmp(entry->d_name, "prof-", 5) || length < 9 || strcmp(entry->d_name + length - 3, ".so"))
      continue;
    int bytes = snprintf(out + used, size - used, "%s%.*s", used ? " " : "", (int)length - 8, entry->d_name + 5);
    used += bytes > 0 && (size_t)bytes < size - used ? (size_t)bytes : 0;
  }
  if (directory)
    closedir(directory);
  if (!used)
    snprintf(out, size, "none");
}

static prof_status check_compiler(const struct places *places, const char *command, struct prof_diag *diag) {
  struct prof_compiler compiler;
  prof_status status = prof_compiler_identify(&compiler, command, diag);
  if (status != PROF_OK)
    return status;
  char path[PATH_MAX + 64], present[200], remedy[256];
  snprintf(path, sizeof path, "%s/prof-%s-%u.so", places->backends, compiler.family, compiler.major);
  if (!access(path, R_OK))
    return PROF_OK;
  list_backends(places->backends, present, sizeof present);
  bool gcc = !strcmp(compiler.family, "gcc");
  char packages[64];
  if (gcc)
    snprintf(packages, sizeof packages, "gcc-%u-plugin-dev", compiler.major);
  else
    snprintf(packages, sizeof packages, "llvm-%u-dev and libclang-%u-dev", compiler.major, compiler.major);
  snprintf(remedy, sizeof remedy, "there are: %.100s; or install %s and build prof again", present, packages);
  return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET, remedy, "no backend for %s (%s %u)", command,
                        compiler.family, compiler.major);
}

/* ---- output ---- */

/* Prints in single quotes what a shell would split or expand. */
static void print_quoted(const char *text) {
  if (!text[strcspn(text, " \t\n\"'\\$`*?[]{}()<>|&;#~!")]) {
    fputs(text, stdout);
    return;
  }
  putchar('\'');
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  putchar('\'');
}

static void print_cflags(const struct places *places) {
  fputs("-fplugin=", stdout);
  print_quoted(places->plugin);
  putchar('\n');
}

/* Prints linker flags of a static program; they follow its objects. */
static void print_static(const struct places *places) {
  fputs("-Wl,--whole-archive ", stdout);
  print_quoted(places->runtime);
  fputs("/libprof-runtime.a -Wl,--no-whole-archive -pthread\n", stdout);
}

static void print_places(const struct places *places) {
  char present[200];
  list_backends(places->backends, present, sizeof present);
  fputs("plugin    ", stdout);
  print_quoted(places->plugin);
  printf("\nbackends  %s\nruntime   ", present);
  print_quoted(places->runtime);
  fputs("\nprof      ", stdout);
  print_quoted(places->own);
  putchar('\n');
}

static void print_cmake(const struct places *places) {
  bool plain = !places->plugin[strcspn(places->plugin, "\"\\$;")];
  printf("# prof: probes in every target from here on\nadd_compile_options(-g %s-fplugin=%s%s)\n",
         plain ? "\"" : "[==[", places->plugin, plain ? "\"" : "]==]");
}

static void print_env(const struct places *places) {
  fputs("export PATH=", stdout);
  print_quoted(places->own);
  fputs("${PATH:+:$PATH}\nexport LD_LIBRARY_PATH=", stdout);
  print_quoted(places->folder);
  if (strcmp(places->folder, places->runtime)) {
    putchar(':');
    print_quoted(places->runtime);
  }
  fputs("${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n", stdout);
}

/* ---- the command ---- */

static void (*const prints[])(const struct places *) = {print_cflags, print_static, print_cmake, print_env};

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  void (*print)(const struct places *) = NULL;
  struct places places;
  struct prof_diag diag;
  prof_status status = PROF_OK;
  (void)argc, (void)argv;
  if (settings->show)
    return prof_defaults_show(settings->format);
  for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) {
    if (settings->asked[i] && print)
      status = prof_command_usage(&diag, "call it once for each",
                                  "only one of --cflags, --static, --cmake and --env at a time");
    print = settings->asked[i] ? prints[i] : print;
  }
  if (status == PROF_OK)
    status = places_find(&places, &diag);
  if (status == PROF_OK && settings->compiler)
    status = check_compiler(&places, settings->compiler, &diag);
  if (status != PROF_OK)
    return prof_command_fail(&diag);
  (print ? print : print_places)(&places);
  return fflush(stdout) ? PROF_EXIT_FAILED : PROF_EXIT_OK;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"cflags", 0, NULL, "print the compiler's flag, with the plugin's full path", PROF_OPTION_FLAG, IN(asked[0])},
    {"static", 0, NULL, "print what a static program is linked with: the runtime's archive", PROF_OPTION_FLAG,
     IN(asked[1])},
    {"cmake", 0, NULL, "print lines for a CMakeLists.txt", PROF_OPTION_FLAG, IN(asked[2])},
    {"env", 0, NULL, "print lines for a shell: it then finds prof, and GCC finds prof.so by name", PROF_OPTION_FLAG,
     IN(asked[3])},
    {"compiler", 0, "COMMAND", "check that there is a backend for it, as in gcc-12 or /opt/gcc/bin/g++",
     PROF_OPTION_TEXT, IN(compiler)},
    {"show", 0, NULL, "list the settings of prof.toml, and where each came from", PROF_OPTION_FLAG, IN(show)},
    {"format", 0, NULL, "output format of --show (default: table)", PROF_OPTION_WORD, IN(format),
     PROF_WORDS("table", "json")},
    {0},
};

const struct prof_command prof_command_config = {
    .name = "config",
    .instead = "see prof config --help",
    .summary = "Print what a compiler, CMake or a shell needs to find the plugin; show settings",
    .group = "Set up",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
