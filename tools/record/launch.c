/*
 * tools/record/launch.c - see launch.h.
 */
#include "record/launch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "module.h"
#include "version.h"

/* The gate opens when our end of it is closed, also by our death. */
static void run(const struct prof_launch *launch, int report, int gate) {
  char nothing;
  while (read(gate, &nothing, sizeof nothing) < 0 && errno == EINTR)
    ;
  prof_signals_restore(launch->signals);
  if (setenv(PROF_ENV_RECORD, "1", 1) == 0 && setenv(PROF_ENV_RING, launch->ring_path, 1) == 0 &&
      setenv(PROF_ENV_RUNTIME, launch->runtime_path, 1) == 0 &&
      prof_gpu_launch_environment(&launch->gpu, launch->collector_path))
    execvp(launch->arguments[0], launch->arguments);
  int error = errno;
  /* If even that fails, only the exit status shows it. */
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

prof_status prof_launch_explain(const char *name, int error, struct prof_diag *diag) {
  if (error == ENOENT || error == ENOTDIR)
    return prof_diag_fill(diag, PROF_NOT_FOUND, name, PROF_NO_OFFSET,
                          strchr(name, '/')
                              ? "check the path; if the file is there, its interpreter or loader is missing"
                              : "prof searches PATH; for a program in this folder write ./ before it",
                          "no such program");
  return prof_diag_system(diag, error, name, "cannot execute", error == EACCES ? "make it executable: chmod +x" : NULL);
}

static int try_execute(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return errno;
  return S_ISREG(status.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

prof_status prof_launch_check(const char *name, struct prof_diag *diag, char found[PATH_MAX]) {
  int error = ENOENT;
  if (strchr(name, '/') != NULL) {
    error = snprintf(found, PATH_MAX, "%s", name) < PATH_MAX ? try_execute(name) : ENAMETOOLONG;
  } else if (*name != 0) {
    const char *folder = getenv("PATH");
    for (folder = folder != NULL ? folder : "/bin:/usr/bin"; folder != NULL;) {
      const char *end = strchrnul(folder, ':');
      int length = (int)(end - folder);
      if (snprintf(found, PATH_MAX, "%.*s%s%s", length, folder, length > 0 ? "/" : "", name) < PATH_MAX) {
        int result = try_execute(found);
        if (result == 0)
          return PROF_OK;
        if (result == EACCES)
          error = EACCES;
      }
      folder = *end == ':' ? end + 1 : NULL;
    }
  }
  return error == 0 ? PROF_OK : prof_launch_explain(name, error, diag);
}

prof_status prof_launch_start(const struct prof_launch *launch, struct prof_diag *diag, pid_t *pid) {
  int report[2]; /* a successful exec closes it, else it carries errno */
  int gate[2];   /* the new process waits for it */
  if (pipe2(report, O_CLOEXEC) != 0)
    return prof_diag_system(diag, errno, NULL, "starting the program", NULL);
  if (pipe2(gate, O_CLOEXEC) != 0) {
    int failed = errno;
    close(report[0]);
    close(report[1]);
    return prof_diag_system(diag, failed, NULL, "starting the program", NULL);
  }
  *pid = fork();
  if (*pid == 0) {
    close(gate[1]);
    run(launch, report[1], gate[0]);
  }
  int error = errno;
  close(report[1]);
  close(gate[0]);
  if (*pid > 0 && launch->before_exec != NULL)
    launch->before_exec(launch->context, *pid);
  close(gate[1]);
  if (*pid < 0) {
    close(report[0]);
    return prof_diag_system(diag, error, NULL, "starting the program", NULL);
  }
  ssize_t got;
  do
    got = read(report[0], &error, sizeof error);
  while (got < 0 && errno == EINTR);
  close(report[0]);
  if (got != sizeof error)
    return PROF_OK;
  while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
    ;
  return prof_launch_explain(launch->arguments[0], error, diag);
}

static bool is_there(const char *path) {
  return access(path, R_OK) == 0;
}

/* Finds where ld.so finds it, by loading it for a moment; that runs none of its code. */
static bool ask_loader(char out[PATH_MAX]) {
  void *handle = dlopen(PROF_RUNTIME_FILE, RTLD_LAZY | RTLD_LOCAL);
  struct link_map *map = NULL;
  if (handle == NULL)
    return false;
  bool found = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, out) != NULL;
  dlclose(handle);
  return found;
}

prof_status prof_launch_find_runtime(char out[PATH_MAX], struct prof_diag *diag) {
  /* Relative to this program: in the build tree, and below the prefix of an installation. */
  static const char *const beside[] = {"", "../runtime/", "../lib/", "../" PROF_LIBDIR "/", "../lib64/"};
  const char *wanted = getenv(PROF_ENV_RUNTIME);
  if (wanted != NULL && *wanted != 0) {
    if (realpath(wanted, out) != NULL && is_there(out))
      return PROF_OK;
    return prof_diag_fill(diag, PROF_NOT_FOUND, wanted, PROF_NO_OFFSET,
                          "let " PROF_ENV_RUNTIME " name the runtime, or unset it", "the runtime isn't there");
  }
  char folder[PATH_MAX], path[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  while (length > 0 && folder[length - 1] != '/')
    length--;
  folder[length > 0 ? length : 0] = 0;
  for (size_t i = 0; length > 0 && i < sizeof beside / sizeof *beside; i++) {
    snprintf(path, sizeof path, "%s%s%s", folder, beside[i], PROF_RUNTIME_FILE);
    if (is_there(path) && realpath(path, out) != NULL)
      return PROF_OK;
  }
  if (ask_loader(out))
    return PROF_OK;
  return prof_diag_fill(diag, PROF_NOT_FOUND, PROF_RUNTIME_FILE, PROF_NO_OFFSET,
                        "install prof whole (make install), or let " PROF_ENV_RUNTIME " name the file",
                        "the runtime is missing");
}
