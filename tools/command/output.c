/*
 * tools/command/output.c - the stream of a reader's output: file, terminal or pager, its width and colour.
 *
 * Threads: one; SIGPIPE is ignored from the first output on, so that a closed pipe is an error of the FILE.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "view/width.h"

#define MOST_LINES 8 /* of a wrapped text */

/* At least PROF_LEAST_WIDTH; 0: unknown. */
static size_t terminal_width(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col == 0)
    return 0;
  return size.ws_col > PROF_LEAST_WIDTH ? size.ws_col : PROF_LEAST_WIDTH;
}

static const char *pager_command(void) {
  const char *pager = getenv("PROF_PAGER");
  if (!pager)
    pager = getenv("PAGER");
  if (!pager) /* small systems lack less */
    pager = "command -v less >/dev/null && exec less || exec cat";
  return !pager[0] || !strcmp(pager, "cat") ? NULL : pager;
}

/* Options of less: exit if the text fits (F), pass colour on (R), leave the text on the screen (X). */
static void start_pager(struct prof_output *output) {
  const char *command = pager_command();
  int ends[2];
  if (!command || pipe2(ends, O_CLOEXEC))
    return;
  FILE *file = fdopen(ends[1], "w");
  fflush(stdout);
  pid_t child = file ? fork() : -1;
  if (child == 0) {
    if (dup2(ends[0], STDIN_FILENO) < 0)
      _exit(127);
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "RFX", 0);
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(ends[0]);
  if (child < 0) {
    if (file)
      fclose(file);
    else
      close(ends[1]);
    return;
  }
  /* ^C is for the pager; prof ends when the pipe closes. */
  signal(SIGINT, SIG_IGN);
  output->pager = child;
  output->file = file;
}

/* No lock per character, as one thread writes; a large buffer, as exports have gigabytes. */
static void speed_up(FILE *file) {
  __fsetlocking(file, FSETLOCKING_BYCALLER);
  setvbuf(file, NULL, _IOFBF, 256 * 1024);
}

static void appearance(struct prof_output *output, const struct prof_common *common) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  bool able = output->terminal && !(no_color && no_color[0]) && term && strcmp(term, "dumb");
  output->style.color = common->color == PROF_COLOR_ALWAYS || (common->color == PROF_COLOR_AUTO && able);
  output->style.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
  size_t width = output->terminal ? terminal_width() : 0;
  output->style.width = common->has_width ? (size_t)common->width : width ? width : PROF_DEFAULT_WIDTH;
}

void prof_output_begin(struct prof_output *output, const struct prof_common *common) {
  *output = (struct prof_output){.file = stdout, .terminal = isatty(STDOUT_FILENO)};
  signal(SIGPIPE, SIG_IGN);
  appearance(output, common);
  output->verbose = common->verbose;
  if (!output->terminal)
    speed_up(output->file);
  if (output->terminal && !common->no_pager && common->format == PROF_FORMAT_TABLE)
    start_pager(output);
}

prof_status prof_output_file(struct prof_output *output, const char *path, struct prof_diag *diag) {
  *output = (struct prof_output){.file = stdout, .terminal = isatty(STDOUT_FILENO)};
  signal(SIGPIPE, SIG_IGN);
  if (!path || !strcmp(path, "-")) {
    speed_up(output->file);
    return PROF_OK;
  }
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  if (!file) {
    int error = errno;
    if (fd >= 0)
      close(fd);
    return prof_diag_system(diag, error, path, "can't write the output", "choose another place with -o FILE");
  }
  speed_up(file);
  output->file = file;
  output->path = path;
  return PROF_OK;
}

void prof_output_line(const struct prof_output *output, char *text) {
  if (output->style.width)
    prof_text_cut(text, output->style.width, output->style.utf8);
  fprintf(output->file, "%s\n", text);
}

/* Bytes of text that fit in `width` columns, up to a blank if there is one. */
static size_t line_bytes(const char *text, size_t width) {
  size_t fits = prof_text_fitting(text, width), blank = fits;
  if (!text[fits])
    return fits;
  while (blank > 0 && text[blank] != ' ')
    blank--;
  return blank > 0 ? blank : fits > 0 ? fits : 1;
}

void prof_output_wrap(const struct prof_output *output, const char *text, size_t indent) {
  size_t width = output->style.width, lines = 1;
  while (width && prof_text_width(text) > (lines > 1 ? width - indent : width)) {
    size_t bytes = line_bytes(text, lines > 1 ? width - indent : width);
    if (lines++ == MOST_LINES) {
      fprintf(output->file, "%.*s ...\n", (int)line_bytes(text, width - indent - 4), text);
      return;
    }
    fprintf(output->file, "%.*s\n%*s", (int)bytes, text, (int)indent, "");
    text += bytes + (text[bytes] == ' ');
  }
  fprintf(output->file, "%s\n", text);
}

void prof_output_fact(const struct prof_output *output, const char *title, const char *format, ...) {
  char text[4096];
  int used = snprintf(text, sizeof text, "%-24s ", title);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  va_end(arguments);
  prof_output_wrap(output, text, (size_t)used);
}

static int write_failed(const struct prof_output *output, int error) {
  if (error == EPIPE)
    return PROF_EXIT_OK;
  struct prof_diag diag;
  prof_diag_system(&diag, error, output->path, "can't write the output",
                   "make room, or choose another place with -o FILE");
  return prof_command_fail(&diag);
}

int prof_output_end(struct prof_output *output) {
  errno = 0;
  bool bad = ferror(output->file);
  int error = EIO, status = PROF_EXIT_OK;
  if (fflush(output->file)) {
    bad = true;
    error = errno;
  }
  if (output->file != stdout && fclose(output->file) && !bad) {
    bad = true;
    error = errno;
  }
  if (output->pager) {
    while (waitpid(output->pager, NULL, 0) < 0 && errno == EINTR)
      ;
    error = EPIPE; /* the user left the pager: no error */
  }
  if (bad)
    status = write_failed(output, error);
  output->file = NULL;
  return status;
}
