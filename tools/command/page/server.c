/*
 * tools/command/page/server.c - see server.h.
 *
 * Signals that end it are blocked before any thread of the server begins, and waited for by the first one; while that
 * reads the recording, a handler ends the process, with the same exit status: pages are answered before the reading
 * is over, and their reader may send a signal then.
 */
#include "command/page/server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "command/page/answers.h"
#include "command/page/generation.h"
#include "command/symbols_warn.h"

#define PATHS_BYTES ((uint64_t)48 << 20) /* without --max-memory: a page shows 60,000 paths, and this holds 200,000 */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP};

struct signals {
  sigset_t ends, before; /* blocked here; the mask of the caller */
};

static void end_now(int number) {
  (void)number;
  _exit(PROF_EXIT_OK);
}

/* One that the caller ignores (nohup) stays ignored. */
static void take_signals(struct signals *signals) {
  struct sigaction now, end = {.sa_handler = end_now};
  sigemptyset(&end.sa_mask);
  sigemptyset(&signals->ends);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (sigaction(endings[i], NULL, &now) || now.sa_handler == SIG_IGN)
      continue;
    sigaddset(&signals->ends, endings[i]);
    sigaction(endings[i], &end, NULL);
  }
  sigprocmask(SIG_BLOCK, &signals->ends, &signals->before);
  signal(SIGPIPE, SIG_IGN);
}

/* In a process whose parent does not wait for it: a browser may stay open for longer. */
static void open_browser(const char *address, const sigset_t *before) {
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  if (!(x && *x) && !(wayland && *wayland))
    return;
  pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, before, NULL);
    setsid();
    int nothing = open("/dev/null", O_RDWR);
    bool quiet = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
                 dup2(nothing, STDERR_FILENO) >= 0;
    if (quiet && fork() == 0)
      execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(0);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
}

static void warn(struct prof_generations *all) {
  struct prof_generation *generation = prof_generation_take(all);
  pthread_mutex_lock(&generation->naming);
  prof_reader_warn(&generation->recording.reader, NULL);
  if (generation->recording.symbols)
    prof_symbols_warn(generation->recording.symbols);
  pthread_mutex_unlock(&generation->naming);
  prof_generation_give(all, generation);
}

/* The browser begins while the recording is read: the page waits for it. */
static prof_status serve(struct prof_generations *all, const struct prof_page_serving *serving,
                         const struct signals *signals, struct prof_diag *diag) {
  const struct prof_http_spec spec = {.paths = prof_page_paths, .context = all, .port = serving->port};
  struct prof_http *http = NULL;
  int signal_number;
  prof_status status = prof_http_start(&spec, diag, &http);
  if (status != PROF_OK)
    return status;
  printf("%s\n", prof_http_address(http));
  fflush(stdout);
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "prof: the page is at this address until Ctrl-C\n");
  if (!serving->no_open)
    open_browser(prof_http_address(http), &signals->before);
  pthread_sigmask(SIG_SETMASK, &signals->before, NULL); /* a long reading is cut short */
  status = prof_generations_read(all, diag);
  pthread_sigmask(SIG_BLOCK, &signals->ends, NULL);
  if (status == PROF_OK) {
    warn(all);
    while (sigwait(&signals->ends, &signal_number))
      ;
  }
  prof_http_stop(http);
  return status;
}

int prof_page_serve(struct prof_common *common, const struct prof_page_serving *serving) {
  struct prof_generations all = {.open = false};
  struct prof_diag diag;
  struct signals signals;
  struct prof_http *none;
  if (!prof_http_is_there()) { /* before a long recording is read */
    prof_status status = prof_http_start(&(struct prof_http_spec){.port = 0}, &diag, &none);
    return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
  }
  if (!common->has_memory)
    common->max_memory = PATHS_BYTES;
  take_signals(&signals);
  prof_status status = prof_generations_open(&all, common, &serving->against, serving->live, &diag);
  if (status == PROF_OK)
    status = serve(&all, serving, &signals, &diag);
  prof_generations_close(&all);
  sigprocmask(SIG_SETMASK, &signals.before, NULL);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}
